"""Finished parts of a long job on disk, from which a killed job goes on."""

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.job_state import JobState


class JobParts(JobState):
    """The finished parts of one job: part 3 of its output is the text file 000003.txt.

    The first line of a part contains its number of lines and the SHA-256 of the job, the part's number and
    the lines: a part with another number, or of another job, counts as damaged.
    """

    def read(self, number: int, count: int) -> list[str] | None:
        """The lines of a part (from 0), or None if it does not exist or does not have exactly `count` lines.

        A damaged part is reported on stderr.
        """
        path = self._path(number)
        try:
            head, *text = read_lines(path) or [""]
        except InputError:
            head, text = "", []
        if len(text) == count and head == self._head(number, text):
            return text
        if path.exists():
            print(f"{path}: damaged, done again", file=sys.stderr)
        return None

    def save(self, number: int, text: Sequence[str]) -> None:
        """Write a part, one string per line."""
        write_lines(self._path(number), [self._head(number, text), *text])

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.txt"

    def _head(self, number: int, text: Sequence[str]) -> str:
        whole = (f"{self.folder.name} {number}", *text)
        digest = hashlib.sha256("".join(f"{line}\n" for line in whole).encode()).hexdigest()
        return f"{len(text)} lines, sha256 {digest}"
