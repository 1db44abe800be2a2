"""Command: let a trained recurrent system answer dialogues, turn by turn."""

from pathlib import Path

from workflow_scripts.config.dialogue import RecurrentDecoding
from workflow_scripts.core.command import run
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.outputs import write_outputs
from workflow_scripts.responders.respond import answered
from workflow_scripts.responders.train_recurrent import database_of
from workflow_scripts.seq2seq.device import Device, Precision, loading, prepare


def respond_recurrent(
    target: Path,
    *,
    model: Path,
    dialogues: Path,
    databases: list[Path],
    decoding: RecurrentDecoding,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write a system's answers to the users of all dialogues, and its states.

    :param target: JSON of the standard evaluator to write
    :param model: file that responders.train_recurrent wrote
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param decoding: the inputs it reads, and the largest length of its outputs
    :param precision: ignored, always float32
    """
    where = prepare(device, "float32" if precision == "auto" else precision, threads)
    known = read_dialogues(dialogues)
    with loading():
        from workflow_scripts.responders.recurrent import SYSTEMS, load
    trained = load(model, where)
    system = SYSTEMS[trained.template](trained.network, trained.form, decoding)
    write_outputs(target, answered(system, known, database_of(databases, trained.sizes), decoding))


if __name__ == "__main__":
    run(respond_recurrent)
