"""Command: fine-tune a pretrained encoder-decoder on pairs of sentences."""

import sys
from pathlib import Path
from typing import Literal

from workflow_scripts.config.pretrained import Course, Lora, Pretrained
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.core.job_state import key_of
from workflow_scripts.language_models.adapters import AdaptedModel
from workflow_scripts.language_models.model import LanguageModel
from workflow_scripts.language_models.texts import Example
from workflow_scripts.language_models.training import LanguageModelTraining, first_model, options_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare


def fine_tune(
    model: Path,
    *,
    sources: list[Path],
    targets: list[Path],
    prompts: list[str],
    family: Literal["t5", "bart"],
    source_code: str = "",
    target_code: str = "",
    start: Pretrained,
    course: Course,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    initial: Path | None = None,
    lora: Lora | None = None,
) -> None:
    """Minimise the cross-entropy of target lines, given a prompt and the source lines.

    The training is that of `language_models.training`. Pairs with an empty side are left out. Raises
    InputError for files that are not parallel, without a pair or without one prompt per file, for a code
    that is no token of the vocabulary, for bad checkpoints, and for adapters that do not fit the model.

    :param model: folder to write, of transformers
    :param sources: files of sentences, one per line
    :param targets: files of their targets, parallel to the sources
    :param prompts: the text before each source, for each file
    :param family: of a model from scratch: T5's or BART's
    :param source_code: token at the beginning of each source, if the model has such tokens for languages
    :param target_code: token at the beginning of each target
    :param lora: adapters to train in place of all weights, to which they are added at the end
    """
    if not len(sources) == len(targets) == len(prompts):
        raise InputError(f"{len(sources)} sources, {len(targets)} targets and {len(prompts)} prompts")
    pairs = [
        (prompt, source, target)
        for paths, prompt in zip(zip(sources, targets, strict=True), prompts, strict=True)
        for source, target in zip(*read_parallel(*paths), strict=True)
        if source and target
    ]
    if not pairs:
        raise InputError("no pair", path=sources[0])
    where = prepare(device, precision, threads)
    texts = [Example("response", f"{prompt}{source}", target) for prompt, source, target in pairs]
    learner = first_model(
        "encoder_decoder", lambda _: [], texts, start, where, seed, initial, family == "bart"
    )
    if lora is not None:
        learner = AdaptedModel(learner, lora, seed)
    check_codes(learner, source_code, target_code)
    end = end_of(learner)
    examples = [
        Example("response", source_of(learner, prompt, source, source_code), f"{target_code}{target}{end}")
        for prompt, source, target in pairs
    ]
    examples = fitting(learner, examples)
    options: dict[str, object] = {"family": family, "prompts": prompts}
    options |= {"source_code": source_code, "target_code": target_code}
    adapters = {} if lora is None else {"lora": lora}
    options |= options_of(seed, threads, where, start=start, course=course, **adapters)
    from workflow_scripts.training.state import TrainingState

    files = [*sources, *targets, initial]
    libraries = ["torch", "transformers", *(["peft"] if adapters else [])]
    key = key_of("transfer.fine_tune", options, files, *libraries, targets=[model])
    LanguageModelTraining(learner, examples, course, seed).write(model, TrainingState(checkpoints, key))


def source_of(model: LanguageModel, prompt: str, text: str, code: str) -> str:
    """The text that the encoder reads: the language's token, the prompt, the sentence, and the end."""
    return f"{code}{prompt}{text}{end_of(model)}"


def end_of(model: LanguageModel) -> str:
    """The token that ends a text; InputError if the checkpoint has none."""
    end: str | None = model.tokenizer.eos_token
    if end is None:
        raise InputError("the checkpoint has no end token", fix="take another checkpoint")
    return end


def fitting(model: LanguageModel, examples: list[Example]) -> list[Example]:
    """The pairs for whose tokens the model has positions; the log has the number of the others."""
    room = model.positions
    if room is None:
        return examples
    sources = model.ids([example.source for example in examples])
    targets = model.ids([example.target for example in examples], target=True)
    lengths = [max(len(one), len(other)) for one, other in zip(sources, targets, strict=True)]
    kept = [example for example, length in zip(examples, lengths, strict=True) if length <= room]
    if not kept:
        raise InputError(f"all pairs have more than the {room} tokens that the model has positions for")
    print(f"{len(examples) - len(kept)} pairs with more than {room} tokens are left out", file=sys.stderr)
    return kept


def check_codes(model: LanguageModel, *codes: str) -> None:
    """Raise InputError for a language's token that is none of the vocabulary, or only a part of words."""
    known = model.tokenizer.get_vocab()
    for code in filter(None, codes):
        # `de` may be a piece of words, and would be split otherwise before a sentence.
        if code not in known or model.ids([f"{code}a"])[0][:1] != [known[code]]:
            raise InputError(
                f"the model's vocabulary has no token '{code}'", fix="correct codes of the system"
            )


if __name__ == "__main__":
    run(fine_tune)
