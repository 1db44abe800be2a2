"""Piece files as arrays of ids, and batches of sentences of similar length."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, parallel, progress, read_lines
from workflow_scripts.seq2seq.model import Batch
from workflow_scripts.text.symbols import BEGIN, END, PADDING, SPECIAL

By = Literal["pairs", "tokens"]
"""The unit of the batch size."""


class Vocabulary:
    """The symbols of a text model; a symbol's id is its line in vocabulary.txt, from 0."""

    def __init__(self, symbols: Sequence[str], path: Path) -> None:
        """`path`: used in messages."""
        self.symbols = list(symbols)
        self.path = path
        if tuple(self.symbols[: len(SPECIAL)]) != SPECIAL:
            raise InputError(f"does not begin with {' '.join(SPECIAL)}", path=path, fix="learn it again")
        self.ids = {symbol: number for number, symbol in enumerate(self.symbols)}

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """Read vocabulary.txt."""
        return cls(read_lines(path), path)

    def __len__(self) -> int:
        """The number of symbols."""
        return len(self.symbols)

    def digest(self) -> str:
        """The SHA-256 digest of the file, which is stored with every model."""
        return digest(self.path)

    def encode(self, pieces: Sequence[str], path: Path | str, line: int) -> list[int]:
        """The ids of the pieces; InputError names a piece that is not in the vocabulary."""
        try:
            return [self.ids[piece] for piece in pieces]
        except KeyError as error:
            raise InputError(
                f"the piece '{error.args[0]}' is not in {self.path}",
                path=path,
                line=line,
                fix="encode the text with the text model of this vocabulary",
            ) from None


@dataclass(frozen=True)
class Sentences:
    """Concatenated sentences: sentence i is `ids[starts[i]:starts[i + 1]]`."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[int]]) -> Sentences:
        """Build from lists of ids."""
        starts = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        return cls(np.array([i for sentence in sentences for i in sentence], dtype=np.int32), starts)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of ids of each sentence."""
        return np.diff(self.starts)

    def predictions(self, which: NDArray[np.int64]) -> int:
        """The number of symbols to predict in the chosen sentences, including </s> for each sentence."""
        return int(self.lengths[which].sum()) + len(which)

    def ended(self) -> Sentences:
        """The sentences with </s> appended to each."""
        ids = np.insert(self.ids, self.starts[1:], END)
        return Sentences(ids, self.starts + np.arange(len(self.starts)))

    def padded(self, which: NDArray[np.int64], begin: int | None = None) -> NDArray[np.int64]:
        """The chosen sentences as columns, padded with PADDING; `begin` is prepended to each."""
        lengths = self.lengths[which]
        steps = np.arange(lengths.max())[:, None]
        inside = steps < lengths
        places = np.where(inside, self.starts[which] + steps, 0)
        columns = np.where(inside, self.ids[places], PADDING).astype(np.int64)
        return columns if begin is None else np.vstack([np.full((1, len(which)), begin), columns])


@dataclass(frozen=True)
class Pairs:
    """Parallel sentences; four bytes per symbol."""

    source: Sentences
    target: Sentences
    source_end: bool = False
    """Whether </s> ends the sources; see `ended`."""

    @classmethod
    def read(cls, vocabulary: Vocabulary, source: Path, target: Path) -> Pairs:
        """Read two parallel piece files; empty lines are not allowed."""
        sides = (array("i"), array("i"))
        starts = (array("q", [0]), array("q", [0]))
        paths = (source, target)
        for line, texts in enumerate(progress(parallel(*paths), f"reading {source.name}", unit="pair"), 1):
            for text, path, ids, ends in zip(texts, paths, sides, starts, strict=True):
                pieces = text.split(" ")
                if pieces == [""]:
                    raise InputError("empty line", path=path, line=line, fix="every line needs a sentence")
                ids.extend(vocabulary.encode(pieces, path, line))
                ends.append(len(ids))
        if len(starts[0]) == 1:
            raise InputError("no sentences", path=source)
        found = [
            Sentences(np.frombuffer(ids, dtype=np.int32), np.frombuffer(ends, dtype=np.int64))
            for ids, ends in zip(sides, starts, strict=True)
        ]
        return cls(found[0], found[1])

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.source.lengths)

    def ratio(self) -> tuple[float, float]:
        """Mean and standard deviation of target length / source length (a tag counts as a symbol).

        If </s> ends the sources, it counts on both sides.
        """
        ratios = (self.target.lengths + self.source_end) / self.source.lengths
        return float(ratios.mean()), float(ratios.std())

    def ended(self) -> Pairs:
        """The same pairs with </s> appended to every source."""
        return self if self.source_end else Pairs(self.source.ended(), self.target, source_end=True)

    def batches(
        self,
        size: int,
        seed: Sequence[int] | None,
        by: By = "pairs",
        which: NDArray[np.int64] | None = None,
    ) -> list[NDArray[np.int64]]:
        """All or the chosen pairs, in batches of similar length, above all of the target; see `alike`."""
        lengths = [
            side.lengths if which is None else side.lengths[which] for side in (self.source, self.target)
        ]
        batches = alike(lengths, size, seed, by)
        return batches if which is None else [which[batch] for batch in batches]

    def batch(self, which: NDArray[np.int64], device: torch.device) -> Batch:
        """The chosen pairs as padded tensors."""
        target = self.target.padded(which, begin=BEGIN)
        lengths = self.target.lengths[which]
        wanted = np.vstack([target[1:], np.full((1, len(which)), PADDING)])
        wanted[lengths, np.arange(len(which))] = END
        real = np.flatnonzero(wanted != PADDING)
        arrays = (
            self.source.padded(which),
            self.source.lengths[which],
            target,
            real,
            wanted.ravel()[real],
        )
        return Batch(*(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays))


def alike(
    lengths: Sequence[NDArray[np.int64]],
    size: int,
    random: Sequence[int] | np.random.Generator | None,
    by: By = "pairs",
) -> list[NDArray[np.int64]]:
    """The indices of all examples, in batches of `size` of similar length; the last batch may be smaller.

    `lengths`: the sort keys, the most important one last. `random`: a seed or a generator; if given, examples
    of equal lengths are shuffled among each other, and then the batches are shuffled; otherwise examples of
    equal lengths keep their order. `by`: the unit of `size`, examples or symbols of the last lengths,
    including </s> and padding; an example with more symbols than `size` forms its own batch.
    """
    if random is None:
        return _cut_by(by, np.lexsort(lengths), size, lengths[-1])
    random = np.random.default_rng(random)
    batches = _cut_by(by, np.lexsort((random.permutation(len(lengths[0])), *lengths)), size, lengths[-1])
    return [batches[i] for i in random.permutation(len(batches))]


def in_batches(lengths: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    """Indices of sentences, in batches of similar length, the longest first."""
    yield from _cut(np.argsort(-lengths, kind="stable"), size)


def _cut(order: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [order[start : start + size] for start in range(0, len(order), size)]


def _cut_by(
    by: By, order: NDArray[np.int64], size: int, lengths: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    if by == "pairs":
        return _cut(order, size)
    # Shortest first: the last example of a batch is its longest and sets the width of the padded batch.
    widths = lengths[order] + 1
    batches, start = [], 0
    while start < len(order):
        fitting = bisect_right(
            range(start + 1, len(order) + 1), size, key=lambda end: int(widths[end - 1]) * (end - start)
        )
        end = start + max(1, fitting)
        batches.append(order[start:end])
        start = end
    return batches
