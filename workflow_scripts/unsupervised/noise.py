"""The noise that the auto-encoder of UNMT has to undo (Lample et al., 2018; He et al., 2020)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workflow_scripts.core.errors import InputError
from workflow_scripts.text.symbols import BEGIN, END, PADDING, UNKNOWN


@dataclass(frozen=True)
class Noise:
    """Words are shuffled, then some are dropped, then some are blanked.

    blank: probability that a word becomes <unk>. drop: probability that it vanishes; one word always stays.
    shuffle: words are sorted by place + uniform(0, shuffle), so that two that are `shuffle` or more places
    apart stay in order, and a word moves by less than `shuffle` places; at most 1 keeps the order.
    """

    blank: float
    drop: float
    shuffle: float

    def __post_init__(self) -> None:
        """Raise InputError unless these are probabilities and a window."""
        for name in ("blank", "drop"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(
                    f"{name} = {getattr(self, name)}", fix="give a probability of at least 0 and below 1"
                )
        if self.shuffle < 0:
            raise InputError(f"shuffle = {self.shuffle}", fix="give at least 0")

    def __call__(
        self, ids: NDArray[np.int64], lengths: NDArray[np.int64], random: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Noisy sentences and their lengths.

        ids: (S, B), <s>, words, </s>, padding; lengths: (B), of all but the padding. Every kind of noise has
        separate random numbers for every word.
        """
        words, counts = ids[1:-1], lengths - 2
        steps = np.arange(len(words))[:, None]
        shuffles, drops, blanks = random.random((3, *words.shape))
        # Other symbols come after all words, also after moved ones.
        places = np.where(steps < counts, steps + self.shuffle * shuffles, np.inf)
        words = np.take_along_axis(words, np.argsort(places, axis=0, kind="stable"), 0)
        dropped = np.where(steps < counts, drops, np.inf)
        # The word with the largest number is the last that any probability would drop.
        stays = steps == np.where(steps < counts, drops, -1).argmax(0, keepdims=True)
        keep = ((dropped >= self.drop) | stays) & (steps < counts)
        words = np.where(blanks < self.blank, UNKNOWN, words)
        # Stable, so that the words that stay keep their order.
        words = np.take_along_axis(words, np.argsort(~keep, axis=0, kind="stable"), 0)
        counts = keep.sum(0)
        noisy = np.full((counts.max() + 2, words.shape[1]), PADDING)
        noisy[0] = BEGIN
        noisy[1:-1] = np.where(steps < counts, words, PADDING)[: counts.max()]
        noisy[counts + 1, np.arange(len(counts))] = END
        return noisy, counts + 2
