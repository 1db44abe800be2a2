"""Command: Figure 1 of Hu et al. (2022) as a table, a dialogue with a normal and with an impolite user."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.compare import IMPOLITE, ORIGINAL
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.outputs import read_outputs

COLUMNS = ("dialogue", "users", "turn", "who", "text")
USER = "User"


def figure1(
    table: Path,
    *,
    label: str,
    seed: int,
    polite: Path | None = None,
    impolite: Path | None = None,
    responses: list[Path] | None = None,
) -> None:
    """Write one dialogue twice, with its original and with its impolite user, and a system's responses.

    The dialogue is drawn at random; the paper's figure is a picture of two chosen turns. Without rewritten
    dialogues or the system there are no rows. Raises InputError unless there are two files of responses, and
    for a rewritten dialogue without an original.

    :param table: CSV to write: dialogue, users (original, impolite), turn (from 0), who, text
    :param label: the system's label
    :param polite: dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param impolite: the rewritten ones
    :param responses: the system's responses to the polite and to the impolite dialogues
    """
    rows: list[list[object]] = []
    if polite and impolite and responses:
        if len(responses) != 2:
            raise InputError(f"{len(responses)} files of responses instead of two")
        sides = dict(zip((ORIGINAL, IMPOLITE), map(read_dialogues, (polite, impolite)), strict=True))
        name = random.Random(f"{seed} figure 1").choice([dialogue.id for dialogue in sides[IMPOLITE]])
        for (users, dialogues), path in zip(sides.items(), responses, strict=True):
            matches = [dialogue for dialogue in dialogues if dialogue.id == name]
            if not matches:
                raise InputError(f"no dialogue {name!r}", path=polite)
            answers = read_outputs(path, dialogues)[name]
            for place, (turn, answer) in enumerate(zip(matches[0].turns, answers, strict=True)):
                rows += [[name, users, place, USER, turn.user], [name, users, place, label, answer.response]]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(figure1)
