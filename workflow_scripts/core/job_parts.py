"""Finished parts of a long job on disk, after which a killed one goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from workflow_scripts.core.files import lines, read_lines, write_lines
from workflow_scripts.core.job_state import JobState


class JobParts(JobState):
    """The finished parts of one job: part 3 of its output is the text file 000003.txt.

    A part is written under another name and renamed, so that one that is there is whole.
    """

    def __contains__(self, number: int) -> bool:
        """Whether a part (from 0) is finished."""
        return self._path(number).is_file()

    def read(self, number: int) -> list[str] | None:
        """The lines of a part, or None if it is not finished."""
        return read_lines(self._path(number)) if number in self else None

    def save(self, number: int, text: Iterable[str]) -> None:
        """Write a part, one string a line."""
        write_lines(self._path(number), text)

    def lines(self, count: int) -> Iterator[str]:
        """The lines of the first `count` parts."""
        return (line for number in range(count) for line in lines(self._path(number)))

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.txt"
