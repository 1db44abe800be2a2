"""Command: the output of a trained sequence-to-sequence model, or of an ensemble of them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.command import fix_threads, run
from workflow_scripts.files import read_lines, write_lines


def decode(
    text_model: Path,
    source: Path,
    target: Path,
    *,
    models: list[Path],
    language: str,
    tag: str,
    beam_size: int,
    length_penalty: float,
    batch_size: int,
    precision: Literal["float32", "bf16"],
    device: Literal["cpu", "cuda"],
    threads: int,
) -> None:
    """Rewrite sentences within one language by beam search (XFORMAL, Section 5.1 and Appendix D).

    Several models form a linear ensemble: the mean of their probabilities.

    :param text_model: the folder that text.learn wrote
    :param source: sentences, one a line
    :param target: the outputs, parallel to `source`
    :param models: model files of one architecture and vocabulary
    :param language: two-letter code of the sentences
    :param tag: the wanted style, such as <2formal>
    :param beam_size: hypotheses kept at each step
    :param length_penalty: exponent by which a hypothesis' score is divided by its length
    :param batch_size: sentences decoded together
    :param precision: number format of the matrix products
    :param device: where to compute
    :param threads: threads for arithmetic
    """
    fix_threads(threads)
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
    write_lines(target, translator.translate(read_lines(source), language, language, tag))


if __name__ == "__main__":
    run(decode)
