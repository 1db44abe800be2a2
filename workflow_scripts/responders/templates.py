"""How each system writes a dialogue for its language model, and reads what the model writes.

The formats are those of UBAR (Yang et al., 2021), PPTOD (Su et al., 2022), MinTL (Lin et al., 2020) and AuGPT
(Kulhánek et al., 2021).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from workflow_scripts.language_models.texts import (
    BEGIN,
    COUNTED,
    END,
    END_OF_BELIEF,
    ENDS,
    Example,
    Task,
    pieces,
    start_of,
)
from workflow_scripts.multiwoz.belief import State, active_domains, apply, difference
from workflow_scripts.multiwoz.schema import DOMAINS, placeholder_of
from workflow_scripts.multiwoz.words import words_of
from workflow_scripts.responders.natural import belief_in, counts_text, natural_belief, natural_response
from workflow_scripts.responders.serialise import IN_BRACKETS, belief_of, belief_text
from workflow_scripts.responders.sessions import Exchange, Session

Name = Literal["ubar", "pptod", "mintl", "augpt", "pptod_released"]
ENDS_IN_WORDS: dict[Task, str] = {"belief": END_OF_BELIEF, "response": END}
NATURAL_BELIEF = f"{BEGIN}Belief state : "


class Template(Protocol):
    """The format of a system."""

    # One for both tasks, or one for each.
    decoders: int
    # What ends a text of each task.
    ends: dict[Task, str]
    # What a decoder reads before it writes, where it is not what the model's configuration says.
    begins: dict[Task, str]

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """What has to be one piece of the vocabulary, when these texts are learnt."""

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """What a dialogue teaches."""

    def belief_prompt(self, session: Session) -> str:
        """What the model reads before it writes a belief."""

    def belief_of(self, session: Session, written: str) -> State:
        """The state that it has written."""

    def response_prompt(self, session: Session) -> str:
        """What it reads before it writes act and response."""

    def response_start(self, session: Session) -> str:
        """The token with which what it writes then begins, if it is known; else nothing."""

    def answer_of(self, written: str) -> tuple[str, str]:
        """Act and response that it has written."""


def _part(name: str, text: str) -> str:
    return f"<sos_{name}> {text} <eos_{name}>" if text else f"<sos_{name}> <eos_{name}>"


class Marked:
    """What the formats have in common whose parts stand between marks."""

    ends = ENDS
    begins: dict[Task, str] = {}  # noqa: RUF012

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The marks of all these formats, and what stands in brackets."""
        return pieces(texts)


class Ubar(Marked):
    """UBAR: a session is one text, with all that the system has found and said; every token is learnt."""

    decoders = 1

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """One text."""
        return [Example("response", "", self._past([exchange for _, exchange in turns]))]

    def belief_prompt(self, session: Session) -> str:
        """The past, and the user's words."""
        return f"{self._past(session.past)} {_part('u', session.user)} <sos_b>".strip()

    def belief_of(self, session: Session, written: str) -> State:
        """All of the state."""
        return apply(belief_of(written), {})

    def response_prompt(self, session: Session) -> str:
        """The same, with belief and database."""
        known = f"{belief_text(session.state)} <eos_b> {_part('db', session.found)}"
        return f"{self.belief_prompt(session)} {known} <sos_a>"

    def response_start(self, session: Session) -> str:
        """Nothing is known."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """Act and response; nothing where the act does not end, as in the released code."""
        act, end, rest = written.partition("<eos_a>")
        return (act.strip(), rest.replace("<sos_r>", "").strip()) if end else ("", "")

    def _past(self, exchanges: Sequence[Exchange]) -> str:
        return " ".join(
            " ".join(
                (
                    _part("u", one.user),
                    _part("b", belief_text(one.state)),
                    _part("db", one.found),
                    _part("a", one.act),
                    _part("r", one.response),
                )
            )
            for one in exchanges
        )


class Pptod(Marked):
    """PPTOD: three tasks of one encoder-decoder, told apart by what stands before the dialogue."""

    decoders = 1

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """Belief, act and response of each turn."""
        found = []
        for session, exchange in turns:
            belief = _part("b", belief_text(session.state))
            found.append(Example("belief", self.belief_prompt(session), belief))
            act = self._prompt("dialogue action", session)
            found.append(Example("response", act, _part("a", exchange.act)))
            response = _part("r", exchange.response)
            found.append(Example("response", self.response_prompt(session), response))
        return found

    def belief_prompt(self, session: Session) -> str:
        """What both have said."""
        return f"translate dialogue to belief state: {self._context(session)}"

    def belief_of(self, session: Session, written: str) -> State:
        """All of the state."""
        return apply(belief_of(written.replace("<sos_b>", "")), {})

    def response_prompt(self, session: Session) -> str:
        """The same, and the database; the response does not depend on an act."""
        return self._prompt("system response", session)

    def response_start(self, session: Session) -> str:
        """Nothing is known."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response."""
        return "", written.replace("<sos_r>", "").strip()

    def _prompt(self, task: str, session: Session) -> str:
        return f"translate dialogue to {task}: {self._context(session)} {_part('db', session.found)}"

    def _context(self, session: Session) -> str:
        said = [f"{_part('u', one.user)} {_part('r', one.response)}" for one in session.past]
        return _part("context", " ".join([*said, _part("u", session.user)]))


# DAMD's names of slots of states, in all domains or in one, and of placeholders, where they are others.
ITS_SLOTS = {
    **{
        "leave": "leaveat",
        "arrive": "arriveby",
        "people": "bookpeople",
        "stay": "bookstay",
        "time": "booktime",
    },
    **{f"{domain} day": "bookday" for domain in ("hotel", "restaurant")},
}
ITS_PLACEHOLDERS = {
    **{"post": "postcode", "fee": "price", "trainid": "id", "openhours": "open", "duration": "time"},
}


class PptodReleased(Pptod):
    """PPTOD as the authors' weights read and write it.

    The mark of a task is the first thing that the decoder reads; slots and placeholders have DAMD's names,
    and punctuation stands apart.
    """

    begins: dict[Task, str] = {"belief": "<sos_b>", "response": "<sos_r>"}  # noqa: RUF012

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The marks, whatever the texts are: they are in the weights' vocabulary."""
        return [f"<{side}_{part}>" for part in ("u", "r", "b", "db", "context") for side in ("sos", "eos")]

    def belief_of(self, session: Session, written: str) -> State:
        """All of the state, in our names."""
        words, domain = [], ""
        for word in written.split():
            if word[1:-1] in DOMAINS:
                domain = word[1:-1]
            words.append(ITS_SLOTS.get(f"{domain} {word}", ITS_SLOTS.get(word, word)))
        return apply(belief_of(" ".join(words)), {})

    def _context(self, session: Session) -> str:
        said = [f"{_part('u', _apart(one.user))} {_part('r', _its(one.response))}" for one in session.past]
        return _part("context", " ".join([*said, _part("u", _apart(session.user))]))


def _apart(text: str) -> str:
    """Words and punctuation with spaces between them."""
    return " ".join(words_of(text))


def _its(response: str) -> str:
    """A response in DAMD's names of placeholders."""

    def name(found: re.Match[str]) -> str:
        ours = placeholder_of(found[1]).lower()
        return f"[value_{ITS_PLACEHOLDERS.get(ours, ours)}]" if ours else found[0]

    return IN_BRACKETS.sub(name, _apart(response))


class Mintl(Marked):
    """MinTL: what changes in the state, by one decoder; the response, by another, from the same encoder."""

    decoders = 2

    # The turns before this one that are read, with the system's own words.
    window = 2

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """The change of the state and the response of each turn."""
        found = []
        for session, exchange in turns:
            change = belief_text(difference(session.before, session.state))
            found.append(Example("belief", self.belief_prompt(session), f"{change} <eos_b>".strip()))
            response = f"{self.response_start(session)} {exchange.response} <eos_r>"
            found.append(Example("response", self.response_prompt(session), response))
        return found

    def belief_prompt(self, session: Session) -> str:
        """The state of before, the last turns with their values, and what the user says."""
        past = session.past[-self.window :]
        said = " ".join(f"{one.user} <eos_u> {one.words} <eos_r>" for one in past)
        return f"{belief_text(session.before)} <eos_b> {said} {session.user} <eos_u>".strip()

    def belief_of(self, session: Session, written: str) -> State:
        """The state of before with what has changed."""
        return apply(belief_of(written), session.before)

    def response_prompt(self, session: Session) -> str:
        """The same as for the belief: the database is the first token of the response."""
        return self.belief_prompt(session)

    def response_start(self, session: Session) -> str:
        """Database and booking."""
        return start_of(session.found, session.booking)

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response."""
        return "", written.strip()


class Augpt:
    """AuGPT: the dialogue as people see it; belief and counts in plain words, values as words in brackets.

    What a text of `examples` teaches, and beside which corrupted ones, says `consistency`.
    """

    decoders = 1
    ends = ENDS_IN_WORDS
    begins: dict[Task, str] = {}  # noqa: RUF012

    # The utterances, the user's last one among them, and the tokens that are read.
    window, longest = 15, 500

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The three marks; placeholders are words."""
        return [BEGIN, END_OF_BELIEF, COUNTED]

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """Belief, counts and response of each turn behind its context."""
        found = []
        for session, exchange in turns:
            context = self.belief_prompt(session)
            written = self.response_prompt(session).removeprefix(context)
            target = f"{written}{natural_response(exchange.response)}{END}"
            found.append(Example("response", context, target))
        return found

    def belief_prompt(self, session: Session) -> str:
        """What both have said, with its values."""
        past = session.past[-(self.window // 2) :]
        said = [f"User : {one.user} System : {one.words}" for one in past]
        return " ".join([*said, f"User : {session.user}"])

    def belief_of(self, session: Session, written: str) -> State:
        """All of the state."""
        return belief_in(written)

    def response_prompt(self, session: Session) -> str:
        """The same, with belief and counts; the domain that the turn is about comes first."""
        states = [*(one.state for one in session.past), session.state]
        about = "".join(active_domains(states)[-1])
        belief, counts = natural_belief(session.state, about), counts_text(session.counts, about)
        known = f"{NATURAL_BELIEF}{belief}{END_OF_BELIEF}DB : {counts}{COUNTED}"
        return f"{self.belief_prompt(session)}{known}"

    def response_start(self, session: Session) -> str:
        """Nothing is known."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response."""
        return "", written.strip()


TEMPLATES: dict[Name, type[Template]] = {
    **{"ubar": Ubar, "pptod": Pptod, "mintl": Mintl, "augpt": Augpt},
    "pptod_released": PptodReleased,
}
