"""LABES (Zhang et al., 2020): a decoder writes the value of each slot, then another writes the response.

A value copies from the user's words, and from the distributions of the slot's words at the previous turn;
the response copies from the user's words and from the distributions of all values. This is the fully
supervised system: besides the prior p(z|u), which answers, the posterior q(z|u, m), which has read the
response, learns the same values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from workflow_scripts.config.dialogue import NetworkSizes
from workflow_scripts.responders.copying import (
    Attention,
    Columns,
    Embedding,
    Encoder,
    Joint,
    Soft,
    Source,
    matrix,
)
from workflow_scripts.responders.damd import POINTER
from workflow_scripts.responders.lexicon import ENDS, PAD, STARTS, Lexicon, Words

# Words of a value, its end included.
VALUE = 5


@dataclass
class LabesTurn:
    """A turn in words: the previous response and the user's words, the value of each slot, the response."""

    user: list[int]
    pointer: list[float]
    values: list[list[int]]
    response: list[int]


@dataclass
class LabesDialogue:
    """Turns in their order, since each copies from the previous turn."""

    turns: list[LabesTurn]

    @property
    def length(self) -> int:
        """The number of words."""
        return sum(len(turn.user) + len(turn.response) + sum(map(len, turn.values)) for turn in self.turns)


@dataclass(frozen=True)
class Values:
    """The values of all slots of some dialogues, VALUE places each."""

    # Words and their states: (dialogues, slots x VALUE).
    source: Source
    # The probabilities of words at each place: (dialogues, slots x VALUE, words).
    distributions: Tensor

    def rows(self, places: Tensor) -> Values:
        """The values of some dialogues, through which no gradient passes."""
        words, states = self.source.words[places], self.source.states[places]
        return Values(Source(words.detach(), states.detach()), self.distributions[places].detach())

    def apart(self) -> Values:
        """A row for each slot of each dialogue."""
        words, states, distributions = (
            part.reshape(-1, VALUE, *part.shape[2:])
            for part in (self.source.words, self.source.states, self.distributions)
        )
        return Values(Source(words, states), distributions)


class ValuesDecoder(nn.Module):
    """A GRU that attends to texts and values, and writes words of the vocabulary, of texts or of values."""

    def __init__(
        self, size: int, sizes: NetworkSizes, names: Sequence[str], *, extra: int = 0, of_word: bool
    ) -> None:
        """`size`: of the vocabulary; `names`: of the texts; `extra`: more numbers per step.

        :param of_word: a word depends on the state and the previous word, with dropout, as for values;
            otherwise on state, context and `extra`
        """
        super().__init__()
        hidden, embedding = sizes.hidden, sizes.embedding
        self.of_word = of_word
        self.gru = nn.GRUCell(embedding + hidden + extra, hidden)
        self.attention = Attention(hidden)
        self.dropout = nn.Dropout(sizes.dropout if of_word else 0.0)
        wide = hidden + (embedding if of_word else hidden + extra)
        self.generate = nn.Linear(wide, size)
        self.copy = nn.ModuleDict({name: nn.Linear(hidden, wide) for name in names})
        self.copy_values = nn.Linear(hidden, wide)


class ValuesStep:
    """The steps of a decoder over the same texts and values."""

    def __init__(
        self,
        decoder: ValuesDecoder,
        sources: dict[str, Source],
        values: Values,
        extra: Tensor | None = None,
        *,
        times: int = 1,
    ) -> None:
        """`values`: `times` as many rows as the sources have; `extra`: a row of numbers per text."""
        self._decoder, self._values, self._extra = decoder, values, extra
        size = decoder.generate.out_features
        memory = decoder.attention.memory(values.source)
        self._columns = []
        for name, layer in decoder.copy.items():
            source = sources[name]
            # The part that is the same for all slots is computed once.
            memory = decoder.attention.memory(source).repeated(times).beside(memory)
            keys = torch.tanh(layer(source.states)).repeat_interleave(times, 0)
            self._columns.append(Columns(source.words.repeat_interleave(times, 0), keys, size, "paper"))
        self._memory = memory
        self._keys = torch.tanh(decoder.copy_values(values.source.states)).transpose(1, 2)

    def __call__(self, word: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """The next state, and the vector that its word depends on."""
        decoder, context = self._decoder, self._decoder.attention(state, self._memory)
        more = [] if self._extra is None else [self._extra]
        state = decoder.gru(decoder.dropout(torch.cat([word, context, *more], dim=1)), state)
        seen = [state, word] if decoder.of_word else [state, context, *more]
        return state, decoder.dropout(torch.cat(seen, dim=1))

    def joint(self, seen: Tensor) -> Joint:
        """The distributions of words: `seen` is (rows, steps, units)."""
        soft = Soft(seen @ self._keys, self._values.distributions, self._values.source.mask)
        copied = [(source.scores(seen), source) for source in self._columns]
        return Joint(self._decoder.generate(seen), copied, soft)

    def taught(self, inputs: Tensor, state: Tensor) -> Joint:
        """The distributions of all words by teacher forcing: `inputs` has the embedded previous words."""
        vectors = []
        for word in inputs.unbind(1):
            state, seen = self(word, state)
            vectors.append(seen)
        return self.joint(torch.stack(vectors, dim=1))


class Labes(nn.Module):
    """The network: encoders of users and values, the posterior's of users and responses; three decoders."""

    # Each turn of a batch of dialogues is an update.
    turn_by_turn = True
    slots: Tensor
    ends: Tensor

    def __init__(self, sizes: NetworkSizes, lexicon: Lexicon) -> None:
        """`lexicon`: the vocabulary and the slots."""
        super().__init__()
        hidden, words, embedding = sizes.hidden, lexicon.words, sizes.embedding
        self.embedding = Embedding(words.size, embedding)
        self.users, self.values = Encoder(embedding, hidden), Encoder(embedding, hidden)
        self.users_q, self.responses_q = Encoder(embedding, hidden), Encoder(embedding, hidden)
        self.prior = ValuesDecoder(words.size, sizes, ["user"], of_word=True)
        self.posterior = ValuesDecoder(words.size, sizes, ["user", "response"], of_word=True)
        self.response = ValuesDecoder(words.size, sizes, ["user"], extra=len(POINTER), of_word=False)
        names = [(words.number(f"[{domain}]"), words.number(slot)) for domain, slot in lexicon.slots]
        # Domain and slot: the sum of their vectors is the first input of a value's decoder; and its end word.
        self.register_buffer("slots", torch.tensor(names), persistent=False)
        ends = [words.number(end_of(*pair)) for pair in lexicon.slots]
        self.register_buffer("ends", torch.tensor(ends), persistent=False)
        self.hidden = hidden

    def encode(self, encoder: Encoder, words: Tensor) -> tuple[Source, Tensor]:
        """The states of words, and the last state of the forward direction for each text."""
        source, directions = encoder(words, self.embedding(words))
        return source, directions[0]

    def nothing(self, rows: int, words: int) -> Values:
        """The empty values before a first turn; `words`: how many words have numbers."""
        like, count = self.embedding.weight, len(self.slots) * VALUE
        empty = torch.full((rows, count), PAD, device=like.device)
        return Values(
            Source(empty, like.new_zeros(rows, count, self.hidden)), like.new_zeros(rows, count, words)
        )

    def written(self, words: Tensor) -> Source:
        """The words of values, encoded as one text together with the padding between them."""
        states, _ = self.values.gru(self.embedding(words))
        forward, backward = states.chunk(2, dim=2)
        return Source(words, forward + backward)

    def first(self, rows: int) -> Tensor:
        """The first input of the decoder for each slot of each dialogue."""
        vectors: Tensor = self.embedding(self.slots).sum(1).repeat(rows, 1)
        return vectors

    def learnt(
        self,
        decoder: ValuesDecoder,
        sources: dict[str, Source],
        last: Tensor,
        before: Values,
        gold: Source,
        words: int,
    ) -> tuple[Tensor, Values]:
        """The mean cross-entropy per word of values, and the values for the next turn and the response.

        :param last: the initial state of each decoder, one per dialogue
        :param gold: the annotated values: (dialogues, slots x VALUE)
        """
        count = len(self.slots)
        step = ValuesStep(decoder, sources, before.apart(), times=count)
        target = gold.words.reshape(-1, VALUE)
        inputs = torch.cat([self.first(len(last))[:, None], self.embedding(target[:, :-1])], dim=1)
        joint = step.taught(inputs, last.repeat_interleave(count, 0))
        loss = -joint.of(target)[target != PAD].mean()
        return loss, Values(gold, joint.probabilities(words).reshape(*gold.words.shape, -1))

    def losses(self, dialogues: Sequence[LabesDialogue], words: Words) -> Iterator[Tensor]:
        """For each turn, the sum of the mean cross-entropies per word of posterior, prior and response.

        Gradients do not pass to the previous turn, so that the weights may change between two turns.
        """
        device, count = self.embedding.weight.device, len(words.names)
        prior = posterior = self.nothing(len(dialogues), count)
        live = list(range(len(dialogues)))
        for number in range(max(len(dialogue.turns) for dialogue in dialogues)):
            left = [at for at, row in enumerate(live) if number < len(dialogues[row].turns)]
            live = [live[at] for at in left]
            turns, places = [dialogues[row].turns[number] for row in live], torch.tensor(left, device=device)
            filling = [[word for value in turn.values for word in filled(value)] for turn in turns]
            gold = self.written(torch.tensor(filling, device=device))
            said = matrix([turn.user for turn in turns], device)
            answer = matrix([turn.response for turn in turns], device)
            user, last = self.encode(self.users, said)
            theirs, last_q = self.encode(self.users_q, said)
            both = {"user": theirs, "response": self.encode(self.responses_q, answer)[0]}
            loss_q, posterior = self.learnt(self.posterior, both, last_q, posterior.rows(places), gold, count)
            loss_p, prior = self.learnt(self.prior, {"user": user}, last, prior.rows(places), gold, count)
            pointer = self.embedding.weight.new_tensor([turn.pointer for turn in turns])
            start = torch.full_like(answer[:, :1], words.number(STARTS["response"]))
            inputs = self.embedding(torch.cat([start, answer[:, :-1]], dim=1))
            joint = ValuesStep(self.response, {"user": user}, prior, pointer).taught(inputs, last)
            yield loss_q + loss_p - joint.of(answer)[answer != PAD].mean()

    def believe(self, user: Source, last: Tensor, before: Values, words: Words) -> Values:
        """The most probable values, decoded word by word."""
        count, names = len(self.slots), len(words.names)
        step = ValuesStep(self.prior, {"user": user}, before.apart(), times=count)
        word, state = self.first(len(last)), last.repeat_interleave(count, 0)
        ends = self.ends.repeat(len(last))
        live, chosen, distributions = torch.ones_like(ends, dtype=torch.bool), [], []
        for _ in range(VALUE):
            state, seen = step(word, state)
            joint = step.joint(seen[:, None])
            distributions.append(joint.probabilities(names)[:, 0])
            chosen.append(joint.best(names, live))
            live = live & (chosen[-1] != ends)
            word = self.embedding(chosen[-1])
        numbers = torch.stack(chosen, dim=1).reshape(len(last), -1)
        every = torch.stack(distributions, dim=1).reshape(*numbers.shape, -1)
        return Values(self.written(numbers), every)

    def answer(
        self, user: Source, last: Tensor, values: Values, pointer: Tensor, words: Words, limit: int
    ) -> Tensor:
        """The most probable response, decoded word by word: (dialogues, words)."""
        step, names = ValuesStep(self.response, {"user": user}, values, pointer), len(words.names)
        word = torch.full((len(last),), words.number(STARTS["response"]), device=last.device)
        live, state, written = torch.ones_like(word, dtype=torch.bool), last, []
        for _ in range(limit):
            state, seen = step(self.embedding(word), state)
            word = step.joint(seen[:, None]).best(names, live)
            written.append(word)
            live = live & (word != words.number(ENDS["response"]))
            if not live.any():
                break
        return torch.stack(written, dim=1)


def filled(value: Sequence[int]) -> list[int]:
    """A value padded to VALUE places."""
    return [*value, *[PAD] * (VALUE - len(value))]


def end_of(domain: str, slot: str) -> str:
    """The word that ends the value of a slot."""
    return f"[eos_{domain}_{slot}]"
