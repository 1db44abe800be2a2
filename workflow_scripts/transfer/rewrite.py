"""Command: rewrite sentences by a pretrained encoder-decoder, fine-tuned or as it is."""

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
    facts: Path,
    *,
    targets: list[Path],
    system: str,
    made: str,
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

    Raises InputError for a folder without such a model, for a model that lacks weights, and for a code that
    is no token of its vocabulary.

    :param source: sentences, one per line; empty ones stay empty
    :param targets: files for the outputs, parallel to `source`, all with the same
    :param facts: CSV to write, one row: system, signature, sentences, empty (sentences without an output),
        cut (sentences whose end was not read, since they have too many tokens)
    :param system: the name of the system
    :param made: how the model was made, for the signature: `finetuned:` or, if it was not trained here,
        `pretrained:`, and the name of the pretrained model
    :param model: folder of transformers, as transfer.fine_tune writes it
    :param prompt: text before each source
    :param source_code: token at the beginning of each source, as in training
    :param target_code: token at the beginning of each output, as in training
    :param max_length: largest number of tokens to read and to write; fewer if the model has no positions for
        them
    :param precision: as in training; the search itself is in float32
    """
    where = prepare(device, precision, threads)
    writer = load(model, "encoder_decoder", where, whole=True)
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
    # A large released checkpoint has its weights in several files.
    weights = "+".join(digest(path)[:12] for path in sorted(model.glob("model*.safetensors")))
    signature = f"{made}@{weights}|beam:{beam_size}"
    write_csv(facts, FACTS, [(system, signature, len(filled), empty, cut)])
    for target in targets:
        write_lines(target, (rewritten.get(text, "") for text in sentences))


if __name__ == "__main__":
    run(rewrite)
