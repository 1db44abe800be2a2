"""The labelled pairs that a generic model is tuned to (CoCoA-MT, Sections 4 and 6.2).

A labelled point is a source with a tag for the level of its target. A contrastive segment gives two points; a
segment whose second reference is left aside, and a generic pair that rules have labelled, give one.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines
from workflow_scripts.text.levels import LEVELS

T = TypeVar("T")


class Segment(NamedTuple):
    """A source and its reference in each level."""

    source: str
    formal: str
    informal: str


class Point(NamedTuple):
    """A labelled pair."""

    level: str
    source: str
    target: str


def tag_of(level: str) -> str:
    """The tag on a source whose translation is to have this level."""
    return f"<2{level}>"


def labelled_sources(pairs: Path) -> Iterator[str]:
    """The sources with a tag in a piece file that `control.tuning_pairs` wrote, without it, copies too."""
    tags = tuple(f"{tag_of(level)} " for level in LEVELS)
    for line in lines(pairs):
        if line.startswith(tags):
            yield line.partition(" ")[2]


def contrastive(segments: Sequence[Segment], size: int | None, random: Random) -> list[Point]:
    """Two points per segment, for all segments or for size / 2 drawn ones.

    The sample of a smaller size is a part of the sample of a larger one. InputError if `size` is odd
    or there are too few segments.
    """
    chosen = _drawn(segments, None if size is None else _half(size), random, "segments")
    return [Point(level, one.source, getattr(one, level)) for one in chosen for level in LEVELS]


def single(segments: Sequence[Segment], size: int | None, random: Random) -> list[Point]:
    """One point a segment, half of them formal and half informal, drawn; without a size, of all segments.

    InputError if `size` is odd or there are too few segments.
    """
    half = len(segments) // 2 if size is None else _half(size)
    chosen = _drawn(segments, 2 * half, random, "segments")
    return [
        Point(level, one.source, getattr(one, level))
        for level, part in zip(LEVELS, (chosen[:half], chosen[half:]), strict=True)
        for one in part
    ]


def balanced(labels: Sequence[str], size: int, random: Random) -> dict[int, str]:
    """The numbers of `size` labelled lines, half of each level, drawn, with their levels.

    :param labels: a level for each line, or anything else where rules say none
    """
    half = _half(size)
    return {
        line: level
        for level in LEVELS
        for line in _drawn(
            [line for line, label in enumerate(labels) if label == level], half, random, f"{level} sentences"
        )
    }


def drawn_again(count: int, size: int, random: Random) -> list[int]:
    """`size` numbers below `count` in ascending order: each once before one is drawn again."""
    whole, rest = divmod(size, count)
    return sorted([*range(count)] * whole + random.sample(range(count), rest))


def _half(size: int) -> int:
    if size < 2 or size % 2:
        raise InputError(
            f"{size} labelled pairs cannot be half formal and half informal", fix="give an even number"
        )
    return size // 2


def _drawn(items: Sequence[T], count: int | None, random: Random, what: str) -> list[T]:
    """The first `count` items of a shuffle, or all in their order."""
    if count is None:
        return list(items)
    if count > len(items):
        raise InputError(
            f"{count} {what} are asked for, but there are {len(items)}", fix="ask for a smaller size"
        )
    shuffled = list(items)
    random.shuffle(shuffled)
    return shuffled[:count]
