"""The loop with a model of a few numbers: its order of steps, and a killed training ends like a whole one."""

import pytest
import torch

from tests.killing import killed_at
from workflow_scripts.training.epochs import EpochTraining
from workflow_scripts.training.state import TrainingState


class Toy(EpochTraining[int, float]):
    """Three numbers move by chance, of which the last gets its first gradient in the second epoch."""

    def __init__(self, every: int = 0) -> None:
        """`every`: updates between two looks; 0: those of an epoch."""
        self.model = torch.nn.ParameterList([torch.zeros(2), torch.zeros(()), torch.zeros(1)])
        super().__init__([self.model], torch.optim.Adam(self.model.parameters()), 4, 10)
        self.every = every
        self.seen: list[tuple[int, int]] = []

    def batches(self, epoch: int) -> list[int]:
        return [10 * epoch + at for at in range(self.per_epoch)]

    def _next_look(self) -> int:
        return min(self.update + self.every, self.total) if self.every else super()._next_look()

    def rate(self, update: int) -> float:
        return 0.1 / (update + 1)

    def _seed(self) -> int:
        return self.update

    def _learn(self, batch: int) -> float:
        self.seen.append((self.update, batch))
        loss = sum(
            ((one - batch) * torch.randn(one.shape)).sum() for one in list(self.model)[: 2 + batch // 10]
        )
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def _told(self, losses: list[float]) -> str:
        return f"{len(losses)} losses"


def numbers(toy: Toy) -> list[float]:
    return [value for one in toy.parameters for value in one.flatten().tolist()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    toy = Toy()
    toy.run(TrainingState(tmp_path_factory.mktemp("states"), {}))
    return toy


@pytest.mark.parametrize(("every", "looks"), [(0, (4, 4, 2)), (3, (3, 3, 3, 1)), (7, (7, 3))])
def test_updates_see_the_batches_of_their_epochs(tmp_path, capsys, every, looks):
    """Wherever training is looked at."""
    toy = Toy(every)
    toy.run(TrainingState(tmp_path, {}))
    assert toy.seen == [(at, 10 * (at // 4) + at % 4) for at in range(10)]
    told = [line for line in capsys.readouterr().err.replace("\r", "\n").splitlines() if "losses" in line]
    assert [line.partition(": ")[2] for line in told] == [f"{look} losses" for look in looks]


@pytest.mark.parametrize("update", [4, 8, 10])
@pytest.mark.parametrize("saved", [True, False])
def test_a_killed_training_ends_as_a_whole_one(tmp_path, whole, monkeypatch, update, saved):
    """Also where it was killed before the last number had moments, and after its last update."""
    with killed_at(monkeypatch, update, saved=saved):
        Toy().run(TrainingState(tmp_path, {}))
    again = Toy()
    again.run(TrainingState(tmp_path, {}))
    begun = update if saved else {4: 0, 8: 4, 10: 8}[update]
    assert [at for at, _ in again.seen] == list(range(begun, 10))
    assert numbers(again) == numbers(whole)


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors, scalars: scalars.update(more=1),
        lambda tensors, scalars: scalars.update(update=[4]),
        lambda tensors, scalars: scalars.pop("update"),
        lambda tensors, scalars: tensors.pop("model.2"),
        lambda tensors, scalars: tensors.pop("adam.exp_avg.0"),
        lambda tensors, scalars: tensors.update({"model.1": torch.zeros(3)}),
        lambda tensors, scalars: tensors.update({"adam.step.1": torch.zeros((), dtype=torch.float64)}),
    ],
)
def test_a_state_that_does_not_fit_counts_as_none(tmp_path, whole, monkeypatch, change):
    states = TrainingState(tmp_path, {})
    with killed_at(monkeypatch, 4, saved=True):
        Toy().run(states)
    found = states.newest(lambda *_: True)
    assert found is not None
    change(*found)
    states.save(4, *found)
    again = Toy()
    again.run(states)
    assert again.seen[0] == (0, 0) and numbers(again) == numbers(whole)
    # And what is no table of scalars at all.
    assert not again._fits(again.learnt.tensors(), [])  # type: ignore[arg-type]
