"""Command: train a language model on lines: to rewrite a line, or to compute the probability of a line."""

from pathlib import Path
from typing import Literal

from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, read_lines
from workflow_scripts.core.job_state import key_of
from workflow_scripts.language_models.model import Kind
from workflow_scripts.language_models.texts import END, ENDS, Example, pieces
from workflow_scripts.language_models.training import LanguageModelTraining, first_model, options_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare
from workflow_scripts.users.perplexity import JOINT

# How many lines a causal model learns as one text, so that it learns the separator between lines.
JOINED = 8


def fine_tune(
    model: Path,
    *,
    kind: Literal["causal", "t5", "bart"],
    targets: list[Path],
    sources: list[Path] | None = None,
    prompt: str = "",
    start: Pretrained,
    course: Course,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    initial: Path | None = None,
) -> None:
    """Minimise the cross-entropy of target lines, given the source lines if there are any.

    The training is that of `language_models.training`. A causal model learns texts of several lines, in
    their order, as `users.perplexity` reads them; other models write a line and its end mark. Raises
    InputError for files that are not parallel, and for bad checkpoints.

    :param model: folder to write, of transformers
    :param kind: of the language model: GPT-2's, T5's or BART's
    :param targets: files of lines to learn; no line may be empty
    :param sources: files of source lines, parallel to the targets; not for a causal model
    :param prompt: text before each source line
    """
    if (kind == "causal") != (not sources):
        raise InputError("--sources is required, except for a causal model, which must not have it")
    where = prepare(device, precision, threads)
    examples = _causal(targets) if kind == "causal" else _pairs(sources or [], targets, prompt)
    form: Kind = "causal" if kind == "causal" else "encoder_decoder"
    learner = first_model(form, pieces, examples, start, where, seed, initial, bart=kind == "bart")
    files = [*(sources or []), *targets, initial]
    options = {"kind": kind, "prompt": prompt, **options_of(seed, threads, where, start=start, course=course)}
    from workflow_scripts.training.state import TrainingState

    key = key_of("users.fine_tune", options, files, "torch", "transformers", targets=[model])
    state = TrainingState(checkpoints, key)
    LanguageModelTraining(learner, examples, course, seed).write(model, state)


def _causal(targets: list[Path]) -> list[Example]:
    return [
        Example("response", "", f"{END}{JOINT.join(some)}{END}")
        for path in targets
        for some in chunks(read_lines(path, filled=True), JOINED)
    ]


def _pairs(sources: list[Path], targets: list[Path], prompt: str) -> list[Example]:
    sides = [
        [line for path in paths for line in read_lines(path, filled=True)] for paths in (sources, targets)
    ]
    if len(sides[0]) != len(sides[1]):
        raise InputError(f"{len(sides[0])} sources but {len(sides[1])} targets", path=targets[0])
    end = ENDS["response"]
    return [
        Example("response", f"{prompt}{source}", f"{target} {end}")
        for source, target in zip(*sides, strict=True)
    ]


if __name__ == "__main__":
    run(fine_tune)
