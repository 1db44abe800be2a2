"""Command: fine-tune a pretrained encoder-decoder on pairs, in both directions."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.core.job_state import key_of
from workflow_scripts.language_models.model import LanguageModel
from workflow_scripts.language_models.texts import Example
from workflow_scripts.language_models.training import LanguageModelTraining, files_of, first_model, options_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare


def fine_tune(
    model: Path,
    *,
    informal: Path,
    formal: Path,
    family: Literal["t5", "bart"],
    prompt: str,
    code: str = "",
    start: Pretrained,
    course: Course,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    initial: Path | None = None,
) -> None:
    """Minimise the cross-entropy of each side of the pairs, given the other side.

    The training is that of `language_models.training`. Pairs with an empty side are left out. Raises
    InputError for files that are not parallel or have no pair, and for bad checkpoints.

    :param model: folder to write, of transformers
    :param informal: informal sentences, one per line
    :param formal: their formal rewrites, parallel
    :param family: of a model from scratch: T5's or BART's
    :param prompt: text before each source; `{style}` is replaced by the style of the target
    :param code: token at the beginning of both sides, if the model has such tokens for languages
    :param start: the pretrained model to start from
    :param course: settings of the training
    :param seed: of first weights, order and dropout
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: float32, or bf16 for mixed precision; auto: bf16 on a GPU
    :param threads: of the processor
    :param checkpoints: folder for the state at the end of each epoch, which is removed at the end
    :param initial: folder of the checkpoint; not for a model from scratch
    """
    pairs = [
        (one, other) for one, other in zip(*read_parallel(informal, formal), strict=True) if one and other
    ]
    if not pairs:
        raise InputError("no pair", path=informal)
    where = prepare(device, precision, threads)
    texts = [Example("response", *pair) for pair in pairs]
    learner = first_model(
        "encoder_decoder", lambda _: [], texts, start, where, seed, initial, family == "bart"
    )
    examples = [
        Example("response", source_of(learner, prompt, style, source, code), target_of(learner, target, code))
        for informal_side, formal_side in pairs
        for style, source, target in (
            ("formal", informal_side, formal_side),
            ("informal", formal_side, informal_side),
        )
    ]
    options: dict[str, object] = {"family": family, "prompt": prompt, "code": code}
    options |= options_of(seed, threads, where, start=start, course=course)
    from workflow_scripts.training.state import TrainingState

    files = [informal, formal, *files_of(initial)]
    key = key_of("transfer.fine_tune", options, files, "torch", "transformers", targets=[model])
    LanguageModelTraining(learner, examples, course, seed).write(model, TrainingState(checkpoints, key))


def source_of(model: LanguageModel, prompt: str, style: str, text: str, code: str) -> str:
    """The text that the encoder reads: the language's token, the prompt, the sentence, and the end."""
    token(model, code)
    return f"{code}{prompt.replace('{style}', style)}{text}{model.tokenizer.eos_token}"


def target_of(model: LanguageModel, text: str, code: str) -> str:
    """The text that the decoder writes: the language's token, the sentence, and the end."""
    return f"{code}{text}{model.tokenizer.eos_token}"


def token(model: LanguageModel, code: str) -> str:
    """A language's token; InputError if the vocabulary does not have it."""
    if code and code not in model.tokenizer.get_vocab():
        raise InputError(f"the model's vocabulary has no token '{code}'", fix="correct systems.*.codes")
    return code


if __name__ == "__main__":
    run(fine_tune)
