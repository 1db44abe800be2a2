"""Command: Table VII of Hu et al. (2022), what impolite users do to dialogue systems."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.dialogue.compare import IMPOLITE, ORIGINAL
from workflow_scripts.leaves.comparison import Cell, Cells, Scale, read_printed, write_comparison
from workflow_scripts.leaves.layout import in_layout
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.impolite.systems import DECIMALS, METRICS, Scored, read_scores
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED, caveat_of
from workflow_scripts.papers.impolite.table6 import EVALUATOR, NO_SYSTEM, STATES
from workflow_scripts.statistics.metrics import Combined, Inform

KEYS = ("model", "data", "metric")
DATA = {"Original": ORIGINAL, "Impolite": IMPOLITE}
DECREASE = "Decrease"
COLUMNS = (*METRICS, DECREASE, STATES)


def table7(
    table: Path,
    comparison: Path,
    *,
    scores: Path,
    systems: Path,
    printed: Path,
    scale: Scale,
    written_by: str = "",
) -> None:
    """Write the metrics of every system on the original dialogues and on those with impolite users.

    `Decrease` is by how many per cent the combined score is lower with impolite users. A p-value is that of
    a paired test, Holm-adjusted over the systems: of impolite users against the same dialogues with the
    original ones, or, of a system with more training data, against the same impolite dialogues without it.
    Numbers of a system with several trainings are their mean.
    Printed rows of systems that are not configured are empty, and no number can be compared, since the paper
    does not say which evaluator it used. Raises InputError for printed
    rows of other data.

    :param table: CSV to write: model, data, Inform, Success, BLEU, Combined, Decrease, states (as in Table
        VI), then the p-values (<metric>_p)
    :param comparison: CSV to write: model, data, metric, printed, ours, difference, ci_low, ci_high,
        comparable, signature
    :param scores: the scores of all systems, as dialogue.compare writes them
    :param systems: manifest of the rows: system, label (the name in the paper)
    :param printed: CSV: model, data, metric, printed
    :param scale: the run's scale
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    theirs = read_printed(printed, *KEYS)
    for _, data, _ in theirs:
        if data not in DATA:
            raise InputError(f"data '{data}'", path=printed, fix=nearest(data, DATA))
    found, labels = read_scores(scores, systems)
    cells: Cells = {key: Cell("", "", UNPUBLISHED if key[0] in labels else NO_SYSTEM) for key in theirs}
    for label in labels:
        for data in DATA:
            cells |= {
                (label, data, metric): cell for metric, cell in _row(found, label, data, written_by).items()
            }
    write_comparison(comparison, KEYS, theirs, cells, scale=scale, intervals=True)
    order = list(dict.fromkeys(key[0] for key in cells))
    rows = sorted(
        dict.fromkeys(key[:2] for key in cells), key=lambda row: (order.index(row[0]), row[1] == "Impolite")
    )
    shown = in_layout(rows, COLUMNS, cells)
    for row, (label, data) in zip(shown, rows, strict=True):
        tested = [found.get((label, DATA[data], metric)) for metric in METRICS.values()]
        row += [score.p_holm if score else "" for score in tested]
    write_csv(table, (*KEYS[:-1], *COLUMNS, *(f"{metric}_p" for metric in METRICS)), shown)


def _row(found: Scored, label: str, data: str, written_by: str) -> dict[str, Cell]:
    """The cells of a system on some dialogues; none if it has not answered them."""
    words = caveat_of(written_by) if data == "Impolite" else ""
    caveat = ", ".join(filter(None, (words, EVALUATOR)))
    ours = {
        metric: score.cell(caveat)
        for metric, name in METRICS.items()
        if (score := found.get((label, DATA[data], name)))
    }
    if judged := found.get((label, DATA[data], Inform.name)):
        ours[STATES] = Cell(judged.states, judged.signature)
    before, after = (found.get((label, DATA[one], Combined.name)) for one in DATA)
    if data == "Impolite" and before and after and before.value:
        lost = 100 * (before.value - after.value) / before.value
        ours[DECREASE] = Cell(rounded(lost, DECIMALS), after.signature, caveat)
    return ours


if __name__ == "__main__":
    run(table7)
