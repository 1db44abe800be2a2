"""Command: Table VII of Hu et al. (2022), automatic evaluation with original and with impolite users."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.dialogue.compare import IMPOLITE, ORIGINAL
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
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


@leaf(*KEYS, intervals=True)
def table7(theirs: Printed, *, printed: Path, scores: Path, systems: Path, written_by: str = "") -> Rows:
    """Write the metrics of every system on the original dialogues and with impolite users.

    `Decrease` is the per cent by which the combined score is lower with impolite users. P-values are those of
    paired tests, Holm-adjusted over the systems: impolite users against the original ones in the same
    dialogues or, for a system with more training data, against the system without it in the same impolite
    dialogues. Numbers are means over a system's trainings. Printed rows of systems that are not configured
    are empty, and no number can be compared, since the paper does not name its evaluator. Raises InputError
    for printed rows of other data.

    :param table: CSV to write: model, data, Inform, Success, BLEU, Combined, Decrease, states (as in Table
        VI), then the p-values (<metric>_p)
    :param scores: the scores of all systems, as dialogue.compare writes them
    :param systems: manifest of the rows: system, label (the name in the paper)
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    for _, data, _ in theirs:
        if data not in DATA:
            raise InputError(f"unknown data '{data}'", path=printed, fix=nearest(data, DATA))
    by_label, labels = read_scores(scores, systems)
    cells: Cells = {key: Cell("", "", UNPUBLISHED if key[0] in labels else NO_SYSTEM) for key in theirs}
    for label in labels:
        for data in DATA:
            cells |= {
                (label, data, metric): cell
                for metric, cell in _row(by_label, label, data, written_by).items()
            }
    order = list(dict.fromkeys(key[0] for key in cells))
    rows = sorted(
        dict.fromkeys(key[:2] for key in cells), key=lambda row: (order.index(row[0]), row[1] == "Impolite")
    )
    shown = in_layout(rows, COLUMNS, cells)
    for row, (label, data) in zip(shown, rows, strict=True):
        tested = [by_label.get((label, DATA[data], metric)) for metric in METRICS.values()]
        row += [score.p_holm if score else "" for score in tested]
    return Rows(cells, (*KEYS[:-1], *COLUMNS, *(f"{metric}_p" for metric in METRICS)), shown)


def _row(by_label: Scored, label: str, data: str, written_by: str) -> dict[str, Cell]:
    """The cells of a system on some dialogues; empty if it has no responses to them."""
    words = caveat_of(written_by) if data == "Impolite" else ""
    caveat = ", ".join(filter(None, (words, EVALUATOR)))
    ours = {
        metric: score.cell(caveat)
        for metric, name in METRICS.items()
        if (score := by_label.get((label, DATA[data], name)))
    }
    if judged := by_label.get((label, DATA[data], Inform.name)):
        ours[STATES] = Cell(judged.states, judged.signature)
    before, after = (by_label.get((label, DATA[users], Combined.name)) for users in DATA)
    if data == "Impolite" and before and after and before.value:
        lost = 100 * (before.value - after.value) / before.value
        ours[DECREASE] = Cell(rounded(lost, DECIMALS), after.signature, caveat)
    return ours


if __name__ == "__main__":
    run(table7)
