"""Command: Table 11 of CoCoA-MT, grammatical gender in the target that is ambiguous in the source."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.text.levels import GENDERED


def table11(table: Path, *, corpora: list[Path], languages: list[str], examples: int) -> None:
    """Write the shortest training segments whose formal reference differs from its feminine variant.

    Languages without feminine variants have no rows.

    :param table: CSV to write: lang, source, feminine, masculine
    :param corpora: the canonical folder of each language
    :param examples: segments per language
    """
    rows = []
    for language, files in by_language(languages, corpora=corpora).items():
        if language not in GENDERED:
            continue
        kinds = ("en", "formal.feminine", "formal")
        texts = zip(*read_texts(files["corpora"], "train", kinds), strict=True)
        gendered = [row for row in texts if row[1] != row[2]]
        rows += [[language, *row] for row in sorted(gendered, key=lambda row: len(row[0]))[:examples]]
    write_csv(table, ("lang", "source", "feminine", "masculine"), rows)


if __name__ == "__main__":
    run(table11)
