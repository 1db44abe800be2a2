"""Command: train a recurrent network to answer dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.config.dialogue import NetworkSizes, RecurrentCourse
from workflow_scripts.core.command import run
from workflow_scripts.core.job_state import key_of
from workflow_scripts.dialogue.data import read_dialogues
from workflow_scripts.dialogue.database import BackwardTimes, Database, load_database
from workflow_scripts.dialogue.sessions import Exchange, Session, gold_sessions
from workflow_scripts.dialogue.training import Training, options_of
from workflow_scripts.dialogue.words import Name
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, loading, prepare
from workflow_scripts.seq2seq.seeds import DROPOUT, WEIGHTS, seed_of

if TYPE_CHECKING:
    from torch import Tensor

    from workflow_scripts.dialogue.recurrent import Trained


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
    """Minimise the cross-entropy of all that a system's decoders write, from random weights.

    Adam with a rate that rises and then falls linearly, or stays; gradients are clipped. Turns of like length
    are in one batch; for LABES whole dialogues, of which each turn is a step of Adam's, at the same rate.
    Order, dropout and what is drawn are functions of the seed and the update alone, so that a training that
    was killed, and goes on from the end of its last whole epoch, ends with the same weights. The last weights
    are kept. Raises InputError for bad dialogues and databases.

    :param model: file to write: weights, words and sizes
    :param dialogues: training dialogues, JSON lines as `dialogue.data` describes them
    :param databases: files <domain>_db.json
    :param template: which system
    :param network: its sizes
    :param course: how
    :param seed: of first weights, order, dropout and draws
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: is float32 whatever it says: GRUs take their time from steps, not from products
    :param threads: of the processor
    :param checkpoints: folder for the state at the end of each epoch; emptied of it at the end
    :param further: more training dialogues; they change nothing about the number of updates
    """
    where = prepare(device, "float32" if precision == "auto" else precision, threads)
    database = database_of(databases, network)
    known, more = (
        [gold_sessions(one, database) for path in paths for one in read_dialogues(path)]
        for paths in (dialogues, further or [])
    )
    learner = first_network(template, [*known, *more], network, where, seed)
    options = {
        "template": template,
        "further": len(further or []),
        **options_of(seed, threads, where, network=network, course=course),
    }
    from workflow_scripts.seq2seq.training_state import TrainingState

    files = [*dialogues, *(further or []), *databases]
    key = key_of("dialogue.train_recurrent", options, files, "torch", targets=[model])
    state = TrainingState(checkpoints, key)
    RecurrentTraining(learner, known, course, seed, more).run(state)
    learner.save(model)
    state.remove()


def database_of(files: Sequence[Path], network: NetworkSizes) -> Database:
    """The database as a system has it."""
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

        from workflow_scripts.dialogue import recurrent
    lexicon = recurrent.lexicon_of(template, dialogues, network.vocabulary_size)
    torch.manual_seed(seed_of(seed, WEIGHTS))
    found = recurrent.NETWORKS[template](network, lexicon)
    return recurrent.Trained(template, network, lexicon, found.to(where.device))


class Learner:
    """A network as `Training` sees a model."""

    def __init__(self, network: Any) -> None:
        """`network`: a module of torch."""
        self.models = [network]

    def parameters(self) -> list[Any]:
        """Its parameters, each once."""
        return list(self.models[0].parameters())

    def weights(self) -> dict[str, Tensor]:
        """The parameters by a name, as a state of a training keeps them."""
        return {f"model.{number}": one for number, one in enumerate(self.parameters())}


class RecurrentTraining(Training):
    """Updates of a recurrent network, and its state."""

    learner: Any
    course: RecurrentCourse
    optimizer: Any

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
        import torch

        self.learner, self.course, self.seed = Learner(trained.network), course, seed
        self.network, self.words = trained.network, trained.lexicon.words
        form = trained.form
        self.turns, self.loss = form.examples([*dialogues, *further]), self._of_turns
        counted = len(form.examples(dialogues)) if further else None
        self.tasks = ["response"] * len(self.turns)
        self.lengths = [turn.length for turn in self.turns]
        self.optimizer = torch.optim.Adam(
            self.learner.parameters(), lr=course.learning_rate, weight_decay=course.weight_decay, fused=True
        )
        self.plan(counted)

    def _update(self, update: int, steps: Sequence[Sequence[int]]) -> float:
        """One update, or one for each turn of some dialogues; the mean loss, in nats per word."""
        if not self.network.turn_by_turn:
            return super()._update(update, steps)
        import torch

        torch.manual_seed(seed_of(self.seed, DROPOUT, update))
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(update)
        found = []
        for loss in self.network.losses([self.turns[place] for step in steps for place in step], self.words):
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.learner.parameters(), self.course.gradient_clip)
            self.optimizer.step()
            found.append(loss.item())
        return sum(found) / len(found)

    def _of_turns(self, _: int, places: Sequence[int]) -> Tensor:
        """The loss of some turns, in any update."""
        found: Tensor = self.network.loss([self.turns[place] for place in places], self.words, self.course)
        return found


if __name__ == "__main__":
    run(train_recurrent)
