"""Layers of recurrent dialogue systems: encoders, additive attention, and decoders that generate or copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from workflow_scripts.responders.lexicon import PAD, UNKNOWN

# How the scores of equal words in a source combine: probabilities are summed, or as in the released code.
Copying = Literal["paper", "released"]
NEVER = -1e20
# A probability at most this counts as zero.
TINY = 1e-30


@dataclass(frozen=True)
class Source:
    """The input of a decoder: a matrix of words, one row per text, and the state of each word."""

    # Numbers of words, padded with PAD after each text; a row of only PAD is an absent text.
    words: Tensor
    states: Tensor

    @property
    def mask(self) -> Tensor:
        """True at each word, False at padding."""
        return self.words != PAD

    def rows(self, places: Tensor) -> Source:
        """Some of the texts."""
        return Source(self.words[places], self.states[places])


def matrix(rows: Sequence[Sequence[int]], device: str | torch.device = "cpu") -> Tensor:
    """Rows of numbers as a matrix, padded with PAD at the end; at least one column."""
    width = max(1, *map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows], device=device)


class Embedding(nn.Embedding):
    """An embedding that reads words outside the vocabulary as UNKNOWN."""

    def forward(self, words: Tensor) -> Tensor:
        """Vectors of words."""
        return super().forward(torch.where(words >= self.num_embeddings, UNKNOWN, words))


class Encoder(nn.Module):
    """A bidirectional GRU that sums the states of the two directions."""

    def __init__(self, size: int, hidden: int) -> None:
        """`size`: of the embedding."""
        super().__init__()
        self.gru = nn.GRU(size, hidden, batch_first=True, bidirectional=True)
        _orthogonal(self.gru)

    def forward(self, words: Tensor, embedded: Tensor) -> tuple[Source, Tensor]:
        """The states of words, and the last state of each direction for each text (2, texts, units).

        Padding is not read, so that a text's states do not depend on its batch.
        """
        lengths = (words != PAD).sum(1).clamp(min=1).cpu()
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        padded, _ = pad_packed_sequence(states, batch_first=True, total_length=words.shape[1])
        forward, backward = padded.chunk(2, dim=2)
        return Source(words, forward + backward), last


class Memory(NamedTuple):
    """A source as attention reads it at every step."""

    states: Tensor
    keys: Tensor
    # Added to scores, so that padding is not read.
    padding: Tensor

    def repeated(self, times: int) -> Memory:
        """Each row repeated `times` times in succession."""
        return Memory(*(part.repeat_interleave(times, 0) for part in self))

    def beside(self, other: Memory) -> Memory:
        """The words of both, as if they were one text."""
        states, keys = (
            torch.cat(parts, dim=1) for parts in ((self.states, other.states), (self.keys, other.keys))
        )
        return Memory(states, keys, torch.cat((self.padding, other.padding), dim=2))


class Attention(nn.Module):
    """Additive attention: v·tanh(W [query; state] + b)."""

    def __init__(self, hidden: int) -> None:
        """`hidden`: units of queries and states."""
        super().__init__()
        self.both = nn.Linear(2 * hidden, hidden)
        self.score = nn.Linear(hidden, 1, bias=False)

    def forward(self, query: Tensor, memory: Memory) -> Tensor:
        """The weighted mean of states for one query per row; zeros for an absent text."""
        part = nn.functional.linear(query, self.both.weight[:, : query.shape[1]])
        scores = self.score(torch.tanh(part[:, None] + memory.keys)).transpose(1, 2)
        return torch.bmm((scores + memory.padding).softmax(2), memory.states).squeeze(1)

    def memory(self, source: Source) -> Memory:
        """The part of the computation that is the same for all queries."""
        half = source.states.shape[2]
        keys = nn.functional.linear(source.states, self.both.weight[:, half:], self.both.bias)
        mask = source.mask
        padding = torch.where(mask, 0.0, NEVER)[:, None]
        # An absent text has equal weights, and all its states are zero.
        return Memory(source.states * mask[:, :, None], keys, padding)


class Columns:
    """The columns of a source in the joint softmax, and the word of each."""

    def __init__(self, words: Tensor, keys: Tensor, size: int, copying: Copying) -> None:
        """`words`: of a source; `keys`: of its places, multiplied with the states of a decoder; `size`: of
        the vocabulary."""
        mask = words != PAD
        self._keys = keys.transpose(1, 2)
        self.words, self.size, self.valid = words, size, mask
        # How many columns always score 0; a row whose text is not absent includes one per word not in it.
        self.empty: Tensor | None = None
        self._sums: Tensor | None = None
        if copying == "released":
            listed = mask & (words < size)
            same = (words[:, :, None] == words[:, None, :]) & listed[:, :, None] & listed[:, None, :]
            places = torch.arange(words.shape[1], device=words.device)
            first = torch.where(listed, same.to(torch.int8).argmax(2), places)
            self._sums = nn.functional.one_hot(first, words.shape[1]).to(keys.dtype)
            self.valid = mask & (first == places)
            self.empty = (size + mask.sum(1) - self.valid.sum(1)) * mask.any(1)

    def scores(self, states: Tensor) -> Tensor:
        """Scores of columns, for the states of a decoder: (rows, steps, places)."""
        raw = states @ self._keys
        if self._sums is not None:
            raw = raw.masked_fill((self.words == PAD)[:, None], 0) @ self._sums
        return raw.masked_fill(~self.valid[:, None], NEVER)

    def is_word(self, words: Tensor) -> Tensor:
        """Which columns stand for the word of each step: (rows, steps, places)."""
        return (words[:, :, None] == self.words[:, None]) & self.valid[:, None]


class Soft(NamedTuple):
    """Places to copy from that contain distributions of words instead of words."""

    # Of the places at each step: (rows, steps, places).
    scores: Tensor
    # (rows, places, words); zeros for an absent place.
    distributions: Tensor
    # Which places are not absent: (rows, places).
    present: Tensor

    def of(self, words: Tensor) -> Tensor:
        """The score that the places add to a word per step, NEVER if they add none: (rows, steps)."""
        places = words[:, None].expand(-1, self.distributions.shape[1], -1)
        parts = self.distributions.gather(2, places).transpose(1, 2)
        logs = torch.where(parts > TINY, parts.clamp(min=TINY).log(), NEVER)
        return (self.scores + logs).logsumexp(2).clamp(min=NEVER)


class Joint:
    """One softmax over the scores of the vocabulary and of all words that can be copied.

    With `paper` a column is a place of a source, and equal words add their probabilities. The released code
    of DAMD adds the scores of equal words instead, and gives a column of score 0 to every vocabulary word
    that is not in a source, and to every place of the source whose word is in the vocabulary. A soft place
    spreads its probability over words.
    """

    def __init__(
        self, generated: Tensor, copied: Sequence[tuple[Tensor, Columns]], soft: Soft | None = None
    ) -> None:
        """`generated`: scores of the vocabulary (rows, steps, words); `copied`: scores and columns of each
        source."""
        self.generated, self.copied, self.soft = generated, copied, soft
        parts = [generated, *(scores for scores, _ in copied)]
        if soft is not None:
            self.soft = soft._replace(scores=soft.scores.masked_fill(~soft.present[:, None], NEVER))
            parts.append(self.soft.scores)
        parts += [
            columns.empty.log()[:, None, None].expand(-1, generated.shape[1], 1)
            for _, columns in copied
            if columns.empty is not None
        ]
        self.total = torch.cat(parts, dim=2).logsumexp(2)

    def of(self, words: Tensor) -> Tensor:
        """Log-probabilities of a word per step (rows, steps); UNKNOWN's for a word without a column."""
        matching = [(scores, columns, columns.is_word(words)) for scores, columns in self.copied]
        copied = torch.stack([is_word.any(2) for _, _, is_word in matching], dim=2).any(2)
        size = self.generated.shape[2]
        shared = None if self.soft is None else self.soft.of(words)
        if shared is not None:
            copied = copied | (shared > NEVER / 2)
        listed = (words < size) | ~copied
        known = torch.where(words < size, words, UNKNOWN)
        generated = self.generated.gather(2, known[:, :, None]).squeeze(2)
        parts = [generated.masked_fill(~listed, NEVER)]
        for scores, columns, is_word in matching:
            inside = scores.masked_fill(~is_word, NEVER).logsumexp(2)
            if columns.empty is not None:
                absent = listed & ~is_word.any(2) & columns.valid.any(1)[:, None]
                inside = inside.masked_fill(absent, 0)
            parts.append(inside)
        if self.soft is not None and shared is not None:
            parts.append(torch.where(listed & (words >= size), self.soft.of(known), shared))
        return torch.stack(parts, dim=2).logsumexp(2) - self.total

    def probabilities(self, words: int) -> Tensor:
        """Probabilities of all words by number: (rows, steps, `words`)."""
        rows, steps, size = self.generated.shape
        every = self.generated.new_zeros(rows, steps, max(words, size))
        every[:, :, :size] = (self.generated - self.total[:, :, None]).exp()
        for scores, columns in self.copied:
            numbers = columns.words[:, None].expand(-1, steps, -1)
            part = (scores - self.total[:, :, None]).exp()
            if columns.empty is not None:
                present = columns.valid.any(1)[:, None, None]
                zero = torch.where(present, (-self.total)[:, :, None].exp(), 0.0)
                every[:, :, :size] += zero
                listed = columns.valid & (columns.words < size)
                part = part - zero * listed[:, None]
            every.scatter_add_(2, numbers, part)
        if self.soft is not None:
            part = (self.soft.scores - self.total[:, :, None]).exp() @ self.soft.distributions
            every = every + nn.functional.pad(part, (0, every.shape[2] - part.shape[2]))
        return every

    def best(self, words: int, live: Tensor) -> Tensor:
        """The most probable word of each row at the only step, PAD in rows that are not live."""
        every = self.probabilities(words)[:, 0]
        every[:, PAD] = -1
        return torch.where(live, every.argmax(1), PAD)


class Decoder(nn.Module):
    """A GRU that attends to sources, and writes words of the vocabulary or of sources."""

    def __init__(
        self, size: int, embedding: int, hidden: int, read: Sequence[str], copied: Sequence[str], extra: int
    ) -> None:
        """`size`: of the vocabulary; `read`, `copied`: names of sources; `extra`: how many more input numbers
        per step."""
        super().__init__()
        self.gru = nn.GRUCell(embedding + hidden * len(read) + extra, hidden)
        self.generate = nn.Linear(hidden, size)
        self.attention = nn.ModuleDict({name: Attention(hidden) for name in read})
        self.copy = nn.ModuleDict({name: nn.Linear(hidden, hidden) for name in copied})
        _orthogonal(self.gru)

    def states(
        self, inputs: Tensor, initial: Tensor, sources: Mapping[str, Source], extra: Tensor | None = None
    ) -> Tensor:
        """The states of all steps with known previous words (teacher forcing): (rows, steps, units).

        :param inputs: embedded words, from the start token on
        :param initial: the state before the first step
        """
        step, state, states = self.stepper(sources, extra), initial, []
        for word in inputs.unbind(1):
            state = step(word, state)
            states.append(state)
        return torch.stack(states, dim=1)

    def stepper(self, sources: Mapping[str, Source], extra: Tensor | None) -> Step:
        """The function from the last word's embedding and the previous state to the next state."""
        return Step(self, sources, extra)

    def joint(self, states: Tensor, columns: Sequence[Columns]) -> Joint:
        """The joint distribution of the word at each state."""
        return Joint(self.generate(states), [(source.scores(states), source) for source in columns])

    def columns(self, sources: Mapping[str, Source], copying: Copying) -> list[Columns]:
        """The columns of the sources it copies from."""
        size = self.generate.out_features
        return [
            Columns(sources[name].words, torch.tanh(layer(sources[name].states)), size, copying)
            for name, layer in self.copy.items()
        ]

    def greedy(
        self,
        embedding: Embedding,
        start: Tensor,
        end: int,
        limit: int,
        initial: Tensor,
        sources: Mapping[str, Source],
        extra: Tensor | None,
        columns: Sequence[Columns],
        words: int,
    ) -> Source:
        """The most probable word at each step until all rows have ended, and the states that produced them.

        :param start: the first input vectors, one per row
        :param words: how many words have numbers
        """
        step, state, vector = self.stepper(sources, extra), initial, start
        live = torch.ones(len(initial), dtype=torch.bool, device=initial.device)
        written, states = [], []
        for _ in range(limit):
            state = step(vector, state)
            word = self.joint(state[:, None], columns).best(words, live)
            written.append(word)
            states.append(state)
            live = live & (word != end)
            vector = embedding(word)
            if not live.any():
                break
        return Source(torch.stack(written, dim=1), torch.stack(states, dim=1))


class Step:
    """One step of a decoder over sources whose keys are computed once."""

    def __init__(self, decoder: Decoder, sources: Mapping[str, Source], extra: Tensor | None) -> None:
        """`extra`: a row of further input numbers per text, or None."""
        self._gru, self._extra = decoder.gru, extra
        self._read = [
            (layer, layer.memory(sources[name]))  # type: ignore[operator]
            for name, layer in decoder.attention.items()
        ]

    def __call__(self, word: Tensor, state: Tensor) -> Tensor:
        """The next state."""
        parts = [word, *(layer(state, memory) for layer, memory in self._read)]
        if self._extra is not None:
            parts.append(self._extra)
        following: Tensor = self._gru(torch.cat(parts, dim=1), state)
        return following


def _orthogonal(gru: nn.GRU | nn.GRUCell) -> None:
    """Draw orthogonal recurrent matrices, one per gate, as the released code of DAMD does."""
    for name, weights in gru.named_parameters():
        if name.startswith("weight_hh"):
            for gate in weights.data.chunk(3):
                nn.init.orthogonal_(gate)
