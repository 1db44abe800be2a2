"""Command: precision and recall of rule-based formality labels on CoCoA-MT's references (Section 6.2)."""

from collections import Counter
from pathlib import Path

from workflow_scripts.control.lists import Lists
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.corpora.cocoa import read_texts
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.text.levels import LEVELS

HEADER = ("lang", "split", "level", "references", "labelled", "precision", "recall")


def rule_labels(table: Path, *, corpora: list[Path], lists: list[Path], languages: list[str]) -> None:
    """Label both references of every segment by the rules for generic pairs, and count.

    precision: the share of references labelled with a level that have this level; recall: the share of a
    level's references that get its label. Training references that are the same in both levels count as both.

    :param table: CSV to write: lang, split, level, references, labelled, precision, recall
    :param corpora: folders in the canonical layout, one per language
    :param lists: the tables of forms, one per language
    :param languages: the codes of these languages
    """
    rows: list[list[object]] = []
    for language, corpus, path in zip(languages, corpora, lists, strict=True):
        known = Lists.read(path)
        for split in ("train", "test"):
            source, *references = read_texts(corpus, split, ("en", *LEVELS))
            counts = {
                level: Counter(map(known.label, source, texts))
                for level, texts in zip(LEVELS, references, strict=True)
            }
            rows += [[language, split, level, *_measured(counts, level, len(source))] for level in LEVELS]
    write_csv(table, HEADER, rows)


def _measured(counts: dict[str, Counter[str]], level: str, references: int) -> list[object]:
    right = counts[level][level]
    labelled = sum(labels[level] for labels in counts.values())
    precision = rounded(right / labelled, 3) if labelled else ""
    return [references, labelled, precision, rounded(right / references, 3)]


if __name__ == "__main__":
    run(rule_labels)
