"""Command: Table 11 of TyDiP from lexicons induced here."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Printed
from workflow_scripts.papers.tydip.table11 import KEYS, most_frequent, read_digests
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS


@leaf(*KEYS, read=read_digests)
def table11_scratch(theirs: Printed, *, lexicons: Path, languages: list[str]) -> Rows:
    """Write the most frequent induced sequence of the English words that the paper shows; see `table11`.

    :param table: CSV to write: strategy, word, one column per language
    :param lexicons: the folder that politeness.induce wrote
    :param printed: CSV: strategy, word, lang, sha256 of the printed sequence (empty: an empty cell), caveat
    """
    return most_frequent(theirs, lexicons, languages, OTHER_LEXICONS)


if __name__ == "__main__":
    run(table11_scratch)
