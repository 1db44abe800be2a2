"""Files of sentences through a translator, in chunks: memory does not grow, and a kill costs one of them."""

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

# Enough for batches of like length, little enough for memory, and a minute or a few to lose when killed.
CHUNK = 20_000


@dataclass(frozen=True)
class Request:
    """A translation task: a file of sentences, the two languages, and the tag if any."""

    source: Path
    source_language: str
    target_language: str
    tag: str | None


class Decoding:
    """Requests on their way through a translator, and how far they have come."""

    def __init__(self, translator: Translator, parts: JobParts | None, chunk_size: int, total: int) -> None:
        """`parts`: where finished chunks are kept for a restart; `total`: sentences of all requests."""
        self.translator, self.parts, self.chunk_size, self.total = translator, parts, chunk_size, total
        self.number = self.done = self.skipped = 0
        self.start = time.monotonic()

    def outputs(self, request: Request) -> Iterator[str]:
        """The output of each sentence; those of chunks that an earlier run has finished are read."""
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
        """The outputs of a chunk; tells the speed so far."""
        translations = self.translator.translate(
            texts, request.source_language, request.target_language, request.tag
        )
        self.done += len(texts)
        speed = (self.done - self.skipped) / max(time.monotonic() - self.start, 1e-9)
        print(f"{self.done} of {self.total} sentences decoded, {speed:.1f} sentences/s", file=sys.stderr)
        return translations
