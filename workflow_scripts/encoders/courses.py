"""The order of a training's sentences, the learning rates, and the divisor of an update's loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Falling:
    """Every sentence once per epoch, in another order each time; the rate falls linearly to 0."""

    sentences: int
    epochs: int
    batch_size: int
    learning_rate: float
    seed: int

    @property
    def updates(self) -> int:
        """Updates of an epoch; the last one has what is left."""
        return -(-self.sentences // self.batch_size)

    def order(self, epoch: int) -> NDArray[np.int64]:
        """The numbers of an epoch's sentences, a function of the seed and the epoch alone."""
        import numpy as np

        return np.random.default_rng([self.seed, epoch]).permutation(self.sentences)

    def rate(self, epoch: int, update: int) -> float:
        """The learning rate of an epoch's update, both counted from 0."""
        step = epoch * self.updates + update
        return self.learning_rate * (1 - step / (self.epochs * self.updates))

    def divisor(self, count: int) -> int:
        """The divisor of the summed losses of an update's `count` sentences."""
        return count


@dataclass(frozen=True)
class Released(Falling):
    """The course of TyDiP's released code: both classes equally often, and a rate that hardly falls.

    Sentences are drawn with replacement, each class with the same probability. The rate falls linearly to 0
    in as many steps as an epoch has whole updates, but makes one step per epoch. Losses of small batches are
    summed up and divided by the size of a whole update, also for a smaller last one.
    """

    positive: Sequence[bool]

    def order(self, epoch: int) -> NDArray[np.int64]:
        """As many sentences as there are, some of them several times and some never."""
        import numpy as np

        labels = np.asarray(self.positive)
        chances = 1 / np.where(labels, labels.sum(), (~labels).sum())
        rng = np.random.default_rng([self.seed, epoch])
        return rng.choice(self.sentences, self.sentences, p=chances / chances.sum())

    def rate(self, epoch: int, update: int) -> float:
        """The same in all updates of an epoch."""
        steps = max(1, self.sentences // self.batch_size)
        return self.learning_rate * max(0.0, 1 - epoch / steps)

    def divisor(self, count: int) -> int:
        """The size of a whole update."""
        return self.batch_size
