"""Command: Table 11 of TyDiP, examples of the politeness strategies lexicon."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.fingerprint import fingerprint
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import Word, lexicon_file, read_lexicon

# The printed words come from lists that people edited, released as a workbook that no step reads.
NO_SEQUENCE = "the word has no sequence in the list"
PRINTED = ("strategy", "word", "lang", "sha256", "caveat")
KEYS = PRINTED[:3]


def read_digests(printed: Path) -> Printed:
    """The digests of the printed sequences; an empty one is an empty cell."""
    digests = Printed()
    for _, (strategy, word, language, sha256, reason) in read_keyed(printed, PRINTED, 3):
        digests[strategy, word, language] = sha256[:12]
        digests.caveats[strategy, word, language] = reason
    return digests


@leaf(*KEYS, scaled=False, read=read_digests)
def table11(theirs: Printed, *, corpus: Path, languages: list[str]) -> Rows:
    """Write the most frequent sequence of the English words that the paper shows, in each language.

    Sequences of punctuation alone are skipped; ties go to the first in the file; a word without a sequence
    has an empty cell. The paper's cells were cherry-picked from the lists: the comparison contains digests
    (the first twelve characters of `fingerprint`), and gives the printed sequence's rank in the released
    list.

    :param table: CSV to write: strategy, word, one column per language
    :param corpus: folder with TyDiP in its official layout
    :param printed: CSV: strategy, word, lang, sha256 of the printed sequence (empty: an empty cell), caveat
    """
    return most_frequent(theirs, corpus, languages)


def most_frequent(theirs: Printed, folder: Path, languages: Sequence[str], caveat: str = "") -> Rows:
    """The rows of a folder's lexicons; `caveat`: why these cannot be compared with the paper's."""
    rows = {key[:2]: list(key[:2]) for key in theirs}
    cells: Cells = {}
    for language in languages:
        file = lexicon_file(folder, language)
        lexicon = read_lexicon(file)
        for (strategy, english), row in rows.items():
            entry = _find(file, lexicon.get(strategy, []), strategy, english)
            sequences = [text for text, _ in entry.sequences if has_word(text)]
            row.append(sequences[0] if sequences else "")
            key = (strategy, english, language)
            digest = theirs.get(key, "")
            ours = fingerprint(sequences[0])[:12] if sequences else ""
            difference = _place(digest, [fingerprint(text)[:12] for text in sequences])
            facts = signature(file, sequences=len(entry.sequences), pick="first")
            cells[key] = Cell(ours, facts, NO_SEQUENCE if digest and not ours else caveat, difference)
    for empty in [place for place, digest in theirs.items() if not digest]:
        del theirs[empty]
    return Rows(cells, ("strategy", "word", *languages), list(rows.values()))


def has_word(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(unicodedata.category(character)[0] in "LN" for character in text)


def _find(file: Path, words: list[Word], strategy: str, english: str) -> Word:
    for word in words:
        if word.english == english:
            return word
    known = [word.english for word in words]
    raise InputError(f"no word '{english}' in '{strategy}'", path=file, fix=nearest(english, known))


def _place(printed: str, ours: list[str]) -> str:
    """The difference in words."""
    if not printed:
        return "only ours" if ours else ""
    if printed not in ours:
        return "printed is not in the list"
    place = ours.index(printed) + 1
    return "same" if place == 1 else f"printed is number {place} of {len(ours)}"


if __name__ == "__main__":
    run(table11)
