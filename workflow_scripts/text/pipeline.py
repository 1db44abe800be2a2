"""From sentences to pieces and back, with a text model that `text.learn` or `text.grow` wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.text.moses import Truecased, Truecaser
from workflow_scripts.text.subwords import Subwords, is_tag
from workflow_scripts.text.symbols import SPECIAL


class Splitter(Protocol):
    """A subword model: lines of tokens to pieces, and back."""

    model: bytes
    vocabulary: list[str]
    control: frozenset[str]

    def encode(self, texts: Iterable[str]) -> list[list[str]]:
        """Split lines of tokens into pieces."""

    def decode(self, pieces: Iterable[Sequence[str]]) -> list[str]:
        """Join pieces into lines of tokens."""


class Pipeline(Truecased):
    """Normalise, tokenise, truecase, split into subwords; and back.

    Attributes: `vocabulary` (pieces in the order of their ids, the file's lines), `tags` (the reserved tags
    in it), `languages`, and `digest` (the SHA-256 of vocabulary.txt). The first languages of a model share
    `subwords`; `own[language]` splits a language added later. A tag added later is only in the vocabulary
    (`added`).
    """

    def __init__(
        self,
        subwords: Splitter,
        truecasers: Mapping[str, Truecaser],
        own: Mapping[str, Subwords] | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> None:
        """`truecasers`: one for each language of the model; `vocabulary`: by default that of `subwords`."""
        super().__init__(truecasers)
        self.subwords = subwords
        self.own = dict(own or {})
        self.vocabulary = subwords.vocabulary if vocabulary is None else list(vocabulary)
        self.digest = hashlib.sha256(self._listed().encode()).hexdigest()
        pieces = {piece for part in (subwords, *self.own.values()) for piece in part.vocabulary}
        self.added = frozenset(piece for piece in self.vocabulary if piece not in pieces)
        tags = subwords.control.difference(SPECIAL) | self.added
        self.tags = [piece for piece in self.vocabulary if piece in tags]

    @classmethod
    def load(cls, folder: Path) -> Pipeline:
        """Read a text model; InputError if the folder is not one or its files do not match."""
        folder = Path(folder)
        subwords = Subwords.load(folder / "subwords.model")
        own = {_language(path): Subwords.load(path) for path in sorted(folder.glob("subwords.*.model"))}
        listed = folder / "vocabulary.txt"
        try:
            text = listed.read_bytes().decode("utf-8")
        except FileNotFoundError:
            raise InputError("no such file", path=listed) from None
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8 (byte {error.start})", path=listed, fix="learn it again") from None
        vocabulary = text.removesuffix("\n").split("\n")
        later = {piece for part in own.values() for piece in part.vocabulary} - set(subwords.vocabulary)
        known = len(subwords.vocabulary)
        after = sorted(piece for piece in vocabulary[known:] if piece in later or not is_tag(piece))
        if (
            vocabulary[:known] != subwords.vocabulary
            or after != sorted(later)
            or len(set(vocabulary)) < len(vocabulary)
        ):
            names = ", ".join(["subwords.model", *(f"subwords.{language}.model" for language in own)])
            raise InputError(f"does not list the pieces of {names}", path=listed, fix="learn it again")
        return cls(subwords, Truecaser.all_of(folder), own, vocabulary)

    def save(self, folder: Path) -> None:
        """Write the files of the text model into an empty folder."""
        (folder / "vocabulary.txt").write_bytes(self._listed().encode())
        (folder / "subwords.model").write_bytes(self.subwords.model)
        for language, subwords in self.own.items():
            (folder / f"subwords.{language}.model").write_bytes(subwords.model)
        for language, truecaser in self.truecasers.items():
            truecaser.save(folder / f"truecase.{language}.txt")

    def grown(self, subwords: Mapping[str, Subwords], truecasers: Mapping[str, Truecaser]) -> Pipeline:
        """This model with further languages, whose new pieces are appended to the vocabulary."""
        pieces = [*self.vocabulary, *(piece for part in subwords.values() for piece in part.vocabulary)]
        return Pipeline(
            self.subwords,
            {**self.truecasers, **truecasers},
            {**self.own, **subwords},
            list(dict.fromkeys(pieces)),
        )

    def tagged(self, tags: Sequence[str]) -> Pipeline:
        """This model with further tags at the end of its vocabulary; InputError for a tag it already has."""
        for tag in tags:
            if tag in self.vocabulary:
                raise InputError(f"the text model already has a piece '{tag}'", fix="give new tags")
        return Pipeline(self.subwords, self.truecasers, self.own, [*self.vocabulary, *tags])

    def encode(self, texts: Iterable[str], language: str) -> list[list[str]]:
        """The pieces of each sentence, without a tag; an empty sentence has none."""
        return self.own.get(language, self.subwords).encode(self.tokens(texts, language))

    def decode(self, pieces: Iterable[Sequence[str]], language: str) -> list[str]:
        """The sentence of each list of pieces, from any subword model; tags and control pieces vanish."""
        if self.added:
            pieces = [[piece for piece in sentence if piece not in self.added] for sentence in pieces]
        return self.joined(self.subwords.decode(pieces), language)

    def check_tag(self, tag: str) -> None:
        """Raise InputError if the text model has no such tag."""
        if tag not in self.tags:
            raise InputError(f"the text model has no tag '{tag}'", fix=nearest(tag, self.tags))

    def _listed(self) -> str:
        """The content of vocabulary.txt: a piece's id is its line number from 0."""
        return "".join(f"{piece}\n" for piece in self.vocabulary)


def _language(path: Path) -> str:
    """The code in the middle of a file's name."""
    return path.name.split(".")[1]
