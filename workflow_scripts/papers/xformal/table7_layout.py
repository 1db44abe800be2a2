"""Rows, decimals and score files, for Table 7 and its comparison."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.fields import number
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.statistics.metrics import METRICS, RATINGS, Rating

AUTOMATIC, HUMAN = "automatic", "human"
# The name of the human half in our table if its raters are simulated.
SIMULATED = "human (simulated)"
# Columns that every file of scores has.
SCORES = ("system", "metric", "language", "value", "ci_low", "ci_high", "p_holm", "signature")
# The columns with a number or an empty field.
NUMBERS = ("value", "ci_low", "ci_high", "p_holm")

Row = dict[str, str]
# The names of a cell, such as section, system, metric and language.
Key = TypeVar("Key", bound=tuple[str, ...])


def read_scores(paths: Sequence[Path], systems: Collection[str]) -> dict[tuple[str, str, str], Row]:
    """Scores of all languages: (system, metric, language) -> row.

    Raises InputError for a repeated or invalid score, and for a system without scores.
    """
    scores: dict[tuple[str, str, str], Row] = {}
    for path in paths:
        for line, row in _rows(path):
            key = (row["system"], row["metric"], row["language"])
            if key in scores:
                raise InputError(f"a second value of {', '.join(key)}", path=path, line=line)
            scores[key] = row
    known = {system for system, _, _ in scores}
    for system in systems:
        if system not in known:
            read = ", ".join(map(str, paths))
            raise InputError(f"no score for system '{system}' in {read}", fix=nearest(system, known))
    return scores


def read_ratings(paths: Iterable[Path], systems: Collection[str]) -> dict[tuple[str, str, str], Row]:
    """Mean ratings of all languages: (system, metric of its column, language) -> row; all may be missing.

    Raises InputError for a repeated or invalid mean, and for an unknown system or kind of rating.
    """
    scores: dict[tuple[str, str, str], Row] = {}
    for path in paths:
        for line, row in _rows(path):
            if row["metric"] not in RATINGS:
                raise InputError(
                    f"no rating '{row['metric']}'",
                    path=path,
                    line=line,
                    fix=nearest(row["metric"], RATINGS),
                )
            if row["system"] not in systems:
                raise InputError(
                    f"ratings of unknown system '{row['system']}'",
                    path=path,
                    line=line,
                    fix=nearest(row["system"], systems),
                )
            key = (row["system"], RATINGS[row["metric"]].column, row["language"])
            if key in scores:
                raise InputError(f"a second mean of {row['system']}, {row['metric']}", path=path, line=line)
            scores[key] = row
    return scores


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The lines of a file of scores; InputError for an invalid number."""
    for line, row in read_rows(path, SCORES):
        for name in NUMBERS:
            if row[name]:
                number(row[name], path, line)
        yield line, row


def decimals_of(section: str, metric: str) -> int:
    """The number of decimals that the paper prints."""
    return METRICS[metric].decimals if section == AUTOMATIC else Rating.decimals


def labels_of(systems: Path) -> dict[str, str]:
    """The paper's name of each system, from a manifest of both; InputError for a repeated name."""
    rows = read_manifest(systems, ("system", "label"))
    for column, names in zip(("system", "label"), zip(*rows, strict=True), strict=False):
        if len(set(names)) < len(names):
            raise InputError(f"a {column} is named twice: {', '.join(names)}", path=systems)
    return {system: label for system, label in rows}


def in_order(cells: Iterable[Key], *orders: Iterable[str]) -> list[Key]:
    """The distinct cells, sorted by the place of each key part in `orders`, the first part first."""
    places = [{name: place for place, name in enumerate(dict.fromkeys(names))} for names in orders]
    return sorted(
        dict.fromkeys(cells), key=lambda cell: [place[part] for place, part in zip(places, cell, strict=True)]
    )
