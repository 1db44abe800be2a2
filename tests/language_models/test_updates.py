"""The number of updates in a training, and the update of two decoders."""

from typing import Any

import pytest

from tests.responders.test_language_models import START, course
from tests.responders.test_recurrent import course as recurrent_course
from workflow_scripts.config.dialogue import NetworkSizes
from workflow_scripts.language_models.model import two_decoders
from workflow_scripts.language_models.scratch import from_scratch
from workflow_scripts.language_models.texts import Example
from workflow_scripts.language_models.training import LanguageModelTraining
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.responders.sessions import gold_sessions
from workflow_scripts.responders.templates import TEMPLATES
from workflow_scripts.responders.train import train
from workflow_scripts.responders.train_recurrent import RecurrentTraining, first_network, train_recurrent
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.training.state import TrainingState

SIZES: dict[str, Any] = START.model_dump(include={"vocabulary_size", "layers", "hidden", "heads"}) | {
    "dropout": 0.0
}
NETWORK = NetworkSizes(
    vocabulary_size=300, embedding=8, hidden=8, dropout=0.0, copying="paper", backward_times=False
)


def sessions_of(world: dict[str, Any]) -> list[Any]:
    (path,) = world["dialogues"]
    database = load_database(*world["databases"])
    return [gold_sessions(one, database) for one in read_dialogues(path)]


def examples_of(world: dict[str, Any], template: Any) -> list[Example]:
    return [example for one in sessions_of(world) for example in TEMPLATES[template]().examples(one)]


def learner_of(template: Any, examples: list[Example]) -> Any:
    form, kind = TEMPLATES[template](), "causal" if template in ("ubar", "augpt") else "encoder_decoder"
    texts = [f"{one.source} {one.target}" for one in examples]
    where = prepare("cpu", "float32", 1)
    made = from_scratch(kind, texts, form.pieces(texts), where, **SIZES, seed=1)  # type: ignore[arg-type]
    return two_decoders(made) if form.decoders == 2 else made


@pytest.mark.parametrize("template", ["ubar", "mintl", "pptod", "augpt"])
@pytest.mark.parametrize("max_updates", [None, 2])
def test_more_data_make_as_many_updates(world, template, max_updates):
    base = examples_of(world, template)
    learner = learner_of(template, base)
    plan = course(epochs=3, batch_size=5, accumulate=2, max_updates=max_updates)
    without = LanguageModelTraining(learner, base, plan, 1)
    more = LanguageModelTraining(learner, [*base, *base], plan, 1, counted=len(base))
    assert more.total == without.total == min(max_updates or 999, 3 * without.per_epoch)
    # All of them are there to be learnt, and the rate falls to the end of the same updates.
    assert sorted(place for step in more.order(0) for place in step) == list(range(2 * len(base)))
    assert more.per_epoch > without.per_epoch
    assert [more.rate(at) for at in range(more.total)] == [without.rate(at) for at in range(more.total)]


@pytest.mark.parametrize("template", ["damd", "labes"])
def test_more_data_make_as_many_updates_of_recurrent_networks(world, template):
    known = sessions_of(world)
    plan = recurrent_course(epochs=3, batch_size=3, learning_rate=0.01)
    where = prepare("cpu", "float32", 1)
    without, more = (
        RecurrentTraining(first_network(template, known, NETWORK, where, 1), known, plan, 1, further)
        for further in ([], known)
    )
    assert more.total == without.total == 3 * without.per_epoch
    assert more.per_epoch > without.per_epoch


def test_a_training_with_more_data_ends_after_the_updates_of_the_base(world, tmp_path, monkeypatch):
    base = examples_of(world, "pptod")
    plan = course(epochs=2, batch_size=20)
    training = LanguageModelTraining(learner_of("pptod", base), [*base, *base], plan, 1, counted=len(base))
    made: list[int] = []

    def count(self: LanguageModelTraining, steps: Any) -> float:
        made.append(self.update)
        return 0.0

    monkeypatch.setattr(LanguageModelTraining, "_learn", count)
    training.run(TrainingState(tmp_path, {}))
    assert made == list(range(LanguageModelTraining(training.learner, base, plan, 1).total))


@pytest.mark.parametrize(
    ("decay", "rates"),
    [
        ("linear", [0.25, 0.5, 0.75, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2]),
        ("none", [0.25, 0.5, 0.75, *[1.0] * 6]),
    ],
)
def test_rates_of_the_updates(world, decay, rates):
    """By hand, of nine updates with a warm-up of four."""
    base = examples_of(world, "pptod")
    plan = course(learning_rate=1.0, warmup_updates=4, decay=decay, max_updates=9, batch_size=8)
    training = LanguageModelTraining(learner_of("pptod", base), base, plan, 1)
    assert [training.rate(at) for at in range(training.total)] == pytest.approx(rates)


@pytest.mark.parametrize("clip", [1e6, 0.1])
def test_an_update_of_several_steps_has_their_mean(world, clip):
    """Its loss, and its gradient, which is no longer than it may be."""
    import torch

    examples = examples_of(world, "pptod")
    plan = course(batch_size=4, accumulate=2, gradient_clip=clip)
    training = LanguageModelTraining(learner_of("pptod", examples), examples, plan, 1)
    steps, parameters = training.order(0)[:2], training.learner.parameters()
    losses = [loss for places in steps for loss in training.losses(places)]
    mean = sum(losses, start=torch.zeros(())) / 2
    wanted = torch.autograd.grad(mean, parameters)
    length = sum(one.square().sum() for one in wanted) ** 0.5
    assert 0.1 < length < 1e6
    assert training.step(steps) == pytest.approx(mean.item(), rel=1e-5)
    for one, gradient in zip(parameters, wanted, strict=True):
        torch.testing.assert_close(one.grad, gradient * min(1, clip / length), rtol=1e-4, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("template", ["pptod", "damd"])
def test_the_commands_count_updates_by_the_dialogues_without_the_further_ones(
    tmp_path, world, monkeypatch, template
):
    """Two passes over eight dialogues have as many updates as one over these and eight more."""
    shared = {"device": "cpu", "precision": "float32", "threads": 1, "seed": 1, **world}
    command, kind, given = {
        "pptod": (train, LanguageModelTraining, {"kind": "encoder_decoder", "start": START}),
        "damd": (train_recurrent, RecurrentTraining, {"network": NETWORK}),
    }[template]
    given["course"] = {"pptod": course, "damd": recurrent_course}[template](batch_size=20, epochs=2)
    learnt: list[list[int]] = []
    step = kind.step

    def count(self: Any, batch: Any) -> float:
        learnt.append([place for places in batch for place in places])
        return step(self, batch)

    monkeypatch.setattr(kind, "step", count)
    made = {}
    for name, further in (("without", None), ("more", world["dialogues"])):
        options = {**given, "template": template, "checkpoints": tmp_path / "c", "further": further}
        command(tmp_path / name, **shared, **options)
        made[name] = learnt[:]
        learnt.clear()
    assert len(made["more"]) == len(made["without"]) > 2
    size = len({place for places in made["without"] for place in places})
    assert {place for places in made["more"] for place in places} == set(range(2 * size))


def test_a_step_of_mintl_learns_both_texts_of_its_turns(world):
    """The gradient of a step is the sum of those of both losses, each a mean over the tokens of its texts."""
    import torch

    examples = examples_of(world, "mintl")
    training = LanguageModelTraining(learner_of("mintl", examples), examples, course(batch_size=4), 1)
    places = training.order(0)[0]
    beliefs, responses = places[: len(places) // 2], places[len(places) // 2 :]
    assert [training.tasks[place] for place in places] == ["belief"] * len(beliefs) + ["response"] * len(
        responses
    )
    assert [place + 1 for place in beliefs] == responses
    parameters = training.learner.parameters()

    def gradients(loss: Any) -> list[Any]:
        return list(torch.autograd.grad(loss, parameters, allow_unused=True))

    def alone(task: Any, some: list[int]) -> list[Any]:
        """By transformers' own loss, which is a mean over tokens too."""
        learner = training.learner
        sources, targets = ([side[place] for place in some] for side in (training.sources, training.targets))
        tokens, labels = learner.batch(sources, learner.pad), learner.batch(targets, -100)
        mask = learner.batch([[1] * len(row) for row in sources], 0)
        return gradients(learner.parts[task](input_ids=tokens, attention_mask=mask, labels=labels).loss)

    step = gradients(*training.losses(places))
    both = [alone("belief", beliefs), alone("response", responses)]
    for found, *sides in zip(step, *both, strict=True):
        wanted = sum((side for side in sides if side is not None), start=torch.zeros_like(found))
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)
