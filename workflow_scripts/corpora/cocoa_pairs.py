"""The released segments of CoCoA-MT (Nadejde et al., 2022): a source and its two references.

The plain references are read, not the annotated ones; if gender is marked, they are the masculine ones.
"""

from pathlib import Path
from typing import NamedTuple

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.corpora.cocoa_files import DOMAINS, official_path, place_of
from workflow_scripts.corpora.released_text import read_sides


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
    place = place_of(folder, split, language)
    if not place.is_dir():
        known = [path.name.removeprefix("en-") for path in place.parent.glob("en-*")]
        raise InputError(
            f"no {split} data for language '{language}'",
            path=place,
            fix=nearest(language, known) if known else "give the folder that contains CoCoA-MT",
        )
    segments: list[Segment] = []
    kinds = ("en", "informal", "formal")
    for domain in DOMAINS[split]:
        paths = (official_path(folder, split, domain, kind, language) for kind in kinds)
        segments += map(Segment._make, zip(*read_sides(*paths, filled=True), strict=True))
    return segments


def unchanged(segments: list[Segment]) -> int:
    """The number of segments that are the same in both registers; they stay, as in the corpus."""
    return sum(segment.informal == segment.formal for segment in segments)
