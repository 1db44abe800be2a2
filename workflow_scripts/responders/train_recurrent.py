"""Command: train a recurrent network to answer dialogues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.config.dialogue import NetworkSizes, RecurrentCourse
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import about
from workflow_scripts.core.job_state import key_of
from workflow_scripts.language_models.training import CourseTraining, in_batches, options_of
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import BackwardTimes, Database, load_database
from workflow_scripts.responders.lexicon import Name
from workflow_scripts.responders.sessions import Exchange, Session, gold_sessions
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, loading, prepare
from workflow_scripts.seq2seq.seeds import ORDER, WEIGHTS, seed_of

if TYPE_CHECKING:
    from torch import Tensor

    from workflow_scripts.responders.recurrent import Trained


def train_recurrent(
    model: Path,
    *,
    dialogues: list[Path],
    databases: list[Path],
    template: Name,
    network: NetworkSizes,
    course: RecurrentCourse,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    further: list[Path] | None = None,
) -> None:
    """Train a system's decoders from random weights: minimise the cross-entropy of all their texts.

    Adam, with a rate that rises and then falls linearly, or stays constant; gradients are clipped. Turns of
    similar length are in one batch; for LABES whole dialogues, where each turn is a step of Adam at the same
    rate. Order, dropout and draws are functions of the seed and the update alone, so that a killed training
    that resumes from the end of its last complete epoch ends with the same weights. The last weights are
    kept. Raises InputError for bad dialogues and databases.

    :param model: file to write: weights, words and sizes
    :param dialogues: training dialogues, JSON lines as `multiwoz.data` describes them
    :param template: the system
    :param network: sizes of the network
    :param precision: ignored, always float32: GRUs spend their time on steps, not on products
    :param further: more training dialogues, which do not change the number of updates
    """
    where = prepare(device, "float32" if precision == "auto" else precision, threads)
    database = database_of(databases, network)
    known, more = (
        [gold_sessions(dialogue, database) for path in paths for dialogue in read_dialogues(path)]
        for paths in (dialogues, further or [])
    )
    with about(*dialogues, *(further or [])):
        learner = first_network(template, [*known, *more], network, where, seed)
    options = {
        "template": template,
        "further": len(further or []),
        **options_of(seed, threads, where, network=network, course=course),
    }
    from workflow_scripts.training.state import TrainingState

    files = [*dialogues, *(further or []), *databases]
    key = key_of("responders.train_recurrent", options, files, "torch", targets=[model])
    state = TrainingState(checkpoints, key)
    RecurrentTraining(learner, known, course, seed, more).run(state)
    learner.save(model)
    state.remove()


def database_of(files: Sequence[Path], network: NetworkSizes) -> Database:
    """The database with the comparison of times that the system uses."""
    return load_database(*files, times=BackwardTimes if network.backward_times else Database)


def first_network(
    template: Name,
    dialogues: Sequence[Sequence[tuple[Session, Exchange]]],
    network: NetworkSizes,
    where: Resolved,
    seed: int,
) -> Trained:
    """A network with random weights, and the words of training dialogues."""
    with loading():
        import torch

        from workflow_scripts.responders import recurrent
    lexicon = recurrent.lexicon_of(template, dialogues, network.vocabulary_size)
    torch.manual_seed(seed_of(seed, WEIGHTS))
    built = recurrent.NETWORKS[template](network, lexicon)
    return recurrent.Trained(template, network, lexicon, built.to(where.device))


class RecurrentTraining(CourseTraining):
    """Updates of a recurrent network by Adam; a text is a turn, or a dialogue."""

    course: RecurrentCourse

    def __init__(
        self,
        trained: Trained,
        dialogues: Sequence[Sequence[tuple[Session, Exchange]]],
        course: RecurrentCourse,
        seed: int,
        further: Sequence[Sequence[tuple[Session, Exchange]]] = (),
    ) -> None:
        """`trained`: the network, whose weights change; `seed`: of order, dropout and draws; `further`: more
        dialogues, which do not change the number of updates."""
        from workflow_scripts.training.adam import Adam

        self.network, self.words = trained.network, trained.lexicon.words
        form = trained.form
        self.turns = form.examples([*dialogues, *further])
        counted = len(form.examples(dialogues)) if further else 0
        super().__init__(
            [self.network],
            Adam(
                self.network.parameters(),
                course.learning_rate,
                weight_decay=course.weight_decay,
            ),
            course,
            seed,
            [turn.length for turn in self.turns],
            -(-len(self.turns) // course.batch_size),
            -(-counted // course.batch_size),
        )

    def order(self, epoch: int) -> list[list[int]]:
        """The turns of each step of an epoch, of like length."""
        alone = [(place,) for place in range(len(self.turns))]
        return in_batches(alone, self.lengths, self.course.batch_size, (self.seed, ORDER, epoch))

    def losses(self, places: Sequence[int]) -> Iterable[Tensor]:
        """The loss of a batch of turns, or of each turn of a batch of dialogues, in nats per word."""
        turns = [self.turns[place] for place in places]
        if self.network.turn_by_turn:
            losses: Iterable[Tensor] = self.network.losses(turns, self.words)
            return losses
        return [self.network.loss(turns, self.words, self.course)]

    def _learn(self, batch: list[list[int]]) -> float:
        """Do one step of Adam, or one for each turn of a batch of dialogues; returns the mean loss."""
        if not self.network.turn_by_turn:
            return super()._learn(batch)
        losses = []
        for loss in self.losses([place for step in batch for place in step]):
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._descend()
            losses.append(loss.item())
        return sum(losses) / len(losses)


if __name__ == "__main__":
    run(train_recurrent)
