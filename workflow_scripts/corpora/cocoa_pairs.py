"""The segments of CoCoA-MT (Nadejde et al., 2022) as released: a source and its two references.

The plain references are read, not the annotated ones; where gender shows, they are the masculine ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workflow_scripts.corpora.released_text import read_sides
from workflow_scripts.errors import InputError, nearest

# Section 2.1: call centers are test data only.
DOMAINS = {"train": ("telephony", "topical_chat"), "test": ("telephony", "topical_chat", "call_center")}
# The release is European Portuguese, and says so in the names of its files.
PAIRS = {"pt": "en-ptpt"}


class Segment(NamedTuple):
    """An English sentence and its two translations."""

    source: str
    informal: str
    formal: str


def read_segments(folder: Path, split: str, language: str) -> list[Segment]:
    """All segments of a split in one language, domain after domain, in the corpus' order.

    `folder` is the repository's root or its folder CoCoA-MT. Raises InputError if the language or a file is
    missing, a file is empty, has an empty line or is not UTF-8, or files of a domain differ in length.
    """
    root = folder / "CoCoA-MT" if (folder / "CoCoA-MT").is_dir() else folder
    place = root / split / f"en-{language}"
    if not place.is_dir():
        known = [path.name.removeprefix("en-") for path in (root / split).glob("en-*")]
        raise InputError(
            f"no {split} data for language '{language}'",
            path=place,
            fix=nearest(language, known) if known else "give the folder that holds CoCoA-MT",
        )
    segments: list[Segment] = []
    for domain in DOMAINS[split]:
        stem = f"formality-control.{split}.{domain}.{PAIRS.get(language, f'en-{language}')}"
        paths = (
            _released(place, stem, f"{stem}.en"),
            _released(place, f"{stem}.informal", f"{stem}.informal.{language}"),
            _released(place, f"{stem}.formal", f"{stem}.formal.{language}"),
        )
        segments += map(Segment._make, zip(*read_sides(*paths, filled=True), strict=True))
    return segments


def _released(place: Path, short: str, long: str) -> Path:
    """A file by either of its names: most of the test data go without the language at the end."""
    names = [name for name in (long, short) if (place / name).is_file()]
    if len(names) == 2:
        raise InputError(f"there is also a file {short}", path=place / long, fix="get the corpus again")
    return place / (names or [long])[0]


def unchanged(segments: list[Segment]) -> int:
    """How many segments read the same in both registers: they stay, as the corpus has them."""
    return sum(segment.informal == segment.formal for segment in segments)
