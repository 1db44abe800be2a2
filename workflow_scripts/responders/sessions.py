"""One loop in which any system answers dialogues: belief, database, act, response, turn by turn.

All dialogues are at the same turn, so that a system answers them in batches. The history that a system reads
is gold, or its own words; the oracle switches, as in the released codes, say where the annotation helps it.
"""

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
    """A finished turn, as a system may read it."""

    user: str
    state: State
    # Tokens: how many rows the database has, and whether something is booked.
    found: str
    booking: str
    act: str
    response: str
    # The annotated response with its values.
    words: str


@dataclass
class Session:
    """A dialogue after a user's utterance, with the system's knowledge at that point."""

    past: list[Exchange]
    user: str
    state: State = field(default_factory=dict)
    found: str = ""
    booking: str = NO_BOOKING
    # How many rows the database has for each domain of the state.
    counts: dict[str, int] = field(default_factory=dict)
    # The dialogue's id, under which a system may keep data besides the state.
    dialogue: str = ""

    @property
    def before(self) -> State:
        """The state after the previous turn."""
        return self.past[-1].state if self.past else {}


class System(Protocol):
    """A dialogue system."""

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after each user's words."""

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """Act and delexicalised response, given state, database and booking."""


def gold_sessions(dialogue: Dialogue, database: Database) -> list[tuple[Session, Exchange]]:
    """Each turn of a dialogue as annotated: the session after the user's words, and the finished turn."""
    states = [plain_state(turn.state) for turn in dialogue.turns]
    about = active_domains(states)
    past: list[Exchange] = []
    sessions = []
    booked: frozenset[str] = frozenset()
    for turn, state, domains in zip(dialogue.turns, states, about, strict=True):
        matches = found_text(domains[0] if domains else "", state, database)
        session = Session(list(past), plain(turn.user), state, matches, booking_text(booked, turn))
        session.counts = counts_of(state, database)
        exchange = ended(session, act_text(turn), values_marked(delexicalise(turn)), turn)
        sessions.append((session, exchange))
        past.append(exchange)
        booked = turn.booked
    return sessions


def ended(session: Session, act: str, response: str, turn: Turn) -> Exchange:
    """The exchange of a session whose system has answered."""
    words = plain(turn.system)
    return Exchange(session.user, session.state, session.found, session.booking, act, response, words)


def plain_state(state: State) -> State:
    """A state in the lower-case text that models read and write."""
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

    Its states are its own at each turn. With the history `gold` it reads the gold acts and responses of
    previous turns and its own states; with `generated`, only its own output. `oracle_domain` asks the
    database about the domain of the annotated turn instead of the domain whose slots have changed in the
    system's states; `oracle_booking` tells the system whether something is booked in the turn, which it
    cannot learn otherwise.
    """
    outputs: Outputs = {dialogue.id: [] for dialogue in dialogues}
    gold = {dialogue.id: gold_sessions(dialogue, database) for dialogue in dialogues}
    about = {
        dialogue.id: active_domains([session.state for session, _ in gold[dialogue.id]])
        for dialogue in dialogues
    }
    past: dict[str, list[Exchange]] = {dialogue.id: [] for dialogue in dialogues}
    for number in range(max(len(dialogue.turns) for dialogue in dialogues)):
        live = [dialogue for dialogue in dialogues if number < len(dialogue.turns)]
        sessions = [
            Session(list(past[dialogue.id]), gold[dialogue.id][number][0].user, dialogue=dialogue.id)
            for dialogue in live
        ]
        for session, state in zip(sessions, system.beliefs(sessions), strict=True):
            session.state = state
        for dialogue, session in zip(live, sessions, strict=True):
            predicted = active_domains([*(exchange.state for exchange in session.past), session.state])[-1]
            domains = about[dialogue.id][number] if oracle_domain else predicted
            session.found = found_text(domains[0] if domains else "", session.state, database)
            session.counts = counts_of(session.state, database)
            if oracle_booking:
                session.booking = gold[dialogue.id][number][0].booking
        answers = system.answers(sessions)
        for dialogue, session, (act, response) in zip(live, sessions, answers, strict=True):
            outputs[dialogue.id].append(Output(response, session.state))
            real = gold[dialogue.id][number][1]
            said = (real.act, real.response) if history == "gold" else (act, response)
            past[dialogue.id].append(ended(session, *said, dialogue.turns[number]))
        yield outputs
