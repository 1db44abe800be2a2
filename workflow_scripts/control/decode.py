"""Command: translate sentences at a formality level, or without one."""

from pathlib import Path
from typing import Literal

from workflow_scripts.control.tuning_data import tag_of
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import lines, read_lines, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.decoding import CHUNK, Decoding, Request
from workflow_scripts.seq2seq.device import Device, Precision, resolve


def decode(
    text_model: Path,
    *,
    models: list[Path],
    sources: list[Path],
    targets: list[Path],
    levels: list[Literal["formal", "informal", "none"]],
    language: str,
    beam_size: int,
    length_penalty: float,
    batch_size: int,
    precision: Precision,
    device: Device,
    threads: int,
    checkpoints: Path,
    chunk_size: int = CHUNK,
) -> None:
    """Translate English files by beam search, each at its level (CoCoA-MT, Section 4); `none`: without a tag.

    A file that is listed twice with the same level is translated once. A killed run goes on after its last
    finished chunk when it is started again with the same inputs and options on the same kind of device.
    Raises InputError if there is not one level and one target per source.

    :param text_model: the folder that text.learn or text.grow_tags wrote
    :param models: model files of one vocabulary, an ensemble if several
    :param sources: English sentences, one a line
    :param targets: for each source a file to write, parallel to it
    :param levels: for each source the level of its translation
    """
    if len({len(sources), len(targets), len(levels)}) > 1 or not sources:
        raise InputError(
            f"{len(sources)} sources, {len(targets)} targets, {len(levels)} levels",
            fix="give as many of each",
        )
    options = {name: value for name, value in locals().items() if isinstance(value, (int, float, str))}
    fix_threads(threads)
    # A run that was killed on a GPU does not go on on a CPU.
    options["device"], options["precision"] = resolve(device, precision)
    from workflow_scripts.seq2seq.translator import Translator

    translator = Translator(
        text_model,
        models,
        beam_size=beam_size,
        length_penalty=length_penalty,
        batch_size=batch_size,
        precision=precision,
        device=device,
        threads=threads,
    )
    asked = dict.fromkeys(zip(sources, levels, strict=True))
    inputs = [text_model, *models, *sources]
    tools = ("torch", "numpy", "sentencepiece", "tokenizers", "sacremoses")
    key = key_of("control.decode", {**options, "levels": levels}, inputs, *tools, targets=targets)
    parts = JobParts(checkpoints, key)
    decoding = Decoding(translator, parts, chunk_size, sum(1 for source, _ in asked for _ in lines(source)))
    written: dict[tuple[Path, str], Path] = {}
    for source, target, level in zip(sources, targets, levels, strict=True):
        if (source, level) in written:
            write_lines(target, read_lines(written[source, level]))
            continue
        tag = None if level == "none" else tag_of(level)
        with about(source):
            write_lines(target, decoding.outputs(Request(source, "en", language, tag)))
        written[source, level] = target
    parts.remove()


if __name__ == "__main__":
    run(decode)
