"""Command: the output of a trained sequence-to-sequence model, or of an ensemble of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.files import chunks, lines, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.device import Device, Precision, resolve

if TYPE_CHECKING:
    from workflow_scripts.seq2seq.translator import Translator

# Enough for batches of like length, little enough for memory, and a minute or a few to lose when killed.
CHUNK = 20_000


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
    :param language: two-letter code of the sentences
    :param tag: the wanted style, such as <2formal>
    :param beam_size: hypotheses kept at each step
    :param length_penalty: exponent by which a hypothesis' score is divided by its length
    :param batch_size: sentences decoded together
    :param precision: number format of the matrix products; auto: bf16 on a GPU
    :param device: where to compute; auto: on a GPU if there is one
    :param threads: threads for arithmetic
    :param checkpoints: folder for the chunks of unfinished runs, each in a subfolder of its own
    :param chunk_size: sentences that are sorted by length, and kept for a restart, together
    """
    # Where the data lie is no part of what is computed.
    options = {name: value for name, value in locals().items() if isinstance(value, (int, float, str))}
    fix_threads(threads)
    # A run that was killed on a GPU does not go on on a CPU.
    options["device"], options["precision"] = resolve(device, precision)
    from workflow_scripts.seq2seq.translator import Translator

    total = sum(1 for _ in lines(source))
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
    job = _Job(translator, source, language, tag, chunk_size, total)
    if checkpoints is None:
        write_lines(target, (line for _, texts in job.chunks() for line in job.translate(texts)))
        return
    inputs = [source, *sorted(path for path in text_model.iterdir() if path.is_file()), *models]
    tools = ("torch", "numpy", "sentencepiece", "sacremoses")
    parts = JobParts(checkpoints, key_of("transfer.decode", options, inputs, *tools, targets=[target]))

    def found() -> Iterator[str]:
        for number, texts in job.chunks():
            kept = parts.read(number, len(texts))
            if kept is None:
                kept = job.translate(texts)
                parts.save(number, kept)
            else:
                job.skip(texts)
            yield from kept

    write_lines(target, found())
    parts.remove()


class _Job:
    """A file on its way through a translator, and how far it has come."""

    def __init__(
        self, translator: Translator, source: Path, language: str, tag: str, size: int, total: int
    ) -> None:
        self.translator, self.source, self.size = translator, source, size
        self.language, self.tag, self.total = language, tag, total
        self.done = self.skipped = 0
        self.start = time.monotonic()

    def chunks(self) -> Iterator[tuple[int, list[str]]]:
        """The chunks of sentences, counted from 0."""
        return enumerate(chunks(lines(self.source), self.size))

    def skip(self, texts: list[str]) -> None:
        """Count sentences that an earlier run has decoded."""
        self.done += len(texts)
        self.skipped += len(texts)
        print(f"{self.done} of {self.total} sentences: were decoded before", file=sys.stderr)

    def translate(self, texts: list[str]) -> list[str]:
        """The outputs of a chunk; tells the speed so far."""
        found = self.translator.translate(texts, self.language, self.language, self.tag)
        self.done += len(texts)
        speed = (self.done - self.skipped) / max(time.monotonic() - self.start, 1e-9)
        print(f"{self.done} of {self.total} sentences decoded, {speed:.1f} sentences/s", file=sys.stderr)
        return found


if __name__ == "__main__":
    run(decode)
