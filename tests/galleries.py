"""Comparisons of the kept gallery with leaves that are made again, in any two folders."""

import re
from collections.abc import Iterable
from math import inf
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.csv_files import header_of, read_rows
from workflow_scripts.leaves.registry import load
from workflow_scripts.papers.tydip.picture import interval
from workflow_scripts.report.gallery import gallery
from workflow_scripts.report.kept import ENDINGS, file_of, files_of, read_kept

GALLERY = ROOT / "docs/gallery"
RESOURCES = ROOT / "resources"
LEAVES = {leaf.name: leaf for leaf in load(RESOURCES / "leaves.csv")}
# Bounds and intervals are rounded as the numbers are.
ROUNDED = 0.005


def needed() -> Path:
    """The kept gallery; the test is skipped as long as there is none."""
    if not read_kept(GALLERY):
        pytest.skip("docs/gallery keeps no leaf yet; make gallery makes and copies them")
    return GALLERY


def copied(folder: Path, results: Path, names: Iterable[str]) -> Path:
    """A gallery of some leaves of a run."""
    tables = {name: RESOURCES / f"{name}.csv" for name in ("leaves", "plots", "sources")}
    gallery(folder, results=results, only=list(names), **tables)
    return folder


def other_bytes(kept: Path, renewed: Path, names: Iterable[str]) -> list[str]:
    """The files of leaves that are not the same in two galleries."""
    wrong = []
    for leaf in (LEAVES[name] for name in names):
        for name in sorted({*files_of(kept, leaf), *files_of(renewed, leaf)}):
            both = [folder / name for folder in (kept, renewed)]
            if not all(path.is_file() for path in both) or len({path.read_bytes() for path in both}) > 1:
                wrong.append(name)
    return wrong


def outside(kept: Path, renewed: Path, name: str) -> list[str]:
    """The cells of a leaf whose renewed number is outside the kept interval, and cells that one side lacks.

    The interval is the comparison's own or, of a share of the n that its signature gives, Wilson's.
    """
    path = file_of(LEAVES[name], ".compare.csv")
    then, now = (_cells(folder / path) for folder in (kept, renewed))
    wrong = [f"{', '.join(key)}: only in one" for key in then.keys() ^ now.keys()]
    for key in then.keys() & now.keys():
        old, new = then[key], now[key]
        if bool(old["ours"]) != bool(new["ours"]):
            wrong.append(f"{', '.join(key)}: a number only in one")
            continue
        low, high = _bounds(old) if old["ours"] else (-inf, inf)
        if old["ours"] and not low - ROUNDED <= float(new["ours"]) <= high + ROUNDED:
            wrong.append(f"{', '.join(key)}: {new['ours']}, not {low:.3f} to {high:.3f}")
    return sorted(wrong)


def _cells(path: Path) -> dict[tuple[str, ...], dict[str, str]]:
    header = header_of(path)
    keys = header[: header.index("printed")]
    return {tuple(row[key] for key in keys): row for _, row in read_rows(path, ("ours", "signature"))}


def _bounds(row: dict[str, str]) -> tuple[float, float]:
    """The interval of a number, infinite if none is known."""
    if row.get("ci_low"):
        return float(row["ci_low"]), float(row["ci_high"])
    count = re.search(r"(?:^|\|)n:(\d+)", row["signature"])
    if count is None or not 0 <= float(row["ours"]) <= 1:
        return -inf, inf
    return interval(float(row["ours"]), int(count[1]))


def other_columns(kept: Path, results: Path, names: Iterable[str], varying: Iterable[str]) -> list[str]:
    """The files whose columns differ from those of a run, apart from varying words (languages)."""
    wrong = []
    words = set(varying)
    for leaf in (LEAVES[name] for name in names):
        for ending in ENDINGS[:2]:
            path = kept / file_of(leaf, ending)
            if path.is_file() and _names(path, (), words) != _names(
                results / f"{leaf.name}{ending}", leaf.texts if ending == ".csv" else (), words
            ):
                wrong.append(path.relative_to(kept).as_posix())
    return wrong


def _names(path: Path, without: Iterable[str], varying: set[str]) -> list[str]:
    """The columns of a table in order, each once, with `*` for varying words."""
    names = [name for name in header_of(path) if name not in without]
    return list(dict.fromkeys("_".join("*" if p in varying else p for p in n.split("_")) for n in names))
