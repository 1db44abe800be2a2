"""Command: rewrite sentences by a fine-tuned encoder-decoder."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import about
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.language_models.model import load
from workflow_scripts.seq2seq.device import Device, Precision, prepare
from workflow_scripts.transfer.fine_tune import check_codes, end_of, source_of

FACTS = ("system", "signature", "sentences", "empty", "cut")


def rewrite(
    source: Path,
    target: Path,
    facts: Path,
    *,
    system: str,
    start: str,
    model: Path,
    prompt: str,
    source_code: str = "",
    target_code: str = "",
    max_length: int,
    beam_size: int,
    batch_size: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write the output of beam search for each sentence; the sentence itself if the output is empty.

    Raises InputError for a model that `transfer.fine_tune` did not write.

    :param source: sentences, one per line; empty ones stay empty
    :param target: the outputs, parallel to `source`
    :param facts: CSV to write, one row: system, signature, sentences, empty (sentences without an output),
        cut (sentences whose end was not read, since they have too many tokens)
    :param system: the name of the system
    :param start: the name of the pretrained model
    :param model: folder that transfer.fine_tune wrote
    :param prompt: text before each source
    :param source_code: token at the beginning of each source, as in training
    :param target_code: token at the beginning of each output, as in training
    :param max_length: largest number of tokens to read and to write; fewer if the model has no positions for
        them
    :param beam_size: hypotheses of the search; 1: greedy
    :param batch_size: sentences rewritten together
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: as in training; the search itself is in float32
    :param threads: of the processor
    """
    where = prepare(device, precision, threads)
    writer = load(model, "encoder_decoder", where)
    for part in writer.models:
        part.eval()
    with about(model):
        check_codes(writer, source_code, target_code)
        end = end_of(writer)
    # The token that a decoder begins with has a position too.
    max_length = min(max_length, writer.positions - 1) if writer.positions else max_length
    sentences = read_lines(source)
    filled = [text for text in dict.fromkeys(sentences) if text]
    begin = time.perf_counter()
    sources = [source_of(writer, prompt, text, source_code) for text in filled]
    cut = sum(len(row) > max_length for row in writer.ids(sources))
    written = writer.write(
        "response",
        sources,
        end,
        max_length,
        longest=max_length,
        batch_size=batch_size,
        starts=[target_code] * len(filled) if target_code else None,
        beam_size=beam_size,
        sentences=True,
    )
    seconds = time.perf_counter() - begin
    rewritten = {text: output or text for text, output in zip(filled, written, strict=True)}
    empty = sum(not output for output in written)
    print(
        f"{len(filled)} sentences in {seconds:.1f} s; {empty} have no output and stay as they are;"
        f" of {cut} only the first {max_length} tokens were read",
        file=sys.stderr,
    )
    weights = digest(model / "model.safetensors")[:12]
    signature = f"finetuned:{start}@{weights}|beam:{beam_size}"
    write_csv(facts, FACTS, [(system, signature, len(filled), empty, cut)])
    write_lines(target, (rewritten.get(text, "") for text in sentences))


if __name__ == "__main__":
    run(rewrite)
