"""Command: copy a file of responses, after checking that it fits the dialogues."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.outputs import read_outputs, write_outputs


def own_responses(target: Path, *, responses: Path, dialogues: Path) -> None:
    """Copy the responses of a system that was run elsewhere.

    Raises InputError, naming dialogue and turn, for responses that do not fit the dialogues.

    :param target: JSON of the standard evaluator to write
    :param responses: JSON of the standard evaluator with every dialogue and every turn
    :param dialogues: JSON lines as `multiwoz.data` describes them
    """
    write_outputs(target, read_outputs(responses, read_dialogues(dialogues)))


if __name__ == "__main__":
    run(own_responses)
