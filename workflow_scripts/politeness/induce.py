"""Command: induce lexicons of strategies from aligned bitext (Srinivasan and Choi, 2022, Section 4)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, writing_folder
from workflow_scripts.politeness.corpus import (
    SECTION,
    Lexicon,
    Word,
    english_lexicon,
    lexicon_file,
    read_lexicon,
)
from workflow_scripts.politeness.links import Aligned, cut, read_aligned
from workflow_scripts.politeness.matching import GAP

Phrase = tuple[str, ...]


def induce(out: Path, *, aligned: list[Path], corpus: Path, languages: list[str], sequences: int) -> None:
    """Write ``strategies/{lang}.csv``, a lexicon per language in the layout of TyDiP's.

    The English words are those of the corpus' lexicons. At each occurrence, the sequence of a word is the
    words that it is aligned with, in their order, with ``_`` for a gap between them; the sequence of a phrase
    is that of all its words together. The most frequent sequences are kept; ties go to the first in the
    bitext. The flag says whether the English word occurs. Raises InputError as the readers do.

    :param out: folder to write
    :param aligned: the file that `align` wrote for each language
    :param corpus: folder with TyDiP in its official layout
    :param languages: codes of the files, in the same order
    :param sequences: the largest number of sequences of each English word
    """
    if len(aligned) != len(languages):
        raise InputError(f"{len(aligned)} files for {len(languages)} languages")
    english = english_lexicon(
        [(path, read_lexicon(path)) for path in (lexicon_file(corpus, language) for language in languages)]
    )
    words = list(dict.fromkeys(word.english for listed in english.values() for word in listed))
    with writing_folder(out) as folder:
        work = list(zip(aligned, languages, strict=True))
        for path, language in progress(work, "induce lexicons", len(work), "language"):
            counts = count_sequences(read_aligned(path), words)
            entries = {word: _word(word, counts.get(word), sequences) for word in words}
            lexicon = {name: [entries[word.english] for word in listed] for name, listed in english.items()}
            _write(lexicon_file(folder, language), lexicon)


def count_sequences(pairs: Iterable[Aligned], words: Sequence[str]) -> dict[str, Counter[str]]:
    """English word or phrase that occurs -> counts of its sequences; empty if it is never aligned."""
    phrases: defaultdict[str, list[tuple[Phrase, str]]] = defaultdict(list)
    for word in words:
        if phrase := tuple(cut(word)):
            phrases[phrase[0]].append((phrase, word))
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        linked: defaultdict[int, set[int]] = defaultdict(set)
        for source, target in pair.links:
            linked[source].add(target)
        for place, first in enumerate(pair.english):
            for phrase, word in phrases.get(first, ()):
                end = place + len(phrase)
                if tuple(pair.english[place:end]) == phrase:
                    counter = counts.setdefault(word, Counter())
                    places = set().union(*(linked[at] for at in range(place, end)))
                    if places:
                        counter[sequence(pair.other, places)] += 1
    return counts


def sequence(words: Sequence[str], places: Iterable[int]) -> str:
    """The words at some places in their order, with GAP wherever other words lie between them."""
    pieces: list[str] = []
    last = None
    for place in sorted(places):
        if last is not None and place > last + 1:
            pieces.append(GAP)
        pieces.append(words[place])
        last = place
    return " ".join(pieces)


def _word(english: str, counts: Counter[str] | None, most: int) -> Word:
    """A line of the lexicon; `counts`: None for a word that does not occur."""
    return Word(english, tuple((counts or Counter()).most_common(most)), counts is not None)


def _write(path: Path, lexicon: Lexicon) -> None:
    rows: list[tuple[str, str, str]] = []
    for name, words in lexicon.items():
        rows.append((f"{SECTION}{name}", "", ""))
        rows += [(word.english, repr(list(word.sequences)), str(word.flag)) for word in words]
    write_csv(path, ("0", "1", "2"), rows)


if __name__ == "__main__":
    run(induce)
