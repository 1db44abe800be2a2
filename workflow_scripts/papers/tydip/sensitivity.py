"""Command: how far Figures 4 and 8 depend on the rule by which requests match a strategy."""

import math
import statistics
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.tydip.figure4 import SIGN, SIGNS
from workflow_scripts.politeness.found import Found, read_found
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.thresholds import is_polite
from workflow_scripts.statistics.correlation import pearson

HEADER = (
    "rule",
    "says",
    "cells",
    "matches",
    "pearson",
    "median_change",
    "largest_change",
    "largest_cell",
    "sign_changes",
    "median_change_first",
    "median_change_fourth",
    "statements",
    "statements_held",
)


def sensitivity(table: Path, *, found: Path, printed: Path, least: int) -> None:
    """Write one line per rule: the differences of its cells from the figures' rule.

    Cells (a strategy in a language) with fewer than `least` requests by either rule are left out of the
    differences, but not of the statements. A change is the absolute difference of a cell's mean scores; the
    shares are those of Figure 8, in which the rule `outer`, with half of the requests, cannot be compared.

    :param table: CSV to write: rule, says, cells (compared), matches (requests of all cells, even of
        those with few), pearson (of the means), median_change, largest_change, largest_cell, sign_changes
        (cells on the other side of 0), median_change_first and median_change_fourth (of the shares),
        statements (signs that Section 4 gives), statements_held
    :param found: the file that `strategies` wrote
    :param printed: CSV of Figure 4: strategy, lang, metric, printed
    :param least: the fewest requests of a cell that is compared
    """
    tables = read_found(found)
    base = tables[RULES[0].name]
    signs = {
        key[:2]: sign
        for key, sign in read_printed(printed, "strategy", "lang", "metric", words=SIGNS).items()
        if key[2] == SIGN
    }
    rows: list[list[object]] = []
    for rule in RULES:
        if rule.name not in tables:
            raise InputError(f"no rule '{rule.name}'", path=found)
        cells = tables[rule.name]
        shared = [
            key for key in base if key in cells and min(base[key].requests, cells[key].requests) >= least
        ]
        changes = {key: abs(cells[key].mean - base[key].mean) for key in shared}
        largest = max(shared, key=lambda key: changes[key], default=None)
        known = [(sign, cells[key]) for key, sign in signs.items() if key in cells]  # type: ignore[index]
        rows.append(
            [
                *(rule.name, rule.says, len(shared), sum(cell.requests for cell in cells.values())),
                _pearson([base[key].mean for key in shared], [cells[key].mean for key in shared]),
                rounded(statistics.median(changes.values()), 4) if changes else "",
                rounded(changes[largest], 4) if largest else "",
                " ".join(largest) if largest and changes[largest] else "",
                sum(is_polite(cells[key].mean) != is_polite(base[key].mean) for key in shared),
                *(_share_change(base, cells, shared, place, rule.requests) for place in (0, 1)),
                len(known),
                sum(bool(cell.requests) and is_polite(cell.mean) == (sign == "+") for sign, cell in known),
            ]
        )
    write_csv(table, HEADER, rows)


def _pearson(ones: list[float], others: list[float]) -> str:
    value = pearson(ones, others)
    return "" if math.isnan(value) else rounded(value, 4)


def _share_change(
    base: dict[tuple[str, str], Found],
    cells: dict[tuple[str, str], Found],
    shared: list[tuple[str, str]],
    place: int,
    requests: str,
) -> str:
    if requests != "all" or not shared:
        return ""
    return rounded(
        statistics.median(abs(cells[key].shares[place] - base[key].shares[place]) for key in shared), 4
    )


if __name__ == "__main__":
    run(sensitivity)
