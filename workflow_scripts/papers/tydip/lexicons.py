"""Command: lexicons induced here beside the released ones of TyDiP (Section 4)."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature, translator_of
from workflow_scripts.politeness.corpus import Lexicon, Word, lexicon_file, read_lexicon
from workflow_scripts.politeness.matching import GAP

PAIRS = "pairs"
COLUMNS = (
    *(PAIRS, "words", "occurring", "mapped", "compared", "first_found", "share"),
    *("frequent", "frequent_found", "frequent_share"),
)
# A word is frequent if its first induced sequence was aligned at least this often.
FREQUENT = 3


@leaf("lang", "metric")
def lexicons(
    *,
    aligned: list[Path],
    aligner: Path,
    induced: Path,
    corpus: Path,
    languages: list[str],
    requests: list[str] | None = None,
    translator: str | None = None,
) -> Table:
    """Write the sizes of the induced lexicons, and how often they agree with the released ones.

    An English word counts once, even if several strategies have it. Words with a sequence in both lexicons
    are compared: a word is found if its first, most frequent sequence here is among the released ones (up to
    five); see `same`.

    :param table: CSV to write: lang, pairs (aligned), words (of the English lists), occurring (in the pairs),
        mapped (with a sequence), compared, first_found, share (of these, in per cent); the last three again
        for frequent words, whose first sequence was aligned three times or more
    :param aligned: the file that politeness.align wrote for each language
    :param aligner: the description of the aligner that it wrote
    :param induced: the folder that politeness.induce wrote
    :param corpus: folder with TyDiP in its official layout
    :param requests: the languages whose bitext consists of crawled requests, as in the paper
    :param translator: the translators into English; none in the demo world
    """
    tool = " ".join(read_lines(aligner))
    cells: Cells = {}
    for language, path in zip(languages, aligned, strict=True):
        ours, theirs = lexicon_file(induced, language), lexicon_file(corpus, language)
        made = f"{signature(ours, bitext=signature(path), align=tool)}|released:{signature(theirs)}"
        counts = compare(read_lexicon(ours), read_lexicon(theirs), theirs)
        numbers = {PAIRS: str(len(read_lines(path))), **counts}
        of_requests = language in (requests or [])
        for column in COLUMNS:
            caveat = (
                _departure(column, of_requests, translator, language)
                if numbers[column]
                else "no word to compare"
            )
            cells[language, column] = Cell(numbers[column], made, caveat)
    return Table(cells, COLUMNS)


def _departure(column: str, requests: bool, translator: str | None, language: str) -> str:
    """Why a number cannot be compared; the number of requests does not depend on the translator."""
    if translator is None:
        return ""
    if not requests:
        return "no requests in the bitext"
    if column == PAIRS:
        return ""
    name = translator_of(translator, language)
    return f"translated into English by {name}, in the paper by Google; another aligner"


def compare(induced: Lexicon, released: Lexicon, path: Path) -> dict[str, str]:
    """The numbers of a language, as the table shows them; `path`: the file of the released lexicon.

    Raises InputError if the lexicons have different English words.
    """
    ours, theirs = distinct(induced), distinct(released)
    if ours.keys() != theirs.keys():
        raise InputError("the English words differ from those of the induced lexicon", path=path)
    both = {name: word for name, word in ours.items() if word.sequences and theirs[name].sequences}
    agreeing = {name for name, word in both.items() if first_is_among(word, theirs[name])}
    frequent = {name for name, word in both.items() if word.sequences[0][1] >= FREQUENT}
    return {
        "words": str(len(ours)),
        "occurring": str(sum(word.flag for word in ours.values())),
        "mapped": str(sum(bool(word.sequences) for word in ours.values())),
        "compared": str(len(both)),
        "first_found": str(len(agreeing)),
        "share": _share(agreeing, both),
        "frequent": str(len(frequent)),
        "frequent_found": str(len(agreeing & frequent)),
        "frequent_share": _share(agreeing & frequent, frequent),
    }


def _share(some: set[str], of: Iterable[str]) -> str:
    total = len(list(of))
    return rounded(100 * len(some) / total, 1) if total else ""


def distinct(lexicon: Lexicon) -> dict[str, Word]:
    """English word -> its line; a word of several strategies has the same sequences in all of them."""
    return {word.english: word for words in lexicon.values() for word in words}


def first_is_among(word: Word, other: Word) -> bool:
    """Whether the first sequence of one word is among the other's sequences."""
    return same(word.sequences[0][0]) in {same(text) for text, _ in other.sequences}


def same(text: str) -> tuple[str, ...]:
    """The key by which sequences are compared: the letters, marks and digits of their words, and gaps.

    Text is lower-cased and composed (NFC). The released lexicons lack hyphens within words (*pensestu*), and
    have punctuation marks as words. A sequence of punctuation alone is compared as it is.
    """
    text = unicodedata.normalize("NFC", text).lower()
    words = [
        piece if piece == GAP else "".join(char for char in piece if unicodedata.category(char)[0] in "LMN")
        for piece in text.split()
    ]
    return tuple(filter(None, words)) if any(words) else tuple(text.split())


if __name__ == "__main__":
    run(lexicons)
