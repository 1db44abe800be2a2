"""Command: our Table 7 beside the printed one, cell by cell."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell, Cells, Scale, read_printed, write_comparison
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.xformal.departures import departures, joined
from workflow_scripts.papers.xformal.table7_layout import (
    AUTOMATIC,
    HUMAN,
    Row,
    decimals_of,
    in_order,
    labels_of,
    read_ratings,
    read_scores,
)
from workflow_scripts.statistics.metrics import METRICS, RATINGS, Formality, Perplexity

KEYS = ("section", "system", "metric", "lang")
# Rows that no model writes, and rows that need translation only; all others also learnt from text that the
# regressors sorted.
PLAIN = ("GOLD STANDARD", "COPY", "RULE-BASED")
TRANSLATED = ("ROUND-TRIP MT", "TRANSLATE TRAIN TAG")
# The regressors learn from translated ratings, and the language model from text that they score as formal.
REGRESSED = (Formality.name, Perplexity.name)


def compare(
    table: Path,
    *,
    scores: list[Path],
    human: list[Path] | None = None,
    simulated: bool = False,
    printed: Path,
    systems: Path,
    scale: Scale,
    backend: str,
    encoder: str,
) -> None:
    """Write one line per cell of the printed table or of ours.

    Cells follow the printed table: sections, rows, metrics, languages; within a section, systems that it
    lacks come last. A number that one side lacks is empty. Ours is rounded as in Table 7, and the difference
    is ours minus printed, of the rounded numbers.

    :param table: CSV to write: section, system, metric, lang, printed, ours, difference, ci_low, ci_high,
        comparable, signature; `comparable` is yes, or no with the reasons
    :param scores: the files of the evaluation, one per language
    :param human: the files of mean ratings, one per language
    :param simulated: whether the raters are simulated; their cells say so
    :param printed: the printed table: section, system, metric, lang, printed
    :param systems: manifest of our rows: system, label (the name in the paper)
    :param scale: the run's scale; only numbers of the scale `paper` are comparable with the printed ones
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    theirs = read_printed(printed, *KEYS)
    for key in theirs:
        if key[0] not in (AUTOMATIC, HUMAN) or key[2] not in METRICS:
            raise InputError(f"unknown cell {', '.join(key)}", path=printed)
    names = labels_of(systems)
    cells: Cells = {}
    if not human:
        # Without ratings, no language has raters.
        cells |= {key: Cell("", "", "no ratings: human.ratings") for key in theirs if key[0] == HUMAN}
    for (system, metric, language), row in read_scores(scores, names).items():
        # Perplexity in other units is in the scores only.
        if system in names and metric in METRICS:
            caveat = _departure(AUTOMATIC, names[system], metric, language, backend, encoder)
            cells[AUTOMATIC, names[system], metric, language] = _cell(AUTOMATIC, metric, row, caveat)
    for (system, metric, language), row in read_ratings(human or [], names).items():
        caveat = joined(
            "simulated raters" if simulated else "",
            _departure(HUMAN, names[system], metric, language, backend, encoder),
        )
        cells[HUMAN, names[system], metric, language] = _cell(HUMAN, metric, row, caveat)
    # Printed rows and languages come first, each in their own order.
    every = [*theirs, *cells]
    rows = [*(key[1] for key in theirs), *names.values()]
    order = in_order(every, (AUTOMATIC, HUMAN), rows, METRICS, [key[3] for key in every])
    write_comparison(table, KEYS, theirs, cells, scale=scale, intervals=True, order=order)


def _departure(section: str, label: str, metric: str, language: str, backend: str, encoder: str) -> str:
    """The caveat of a cell whose translations or formality scores are not by the paper's models."""
    # Raters rank all systems of a sentence; Table 7 has these ranks in multi-BLEU's column.
    if metric in REGRESSED if section == AUTOMATIC else metric == RATINGS["ranking"].column:
        return departures(language, backend=backend, encoder=encoder)
    if label in PLAIN:
        return ""
    if label in TRANSLATED:
        return departures(language, backend=backend)
    return departures(language, backend=backend, encoder=encoder)


def _cell(section: str, metric: str, row: Row, caveat: str = "") -> Cell:
    """A score or mean rating as Table 7 shows it."""
    value, low, high = (
        rounded(row[name], decimals_of(section, metric)) for name in ("value", "ci_low", "ci_high")
    )
    return Cell(value, row["signature"], caveat, interval=(low, high))


if __name__ == "__main__":
    run(compare)
