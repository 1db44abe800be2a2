"""Decode files of sentences in chunks: memory use is bounded, and an interruption loses at most one chunk."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.files import chunks, lines
from workflow_scripts.core.job_parts import JobParts

if TYPE_CHECKING:
    from workflow_scripts.seq2seq.translator import Translator

# Large enough for batches of similar length; small enough for memory, and to lose only minutes when
# interrupted.
CHUNK = 20_000


@dataclass(frozen=True)
class Request:
    """A translation task: a file of sentences, the two languages, and an optional tag."""

    source: Path
    source_language: str
    target_language: str
    tag: str | None


class Decoding:
    """Decode requests and track their progress."""

    def __init__(self, translator: Translator, parts: JobParts | None, chunk_size: int, total: int) -> None:
        """`parts`: the store of finished chunks for a restart; `total`: the number of sentences."""
        self.translator, self.parts, self.chunk_size, self.total = translator, parts, chunk_size, total
        self.number = self.done = self.skipped = 0
        self.start = time.monotonic()

    def outputs(self, request: Request) -> Iterator[str]:
        """The output of each sentence; chunks that an earlier run finished are read from the store."""
        for texts in chunks(lines(request.source), self.chunk_size):
            kept = self.parts.read(self.number, len(texts)) if self.parts else None
            if kept is None:
                kept = self._translate(texts, request)
                if self.parts:
                    self.parts.save(self.number, kept)
            else:
                self._skip(len(texts))
            self.number += 1
            yield from kept

    def _skip(self, count: int) -> None:
        self.done += count
        self.skipped += count
        print(f"{self.done} of {self.total} sentences: were decoded before", file=sys.stderr)

    def _translate(self, texts: list[str], request: Request) -> list[str]:
        """Decode a chunk and print the speed so far."""
        translations = self.translator.translate(
            texts, request.source_language, request.target_language, request.tag
        )
        self.done += len(texts)
        speed = (self.done - self.skipped) / max(time.monotonic() - self.start, 1e-9)
        print(f"{self.done} of {self.total} sentences decoded, {speed:.1f} sentences/s", file=sys.stderr)
        return translations
