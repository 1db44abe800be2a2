"""The text model of a translator that Sockeye has trained: Moses tokens, and the pieces of subword-nmt.

Nothing is normalised or truecased. The pieces of a word end in `@@` but for the last; a piece that the
vocabulary does not have becomes `<unk>`. IWSLT 2022's models have the tokens of sacremoses 0.0.43, which sets
two marks of Devanagari apart; a vocabulary that has them as words shows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.text.moses import detokenise, tokenise
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.symbols import SPECIAL, UNKNOWN

CODES = "bpe_codes"
FACTS = "sockeye.json"
VERSION = "#version: 0.2"
INSIDE, WORD_END = "@@", "</w>"
VIRAMA, NUKTA = "\N{DEVANAGARI SIGN VIRAMA}", "\N{DEVANAGARI SIGN NUKTA}"
ESCAPES = ("&apos;", "&quot;", "&amp;")
"""Parts of pieces that only an escaped text has."""


class Codes:
    """The merges that subword-nmt has learnt, applied to lines of tokens; the interface of `Subwords`."""

    def __init__(self, model: bytes, merges: Sequence[tuple[str, str]], vocabulary: Sequence[str]) -> None:
        """`model`: the file; `merges`: its lines; `vocabulary`: the pieces in the order of their ids."""
        from tokenizers import Tokenizer, models, pre_tokenizers

        self.model = model
        self.vocabulary = list(vocabulary)
        self.control = frozenset(SPECIAL)
        self.known = frozenset(self.vocabulary)
        # All that a merge reads or makes, and single characters that nothing is merged with.
        parts = {part for left, right in merges for part in (left, right, left + right)}
        parts |= {_part(piece) for piece in self.vocabulary if piece not in self.control}
        ids = {part: number for number, part in enumerate([SPECIAL[UNKNOWN], *sorted(parts)])}
        bpe = models.BPE(
            ids, list(merges), unk_token=SPECIAL[UNKNOWN], end_of_word_suffix=WORD_END, fuse_unk=False
        )
        self.tokenizer = Tokenizer(bpe)
        self.tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "removed")

    @classmethod
    def load(cls, path: Path, vocabulary: Sequence[str]) -> Codes:
        """Read a file of subword-nmt; InputError names a line that is not a merge."""
        first, *rest = read_lines(path) or [""]
        if first != VERSION:
            raise InputError(
                f"does not begin with {VERSION}", path=path, line=1, fix="give the codes of subword-nmt 0.2"
            )
        merges = []
        for number, line in enumerate(rest, 2):
            left, _, right = line.partition(" ")
            if not left or not right or " " in right:
                raise InputError("not a merge of two pieces", path=path, line=number)
            merges.append((left, right))
        return cls(path.read_bytes(), merges, vocabulary)

    def encode(self, texts: Iterable[str]) -> list[list[str]]:
        """Split lines of tokens into pieces; an empty line has none."""
        return [
            [self._piece(part) for part in found.tokens]
            for found in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ]

    def decode(self, pieces: Iterable[Sequence[str]]) -> list[str]:
        """Join pieces into lines of tokens; special symbols vanish."""
        return [self._join([piece for piece in one if piece not in self.control]) for one in pieces]

    def _piece(self, part: str) -> str:
        piece = part.removesuffix(WORD_END) if part.endswith(WORD_END) else part + INSIDE
        return piece if piece in self.known else SPECIAL[UNKNOWN]

    @staticmethod
    def _join(pieces: Sequence[str]) -> str:
        return " ".join(pieces).replace(f"{INSIDE} ", "").removesuffix(INSIDE)


class SockeyeText(Pipeline):
    """From sentences to the pieces of such a translator, and back."""

    def __init__(
        self, codes: Codes, languages: Iterable[str], vocabulary: Sequence[str] | None = None
    ) -> None:
        """`languages`: both sides'; `vocabulary`: with tags, by default that of `codes`."""
        super().__init__(codes, {}, vocabulary=vocabulary)
        self.codes = codes
        self.languages = sorted(languages)
        self.escaped = any(escape in piece for piece in codes.vocabulary for escape in ESCAPES)
        # Where the mark is set apart, no longer piece has it.
        self.apart = {piece for piece in codes.vocabulary if VIRAMA in piece} == {VIRAMA}

    @classmethod
    def load(cls, folder: Path) -> SockeyeText:
        """Read a folder that `save` wrote; InputError if its files do not match."""
        listed, facts = folder / "vocabulary.txt", folder / FACTS
        vocabulary = read_lines(listed)
        try:
            told = json.loads(facts.read_bytes())
            count, languages = int(told["pieces"]), [str(code) for code in told["languages"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError("not a file of this text model", path=facts, fix="make it again") from None
        if len(set(vocabulary)) < len(vocabulary) or not len(SPECIAL) <= count <= len(vocabulary):
            raise InputError(f"does not have the {count} pieces of {facts.name}", path=listed)
        return cls(Codes.load(folder / CODES, vocabulary[:count]), languages, vocabulary)

    def save(self, folder: Path) -> None:
        """Write the files of the text model into an empty folder."""
        write_lines(folder / "vocabulary.txt", self.vocabulary)
        (folder / CODES).write_bytes(self.codes.model)
        told = {"languages": self.languages, "pieces": len(self.codes.vocabulary)}
        (folder / FACTS).write_text(json.dumps(told) + "\n", encoding="utf-8")

    def tagged(self, tags: Sequence[str]) -> SockeyeText:
        """This model with further tags at the end of its vocabulary; InputError for a tag it already has."""
        return SockeyeText(self.codes, self.languages, super().tagged(tags).vocabulary)

    def tokens(self, texts: Iterable[str], language: str) -> list[str]:
        """The tokens of each sentence, separated by single spaces; InputError for another language."""
        self._check(language)
        tokens = tokenise(texts, language, dashes=False, escape=self.escaped)
        return [_marks_apart(one) for one in tokens] if self.apart else tokens

    def joined(self, texts: Iterable[str], language: str) -> list[str]:
        """The sentences of lines of tokens; InputError for another language."""
        self._check(language)
        if self.apart:
            texts = [_marks_joined(one) for one in texts]
        return detokenise(texts, language, unescape=self.escaped)

    def _check(self, language: str) -> None:
        if language not in self.languages:
            raise InputError(
                f"the text model is of {' and '.join(self.languages)}, and so knows no language '{language}'",
                fix=nearest(language, self.languages),
            )


def _part(piece: str) -> str:
    """A piece as merges write it."""
    return piece.removesuffix(INSIDE) if piece.endswith(INSIDE) else piece + WORD_END


def _marks_apart(tokens: str) -> str:
    """Virama and nukta as tokens of their own, as sacremoses 0.0.43 has them."""
    return " ".join(re.sub(f"([{VIRAMA}{NUKTA}])", r" \1 ", tokens).split())


def _marks_joined(tokens: str) -> str:
    """Virama and nukta joined with the tokens on both sides, even where the second was another word."""
    return re.sub(f" ?([{VIRAMA}{NUKTA}]) ?", r"\1", tokens)
