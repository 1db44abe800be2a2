"""Joint byte-pair encoding with sentencepiece, and its exact reversal.

The pieces of a sentence are a list of strings; ``▁`` starts a word. A character outside the vocabulary
becomes the pieces of its UTF-8 bytes, so that any text of single-spaced words is restored exactly. The
special symbols and the tags are control symbols: no text is ever split into one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import sentencepiece

from workflow_scripts.core.errors import InputError
from workflow_scripts.text.symbols import SPECIAL

SPACE = "▁"


def is_tag(piece: str) -> bool:
    """Whether a piece is written like a tag: in angle brackets, without spaces, and not in `SPECIAL`."""
    brackets = piece.startswith("<") and piece.endswith(">") and len(piece) > 2
    return brackets and len(piece.split()) == 1 and piece not in SPECIAL


def check_tags(tags: Sequence[str]) -> None:
    """Raise InputError if a tag is not written like one, or is named twice."""
    for tag in tags:
        if not is_tag(tag):
            raise InputError(f"'{tag}' cannot be a tag", fix="write it like <2formal>, without spaces")
    if len(set(tags)) < len(tags):
        raise InputError("a tag is named twice", fix="name every tag once")


class Subwords:
    """A trained model: `encode`, `decode`, and its `vocabulary` in the order of the ids."""

    def __init__(self, model: bytes) -> None:
        """`model`: the serialised sentencepiece model."""
        self.model = model
        self.processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        count = self.processor.get_piece_size()
        self.vocabulary = [self.processor.id_to_piece(i) for i in range(count)]
        self.control = frozenset(
            piece
            for i, piece in enumerate(self.vocabulary)
            if self.processor.is_control(i) or self.processor.is_unknown(i)
        )

    @classmethod
    def load(cls, path: Path) -> Subwords:
        """Read a model file; InputError if it is missing or not a model."""
        try:
            return cls(path.read_bytes())
        except FileNotFoundError:
            raise InputError("no such file", path=path) from None
        except (RuntimeError, UnicodeDecodeError):
            # UnicodeDecodeError: a piece is not text.
            raise InputError("not a sentencepiece model", path=path) from None

    @classmethod
    def train(cls, texts: Iterable[str], size: int, tags: Sequence[str], seed: int) -> Subwords:
        """Learn at most `size` symbols (special ones, tags, 256 bytes and merges) from lines of tokens.

        Text with fewer possible merges gives a smaller vocabulary. Nothing is sampled; the characters that
        make up the rarest 0.01 % of the text are spelt in bytes. Raises InputError if `size` is too small to
        hold the characters, or if there is no text.
        """
        sentencepiece.set_random_generator_seed(seed)
        sentencepiece.set_min_log_level(2)
        written = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=(text for text in texts if text),
                model_writer=written,
                model_type="bpe",
                vocab_size=size,
                hard_vocab_limit=False,
                character_coverage=0.9999,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                byte_fallback=True,
                control_symbols=list(tags),
                pad_id=0,
                unk_id=1,
                bos_id=2,
                eos_id=3,
                pad_piece=SPECIAL[0],
                unk_piece=SPECIAL[1],
                bos_piece=SPECIAL[2],
                eos_piece=SPECIAL[3],
                split_digits=False,
                split_by_unicode_script=False,
                split_by_number=False,
                max_sentence_length=1 << 20,
                num_threads=1,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise InputError(
                f"cannot learn a vocabulary of {size} symbols ({' '.join(str(error).split())})",
                fix="raise the vocabulary size or give more text",
            ) from None
        return cls(written.getvalue())

    def encode(self, texts: Iterable[str]) -> list[list[str]]:
        """Split lines of tokens into pieces; an empty line has none."""
        texts = list(texts)
        pieces = self.processor.encode(texts, out_type=str, num_threads=1) if texts else []
        for i, text in enumerate(texts):
            if SPACE in text:
                pieces[i] = [piece for word in text.split(" ") for piece in self._word(word)]
        return pieces

    def _word(self, word: str) -> list[str]:
        """The pieces of one word; a word with a literal `▁`, which marks spaces here, is spelt in bytes."""
        if SPACE not in word:
            return self.processor.encode(word, out_type=str)
        return [SPACE, *(f"<0x{byte:02X}>" for byte in word.encode())]

    def decode(self, pieces: Iterable[Sequence[str]]) -> list[str]:
        """Join pieces into lines of tokens; special symbols and tags vanish, broken bytes become U+FFFD."""
        return [self._join(sentence) for sentence in pieces]

    def _join(self, pieces: Sequence[str]) -> str:
        text: list[str] = []
        spelt = bytearray()
        for piece in pieces:
            if len(piece) == 6 and piece.startswith("<0x"):
                spelt.append(int(piece[3:5], 16))
                continue
            if spelt:
                text.append(spelt.decode("utf-8", "replace"))
                spelt.clear()
            if piece not in self.control:
                text.append(piece.replace(SPACE, " "))
        text.append(spelt.decode("utf-8", "replace"))
        return "".join(text).removeprefix(" ")
