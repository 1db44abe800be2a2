"""Command: Table 7 of XFORMAL, automatic and human evaluation of formality style transfer."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.xformal.table7_layout import (
    AUTOMATIC,
    HUMAN,
    SIMULATED,
    decimals_of,
    labels_of,
    read_ratings,
    read_scores,
)
from workflow_scripts.statistics.metrics import RATINGS

P_DECIMALS = 4


def table7(
    table: Path,
    *,
    scores: list[Path],
    human: list[Path] | None = None,
    simulated: bool = False,
    systems: Path,
    languages: list[str],
    metrics: list[str],
) -> None:
    """Write Table 7 in the paper's layout: one row per system, metrics from left to right.

    Numbers have the decimals of `statistics.metrics`, p-values have four. A score that does not exist (GOLD
    STANDARD's multi-BLEU, the baseline's p) is an empty field. The rows of the human half follow those of the
    automatic one, with two decimals: as in the paper, meaning is in the column of self_bleu, fluency in that
    of perplexity, and the overall ranking in that of multi_bleu. Without ratings there are no such rows.

    :param table: CSV to write: section, system (the label), <metric>_<language>, then the same names with _p
        (Holm-adjusted against the baseline); the section is automatic, human, or "human (simulated)"
    :param scores: the files of the evaluation, one per language
    :param human: the files of mean ratings, one per language
    :param systems: manifest of the rows: system, label (the name in the paper)
    :param languages: codes, in the order of the columns of a metric
    :param metrics: names, in the order of the columns
    """
    labels = labels_of(systems)
    halves = {AUTOMATIC: read_scores(scores, labels), HUMAN: read_ratings(human or [], labels)}
    # Ratings fill all their columns, whatever the metrics are.
    rated = [rating.column for rating in RATINGS.values()] if human else []
    columns = dict.fromkeys([*metrics, *rated])
    cells = [(metric, language) for metric in columns for language in languages]
    names = [f"{metric}_{language}" for metric, language in cells]
    rows: list[list[str]] = []
    for section, values in halves.items():
        rated_systems = {system for system, _, language in values if language in languages}
        for system, label in labels.items():
            if section == HUMAN and system not in rated_systems:
                continue
            by_cell = [values.get((system, *cell), {}) for cell in cells]
            numbers = [
                rounded(row.get("value", ""), decimals_of(section, metric))
                for row, (metric, _) in zip(by_cell, cells, strict=True)
            ]
            tests = [rounded(row.get("p_holm", ""), P_DECIMALS) for row in by_cell]
            name = SIMULATED if simulated and section == HUMAN else section
            rows.append([name, label, *numbers, *tests])
    write_csv(table, ("section", "system", *names, *(f"{name}_p" for name in names)), rows)


if __name__ == "__main__":
    run(table7)
