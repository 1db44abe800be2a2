"""Command: Table 1 of CoCoA-MT, contrastive translations with different formality."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.text.levels import LEVELS
from workflow_scripts.text.markers import phrases


def table1(table: Path, *, corpora: list[Path], languages: list[str], examples: int) -> None:
    """Write the shortest training segments of each language with marked phrases in both references.

    :param table: CSV to write: lang, source, formal, informal; the references are annotated
    :param corpora: the canonical folder of each language
    :param examples: segments per language
    """
    kinds = ("en", *(f"{level}.annotated" for level in LEVELS))
    rows = []
    for language, files in by_language(languages, corpora=corpora).items():
        texts = zip(*read_texts(files["corpora"], "train", kinds), strict=True)
        marked = [row for row in texts if phrases(row[1]) and phrases(row[2])]
        # Segments of the same length keep the order of the corpus.
        rows += [[language, *row] for row in sorted(marked, key=lambda row: len(row[0]))[:examples]]
    write_csv(table, ("lang", "source", *LEVELS), rows)


if __name__ == "__main__":
    run(table1)
