"""One loop in which any system answers dialogues: belief, database, act, response, turn after turn.

All dialogues are at the same turn, so that a system answers them in batches. What a system reads of the past
is gold, or what it has said itself; the switches of the released codes say where the annotation helps it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from workflow_scripts.language_models.texts import NO_BOOKING
from workflow_scripts.multiwoz.belief import State, active_domains
from workflow_scripts.multiwoz.data import Dialogue, Turn
from workflow_scripts.multiwoz.database import Database
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.outputs import Output, Outputs
from workflow_scripts.responders.serialise import (
    act_text,
    booking_text,
    counts_of,
    found_text,
    plain,
    values_marked,
)

History = Literal["gold", "generated"]


@dataclass(frozen=True)
class Exchange:
    """A turn that is over, as a system may read it."""

    user: str
    state: State
    # How much the database has, and whether something is booked.
    found: str
    booking: str
    act: str
    response: str
    # The response with its values, which is known of gold ones only.
    words: str


@dataclass
class Session:
    """A dialogue in which the user has said something, and what is known by then."""

    past: list[Exchange]
    user: str
    state: State = field(default_factory=dict)
    found: str = ""
    booking: str = NO_BOOKING
    # How many rows the database has for each domain of the state.
    counts: dict[str, int] = field(default_factory=dict)
    # The id of the dialogue, by which a system may keep what it knows beside the state.
    dialogue: str = ""

    @property
    def before(self) -> State:
        """The state after the turn before."""
        return self.past[-1].state if self.past else {}


class System(Protocol):
    """What answers dialogues."""

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after what each user has said."""

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """Act and delexicalised response, when state, database and booking are known."""


def gold_sessions(dialogue: Dialogue, database: Database) -> list[tuple[Session, Exchange]]:
    """Each turn of a dialogue with all that is annotated: what is known, and what is said then."""
    states = [plain_state(turn.state) for turn in dialogue.turns]
    about = active_domains(states)
    past: list[Exchange] = []
    sessions = []
    booked: frozenset[str] = frozenset()
    for turn, state, domains in zip(dialogue.turns, states, about, strict=True):
        found = found_text(domains[0] if domains else "", state, database)
        session = Session(list(past), plain(turn.user), state, found, booking_text(booked, turn))
        session.counts = counts_of(state, database)
        exchange = ended(session, act_text(turn), values_marked(delexicalise(turn)), turn)
        sessions.append((session, exchange))
        past.append(exchange)
        booked = turn.booked
    return sessions


def ended(session: Session, act: str, response: str, turn: Turn) -> Exchange:
    """What a session is when its system has answered."""
    words = plain(turn.system)
    return Exchange(session.user, session.state, session.found, session.booking, act, response, words)


def plain_state(state: State) -> State:
    """A state in the letters that models read and write."""
    return {domain: {slot: plain(text) for slot, text in slots.items()} for domain, slots in state.items()}


def rollout(
    system: System,
    dialogues: Sequence[Dialogue],
    database: Database,
    *,
    history: History,
    oracle_domain: bool,
    oracle_booking: bool,
) -> Iterator[Outputs]:
    """Let a system answer all turns of dialogues; yields the outputs so far after each turn.

    Its states are its own at each turn. With the history `gold` it reads, of the turns before, the gold
    responses and acts, and its own states; `generated`: its own words only. `oracle_domain` asks the database
    about the domain of the annotated turn instead of the one whose slots have changed in the system's states;
    `oracle_booking` tells whether something is booked in the turn, which nothing else could.
    """
    outputs: Outputs = {one.id: [] for one in dialogues}
    gold = {one.id: gold_sessions(one, database) for one in dialogues}
    about = {one.id: active_domains([session.state for session, _ in gold[one.id]]) for one in dialogues}
    past: dict[str, list[Exchange]] = {one.id: [] for one in dialogues}
    for number in range(max(len(one.turns) for one in dialogues)):
        live = [one for one in dialogues if number < len(one.turns)]
        sessions = [
            Session(list(past[one.id]), gold[one.id][number][0].user, dialogue=one.id) for one in live
        ]
        for session, state in zip(sessions, system.beliefs(sessions), strict=True):
            session.state = state
        for one, session in zip(live, sessions, strict=True):
            own = active_domains([*(exchange.state for exchange in session.past), session.state])[-1]
            domains = about[one.id][number] if oracle_domain else own
            session.found = found_text(domains[0] if domains else "", session.state, database)
            session.counts = counts_of(session.state, database)
            if oracle_booking:
                session.booking = gold[one.id][number][0].booking
        answers = system.answers(sessions)
        for one, session, (act, response) in zip(live, sessions, answers, strict=True):
            outputs[one.id].append(Output(response, session.state))
            real = gold[one.id][number][1]
            said = (real.act, real.response) if history == "gold" else (act, response)
            past[one.id].append(ended(session, *said, one.turns[number]))
        yield outputs
