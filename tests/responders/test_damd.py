"""DAMD: ConvLab's weights in our network give its answers; training texts of turns, and outputs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.responders.test_recurrent import course as recurrent_course
from workflow_scripts.config.dialogue import NetworkSizes
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.responders.lexicon import ENDS, MARKS, STARTS, Lexicon, Words
from workflow_scripts.responders.sessions import Exchange, Session, gold_sessions

SIZES = NetworkSizes(
    vocabulary_size=3000, embedding=50, hidden=100, dropout=0, copying="released", backward_times=True
)
# Found nothing; one; more than three, and booked.
NONE, ONE, BOOKED = [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1]
DIALOGUES = [
    [
        ("i am looking for a cheap restaurant in the centre .", [*BOOKED[:4], 0, 0]),
        ("what about chinese food ?", ONE),
        ("please book a table for 5 people at 11:30 on monday .", BOOKED),
        ("thank you , that is all .", [*BOOKED[:4], 0, 0]),
    ],
    [
        ("i need a train from cambridge to ely on friday .", NONE),
        ("i would like to leave after 17:15 .", ONE),
        ("book it for 3 people , please .", [0, 1, 0, 0, 0, 1]),
    ],
    [
        ("can you find me a hotel with free parking in the north ?", NONE),
        ("i also want to see a museum .", [0, 0, 0, 1, 0, 0]),
        ("what is the phone number and postcode ?", [0, 0, 0, 1, 0, 0]),
    ],
]
KEPT = Path(__file__).parent / "damd.json"
# Names of ConvLab's modules, and ours.
DECODERS = {"bspn": "belief", "aspn": "act", "resp": "response"}
SOURCES = {
    **{"user": "user", "usdx": "delexicalised", "pvresp": "before", "pvbspn": "previous"},
    **{"bspn": "belief", "aspn": "act"},
}
ENCODERS = {"user_encoder": "users", "usdx_encoder": "texts", "span_encoder": "spans"}
# What ConvLab's network has and does not use, or has twice.
UNUSED = {
    "aspn_decoder.attn_pvaspn.attn.weight",
    "aspn_decoder.attn_pvaspn.attn.bias",
    "aspn_decoder.attn_pvaspn.v.weight",
    *(f"aspn_decoder.cp_{name}.Wcopy.{kind}" for name in ("pvaspn", "dspn") for kind in ("weight", "bias")),
    *(f"{name}.embedding.weight" for name in ENCODERS),
    *(f"{name}_decoder.embedding.weight" for name in DECODERS),
}


def our_name(name: str) -> str:
    """The name of one of ConvLab's parameters in our network."""
    first, *rest = name.split(".")
    if first in ENCODERS:
        return ".".join([ENCODERS[first], *rest])
    if not first.endswith("_decoder"):
        return name
    front = f"decoders.{DECODERS[first.removesuffix('_decoder')]}"
    part, *ending = rest
    if part == "gru":
        return f"{front}.gru.{ending[0].removesuffix('_l0')}"
    if part == "Wgen":
        return f"{front}.generate.{ending[0]}"
    kind, _, source = part.partition("_")
    if kind == "cp":
        return f"{front}.copy.{SOURCES[source]}.{ending[1]}"
    layer = {"attn": "both", "v": "score"}[ending[0]]
    return f"{front}.attention.{SOURCES[source]}.{layer}.{ending[1]}"


def run_convlab(folder: Path, *options: str) -> None:
    """Write what ConvLab's DAMD answers into a folder; skips without an environment that has it."""
    tool = os.environ.get("TUVOUS_CONVLAB", "")
    if not tool:
        pytest.skip("TUVOUS_CONVLAB does not name an environment with ConvLab (make convlab)")
    turns = [[(text, text, pointer) for text, pointer in dialogue] for dialogue in DIALOGUES]
    (folder / "dialogues.json").write_text(json.dumps(turns), encoding="utf-8")
    script = Path(__file__).parent / "convlab_damd.py"
    done = subprocess.run([f"{tool}/bin/python", script, folder, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def convlab(tmp_path_factory):
    """A folder with the weights, words and answers of ConvLab's DAMD."""
    folder = tmp_path_factory.mktemp("convlab")
    run_convlab(folder)
    return folder


@pytest.mark.slow
def test_marks_have_the_numbers_of_the_released_vocabulary(convlab):
    theirs = json.loads((convlab / "words.json").read_text(encoding="utf-8"))
    assert theirs[:9] == list(MARKS[:9])


@pytest.mark.slow
def test_released_weights_give_the_released_answers(convlab):
    import torch

    with np.load(convlab / "weights.npz") as file:
        weights = {name: torch.from_numpy(file[name]) for name in file.files}
    theirs = json.loads((convlab / "words.json").read_text(encoding="utf-8"))
    answers = json.loads((convlab / "answers.json").read_text(encoding="utf-8"))
    limits = {"belief": 30, "act": 30, "response": 60}
    assert_same_answers(weights, theirs, SIZES, answers, limits)


@pytest.mark.slow
def test_weights_that_were_drawn_give_the_answers_of_convlab():
    """A small network, whose answers ConvLab gave once: this needs no ConvLab."""
    import torch

    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    weights = {name: torch.tensor(one) / 100 for name, one in kept["hundredths"].items()}
    sizes = SIZES.model_copy(
        update={"vocabulary_size": kept["vocabulary"], "embedding": 4, "hidden": 5, "dropout": 0}
    )
    assert_same_answers(weights, kept["words"], sizes, kept["answers"], dict.fromkeys(DECODERS.values(), 6))


@pytest.mark.slow
def test_what_is_kept_is_what_convlab_answers(tmp_path):
    run_convlab(tmp_path, "small")
    theirs, kept = (json.loads(path.read_text(encoding="utf-8")) for path in (tmp_path / "damd.json", KEPT))
    for name in ("vocabulary", "words", "hundredths"):
        assert theirs[name] == kept[name]
    for turns, others in zip(theirs["answers"], kept["answers"], strict=True):
        for (*spans, logs), (*same, known) in zip(turns, others, strict=True):
            assert spans == same
            assert [pytest.approx(log, abs=2e-4) for log in known] == logs


def assert_same_answers(
    weights: dict[str, Any],
    theirs: list[str],
    sizes: NetworkSizes,
    answers: list[Any],
    limits: dict[str, int],
) -> None:
    """Our network with weights by ConvLab's names answers DIALOGUES as ConvLab did, span by span."""
    import torch

    from workflow_scripts.responders.damd import Damd, DamdTurn

    words = Words(theirs[: sizes.vocabulary_size])
    for word in theirs[sizes.vocabulary_size :]:
        words.number(word)
    network = Damd(sizes, Lexicon(words, {}, ())).eval()
    assert weights.keys() >= UNUSED and len(weights) == 94
    network.load_state_dict({our_name(name): one for name, one in weights.items() if name not in UNUSED})
    # More than a word each, and not the same for all.
    assert len({response for dialogue in answers for *_, response, _ in dialogue}) > 5
    for dialogue, theirs_of in zip(DIALOGUES, answers, strict=True):
        before: dict[str, list[int]] = {"response": [], "belief": []}
        for (text, pointer), (*expected, logs) in zip(dialogue, theirs_of, strict=True):
            user = numbers_of(words, f"{text} {ENDS['user']}")
            turn = DamdTurn(user, user, before["response"], before["belief"], list(map(float, pointer)))
            with torch.inference_mode():
                sources, initial = network.read([turn])
                for at, (task, limit) in enumerate(limits.items()):
                    given = None if task == "belief" else torch.tensor([turn.pointer])
                    written = network.write(task, initial[task], sources, given, words, limit)
                    start = words.number(STARTS[task])
                    joint, _ = network.taught(task, written.words, initial[task], sources, given, start)
                    for expected_logs in logs[at : at + 1]:
                        found = joint.of(written.words)[0]
                        torch.testing.assert_close(found, torch.tensor(expected_logs), rtol=0, atol=1e-4)
                    sources[task] = written
            ours = {task: spoken(sources[task], words) for task in limits}
            assert list(ours.values()) == expected
            before = {task: numbers_of(words, text) for task, text in ours.items()}


@pytest.mark.parametrize(
    ("found", "booking", "pointer"),
    [
        ("[db_0]", "[book_nores]", [1, 0, 0, 0, 0, 0]),
        ("[db_1]", "[book_fail]", [0, 1, 0, 0, 1, 0]),
        ("[db_3]", "[book_ok]", [0, 0, 0, 1, 0, 1]),
        ("[db_nores]", "[book_nores]", [0] * 6),
        ("[db_nores]", "[book_ok]", [0, 0, 0, 0, 0, 1]),
    ],
)
def test_what_is_found_and_booked_as_numbers(found, booking, pointer):
    """In the order of the released DAMD."""
    from workflow_scripts.responders.damd import pointer_of

    assert pointer_of(Session([], "u", {}, found, booking)) == pointer


def test_damd_learns_the_acts_of_like_turns():
    from workflow_scripts.responders.damd import DamdFormat, alike

    north, south = ({"hotel": {"area": area}} for area in ("north", "south"))
    act = "[hotel] [request] stars"

    def turn(state: Any, *before: Any, act: str = act, **known: Any) -> tuple[Session, Exchange]:
        past = [Exchange("u", one, "", "", "", "r", "r") for one in before]
        session = Session(past, "u", state, **{"found": "[db_1]", **known})
        return session, Exchange("u", state, session.found, session.booking, act, "r", "r")

    # Alike: whichever value was told, at first or later. What differs comes behind.
    like = [turn(north), turn(south, act="[hotel] [offer] name"), turn(south, north), turn(north)]
    unlike = [
        *(turn(north, north, act="[hotel] [a]"), turn(north, found="[db_2]", act="[hotel] [b]")),
        *(turn(north, booking="[book_ok]", act="[hotel] [c]"), turn({"hotel": {"stars": "4"}}, act="[d]")),
        *(turn({**north, "train": {"day": "monday"}}, act="[e]"), turn({}, act="[f]")),
    ]
    assert len({alike(session) for session, _ in like}) == 1
    assert [alike(session) is None for session, _ in unlike] == [False] * 4 + [True] * 2
    words = Words.of(["u r [hotel] [offer] name [request] stars"], 100)
    form = DamdFormat(Lexicon(words, {}, ()))
    offered, asked = (words.numbers(text, "<eos_a>") for text in ("[hotel] [offer] name", act))
    others = [one.others for one in form.examples([like, unlike])]
    assert others == [[offered], [asked], [offered], [offered], *[[]] * len(unlike)]


@pytest.mark.parametrize("copying", ["paper", "released"])
def test_what_is_learnt_is_what_is_written(world, copying):
    """A belief, act and response that are written are read again with the same states and probabilities."""
    import torch

    from workflow_scripts.responders.copying import Source
    from workflow_scripts.responders.train_recurrent import first_network
    from workflow_scripts.seq2seq.device import prepare

    database = load_database(*world["databases"])
    known = [gold_sessions(one, database) for one in read_dialogues(*world["dialogues"])]
    sizes = SIZES.model_copy(update={"vocabulary_size": 400, "hidden": 16, "copying": copying})
    learner = first_network("damd", known, sizes, prepare("cpu", "float32", 1), 1)
    network, words = learner.network.eval(), learner.lexicon.words
    turns = learner.form.examples(known)[1:4]
    losses, names = [], ("belief", "act", "response")
    with torch.inference_mode():
        sources, initial = network.read(turns)
        pointer = torch.tensor([turn.pointer for turn in turns])
        for task in names:
            given = None if task == "belief" else pointer
            written = network.write(task, initial[task], sources, given, words, 6)
            start = words.number(STARTS[task])
            joint, states = network.taught(task, written.words, initial[task], sources, given, start)
            there = written.mask
            torch.testing.assert_close(states[there], written.states[there])
            best = joint.probabilities(len(words.names))[:, :, 1:].max(2).values.log()
            torch.testing.assert_close(joint.of(written.words)[there], best[there])
            losses.append(-best[there].mean())
            sources[task] = Source(written.words, states)
        # The loss of a batch is the sum of their means, and of the mean of other acts, here the same ones.
        for row, turn in enumerate(turns):
            rows = [sources[task].words[row].tolist() for task in names]
            turn.belief, turn.act, turn.response = ([word for word in one if word] for one in rows)
            turn.others = []
        course = recurrent_course(acts=3)
        assert network.loss(turns, words, course).item() == pytest.approx(sum(losses).item(), rel=1e-5)
        for turn in turns:
            turn.others = [turn.act]
        found = network.loss(turns, words, course).item()
    assert found == pytest.approx((sum(losses) + losses[1]).item(), rel=1e-5)


def numbers_of(words: Words, text: str) -> list[int]:
    """Of words that spaces divide."""
    return [words.number(word) for word in text.split()]


def spoken(source: Any, words: Words) -> str:
    """What a row says, with its end."""
    return " ".join(words.names[number] for number in source.words[0].tolist())
