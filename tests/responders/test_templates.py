"""The texts of systems: words for states, acts and databases, formats, and the loop of turns."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.multiwoz.small import database, turn
from workflow_scripts.config.dialogue import Decoding
from workflow_scripts.multiwoz.belief import State, apply, difference
from workflow_scripts.multiwoz.data import Dialogue, Turn
from workflow_scripts.multiwoz.outputs import Output
from workflow_scripts.multiwoz.schema import DOMAINS, INFORMABLE, placeholder_of
from workflow_scripts.multiwoz.words import words_of
from workflow_scripts.responders.natural import natural_response
from workflow_scripts.responders.respond import Answering, answered
from workflow_scripts.responders.serialise import (
    act_text,
    belief_of,
    belief_text,
    booking_text,
    found_text,
    values_marked,
)
from workflow_scripts.responders.sessions import Exchange, Session, gold_sessions, rollout
from workflow_scripts.responders.templates import TEMPLATES, Augpt, Mintl, Template, Ubar

VALUES = st.sampled_from(["centre", "king 's vale", "08:00", "dontcare", "2"])
STATES = st.dictionaries(
    st.sampled_from(DOMAINS),
    st.dictionaries(st.sampled_from(INFORMABLE), VALUES, min_size=1, max_size=4),
    max_size=3,
)


@given(STATES)
def test_a_state_comes_back_from_its_words(state):
    assert belief_of(belief_text(state)) == state


@given(STATES, STATES)
def test_a_change_that_is_written_and_read_leads_to_the_new_state(before, after):
    """MinTL writes only what has changed."""
    assert apply(belief_of(belief_text(difference(before, after))), before) == after
    exchange = Exchange("u", before, "", "", "", "", "")
    assert Mintl().belief_of(Session([exchange], "u"), belief_text(difference(before, after))) == after
    assert Mintl().belief_of(Session([], "u"), belief_text(difference({}, after))) == after


@given(st.lists(st.sampled_from([*INFORMABLE[:4], "[train]", "[x]", "a", "<none>", "]", "["])))
def test_any_words_are_a_change(words):
    found = belief_of(" ".join(words))
    assert all(slots and slot in INFORMABLE for slots in found.values() for slot in slots)


def test_acts_and_responses():
    acts = (
        ("train", "inform", "choice", "8"),
        ("train", "request", "leaveat", "?"),
        ("train", "inform", "day", "monday"),
        ("general", "bye", "none", "none"),
    )
    turn = Turn("u", "s", {}, frozenset(), acts, ())
    assert act_text(turn) == "[train] [inform] choice day [request] leaveat [general] [bye]"
    assert values_marked("[Name] is  at [address]") == "[value_name] is at [value_address]"
    fee = values_marked("the [entrance fee] is [price]")
    assert fee == "the [value_entrancefee] is [value_price]" and placeholder_of("value_entrancefee") == "FEE"
    assert (
        natural_response(fee) == "the [entrance fee] is [price]" and words_of(fee)[1] == "[value_entrancefee]"
    )


def test_what_the_database_has(tmp_path):
    known = database(tmp_path)
    states = {
        "[db_3]": {},
        "[db_2]": {"area": "centre"},
        "[db_1]": {"name": "kettle"},
        "[db_0]": {"area": "x"},
    }
    for text, slots in states.items():
        count = found_text("restaurant", {"restaurant": slots}, known)
        # Three rows are in the bucket of two and three.
        assert count == ("[db_2]" if text == "[db_3]" else text)
    assert found_text("train", {"train": {"leaveat": "10:00"}}, known) == "[db_1]"
    assert found_text("taxi", {}, known) == found_text("", {}, known) == "[db_nores]"


def test_bookings():
    booked = Turn("u", "s", {}, frozenset({"hotel"}), (), ())
    failed = Turn("u", "s", {}, frozenset(), (("booking", "nobook", "none", "none"),), ())
    assert booking_text(frozenset(), booked) == "[book_ok]"
    assert booking_text(booked.booked, booked) == "[book_nores]"
    assert booking_text(frozenset(), failed) == "[book_fail]"


def test_a_booking_is_told_in_the_turn_in_which_it_is_made(tmp_path):
    booked = [(), ("hotel",), ("hotel",), ("hotel", "train"), ("hotel", "train")]
    one = Dialogue("d", (), {}, tuple(turn(booked=domains) for domains in booked))
    marks = [session.booking for session, _ in gold_sessions(one, database(tmp_path))]
    assert marks == ["[book_nores]", "[book_ok]", "[book_nores]", "[book_ok]", "[book_nores]"]


def talk() -> Dialogue:
    north, booked = {"restaurant": {"area": "north"}}, {"restaurant": {"area": "north", "bookday": "friday"}}
    offer = (("restaurant", "recommend", "name", "kettle"),)
    first = Turn("A place in the north, please", "Try kettle.", north, frozenset(), offer, (("name", 4, 10),))
    last = Turn(
        "Book it for friday", "Done: X1.", booked, frozenset({"restaurant"}), (), (("reference", 6, 8),)
    )
    return Dialogue("d", ("restaurant",), {}, (first, last))


def test_formats(tmp_path):
    """As the systems' papers show them."""
    turns = gold_sessions(talk(), database(tmp_path))
    found = {name: form().examples(turns) for name, form in TEMPLATES.items()}
    (session,) = found["ubar"]
    assert session.source == ""
    assert session.target == (
        "<sos_u> a place in the north, please <eos_u> <sos_b> [restaurant] area north <eos_b>"
        " <sos_db> [db_1] <eos_db> <sos_a> [restaurant] [recommend] name <eos_a>"
        " <sos_r> try [value_name]. <eos_r>"
        " <sos_u> book it for friday <eos_u> <sos_b> [restaurant] area north bookday friday <eos_b>"
        " <sos_db> [db_1] <eos_db> <sos_a> <eos_a> <sos_r> done: [value_reference]. <eos_r>"
    )
    assert [(one.task, one.source, one.target) for one in found["mintl"][2:]] == [
        (
            task,
            "[restaurant] area north <eos_b> a place in the north, please <eos_u> try kettle. <eos_r>"
            " book it for friday <eos_u>",
            target,
        )
        for task, target in (
            ("belief", "[restaurant] bookday friday <eos_b>"),
            ("response", "[db_1+book_ok] done: [value_reference]. <eos_r>"),
        )
    ]
    context = "<sos_context> <sos_u> a place in the north, please <eos_u> <eos_context>"
    assert [(one.source, one.target) for one in found["pptod"][:3]] == [
        (f"translate dialogue to {task}: {context}{read}", target)
        for task, read, target in (
            ("belief state", "", "<sos_b> [restaurant] area north <eos_b>"),
            (
                "dialogue action",
                " <sos_db> [db_1] <eos_db>",
                "<sos_a> [restaurant] [recommend] name <eos_a>",
            ),
            (
                "system response",
                " <sos_db> [db_1] <eos_db>",
                "<sos_r> try [value_name]. <eos_r>",
            ),
        )
    ]


def test_augpt_says_first_what_the_turn_is_about():
    hotel = {"hotel": {"area": "north", "bookday": "friday"}}
    past = [Exchange("a hotel", hotel, "", "", "", "", "which one?")]
    session = Session(
        past, "a train", {**hotel, "train": {"leaveat": "08:00"}}, counts={"hotel": 1, "train": 0}
    )
    assert Augpt().response_prompt(session) == (
        "User : a hotel System : which one? User : a train"
        "=>Belief state : train {leave at = 08:00} hotel {area = north, book day = friday}<|eob|>"
        "DB : train no match , hotel 1 match<|eokb|>"
    )


class Taught:
    """In the place of a model: it has learnt the examples of a dialogue by heart, and notes its options."""

    models: Sequence[Any] = ()

    def __init__(self, form: Template, turns: Sequence[tuple[Session, Exchange]]) -> None:
        self.between = "" if isinstance(form, Augpt) else " "
        self.texts = [
            (one.task, f"{one.source}{self.between}{one.target}".strip()) for one in form.examples(turns)
        ]
        # A format with one text for both tasks.
        self.both = isinstance(form, Ubar | Augpt)
        self.options: list[tuple[int, dict[str, int]]] = []

    def write(
        self,
        task: str,
        prompts: Sequence[str],
        end: str,
        limit: int,
        *,
        starts: Sequence[str] | None,
        begin: str,
        **options: int,
    ) -> list[str]:
        """What comes behind each prompt, up to the end."""
        self.options.append((limit, options))
        found = []
        for place, prompt in enumerate(prompts):
            parts = [prompt, begin, starts[place] if starts else ""]
            head = " ".join(part for part in parts if part) + self.between
            if self.between == "" and task == "belief":
                head += "=>"
            (rest,) = (
                text.removeprefix(head)
                for of, text in self.texts
                if text.startswith(head) and (self.both or of == task)
            )
            found.append(rest.partition(end)[0].strip())
        return found


@pytest.mark.parametrize("name", TEMPLATES)
def test_who_has_learnt_a_dialogue_by_heart_answers_as_it_does(tmp_path, name):
    """Its own states and acts are what it reads of the turns before."""
    form, turns = TEMPLATES[name](), gold_sessions(talk(), database(tmp_path))
    model: Any = Taught(form, turns)
    decoding = Decoding(
        **{"history": "generated", "oracle_domain": False, "oracle_booking": True, "max_context": 400},
        **{"max_belief": 50, "max_response": 60, "batch_size": 8},
    )
    found = answered(Answering(model, form, decoding), [talk()], database(tmp_path), decoding)
    natural = natural_response if name == "augpt" else str
    assert found == {
        "d": [Output(natural(exchange.response), session.state) for session, exchange in turns],
    }
    options = {"longest": 400, "batch_size": 8}
    assert model.options == [(limit, options) for _ in turns for limit in (50, 60)]


@pytest.mark.parametrize(("name", "first"), [("mintl", 7), ("augpt", 2)])
def test_how_many_turns_are_read(name, first):
    """MinTL reads two before this one, AuGPT fifteen utterances with the user's last one."""
    past = [Exchange(f"u{n}", {}, "", "", "", "", f"s{n}") for n in range(9)]
    prompt = TEMPLATES[name]().belief_prompt(Session(past, "u9"))
    said = [text for n in range(first, 9) for text in (f"u{n}", f"s{n}")]
    assert re.findall(r"\b[us]\d\b", prompt) == [*said, "u9"]


class Perfect:
    """Writes what a format teaches, and keeps what it was given."""

    def __init__(self, template: Template, dialogue: Dialogue, folder: Path, *, wrong: bool = False) -> None:
        self.template, self.gold = template, gold_sessions(dialogue, database(folder))
        self.wrong = wrong
        self.seen: list[Session] = []

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        (session,) = sessions
        return [{} if self.wrong else self.gold[len(session.past)][0].state]

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        (session,) = sessions
        self.seen.append(session)
        return [("[own]", "own") if self.wrong else self._gold(session)]

    def _gold(self, session: Session) -> tuple[str, str]:
        exchange = self.gold[len(session.past)][1]
        return exchange.act, exchange.response


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_system_reads_in_a_rollout_what_it_has_learnt_from(tmp_path, name):
    """If it has made no mistake, prompt by prompt."""
    form = TEMPLATES[name]()  # type: ignore[index]
    system = Perfect(form, talk(), tmp_path)
    switches = {"history": "generated", "oracle_domain": False, "oracle_booking": True}
    *_, outputs = rollout(system, [talk()], database(tmp_path), **switches)  # type: ignore[arg-type]
    for (gold, exchange), session, output in zip(system.gold, system.seen, outputs["d"], strict=True):
        assert (form.belief_prompt(session), form.response_prompt(session)) == (
            form.belief_prompt(gold),
            form.response_prompt(gold),
        )
        assert (output.response, output.state) == (exchange.response, gold.state)


def test_switches_of_a_rollout(tmp_path):
    def seen(**switches: object) -> list[Session]:
        system = Perfect(Mintl(), talk(), tmp_path, wrong=True)
        list(rollout(system, [talk()], database(tmp_path), **switches))  # type: ignore[arg-type]
        return system.seen

    helped = seen(history="gold", oracle_domain=True, oracle_booking=True)
    assert helped[1].past[0].response == "try [value_name]." and helped[1].past[0].state == {}
    assert [one.booking for one in helped] == ["[book_nores]", "[book_ok]"]
    # Everything in the database, since its own state asks for nothing.
    assert helped[1].found == "[db_2]"
    alone = seen(history="generated", oracle_domain=False, oracle_booking=False)
    assert alone[1].past[0].response == "own" and alone[1].past[0].act == "[own]"
    assert (alone[1].booking, alone[1].found) == ("[book_nores]", "[db_nores]")
