"""Command: train a language model to answer dialogues in the format of a system."""

from pathlib import Path

from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.core.command import run
from workflow_scripts.core.job_state import key_of
from workflow_scripts.language_models.model import Kind, two_decoders
from workflow_scripts.language_models.training import LanguageModelTraining, first_model, options_of
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.responders.consistency import Consistency
from workflow_scripts.responders.sessions import gold_sessions
from workflow_scripts.responders.templates import TEMPLATES, Name
from workflow_scripts.seq2seq.device import Device, Precision, prepare


def train(
    model: Path,
    *,
    dialogues: list[Path],
    databases: list[Path],
    kind: Kind,
    template: Name,
    start: Pretrained,
    course: Course,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    initial: Path | None = None,
    further: list[Path] | None = None,
) -> None:
    """Minimise the cross-entropy of the model's targets in the format; of all tokens for a causal model.

    AuGPT has an additional loss (`consistency`).

    AdamW, with a rate that rises and then falls linearly, or stays constant; gradients are clipped. A batch
    has texts of similar length and of one decoder. If a text is longer than the model can read, its end is
    used. Order and dropout are functions of the seed and the update alone, so that a killed training that
    resumes from the end of its last complete epoch ends with the same weights. The last weights are kept.
    Raises InputError for bad dialogues, databases and checkpoints.

    :param model: transformers folder to write, with a second folder in it if there is a second decoder
    :param dialogues: training dialogues, JSON lines as `multiwoz.data` describes them
    :param kind: of the language model
    :param template: the system's format
    :param further: more training dialogues, which do not change the number of updates
    """
    where = prepare(device, precision, threads)
    database = load_database(*databases)
    form = TEMPLATES[template]()
    base, more = (
        [
            example
            for path in paths
            for dialogue in read_dialogues(path)
            for example in form.examples(gold_sessions(dialogue, database))
        ]
        for paths in (dialogues, further or [])
    )
    examples = [*base, *more]
    learner = first_model(kind, form.pieces, examples, start, where, seed, initial)
    if form.decoders == 2:
        learner = two_decoders(learner)
    files = [*dialogues, *(further or []), *databases, initial]
    settings = options_of(seed, threads, where, start=start, course=course)
    options = {"kind": kind, "template": template, "further": len(further or []), **settings}
    from workflow_scripts.training.state import TrainingState

    key = key_of("responders.train", options, files, "torch", "transformers", targets=[model])
    state = TrainingState(checkpoints, key)
    loss = Consistency(learner, examples, seed, initial) if template == "augpt" else None
    LanguageModelTraining(learner, examples, course, seed, loss, len(base)).write(model, state)


if __name__ == "__main__":
    run(train)
