"""Command: Table II of Hu et al. (2022), domain distribution of MultiWOZ 2.2 and of the impolite corpus."""

from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues

DOMAINS = {
    **{"Restaurant": ("restaurant",), "Attraction": ("attraction",), "Hotel": ("hotel",)},
    **{"Taxi": ("taxi",), "Train&Bus": ("train", "bus"), "Hospital": ("hospital",)},
}
ALL, REWRITTEN = "MultiWOZ 2.2", "Impolite Dialogue Corpus"
MEASURES = {"dialogues": 0, "percent": 1}
UNPUBLISHED = "the corpus is not public"


def caveat_of(written_by: str) -> str:
    """The caveat of impolite words that a system wrote; empty if people wrote them."""
    return f"impolite words by {written_by}" if written_by else ""


@leaf("data", "measure", "domain")
def table2(*, dialogues: Path, impolite: Path | None = None, written_by: str = "") -> Table:
    """Write the number of dialogues in each domain, and their share of all dialogues in per cent.

    A dialogue's domains are the services that MultiWOZ 2.2 lists for it (in 2.1: those of its goal and
    states), so it may count in several. The paper's shares are those of the 8,437 training dialogues.

    :param table: CSV to write: data, measure, one column per domain
    :param dialogues: the training dialogues
    :param impolite: the rewritten dialogues, if there are any
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    cells: Cells = {}
    for data, file, caveat in ((ALL, dialogues, ""), (REWRITTEN, impolite, caveat_of(written_by))):
        if file is not None:
            cells |= _counted(data, read_dialogues(file), signature(file), caveat)
        else:
            cells |= {(data, m, d): Cell("", "", UNPUBLISHED) for m in MEASURES for d in DOMAINS}
    return Table(cells, DOMAINS)


def _counted(data: str, dialogues: Sequence[Dialogue], source: str, caveat: str) -> Cells:
    facts = f"{source}|n:{len(dialogues)}"
    cells: Cells = {}
    for measure, decimals in MEASURES.items():
        for name, services in DOMAINS.items():
            count = sum(bool({*services} & {*dialogue.services}) for dialogue in dialogues)
            number = count if measure == "dialogues" else 100 * count / len(dialogues)
            cells[data, measure, name] = Cell(rounded(number, decimals, "half-up"), facts, caveat)
    return cells


if __name__ == "__main__":
    run(table2)
