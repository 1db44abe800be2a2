"""LABES as a system: how it reads and writes dialogues, and the values it keeps from turn to turn."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from workflow_scripts.config.dialogue import RecurrentDecoding
from workflow_scripts.core.files import chunks
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.responders.copying import Source, matrix
from workflow_scripts.responders.damd import pointer_of
from workflow_scripts.responders.labes import VALUE, Labes, LabesDialogue, LabesTurn, Values, end_of
from workflow_scripts.responders.lexicon import ENDS, PAD, Lexicon
from workflow_scripts.responders.serialise import IN_BRACKETS
from workflow_scripts.responders.sessions import Exchange, Session

NAME = "value_name"


class LabesFormat:
    """The formats in which LABES reads and writes dialogues."""

    def __init__(self, lexicon: Lexicon) -> None:
        """`lexicon`: the words and the slots."""
        self.words, self.slots = lexicon.words, lexicon.slots
        self.ends = [self.words.number(end_of(*slot)) for slot in lexicon.slots]

    def user(self, session: Session) -> list[int]:
        """The previous response, with names in place of their placeholders, and the user's words."""
        said = self.words.numbers(named(session.past[-1]), ENDS["response"]) if session.past else []
        return [*said, *self.words.numbers(session.user, ENDS["user"])]

    def values(self, state: State) -> list[list[int]]:
        """The last words of the value of each slot, and its end token."""
        return [
            [*self.words.numbers(state.get(domain, {}).get(slot, "")), end][-VALUE:]
            for (domain, slot), end in zip(self.slots, self.ends, strict=True)
        ]

    def state(self, values: Sequence[int]) -> State:
        """The state in the words of all slots; a slot with an empty value is left out."""
        state: State = {}
        for number, ((domain, slot), end) in enumerate(zip(self.slots, self.ends, strict=True)):
            written = []
            for word in values[number * VALUE : (number + 1) * VALUE]:
                if word in (end, PAD):
                    break
                written.append(self.words.names[word])
            if written:
                state.setdefault(domain, {})[slot] = " ".join(written)
        return state

    def examples(self, dialogues: Sequence[Sequence[tuple[Session, Exchange]]]) -> list[LabesDialogue]:
        """Whole dialogues, since a turn copies from the previous turn."""
        return [
            LabesDialogue(
                [
                    LabesTurn(
                        self.user(session),
                        pointer_of(session),
                        self.values(session.state),
                        self.words.numbers(exchange.response, ENDS["response"]),
                    )
                    for session, exchange in dialogue
                ]
            )
            for dialogue in dialogues
        ]


def named(exchange: Exchange) -> str:
    """A delexicalised response with the names of its words, unchanged if it does not match these words.

    The text between two placeholders is searched for once, from left to right.
    """
    parts = IN_BRACKETS.split(exchange.response)
    between, names = parts[::2], parts[1::2]
    words = exchange.words
    if not words.startswith(between[0]):
        return exchange.response
    filled, place = between[0], len(between[0])
    for number, (name, text) in enumerate(zip(names, between[1:], strict=True), 2):
        if number == len(between):
            after = len(words) - len(text) if words.endswith(text) else -1
        else:
            after = words.find(text, place + 1)
        if after <= place:
            return exchange.response
        filled += (words[place:after] if name == NAME else f"[{name}]") + text
        place = after + len(text)
    return filled


class Kept(NamedTuple):
    """The values of one dialogue; states and distributions only of places that contain a word."""

    words: Tensor
    states: Tensor
    distributions: Tensor


class LabesSystem:
    """LABES as a system: greedy, in batches of dialogues."""

    def __init__(self, network: Labes, form: LabesFormat, decoding: RecurrentDecoding) -> None:
        """`decoding`: how long a response may be."""
        self.network, self.form, self.decoding = network.eval(), form, decoding
        # The values of the previous turn, by dialogue; user, last state and values of this turn, by batch.
        self._before: dict[str, Kept] = {}
        self._read: list[tuple[Source, Tensor, Values]] = []

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after each user's words."""
        self._read, beliefs = [], []
        with torch.inference_mode():
            for part in chunks(sessions, self.decoding.batch_size):
                said = matrix(
                    [self.form.user(session) for session in part], self.network.embedding.weight.device
                )
                user, last = self.network.encode(self.network.users, said)
                values = self.network.believe(user, last, self._values_before(part), self.form.words)
                self._read.append((user, last, values))
                beliefs += [self.form.state(words) for words in values.source.words.tolist()]
                for session, words, states, distributions in zip(
                    part, values.source.words, values.source.states, values.distributions, strict=True
                ):
                    is_word = words != PAD
                    self._before[session.dialogue] = Kept(words, states[is_word], distributions[is_word])
        return beliefs

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """The response of each of the same sessions, given state, database and booking; acts are empty."""
        responses: list[tuple[str, str]] = []
        batches = chunks(sessions, self.decoding.batch_size)
        with torch.inference_mode():
            for part, (user, last, values) in zip(batches, self._read, strict=True):
                pointer = last.new_tensor([pointer_of(session) for session in part])
                limit = self.decoding.max_response
                rows = self.network.answer(user, last, values, pointer, self.form.words, limit)
                responses += [("", self.form.words.text(row)) for row in rows.tolist()]
        return responses

    def _values_before(self, sessions: Sequence[Session]) -> Values:
        """The values written at the previous turn, as one batch."""
        values = self.network.nothing(len(sessions), len(self.form.words.names))
        for row, session in enumerate(sessions):
            if session.past:
                words, states, distributions = self._before[session.dialogue]
                is_word = words != PAD
                values.source.words[row] = words
                values.source.states[row, is_word] = states
                # Words first read since then had no probability yet.
                values.distributions[row, is_word, : distributions.shape[1]] = distributions
        return values
