"""Command: Table 12 of CoCoA-MT, per cent of segments that express gender distinctions in the reference."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded

SPLITS = ("train", "test")


@leaf("lang", "metric", scaled=False)
def table12(*, corpora: list[Path], languages: list[str]) -> Table:
    """Write the share of training and of test segments with a gendered formal reference, in per cent.

    A reference is gendered where it differs from its feminine variant; the share is of all segments of the
    split, over all domains.

    :param table: CSV to write: lang, train, test
    :param corpora: the canonical folder of each language, with feminine variants
    """
    cells: Cells = {}
    for language, files in by_language(languages, corpora=corpora).items():
        for split in SPLITS:
            masculine, feminine = read_texts(files["corpora"], split, ("formal", "formal.feminine"))
            count = sum(text != other for text, other in zip(masculine, feminine, strict=True))
            cells[language, split] = Cell(
                rounded(100 * count / len(masculine), 0, "half-up"),
                f"references:formal|gendered:{count}|n:{len(masculine)}",
            )
    return Table(cells, SPLITS)


if __name__ == "__main__":
    run(table12)
