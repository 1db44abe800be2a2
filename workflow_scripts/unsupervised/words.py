"""Text as the unsupervised systems read it: whole words of a capped vocabulary, and the way back.

He et al. (2020) split nothing into subwords: a word outside the vocabulary is ``<unk>``, which is lost on the
way back. The steps before are those of the other systems: normalise, tokenise, truecase.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, lines, progress, read_lines
from workflow_scripts.text.moses import Truecased, Truecaser
from workflow_scripts.text.symbols import SPECIAL, UNKNOWN

if TYPE_CHECKING:
    from workflow_scripts.seq2seq.data import Sentences, Vocabulary


class Words(Truecased):
    """Normalise, tokenise, truecase, replace rare words; and back.

    Attributes: `vocabulary` (words in the order of their ids, the file's lines), `languages`, and `digest`
    (the SHA-256 of vocabulary.txt).
    """

    def __init__(self, vocabulary: Sequence[str], truecasers: dict[str, Truecaser], digest: str = "") -> None:
        """`vocabulary`: the special symbols and then words; `truecasers`: one for each language."""
        super().__init__(truecasers)
        self.vocabulary = list(vocabulary)
        self.digest = digest
        # Text that looks like a special symbol is none of them.
        self.known = frozenset(self.vocabulary[len(SPECIAL) :])

    @classmethod
    def load(cls, folder: Path) -> Words:
        """Read a model that learn_words wrote; InputError if the folder does not contain one."""
        folder = Path(folder)
        listed = folder / "vocabulary.txt"
        vocabulary = read_lines(listed)
        if tuple(vocabulary[: len(SPECIAL)]) != SPECIAL:
            raise InputError(f"does not begin with {' '.join(SPECIAL)}", path=listed, fix="learn it again")
        if len(set(vocabulary)) < len(vocabulary):
            raise InputError("lists a word twice", path=listed, fix="learn it again")
        return cls(vocabulary, Truecaser.all_of(folder), digest(listed))

    def encode(self, texts: Iterable[str], language: str) -> list[list[str]]:
        """The words of each sentence, ``<unk>`` for one outside the vocabulary; an empty one has none."""
        return [
            [word if word in self.known else SPECIAL[UNKNOWN] for word in tokens.split(" ")] if tokens else []
            for tokens in self.tokens(texts, language)
        ]

    def decode(self, words: Iterable[Sequence[str]], language: str) -> list[str]:
        """The sentence of each list of words; special symbols, ``<unk>`` too, vanish."""
        texts = [" ".join(word for word in sentence if word not in SPECIAL) for sentence in words]
        return self.joined(texts, language)


def read_sentences(vocabulary: Vocabulary, path: Path) -> Sentences:
    """The sentences of one word file as arrays of ids; four bytes a word.

    Raises InputError if the file has no line, or names the line that is empty or has a word that the
    vocabulary has not.
    """
    import numpy as np

    from workflow_scripts.seq2seq.data import Sentences

    ids, starts = array("i"), array("q", [0])
    for line, text in enumerate(progress(lines(path), f"reading {path.name}", unit="sentence"), 1):
        if not text:
            raise InputError("empty line", path=path, line=line, fix="every line needs a sentence")
        ids.extend(vocabulary.encode(text.split(" "), path, line))
        starts.append(len(ids))
    if len(starts) == 1:
        raise InputError("no sentences", path=path)
    return Sentences(np.frombuffer(ids, dtype=np.int32), np.frombuffer(starts, dtype=np.int64))
