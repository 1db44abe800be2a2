"""A prompted language model as a dialogue system, against a server on this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.demo.dialogues import make_dialogues
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22
from workflow_scripts.dialogue.evaluate import score
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.multiwoz.outputs import read_outputs
from workflow_scripts.responders.natural import counts_text, natural_belief, natural_response
from workflow_scripts.responders.prompted import BOOKINGS, FACTS, prompted, said
from workflow_scripts.responders.sessions import Exchange, Session, gold_sessions

PROMPTS = ROOT / "resources/prompts"
Ask = Callable[..., None]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three dialogues to train on and two to answer, of the demo world."""
    folder = tmp_path_factory.mktemp("dialogues")
    sizes = {"dialogues_train": 3, "dialogues_dev": 1, "dialogues_test": 2}
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **sizes)
    new, older = folder / "MultiWOZ/data/MultiWOZ_2.2", folder / "MultiWOZ/data.json"
    read_multiwoz22(new, folder / "train.jsonl", fold="train", older=older)
    read_multiwoz22(new, folder / "test.jsonl", fold="test", older=older)
    databases = sorted((folder / "MultiWOZ/db").iterdir())
    return {"train": folder / "train.jsonl", "dialogues": folder / "test.jsonl", "databases": databases}


@pytest.fixture
def ask(server, files, tmp_path):
    """The command; options replace its own."""

    def run(**options: Any) -> None:
        prices = {"m": {"input": 1, "output": 1}}
        limits = {"prices": prices, "max_cost": 1, "parallel": 4, "timeout": 9, "retries": 0}
        given: dict[str, Any] = {
            "system": "llm",
            **files,
            "belief": PROMPTS / "state.txt",
            "response": PROMPTS / "response.txt",
            "model": Model(kind="endpoint", name="m", address=server.address),
            "settings": Prompting.model_validate(limits | options.pop("settings", {})),
            "cache": tmp_path / "cache.sqlite",
            "examples": 2,
            "history": "gold",
            "oracle_booking": True,
            **{"seed": 1, "precision": "float32", "device": "cpu", "threads": 1},
            **options,
        }
        prompted(tmp_path / "out.json", tmp_path / "facts.csv", **given)

    return run


def facts(folder: Path) -> dict[str, str]:
    ((_, row),) = read_rows(folder / "facts.csv", FACTS)
    return row


def knowing(files: dict[str, Any]) -> Callable[[str], str]:
    """What is right to say to each prompt, which has all that the annotation knows by then."""
    database = load_database(*files["databases"])
    right = {}
    for one in read_dialogues(files["dialogues"]):
        for session, exchange in gold_sessions(one, database):
            state = f"State: {natural_belief(session.state) or 'none'}"
            right[f"{said(session)}\nState:"] = state
            counts = f"Database: {counts_text(session.counts) or 'none'}"
            known = f"{state}\n{counts}\nBooking: {BOOKINGS[session.booking]}"
            asked = f"{said(session)}\n{known}\nResponse:"
            right[asked] = f"\n{natural_response(exchange.response)}\nUser: and so on"
    return lambda prompt: right[prompt.rsplit("\n\n", 1)[1]]


@pytest.mark.slow
def test_who_knows_all_answers_rightly(ask, server, files, tmp_path):
    server.says = knowing(files)
    ask()
    known = read_dialogues(files["dialogues"])
    answers = read_outputs(tmp_path / "out.json", known)
    found = score(known, answers, load_database(*files["databases"]))
    assert (found.inform, found.success) == (100.0, 100.0) and found.bleu > 99
    turns = sum(len(one.turns) for one in known)
    row = facts(tmp_path)
    assert (row["turns"], row["empty"], row["refused"], row["cut"]) == (str(turns), "0", "0", "0")
    assert row["signature"].startswith("prompted:endpoint/m@")
    assert len(server.seen) == 2 * turns
    first = server.prompts[0]
    domains = {
        domain for one in read_dialogues(files["train"]) for turn in one.turns for domain in turn.state
    }
    assert domains and all(f"{domain}: " in first for domain in domains)
    assert first.count("\nState: ") == 2
    assert any("[reference]" in prompt.split("\n\n")[0] for prompt in server.prompts)
    # Again: the same bytes, and nothing is asked. Its own history has its own words.
    before = (tmp_path / "out.json").read_bytes()
    ask(settings={"max_cost": 0})
    assert (tmp_path / "out.json").read_bytes() == before and len(server.seen) == 2 * turns
    ask(history="generated")
    assert len(server.seen) == 2 * turns
    ask(seed=2)
    assert facts(tmp_path)["signature"] != row["signature"]


def test_what_both_have_said_is_shown_without_the_responses_values():
    response, words = "[value_name] leaves at [value_leaveat] .", "kettle leaves at 8 ."
    past = [Exchange("a place in the north", {}, "", "", "", response, words)]
    assert said(Session(past, "thanks")) == (
        "User: a place in the north\nSystem: [name] leaves at [leave at] .\nUser: thanks"
    )


@pytest.mark.slow
def test_answers_without_sense_are_counted(ask, server, files, tmp_path):
    server.always = "refusal"
    ask(examples=0)
    known = read_dialogues(files["dialogues"])
    turns = sum(len(one.turns) for one in known)
    assert (facts(tmp_path)["empty"], facts(tmp_path)["refused"]) == (str(2 * turns),) * 2
    answers = read_outputs(tmp_path / "out.json", known)
    assert all(out.response == "" and out.state == {} for outs in answers.values() for out in outs)
    server.always = ""
    server.says = lambda prompt: "State: hotel {area = x, colour = y} moon {a = b}"
    ask(examples=1, history="generated")
    answers = read_outputs(tmp_path / "out.json", known)
    assert all(out.state == {"hotel": {"area": "x"}} for outs in answers.values() for out in outs)


def test_all_prompts_of_a_job_share_what_it_may_cost(ask, server, tmp_path):
    """Each turn's prompts alone would be cheap enough."""
    server.says = lambda prompt: "none"
    ask(examples=0)
    total = sum(len(prompt.split()) + 1 for prompt in server.prompts) / 1_000_000
    asked = len(server.seen)
    (tmp_path / "cache.sqlite").unlink()
    (tmp_path / "out.json").unlink()
    with pytest.raises(InputError, match="may cost up to"):
        ask(examples=0, settings={"max_cost": total})
    assert asked < len(server.seen) < 2 * asked and not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"settings": {"max_cost": 0}}, "may cost up to"),
        ({"examples": 4}, "3 training dialogues, but 4 examples are asked for"),
        ({"response": PROMPTS / "state.txt"}, "no place '{slots}' is known"),
    ],
)
def test_bad_input(ask, server, tmp_path, options, line):
    with pytest.raises(InputError) as error:
        ask(**options)
    assert line in str(error.value) and server.seen == []
    assert not (tmp_path / "out.json").exists() and not (tmp_path / "facts.csv").exists()
