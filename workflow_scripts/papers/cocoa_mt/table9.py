"""Command: Table 9 of CoCoA-MT, references that the rule-based classifier gives the other level."""

from pathlib import Path

from workflow_scripts.control.lists import Lists
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.text.levels import LEVELS


def table9(
    table: Path, *, corpora: list[Path], lists: list[Path], languages: list[str], examples: int
) -> None:
    """Write the shortest training segments whose reference the rules label with the other level.

    :param table: CSV to write: lang, level (of the reference), rules (the rules' label), source, target
    :param corpora: the canonical folder of each language
    :param lists: table of forms of each language, as `control.lists` reads it
    :param languages: codes of the target languages that have lists, in the order of the rows
    :param examples: segments per language and level
    """
    rows = []
    for language, files in by_language(languages, corpora=corpora, lists=lists).items():
        known = Lists.read(files["lists"])
        source, *references = read_texts(files["corpora"], "train", ("en", *LEVELS))
        for level, target in zip(LEVELS, references, strict=True):
            wrong = [
                (text, translation)
                for text, translation in zip(source, target, strict=True)
                if known.label(text, translation) not in (level, "")
            ]
            other_level = LEVELS[1 - LEVELS.index(level)]
            chosen = sorted(wrong, key=lambda pair: len(pair[0]))[:examples]
            rows += [[language, level, other_level, *pair] for pair in chosen]
    write_csv(table, ("lang", "level", "rules", "source", "target"), rows)


if __name__ == "__main__":
    run(table9)
