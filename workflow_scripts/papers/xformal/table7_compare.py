"""Command: our table beside the printed one, cell by cell."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing
from workflow_scripts.papers.xformal.table7_layout import (
    AUTOMATIC,
    HUMAN,
    METRICS,
    comparable,
    decimals_of,
    in_order,
    labels_of,
    read_ratings,
    read_scores,
    read_table,
    rounded,
)

HEADER = (
    "section",
    "system",
    "metric",
    "lang",
    "printed",
    "ours",
    "difference",
    "ci_low",
    "ci_high",
    "comparable",
    "signature",
)


def compare(
    table: Path,
    *,
    scores: list[Path],
    human: list[Path] | None = None,
    simulated: bool = False,
    printed: Path,
    systems: list[str],
    labels: list[str],
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write one line per cell of the printed table and of ours.

    Cells follow the printed table: sections, rows, metrics, languages; systems that it does not have come
    after its own in their section. What one side lacks is empty. Ours is rounded as in Table 7, and the
    difference is ours minus printed, of the rounded numbers.

    :param table: CSV to write: section, system, metric, lang, printed, ours, difference, ci_low, ci_high,
        comparable, signature; `comparable` is yes, or no and why
    :param scores: the files of the evaluation, one per language
    :param human: the files of mean ratings, one per language
    :param simulated: the raters are, and their cells say so
    :param printed: the printed table: section, system, metric, lang, printed
    :param systems: names, in the order of our rows
    :param labels: the paper's names of the systems, in the same order
    :param scale: only numbers of the scale `paper` can be compared with the printed ones
    """
    theirs = {}
    for row in read_table(printed, ("section", "system", "metric", "lang", "printed")):
        key = (row["section"], row["system"], row["metric"], row["lang"])
        if row["metric"] not in METRICS or row["section"] not in (AUTOMATIC, HUMAN) or key in theirs:
            raise InputError(f"unknown or second cell {', '.join(key)}", path=printed)
        theirs[key] = row["printed"]
    names = labels_of(systems, labels)
    # Perplexity in other units stands in the scores only.
    ours = {
        (AUTOMATIC, names[system], metric, language): row
        for (system, metric, language), row in read_scores(scores, systems).items()
        if system in names and metric in METRICS
    }
    ours |= {
        (HUMAN, names[system], metric, language): row
        for (system, metric, language), row in read_ratings(human or [], systems).items()
    }
    with writing(table) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEADER)
        # Printed rows and languages in their order, ours after them in theirs.
        cells = [*theirs, *ours]
        rows = [*(cell[1] for cell in theirs), *names.values()]
        for key in in_order(cells, (AUTOMATIC, HUMAN), rows, METRICS, [cell[3] for cell in cells]):
            decimals, row = decimals_of(key[0], key[2]), ours.get(key, {})
            mine, other = rounded(row.get("value", ""), decimals), theirs.get(key, "")
            difference = rounded(str(float(mine) - float(other)), decimals) if mine and other else ""
            bounds = [rounded(row.get(name, ""), decimals) for name in ("ci_low", "ci_high")]
            judged, signature = comparable(scale, mine, other), row.get("signature", "")
            if key[0] == HUMAN and mine and simulated:
                judged = "no: simulated raters" if scale == "paper" else f"{judged}, simulated raters"
            elif key[0] == HUMAN and not human:
                signature = "no ratings: human.ratings"
            writer.writerow([*key, other, mine, difference, *bounds, judged, signature])


if __name__ == "__main__":
    run(compare)
