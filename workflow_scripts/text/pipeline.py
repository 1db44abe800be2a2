"""From sentences to pieces and back, by the text model that `text.learn` writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.errors import InputError, nearest
from workflow_scripts.files import digest
from workflow_scripts.text import moses
from workflow_scripts.text.moses import Truecaser
from workflow_scripts.text.subwords import SPECIAL, Subwords


class Pipeline:
    """Normalise, tokenise, truecase, split into subwords; and back.

    Attributes: `vocabulary` (pieces in the order of their ids, the file's lines), `tags` (the reserved tags
    in it), `languages`, and `digest` (the SHA-256 of vocabulary.txt).
    """

    def __init__(self, subwords: Subwords, truecasers: dict[str, Truecaser], digest: str = "") -> None:
        """`truecasers`: one for each language of the model."""
        self.subwords = subwords
        self.truecasers = truecasers
        self.digest = digest
        self.vocabulary = subwords.vocabulary
        self.tags = [piece for piece in self.vocabulary if piece in subwords.control and piece not in SPECIAL]
        self.languages = sorted(truecasers)

    @classmethod
    def load(cls, folder: Path) -> Pipeline:
        """Read a text model; InputError if the folder is none or its files do not belong together."""
        folder = Path(folder)
        subwords = Subwords.load(folder / "subwords.model")
        listed = folder / "vocabulary.txt"
        try:
            text = listed.read_bytes().decode("utf-8")
        except FileNotFoundError:
            raise InputError("no such file", path=listed) from None
        if text != vocabulary_text(subwords):
            raise InputError("does not list the pieces of subwords.model", path=listed, fix="learn it again")
        truecasers = {
            path.name.split(".")[1]: Truecaser.load(path) for path in sorted(folder.glob("truecase.*.txt"))
        }
        return cls(subwords, truecasers, digest(listed))

    def tokens(self, texts: Iterable[str], language: str) -> list[str]:
        """Normalised, tokenised and truecased sentences, tokens separated by single spaces."""
        truecaser = self._truecaser(language)
        return truecaser.truecase(moses.tokenise(moses.normalise(texts, language), language))

    def encode(self, texts: Iterable[str], language: str) -> list[list[str]]:
        """The pieces of each sentence, without a tag; an empty sentence has none."""
        return self.subwords.encode(self.tokens(texts, language))

    def decode(self, pieces: Iterable[Sequence[str]], language: str) -> list[str]:
        """The sentence of each list of pieces; tags and special symbols vanish."""
        self._truecaser(language)
        return moses.detokenise(moses.detruecase(self.subwords.decode(pieces)), language)

    def check_tag(self, tag: str) -> None:
        """Raise InputError if the text model has no such tag."""
        if tag not in self.tags:
            raise InputError(f"the text model has no tag '{tag}'", fix=nearest(tag, self.tags))

    def _truecaser(self, language: str) -> Truecaser:
        if language not in self.truecasers:
            raise InputError(
                f"the text model knows no language '{language}'", fix=nearest(language, self.languages)
            )
        return self.truecasers[language]


def vocabulary_text(subwords: Subwords) -> str:
    """The content of vocabulary.txt: the line number from 0 is a piece's id."""
    return "".join(f"{piece}\n" for piece in subwords.vocabulary)
