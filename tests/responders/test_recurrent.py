"""Recurrent dialogue systems: they learn dialogues by heart."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.multiwoz import small
from workflow_scripts.config.dialogue import NetworkSizes, RecurrentCourse, RecurrentDecoding
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.evaluate import score
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import BackwardTimes, load_database
from workflow_scripts.multiwoz.outputs import read_outputs
from workflow_scripts.responders.lexicon import PAD, Delexicaliser, Words, value_slots
from workflow_scripts.responders.respond import answered
from workflow_scripts.responders.respond_recurrent import respond_recurrent
from workflow_scripts.responders.sessions import gold_sessions
from workflow_scripts.responders.train_recurrent import RecurrentTraining, first_network, train_recurrent
from workflow_scripts.seq2seq.device import prepare

CPU: dict[str, Any] = {"device": "cpu", "precision": "float32", "threads": 1}
SIZES = NetworkSizes(
    vocabulary_size=400, embedding=16, hidden=16, dropout=0.1, copying="paper", backward_times=False
)
DECODING = RecurrentDecoding(
    history="gold",
    oracle_domain=True,
    oracle_booking=True,
    max_belief=60,
    max_act=30,
    max_response=60,
    batch_size=80,
)
TEMPLATES = ["damd", "labes"]


def course(**changes: Any) -> RecurrentCourse:
    fixed = {"warmup_updates": 0, "decay": "linear", "accumulate": 1, "max_updates": None}
    plan = {"learning_rate": 0.01, "batch_size": 20, "epochs": 3, "gradient_clip": 5.0}
    return RecurrentCourse(**{**fixed, **plan, "weight_decay": 0.00005, "acts": 3, **changes})


# Passes over the dialogues, and the size of the network.
PLANS: dict[str, tuple[int, int]] = {"damd": (70, 48), "labes": (70, 48)}


@pytest.mark.long
@pytest.mark.parametrize("template", TEMPLATES)
def test_each_learns_eight_dialogues_by_heart(tmp_path, world, template):
    epochs, hidden = PLANS[template]
    sizes = SIZES.model_copy(update={"hidden": hidden, "embedding": 32, "dropout": 0.0})
    plan = course(epochs=epochs, weight_decay=0.0)
    (dialogues,) = world["dialogues"]
    train_recurrent(
        *(tmp_path / "m",),
        **{**world, "template": template, "network": sizes, "course": plan, **CPU},
        seed=1,
        checkpoints=tmp_path / "c",
    )
    given = {"dialogues": dialogues, "databases": world["databases"], "decoding": DECODING}
    respond_recurrent(tmp_path / "o.json", model=tmp_path / "m", **given, **CPU)
    known = read_dialogues(dialogues)
    answers = read_outputs(tmp_path / "o.json", known)
    found = score(known, answers, load_database(*world["databases"]))
    assert found.inform >= 87.5 and found.success >= 87.5 and found.bleu > 80
    right = [
        out.state == turn.state for one in known for out, turn in zip(answers[one.id], one.turns, strict=True)
    ]
    assert sum(right) / len(right) > 0.85


@pytest.mark.parametrize("template", TEMPLATES)
def test_answers_do_not_depend_on_the_batch(tmp_path, world, template):
    """Dialogues of other lengths beside one change nothing, in whatever the first weights write."""
    from workflow_scripts.responders.recurrent import SYSTEMS

    database = load_database(*world["databases"])
    dialogues = read_dialogues(*world["dialogues"])
    known = [gold_sessions(one, database) for one in dialogues]
    learner = first_network(template, known, SIZES, prepare("cpu", "float32", 1), 1)
    limits = {"max_belief": 4, "max_act": 3, "max_response": 4}
    found = []
    for size in (80, 3):
        decoding = DECODING.model_copy(update={**limits, "batch_size": size})
        system = SYSTEMS[template](learner.network, learner.form, decoding)
        found.append(answered(system, dialogues, database, decoding))
    assert found[0] == found[1]
    # The same in the command's file, of weights that were saved.
    learner.save(tmp_path / "m")
    given = {"dialogues": world["dialogues"][0], "databases": world["databases"], "decoding": decoding}
    respond_recurrent(tmp_path / "o.json", model=tmp_path / "m", **given, **{**CPU, "precision": "auto"})
    assert read_outputs(tmp_path / "o.json", dialogues) == found[0]
    # They write something, and not the same always.
    assert len({out.response for turns in found[0].values() for out in turns}) > 1


def test_what_a_turn_costs_does_not_depend_on_its_batch(world):
    """Turns of other lengths, and first turns, beside it change nothing."""
    import torch

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    where = prepare("cpu", "float32", 1)
    for copying in ("paper", "released"):
        sizes = SIZES.model_copy(update={"dropout": 0.0, "copying": copying})
        learner = first_network("damd", known, sizes, where, 1)
        training = RecurrentTraining(learner, known, course(acts=0), 1)
        turns, words = training.turns[:6], learner.lexicon.words
        with torch.no_grad():
            read, initial = learner.network.read(turns)
            alone, first = learner.network.read(turns[1:2])
        for name, source in read.items():
            there = alone[name].mask[0]
            assert torch.allclose(
                source.states[1, : len(there)][there], alone[name].states[0][there], atol=1e-6
            )
        assert all(torch.allclose(initial[name][1], first[name][0], atol=1e-6) for name in first)
        equal = [turns[1]] * 3
        with torch.no_grad():
            one, three = (learner.network.loss(some, words, training.course) for some in (equal[:1], equal))
        assert torch.allclose(one, three, atol=1e-5)


SOURCE = st.lists(st.integers(3, 9), max_size=5)


@given(
    st.lists(SOURCE, min_size=1, max_size=3),
    st.sampled_from(["paper", "released"]),
    st.integers(0, 99),
    st.booleans(),
)
@settings(max_examples=60)
def test_probabilities_of_words_sum_to_one(rows, copying, seed, has_soft):
    """Six words can be generated, all can be copied; a row without words is a source that is not there."""
    import torch

    from workflow_scripts.responders.copying import Columns, Joint, Soft, Source, matrix

    torch.manual_seed(seed)
    words = matrix(rows)
    source = Source(words, torch.randn(*words.shape, 4))
    columns = Columns(words, torch.tanh(source.states), 6, copying)
    states = torch.randn(len(rows), 2, 4)
    soft = None
    if has_soft:
        # Two places, of which each row may have both, one or none, and which have no words but 0 to 6.
        there = torch.rand(len(rows), 2) > 0.5
        distributions = torch.randn(len(rows), 2, 7).softmax(2) * there[:, :, None]
        soft = Soft(torch.randn(len(rows), 2, 2), torch.nn.functional.pad(distributions, (0, 3)), there)
    joint = Joint(torch.randn(len(rows), 2, 6), [(columns.scores(states), columns)], soft)
    every = joint.probabilities(10)
    if copying == "paper":
        assert torch.allclose(every.sum(2), torch.ones(len(rows), 2), atol=1e-5)
    else:
        # Columns of places whose words are in the vocabulary are nobody's.
        assert (every.sum(2) < 1 + 1e-5).all()
    for word in range(10):
        gold = torch.full((len(rows), 2), word)
        found = joint.of(gold).exp()
        # What cannot be written counts as unknown.
        copied = every[:, 0, word] > 0 if has_soft else torch.zeros(len(rows), dtype=torch.bool)
        there = torch.tensor([[word < 6 or word in row] for row in rows]) | copied[:, None]
        assert torch.allclose(found, torch.where(there, every[:, :, word], every[:, :, 2]), atol=1e-5)


def test_the_best_word_is_never_the_padding():
    """However probable that is; a text that has ended gets nothing else."""
    import torch

    from workflow_scripts.responders.copying import Joint

    generated = torch.tensor([[[9.0, 0.0, 0.0, 1.0]]]).expand(2, 1, 4)
    assert Joint(generated, []).best(6, torch.tensor([True, False])).tolist() == [3, PAD]


def test_equal_words_add_probabilities_or_scores():
    import torch

    from workflow_scripts.responders.copying import Columns, Joint, Source

    source = Source(torch.tensor([[2, 2, 7]]), torch.ones(1, 3, 1))
    keys = torch.tensor([[[1.0], [0.5], [0.25]]])
    states, generated = torch.ones(1, 1, 1), torch.zeros(1, 1, 3)
    both = {}
    for copying in ("paper", "released"):
        columns = Columns(source.words, keys, 3, copying)
        both[copying] = Joint(generated, [(columns.scores(states), columns)]).probabilities(8)[0, 0]
    e = torch.e
    # Three generated words of score 0, and three places.
    total = 3 + e**1 + e**0.5 + e**0.25
    assert both["paper"][2].item() == pytest.approx((1 + e + e**0.5) / total)
    assert both["paper"][7].item() == pytest.approx(e**0.25 / total)
    # Columns of the source: three words, one of which has the sum, and three places, one of them its own.
    total = 3 + (1 + 1 + e**1.5) + (1 + 1 + e**0.25)
    assert both["released"][2].item() == pytest.approx((1 + e**1.5) / total)
    assert both["released"][7].item() == pytest.approx(e**0.25 / total)


def test_words_outside_the_vocabulary_get_numbers_as_they_are_read():
    words = Words.of(["a b b [value_x]", "c"], 1000)
    size = words.size
    assert words.known[-4:] == ["[value_x]", "b", "a", "c"]
    assert words.numbers("b, zed's [value_x]", "<eos_u>")[:3] == [size - 3, size, size + 1]
    assert words.text(words.numbers("zed's b", "<eos_r>")) == "zed's b"
    assert words.known == Words(words.known).names


def test_values_of_one_slot_only_leave_users_words():
    states = [{"train": {"day": "monday", "people": "2"}}, {"hotel": {"bookday": "friday", "area": "north"}}]
    slots = value_slots([*states, {"taxi": {"departure": "north"}}])
    assert slots == {"monday": "day", "friday": "bookday"}
    delexicalise = Delexicaliser({"monday": "day", "monday inn": "name"})
    assert delexicalise("monday inn on monday, not mondays") == "[value_name] on [value_day], not mondays"
    assert Delexicaliser({})("monday") == "monday"


def test_times_can_be_compared_as_the_released_code_does(tmp_path):
    small.database(tmp_path)
    backward = load_database(*sorted(tmp_path.glob("*_db.json")), times=BackwardTimes)
    assert backward.keys("train", {"leave": "08:00"}) == {"tr0"}
    assert backward.keys("train", {"arrive": "11:00"}) == {"tr1", "tr2"}
    assert backward.keys("restaurant", {"area": "north"}) == {"3"}


@pytest.mark.slow
def test_a_model_that_is_none_is_one_line(tmp_path, world, module):
    (dialogues,) = world["dialogues"]
    (tmp_path / "m").write_text("{")
    words = ["--model", tmp_path / "m", "--dialogues", dialogues, "--databases", *world["databases"]]
    words += [f"--decoding={json.dumps(DECODING.model_dump())}"]
    words += ["--device", "cpu", "--precision", "float32", "--threads", 1]
    done = module("responders.respond_recurrent", tmp_path / "o.json", *words)
    assert done.returncode == 2 and not (tmp_path / "o.json").exists()
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    with pytest.raises(InputError, match="recurrent dialogue system"):
        from workflow_scripts.responders.recurrent import load

        load(tmp_path / "m", prepare("cpu", "float32", 1))
