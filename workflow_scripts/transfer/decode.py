"""Command: the output of a trained sequence-to-sequence model, or of an ensemble of them."""

from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import about
from workflow_scripts.core.files import lines, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.decoding import CHUNK, Decoding, Request
from workflow_scripts.seq2seq.device import Device, Precision, resolve


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
    precision: Precision,
    device: Device,
    threads: int,
    checkpoints: Path | None = None,
    chunk_size: int = CHUNK,
) -> None:
    """Rewrite sentences within one language by beam search (XFORMAL, Section 5.1 and Appendix D).

    Several models form a linear ensemble: the mean of their probabilities. An empty sentence stays empty.
    Sentences stream through in chunks, so that memory does not grow with the file. With `checkpoints`, a run
    that was killed goes on after its last finished chunk when it is started again with the same inputs and
    options on the same kind of device, and ends with the same bytes as one that was not.

    :param text_model: the folder that text.learn or text.grow wrote
    :param source: sentences, one a line, possibly .gz
    :param target: the outputs, parallel to `source`
    :param models: model files of one architecture and vocabulary
    :param tag: the wanted style, such as <2formal>
    """
    # The location of the data does not affect the result.
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
    parts = None
    if checkpoints is not None:
        inputs = [source, text_model, *models]
        tools = ("torch", "numpy", "sentencepiece", "sacremoses")
        parts = JobParts(checkpoints, key_of("transfer.decode", options, inputs, *tools, targets=[target]))
    decoding = Decoding(translator, parts, chunk_size, sum(1 for _ in lines(source)))
    with about(source):
        write_lines(target, decoding.outputs(Request(source, language, language, tag)))
    if parts:
        parts.remove()


if __name__ == "__main__":
    run(decode)
