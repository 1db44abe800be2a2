"""Command: train DAST on users' words and on rated requests (Li et al., 2019; Hu et al., 2022, Table V)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.config.style import DastCourse, DastNetwork
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.core.job_state import key_of
from workflow_scripts.encoders.classes import POSITIVE, read_labels
from workflow_scripts.language_models.training import CourseTraining, options_of
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, loading, prepare
from workflow_scripts.seq2seq.seeds import ORDER, WEIGHTS, seed_of

if TYPE_CHECKING:
    from torch import Tensor

    from workflow_scripts.users.dast import Trained

# The polite and the impolite texts of a domain.
Sides = tuple[list[str], list[str]]


def train_dast(
    model: Path,
    *,
    polite: Path,
    impolite: Path,
    sentences: Path,
    labels: Path,
    network: DastNetwork,
    course: DastCourse,
    max_length: int,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
) -> None:
    """Minimise the reconstruction losses of both domains, later also their discriminators' losses.

    In the first `pretraining` epochs the discriminators learn the styles of real sentences; afterwards they
    are fixed. A batch has equally many sentences of each domain, half of them polite; an epoch has each
    sentence of the largest side once. The pairing of users' words and rewrites is not used. Order, dropout
    and draws are functions of the seed and the update alone, so that a training that was killed ends with
    the same weights. Raises InputError for a side without a sentence.

    :param model: file to write: weights and words
    :param polite: words of polite users
    :param impolite: words of impolite users
    :param sentences: rated requests, the second domain
    :param labels: 1 for polite requests and -1 for the others, parallel by line
    :param network: sizes of the network
    :param max_length: largest number of words of a sentence
    :param precision: ignored, always float32: GRUs spend their time on steps, not on products
    """
    where = prepare(device, "float32" if precision == "auto" else precision, threads)
    users = (read_lines(polite, filled=True), read_lines(impolite, filled=True))
    domains = {"requests": _requests(sentences, labels), "users": users}
    for name, sides in domains.items():
        if not all(sides):
            raise InputError(
                f"{name}: one style has no sentence", path=sentences if sides is not users else polite
            )
    with loading():
        import torch

        from workflow_scripts.users import dast
    vocabulary = dast.Vocabulary.of(
        [text for sides in domains.values() for side in sides for text in side], network.vocabulary_size
    )
    torch.manual_seed(seed_of(seed, WEIGHTS))
    first = dast.Dast(len(vocabulary.words), network).to(where.device)
    learner = dast.Trained(network, vocabulary, first)
    options = {"max_length": max_length, **options_of(seed, threads, where, network=network, course=course)}
    files = [polite, impolite, sentences, labels]
    from workflow_scripts.training.state import TrainingState

    state = TrainingState(checkpoints, key_of("users.train_dast", options, files, "torch", targets=[model]))
    DastTraining(learner, list(domains.values()), course, max_length, where, seed).run(state)
    learner.save(model)
    state.remove()


def _requests(sentences: Path, labels: Path) -> Sides:
    """The polite and the impolite requests."""
    texts, values = read_lines(sentences, filled=True), read_labels(labels)
    if len(texts) != len(values):
        raise InputError(f"{len(values)} labels but {len(texts)} sentences in {sentences}", path=labels)
    rated = list(zip(texts, values, strict=True))
    return (
        [text for text, value in rated if value == POSITIVE],
        [text for text, value in rated if value != POSITIVE],
    )


class DastTraining(CourseTraining):
    """Updates of DAST by Adam."""

    course: DastCourse

    def __init__(
        self,
        trained: Trained,
        domains: Sequence[Sides],
        course: DastCourse,
        max_length: int,
        where: Resolved,
        seed: int,
    ) -> None:
        """`domains`: requests, users; `seed`: of order, dropout and draws."""
        from workflow_scripts.training.adam import Adam
        from workflow_scripts.users.dast import UNKNOWN

        self.network, self.where = trained.network, where
        self.rows: list[list[int]] = []
        self.styles: list[int] = []
        # Domain -> style -> the places of its sentences among all sentences.
        self.places: list[list[list[int]]] = []
        for sides in domains:
            self.places.append([])
            for style, side in enumerate(sides):
                rows = [row or [UNKNOWN] for row in trained.vocabulary.numbers(side, max_length)]
                self.places[-1].append(list(range(len(self.rows), len(self.rows) + len(rows))))
                self.rows += rows
                self.styles += [style] * len(rows)
        self.judges = set(self.network.discriminators.parameters())
        self.auto_encoder = [part for part in self.network.parameters() if part not in self.judges]
        # How many sentences of a side are in a step.
        self.half = max(1, course.batch_size // 2)
        self.steps = -(-max(len(side) for domain in self.places for side in domain) // self.half)
        super().__init__(
            [self.network],
            # Adam skips parameters without a gradient, so one optimizer serves both parts of the network.
            Adam(self.network.parameters(), course.learning_rate, betas=(0.5, 0.999)),
            course,
            seed,
            [len(row) for row in self.rows],
            self.steps,
        )

    def order(self, epoch: int) -> list[list[int]]:
        """The sentences of each step of an epoch, grouped by domain."""
        import numpy as np

        chance = np.random.default_rng(seed_of(self.seed, ORDER, epoch))
        mixed = [
            list(islice(cycle([side[at] for at in chance.permutation(len(side))]), self.steps * self.half))
            for domain in self.places
            for side in domain
        ]
        return [
            [place for side in mixed for place in side[at * self.half : (at + 1) * self.half]]
            for at in range(self.steps)
        ]

    def losses(self, places: Sequence[int]) -> Iterator[Tensor]:
        """The loss of each domain: the auto-encoder's and, in pretraining, its discriminator's."""
        import torch

        from workflow_scripts.users.dast import batch

        for domain in range(len(self.places)):
            half = len(places) // len(self.places)
            chosen = places[domain * half : (domain + 1) * half]
            words, lengths = batch([self.rows[place] for place in chosen], self.where)
            styles = torch.tensor([float(self.styles[place]) for place in chosen], device=words.device)
            transfer = self._is_transfer()
            rebuilt, judged = self.network.losses(words, lengths, styles, domain, self.course, transfer)
            yield rebuilt + (self.course.adversarial if transfer else 1) * judged

    def _descend(self) -> None:
        """Do a step of Adam: in pretraining for both parts of the network, then for the auto-encoder."""
        import torch

        if self._is_transfer():
            for parameter in self.judges:
                parameter.grad = None
            torch.nn.utils.clip_grad_norm_(self.auto_encoder, self.course.gradient_clip)
        self.optimizer.step()

    def _is_transfer(self) -> bool:
        """Whether pretraining is over."""
        return self.update >= self.per_epoch * self.course.pretraining


if __name__ == "__main__":
    run(train_dast)
