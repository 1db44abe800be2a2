"""The format in which each system writes a dialogue for its language model and parses the output.

The formats are those of UBAR (Yang et al., 2021), PPTOD (Su et al., 2022), MinTL (Lin et al., 2020) and AuGPT
(Kulhánek et al., 2021).
"""

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

    # 1: one decoder for both tasks; 2: one for each.
    decoders: int
    # The token that ends a text of each task.
    ends: dict[Task, str]
    # A decoder's first input token, where it differs from the model's configuration.
    begins: dict[Task, str]

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The strings that must each be one piece of the vocabulary to learn these texts."""

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """The training examples of a dialogue."""

    def belief_prompt(self, session: Session) -> str:
        """The text the model reads before it writes a belief."""

    def belief_of(self, session: Session, written: str) -> State:
        """The state in the text the model has written."""

    def response_prompt(self, session: Session) -> str:
        """The text the model reads before it writes act and response."""

    def response_start(self, session: Session) -> str:
        """The token that act and response begin with, if it is fixed; otherwise an empty string."""

    def answer_of(self, written: str) -> tuple[str, str]:
        """Act and response in the text the model has written."""


def _part(name: str, text: str) -> str:
    return f"<sos_{name}> {text} <eos_{name}>" if text else f"<sos_{name}> <eos_{name}>"


class Marked:
    """The base of all formats that put their parts between marks."""

    ends = ENDS
    begins: dict[Task, str] = {}  # noqa: RUF012

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The marks of all these formats, and all words in brackets."""
        return pieces(texts)


class Ubar(Marked):
    """UBAR: a session is one text, with the system's database results and words; every token is learnt."""

    decoders = 1

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """One text: the whole dialogue."""
        return [Example("response", "", self._past([exchange for _, exchange in turns]))]

    def belief_prompt(self, session: Session) -> str:
        """The previous turns and the user's words."""
        return f"{self._past(session.past)} {_part('u', session.user)} <sos_b>".strip()

    def belief_of(self, session: Session, written: str) -> State:
        """The whole state."""
        return apply(belief_of(written), {})

    def response_prompt(self, session: Session) -> str:
        """The belief prompt, then belief and database."""
        known = f"{belief_text(session.state)} <eos_b> {_part('db', session.found)}"
        return f"{self.belief_prompt(session)} {known} <sos_a>"

    def response_start(self, session: Session) -> str:
        """Empty: no token is fixed."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """Act and response; both empty if the act does not end, as in the released code."""
        act, end, rest = written.partition("<eos_a>")
        return (act.strip(), rest.replace("<sos_r>", "").strip()) if end else ("", "")

    def _past(self, exchanges: Sequence[Exchange]) -> str:
        return " ".join(
            " ".join(
                (
                    _part("u", exchange.user),
                    _part("b", belief_text(exchange.state)),
                    _part("db", exchange.found),
                    _part("a", exchange.act),
                    _part("r", exchange.response),
                )
            )
            for exchange in exchanges
        )


class Pptod(Marked):
    """PPTOD: three tasks of one encoder-decoder, distinguished by a prefix of the dialogue."""

    decoders = 1

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """Belief, act and response of each turn."""
        examples = []
        for session, exchange in turns:
            belief = _part("b", belief_text(session.state))
            examples.append(Example("belief", self.belief_prompt(session), belief))
            act = self._prompt("dialogue action", session)
            examples.append(Example("response", act, _part("a", exchange.act)))
            response = _part("r", exchange.response)
            examples.append(Example("response", self.response_prompt(session), response))
        return examples

    def belief_prompt(self, session: Session) -> str:
        """The words of user and system."""
        return f"translate dialogue to belief state: {self._context(session)}"

    def belief_of(self, session: Session, written: str) -> State:
        """The whole state."""
        return apply(belief_of(written.replace("<sos_b>", "")), {})

    def response_prompt(self, session: Session) -> str:
        """The same words and the database; the response does not depend on an act."""
        return self._prompt("system response", session)

    def response_start(self, session: Session) -> str:
        """Empty: no token is fixed."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response, with no act."""
        return "", written.replace("<sos_r>", "").strip()

    def _prompt(self, task: str, session: Session) -> str:
        return f"translate dialogue to {task}: {self._context(session)} {_part('db', session.found)}"

    def _context(self, session: Session) -> str:
        said = [f"{_part('u', exchange.user)} {_part('r', exchange.response)}" for exchange in session.past]
        return _part("context", " ".join([*said, _part("u", session.user)]))


# DAMD's names of state slots (in all domains or in one) and of placeholders, where they differ from ours.
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

    The mark of a task is the decoder's first input; slots and placeholders have DAMD's names, and
    punctuation is split off.
    """

    begins: dict[Task, str] = {"belief": "<sos_b>", "response": "<sos_r>"}  # noqa: RUF012

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The marks, whatever the texts are: the checkpoint's vocabulary has them."""
        return [f"<{side}_{part}>" for part in ("u", "r", "b", "db", "context") for side in ("sos", "eos")]

    def belief_of(self, session: Session, written: str) -> State:
        """The whole state, in our names."""
        words, domain = [], ""
        for word in written.split():
            if word[1:-1] in DOMAINS:
                domain = word[1:-1]
            words.append(ITS_SLOTS.get(f"{domain} {word}", ITS_SLOTS.get(word, word)))
        return apply(belief_of(" ".join(words)), {})

    def _context(self, session: Session) -> str:
        said = [
            f"{_part('u', _apart(exchange.user))} {_part('r', _its(exchange.response))}"
            for exchange in session.past
        ]
        return _part("context", " ".join([*said, _part("u", _apart(session.user))]))


def _apart(text: str) -> str:
    """Words and punctuation, separated by spaces."""
    return " ".join(words_of(text))


def _its(response: str) -> str:
    """A response with DAMD's names of placeholders."""

    def name(match: re.Match[str]) -> str:
        ours = placeholder_of(match[1]).lower()
        return f"[value_{ITS_PLACEHOLDERS.get(ours, ours)}]" if ours else match[0]

    return IN_BRACKETS.sub(name, _apart(response))


class Mintl(Marked):
    """MinTL: one decoder writes the change of the state, another the response, from the same encoder."""

    decoders = 2

    # How many previous turns are read, with the system's undelexicalised words.
    window = 2

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """The change of the state and the response of each turn."""
        examples = []
        for session, exchange in turns:
            change = belief_text(difference(session.before, session.state))
            examples.append(Example("belief", self.belief_prompt(session), f"{change} <eos_b>".strip()))
            response = f"{self.response_start(session)} {exchange.response} <eos_r>"
            examples.append(Example("response", self.response_prompt(session), response))
        return examples

    def belief_prompt(self, session: Session) -> str:
        """The previous state, the last turns with their values, and the user's words."""
        past = session.past[-self.window :]
        said = " ".join(f"{exchange.user} <eos_u> {exchange.words} <eos_r>" for exchange in past)
        return f"{belief_text(session.before)} <eos_b> {said} {session.user} <eos_u>".strip()

    def belief_of(self, session: Session, written: str) -> State:
        """The previous state with the written change."""
        return apply(belief_of(written), session.before)

    def response_prompt(self, session: Session) -> str:
        """The belief prompt: the database result is the first token of the response."""
        return self.belief_prompt(session)

    def response_start(self, session: Session) -> str:
        """The token of the database result and the booking."""
        return start_of(session.found, session.booking)

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response, with no act."""
        return "", written.strip()


class Augpt:
    """AuGPT: the dialogue as people see it; belief and counts in plain words, values as words in brackets.

    `consistency` describes the loss of the texts of `examples` and of their corrupted twins.
    """

    decoders = 1
    ends = ENDS_IN_WORDS
    begins: dict[Task, str] = {}  # noqa: RUF012

    # The number of utterances read, the user's last one included, and of tokens.
    window, longest = 15, 500

    def pieces(self, texts: Iterable[str]) -> list[str]:
        """The three marks; placeholders are words."""
        return [BEGIN, END_OF_BELIEF, COUNTED]

    def examples(self, turns: Sequence[tuple[Session, Exchange]]) -> list[Example]:
        """Belief, counts and response of each turn after its context."""
        examples = []
        for session, exchange in turns:
            context = self.belief_prompt(session)
            written = self.response_prompt(session).removeprefix(context)
            target = f"{written}{natural_response(exchange.response)}{END}"
            examples.append(Example("response", context, target))
        return examples

    def belief_prompt(self, session: Session) -> str:
        """The words of user and system, with their values."""
        past = session.past[-(self.window // 2) :]
        said = [f"User : {exchange.user} System : {exchange.words}" for exchange in past]
        return " ".join([*said, f"User : {session.user}"])

    def belief_of(self, session: Session, written: str) -> State:
        """The whole state."""
        return belief_in(written)

    def response_prompt(self, session: Session) -> str:
        """The belief prompt, then belief and counts, with the domain that the turn is about first."""
        states = [*(exchange.state for exchange in session.past), session.state]
        about = "".join(active_domains(states)[-1])
        belief, counts = natural_belief(session.state, about), counts_text(session.counts, about)
        known = f"{NATURAL_BELIEF}{belief}{END_OF_BELIEF}DB : {counts}{COUNTED}"
        return f"{self.belief_prompt(session)}{known}"

    def response_start(self, session: Session) -> str:
        """Empty: no token is fixed."""
        return ""

    def answer_of(self, written: str) -> tuple[str, str]:
        """The response, with no act."""
        return "", written.strip()


TEMPLATES: dict[Name, type[Template]] = {
    **{"ubar": Ubar, "pptod": Pptod, "mintl": Mintl, "augpt": Augpt},
    "pptod_released": PptodReleased,
}
