"""LABES as a system: how it reads and writes dialogues, and what it keeps from turn to turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from workflow_scripts.config.dialogue import RecurrentDecoding
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.responders.copying import Source, matrix
from workflow_scripts.responders.damd import pointer_of
from workflow_scripts.responders.labes import VALUE, Labes, LabesDialogue, LabesTurn, Values, end_of
from workflow_scripts.responders.lexicon import ENDS, PAD, Lexicon
from workflow_scripts.responders.serialise import IN_BRACKETS
from workflow_scripts.responders.sessions import Exchange, Session

NAME = "value_name"


class LabesFormat:
    """How LABES reads and writes dialogues."""

    def __init__(self, lexicon: Lexicon) -> None:
        """`lexicon`: the words and the slots."""
        self.words, self.slots = lexicon.words, lexicon.slots
        self.ends = [self.words.number(end_of(*one)) for one in lexicon.slots]

    def user(self, session: Session) -> list[int]:
        """The response before, with the names that it names, and what the user says."""
        said = self.words.numbers(named(session.past[-1]), ENDS["response"]) if session.past else []
        return [*said, *self.words.numbers(session.user, ENDS["user"])]

    def values(self, state: State) -> list[list[int]]:
        """The last words of the value of each slot, and its end."""
        return [
            [*self.words.numbers(state.get(domain, {}).get(slot, "")), end][-VALUE:]
            for (domain, slot), end in zip(self.slots, self.ends, strict=True)
        ]

    def state(self, values: Sequence[int]) -> State:
        """The state that the words of all slots say; an empty value is none."""
        found: State = {}
        for number, ((domain, slot), end) in enumerate(zip(self.slots, self.ends, strict=True)):
            written = []
            for word in values[number * VALUE : (number + 1) * VALUE]:
                if word in (end, PAD):
                    break
                written.append(self.words.names[word])
            if written:
                found.setdefault(domain, {})[slot] = " ".join(written)
        return found

    def examples(self, dialogues: Sequence[Sequence[tuple[Session, Exchange]]]) -> list[LabesDialogue]:
        """Dialogues, since a turn copies from the one before."""
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
    """A delexicalised response with the names that its words have; as it is where it is not of these words.

    What stands between two placeholders is looked for once, from left to right.
    """
    parts = IN_BRACKETS.split(exchange.response)
    between, names = parts[::2], parts[1::2]
    words = exchange.words
    if not words.startswith(between[0]):
        return exchange.response
    found, place = between[0], len(between[0])
    for number, (name, text) in enumerate(zip(names, between[1:], strict=True), 2):
        if number == len(between):
            after = len(words) - len(text) if words.endswith(text) else -1
        else:
            after = words.find(text, place + 1)
        if after <= place:
            return exchange.response
        found += (words[place:after] if name == NAME else f"[{name}]") + text
        place = after + len(text)
    return found


class Kept(NamedTuple):
    """The values of one dialogue: of the places that have a word only, since all others are not read."""

    words: Tensor
    states: Tensor
    distributions: Tensor


class LabesSystem:
    """LABES as a system: greedy, in batches of dialogues."""

    def __init__(self, network: Labes, form: LabesFormat, decoding: RecurrentDecoding) -> None:
        """`decoding`: how long a response may be."""
        self.network, self.form, self.decoding = network.eval(), form, decoding
        # The values of the turn before, by dialogue; and what has been read and written of a turn, by batch.
        self._before: dict[str, Kept] = {}
        self._read: list[tuple[Source, Tensor, Values]] = []

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after what each user has said."""
        self._read, found = [], []
        with torch.inference_mode():
            for part in self._parts(sessions):
                said = matrix([self.form.user(one) for one in part], self.network.embedding.weight.device)
                user, last = self.network.encode(self.network.users, said)
                values = self.network.believe(user, last, self._values_before(part), self.form.words)
                self._read.append((user, last, values))
                found += [self.form.state(words) for words in values.source.words.tolist()]
                for session, words, states, distributions in zip(
                    part, values.source.words, values.source.states, values.distributions, strict=True
                ):
                    there = words != PAD
                    self._before[session.dialogue] = Kept(words, states[there], distributions[there])
        return found

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """The response, when state, database and booking are known, of the same sessions; it has no acts."""
        found: list[tuple[str, str]] = []
        with torch.inference_mode():
            for part, (user, last, values) in zip(self._parts(sessions), self._read, strict=True):
                pointer = last.new_tensor([pointer_of(one) for one in part])
                limit = self.decoding.max_response
                rows = self.network.answer(user, last, values, pointer, self.form.words, limit)
                found += [("", self.form.words.text(row)) for row in rows.tolist()]
        return found

    def _values_before(self, sessions: Sequence[Session]) -> Values:
        """What was written at the turn before, as one batch."""
        found = self.network.nothing(len(sessions), len(self.form.words.names))
        for row, session in enumerate(sessions):
            if session.past:
                words, states, distributions = self._before[session.dialogue]
                there = words != PAD
                found.source.words[row] = words
                found.source.states[row, there] = states
                # Words that have been read since then were none yet.
                found.distributions[row, there, : distributions.shape[1]] = distributions
        return found

    def _parts(self, sessions: Sequence[Session]) -> list[Sequence[Session]]:
        size = self.decoding.batch_size
        return [sessions[at : at + size] for at in range(0, len(sessions), size)]
