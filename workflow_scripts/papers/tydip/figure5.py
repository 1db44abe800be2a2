"""Command: Figure 5 of TyDiP as a table, the annotation interface."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.scales import TASKS
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import ENGLISH
from workflow_scripts.politeness.hits import TASK, read_hits
from workflow_scripts.politeness.ratings import INVALID

COLUMNS = ("lang", "page", "hits", "english", "target")


@leaf("metric")
def figure5(*, sheets: list[Path], pages: list[Path], languages: list[str]) -> Rows:
    """Write the page that each language's raters open, and the English and target requests of a HIT.

    Section 2.1 gives the requests of a HIT, Section 2 the scale of the slider; both are compared. `english`
    and `target` are the most frequent numbers, since the last HIT of a language may be shorter. Raises
    InputError for lists of unequal length and for a sheet without requests.

    :param table: CSV to write: lang, page, hits, english, target
    :param sheets: the file that politeness.hits wrote for each language
    :param pages: the page of each sheet
    """
    if not len(sheets) == len(pages) == len(languages):
        raise InputError(f"{len(sheets)} sheets and {len(pages)} pages of {len(languages)} languages")
    rows: list[list[str | int]] = []
    sizes: Counter[tuple[int, int]] = Counter()
    for sheet, page, language in zip(sheets, pages, languages, strict=True):
        items = read_hits(sheet).values()
        if not items:
            raise InputError("no requests", path=sheet)
        english = Counter(item.hit for item in items if item.language == ENGLISH)
        target = Counter(item.hit for item in items if item.language != ENGLISH)
        sizes_here = Counter((english[hit], target[hit]) for hit in english | target)
        usual = sizes_here.most_common(1)[0][0]
        sizes[usual] += 1
        rows.append([language, f"{page.parent.name}/{page.name}", len(english | target), *usual])
    values = [float(value) for value in TASKS[TASK].values if value != INVALID]
    steps = {high - low for low, high in pairwise(values)}
    facts = signature(sheets[0], languages=len(languages))
    usual = sizes.most_common(1)[0][0]
    numbers = [*usual, min(values), max(values), *steps]
    names = ("english", "target", "lowest", "highest", "step")
    cells: Cells = {(name,): Cell(f"{number:g}", facts) for name, number in zip(names, numbers, strict=True)}
    return Rows(cells, COLUMNS, rows)


if __name__ == "__main__":
    run(figure5)
