"""Command: Table 11 of TyDiP from lexicons induced here."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Scale
from workflow_scripts.papers.tydip.table11 import table11
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS


def table11_scratch(
    table: Path, comparison: Path, *, lexicons: Path, printed: Path, languages: list[str], scale: Scale
) -> None:
    """Write the most frequent induced sequence of the English words that the paper shows; see `table11`.

    :param table: CSV to write: strategy, word, one column per language
    :param comparison: CSV to write: strategy, word, lang, printed, ours, difference, comparable, signature
    :param lexicons: the folder that politeness.induce wrote
    :param printed: CSV: strategy, word, lang, sha256 of the printed sequence (empty: an empty cell)
    :param scale: the run's scale
    """
    files = {"corpus": lexicons, "printed": printed}
    table11(table, comparison, **files, languages=languages, scale=scale, caveat=OTHER_LEXICONS)


if __name__ == "__main__":
    run(table11_scratch)
