"""Command: the piece files that a generic model is tuned on (CoCoA-MT, Sections 4 and 6.2)."""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal

from workflow_scripts.control.tuning_data import (
    Point,
    Segment,
    balanced,
    contrastive,
    drawn_again,
    single,
    tag_of,
)
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import lines, parallel, read_lines, read_parallel, writing
from workflow_scripts.text.levels import LEVELS
from workflow_scripts.text.models import read_text_model
from workflow_scripts.text.pipeline import Pipeline

Data = Literal["contrastive", "single", "rules", "both"]


def tuning_pairs(
    text_model: Path,
    source: Path,
    target: Path,
    *,
    data: Data,
    generic: list[Path],
    language: str,
    copies: int,
    max_length: int,
    seed: int,
    size: int | None = None,
    sources: list[Path] | None = None,
    formal: list[Path] | None = None,
    informal: list[Path] | None = None,
    labelled: list[Path] | None = None,
) -> None:
    """Write labelled pairs, each several times with its tag, and as many untagged generic pairs.

    Generic pairs are drawn without replacement as far as there are enough. Labelled pairs with an empty side
    or with more than `max_length` pieces on a side are dropped, and stderr says how many. Raises InputError
    if there are fewer labelled pairs than `size`, or if files that belong together differ in length.

    :param text_model: the folder that text.grow_tags wrote
    :param source: piece file to write
    :param target: piece file to write
    :param data: contrastive: each segment with both of its references; single: with one of them, half of the
        segments with each; rules: generic pairs that rules have labelled, half of each level; both:
        contrastive, and as many by rules
    :param generic: the two piece files of the generic model's training, without tags
    :param copies: how often each labelled pair is written
    :param max_length: longest sentence in pieces, the tag not counted (95 in CoCoA-MT)
    :param size: different labelled pairs; all segments by default; needed for data by rules
    :param sources: English sides of the segments
    :param formal: their formal references, parallel to `sources`, file by file
    :param informal: their informal references
    :param labelled: for data by rules: English, the other side, and the labels of control.rule_labels
    """
    if copies < 1:
        raise InputError(f"{copies} copies", fix="give a number from 1 up")
    if len(generic) != 2:
        raise InputError(f"{len(generic)} generic files", fix="give both sides")
    pipeline = read_text_model(text_model)
    for level in LEVELS:
        pipeline.check_tag(tag_of(level))
    random = Random(f"tuning {seed}")
    points: list[Point] = []
    if data != "rules":
        segments = list(_segments(sources or [], formal or [], informal or []))
        with about(*(sources or [])):
            points += (single if data == "single" else contrastive)(segments, size, random)
    if data in ("rules", "both"):
        points += _by_rules(labelled or [], len(points) if size is None else size, random)
    pairs = list(_encoded(pipeline, points, language, max_length))
    with writing(source) as source_stream, writing(target) as target_stream:
        for pieces, others in _mixed(pairs, copies, generic, random):
            source_stream.write(f"{pieces}\n")
            target_stream.write(f"{others}\n")
    print(
        f"{len(points)} labelled pairs, {len(points) - len(pairs)} of them dropped; {copies} copies each, and"
        f" {copies * len(pairs)} generic pairs",
        file=sys.stderr,
    )


def _segments(sources: list[Path], formal: list[Path], informal: list[Path]) -> Iterator[Segment]:
    if not sources or len({len(sources), len(formal), len(informal)}) > 1:
        raise InputError(
            f"{len(sources)} sources, {len(formal)} formal and {len(informal)} informal references",
            fix="give as many files of each",
        )
    for paths in zip(sources, formal, informal, strict=True):
        yield from map(Segment._make, zip(*read_parallel(*paths, filled=True), strict=True))


def _by_rules(labelled: list[Path], size: int, random: Random) -> list[Point]:
    if len(labelled) != 3:
        raise InputError(
            f"{len(labelled)} labelled files", fix="give English, the other side, and the labels"
        )
    with about(labelled[2]):
        chosen = balanced(read_lines(labelled[2]), size, random)
    return [
        Point(chosen[number], one, other)
        for number, (one, other, _) in enumerate(parallel(*labelled))
        if number in chosen
    ]


def _encoded(
    pipeline: Pipeline, points: Sequence[Point], language: str, max_length: int
) -> Iterator[tuple[str, str]]:
    """The pieces of both sides, with the tag before the source."""
    sources = pipeline.encode((point.source for point in points), "en")
    targets = pipeline.encode((point.target for point in points), language)
    for point, one, other in zip(points, sources, targets, strict=True):
        if one and other and max(len(one), len(other)) <= max_length:
            yield " ".join([tag_of(point.level), *one]), " ".join(other)


def _mixed(
    pairs: list[tuple[str, str]], copies: int, generic: list[Path], random: Random
) -> Iterator[tuple[str, str]]:
    """The copies, and as many generic pairs."""
    for _ in range(copies):
        yield from pairs
    count = sum(1 for _ in lines(generic[0]))
    if not count:
        raise InputError("no sentences", path=generic[0])
    rows = enumerate(parallel(*generic))
    here, row = next(rows)
    for number in drawn_again(count, copies * len(pairs), random):
        if number > here:
            here, row = next(islice(rows, number - here - 1, None))
        yield row[0], row[1]


if __name__ == "__main__":
    run(tuning_pairs)
