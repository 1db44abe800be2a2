"""Beam search over a batch: all open hypotheses of all sentences are extended in one step.

A sentence starts with `beam_size` slots. Each hypothesis that ends closes a slot for good, as in Sockeye, and
its score is log-probability / penalty(length), where the length includes </s>. Open hypotheses have equal
lengths and are ranked by log-probability. An open hypothesis is dropped when it can no longer beat the best
finished one: a log-probability only decreases, so that the score is at most the current log-probability
divided by the penalty of the maximum output length. All hypotheses that it would have displaced from the
beam score lower still, so the result is the same as without dropping.

The tensors of a step have one row per open hypothesis. On a GPU the rows are counted only every few steps,
because counting waits for the GPU; in between, rows of finished hypotheses are computed and ignored.

Ties are broken by slot, then by id, so the result does not depend on the sorting algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from workflow_scripts.core.files import progress
from workflow_scripts.seq2seq.data import Sentences, in_batches
from workflow_scripts.seq2seq.device import patience
from workflow_scripts.seq2seq.model import Model
from workflow_scripts.seq2seq.states import BLOCK, Member, RecurrentMember, State
from workflow_scripts.seq2seq.transformer import Transformer
from workflow_scripts.seq2seq.transformer_states import TransformerMember
from workflow_scripts.text.symbols import BEGIN, END

LOWEST = float("-inf")


@dataclass(frozen=True)
class Hypothesis:
    """An output: ids without </s>, and log-probability / penalty(length)."""

    ids: list[int]
    score: float


def member_of(model: Model | Transformer, device: torch.device, dtype: torch.dtype) -> Member:
    """`model`: moved to the device, and folded for search."""
    if isinstance(model, Transformer):
        return TransformerMember(model, device, dtype)
    return RecurrentMember(model, device, dtype)


class Search:
    """Beam search with one model, or with several by the arithmetic mean of their probabilities."""

    def __init__(
        self,
        models: Sequence[Model | Transformer],
        *,
        beam_size: int,
        length_penalty: float,
        max_ratio: float,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        """`max_ratio`: the maximum number of words in an output per symbol of the source.

        If </s> ends the source, it counts on both sides, and only </s> can follow the last allowed word (as
        in Sockeye 3). Otherwise an output has one more symbol, of any kind (as in Sockeye 1).

        `length_penalty`: alpha in the penalty ((beta + length) / (beta + 1)) ** alpha; beta is 0.
        """
        self.members = [member_of(model, device, dtype) for model in models]
        self.source_end = models[0].source_end
        self.beam, self.alpha, self.max_ratio = beam_size, length_penalty, max_ratio
        self.device, self.dtype = device, dtype
        self.vocabulary = models[0].sizes.vocabulary
        if beam_size > self.vocabulary - END - 1:
            raise ValueError(f"beam {beam_size} is too large for {self.vocabulary} symbols")
        self.padded = self.vocabulary + -self.vocabulary % BLOCK
        self.patience = patience(device)

    def __call__(self, sources: Sequence[Sequence[int]], batch_size: int) -> list[Hypothesis]:
        """The best hypothesis for each source, in the order of the sources; empty sources are not allowed."""
        hypotheses: list[Hypothesis] = [Hypothesis([], 0.0)] * len(sources)
        sentences = Sentences.of(sources)
        if self.source_end:
            sentences = sentences.ended()
        batches = list(in_batches(sentences.lengths, batch_size))
        with torch.inference_mode():
            for which in progress(batches, "decoding", unit="batch"):
                lengths = sentences.lengths[which]
                source = torch.from_numpy(sentences.padded(which)).to(self.device)
                for place, best in zip(which, self._batch(source, lengths), strict=True):
                    hypotheses[place] = best
        return hypotheses

    def _batch(self, source: Tensor, lengths: np.ndarray) -> list[Hypothesis]:
        beam, count, device = self.beam, len(lengths), self.device
        limits = np.ceil(lengths * self.max_ratio).astype(np.int64)
        limits = np.maximum(limits, 2) if self.source_end else limits + 1
        beams = Beams(torch.from_numpy(limits).to(device), beam, self.alpha)
        states = [member.begin(source, torch.from_numpy(lengths).to(device)) for member in self.members]
        room = [torch.empty(count * beam, self.padded, device=device) for _ in range(2)]

        every = torch.arange(count * beam, device=device)
        # The slot of each row, and the row of each slot.
        rows = every[::beam]
        inverse = torch.zeros_like(every).index_copy_(0, rows, every[:count])
        words = torch.full((count,), BEGIN, device=device)
        for length in range(1, int(limits.max()) + 1):
            probabilities = self._distribution(states, words, room, first=length == 1)
            if self.source_end and length in limits:
                goes_on = beams.limits.view(-1).index_select(0, rows // beam) != length
                # A product takes a tenth of the time of filling by a mask.
                probabilities[:, END + 1 :].mul_(goes_on.unsqueeze(1))
            slots, chosen = beams.advance(*self._best(probabilities, rows, inverse, beams.scores), length)
            before = rows
            if length % self.patience == 0:
                rows = self._needed(beams).view(-1).nonzero().squeeze(1)
                if not len(rows):
                    break
            elif length == 1:
                rows = every
            parents = rows // beam * beam + slots.view(-1).index_select(0, rows)
            parents = inverse.index_select(0, parents)
            words = chosen.view(-1).index_select(0, rows)
            changed = rows is not before and not torch.equal(rows, before)
            for state in states:
                state.follow(parents)
                if changed:
                    state.spread(rows // beam)
            if changed:
                inverse = torch.zeros_like(every).index_copy_(0, rows, every[: len(rows)])
        return beams.read()

    def _needed(self, beams: Beams) -> Tensor:
        """The slots that need a row until the next count: those that are open or may be by then."""
        if self.patience == 1:
            return beams.is_open
        slots = torch.arange(self.beam, device=self.device)
        return (slots < beams.remaining) & beams.is_open.any(1, keepdim=True)

    def _distribution(self, states: list[State], words: Tensor, room: list[Tensor], *, first: bool) -> Tensor:
        """The sum of the models' probabilities, (R, V); zero for symbols that are not allowed next."""
        total, shares = (part[: len(words)] for part in room)
        for number, state in enumerate(states):
            state.step(words, shares if number else total)
            if number:
                total += shares
        # Only words and </s> are allowed, and the first symbol must be a word: an output is never empty.
        total[:, : END + 1 if first else END] = 0
        return total

    def _best(
        self, probabilities: Tensor, rows: Tensor, inverse: Tensor, scores: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The best continuations of each sentence: log-probabilities, slots of origin, ids; each (N, beam).

        Only the blocks with the largest maxima are sorted.
        """
        beam, blocks, count = self.beam, self.padded // BLOCK, len(scores)
        scores = scores.view(-1)
        tiles = probabilities.view(-1, BLOCK)
        share = float(np.log(len(self.members)))
        maxima = tiles.amax(1).log_().view(-1, blocks) + (scores.index_select(0, rows) - share).unsqueeze(1)
        table = torch.full((count * beam, blocks), LOWEST, device=maxima.device)
        table.index_copy_(0, rows, maxima)
        places = top(table.view(count, beam * blocks), beam).sort(1).values
        slots, block = places // blocks, places % blocks
        origin = slots + torch.arange(0, count * beam, beam, device=slots.device).unsqueeze(1)
        tile = inverse.index_select(0, origin.view(-1)) * blocks + block.view(-1)
        closer = tiles.index_select(0, tile).log_().view(count, beam, BLOCK)
        closer += (scores.index_select(0, origin.view(-1)) - share).view(count, beam, 1)
        closer = closer.view(count, beam * BLOCK)
        places = top(closer, beam)
        tile = places // BLOCK
        ids = (block.gather(1, tile) * BLOCK + places % BLOCK).clamp_(max=self.vocabulary - 1)
        return closer.gather(1, places), slots.gather(1, tile), ids


class Beams:
    """The hypotheses of a batch of N sentences: the open ones, and the best finished one."""

    def __init__(self, limits: Tensor, beam: int, alpha: float) -> None:
        """`limits`: (N) the maximum length, at which a hypothesis ends."""
        count, device = len(limits), limits.device
        self.beam, self.alpha = beam, alpha
        self.limits = limits.unsqueeze(1)
        self.floor = self.limits.float() ** alpha
        self.slots = torch.arange(beam, device=device)
        self.scores = torch.full((count, beam), LOWEST, device=device)
        """(N, beam) log-probabilities; minus infinity if a slot has no open hypothesis."""
        self.scores[:, 0] = 0
        self.is_open = self.scores > LOWEST
        self.remaining = torch.full((count, 1), beam, device=device)
        """(N, 1) the slots that no finished hypothesis has closed."""
        self.best = torch.full((count, 1), LOWEST, device=device)
        self.place = torch.zeros((count, 1), dtype=torch.int64, device=device)
        """(N, 1) the end of the best finished hypothesis: step * beam + slot."""
        self.history: list[tuple[Tensor, Tensor]] = []

    def advance(self, values: Tensor, slots: Tensor, ids: Tensor, length: int) -> tuple[Tensor, Tensor]:
        """Take the best continuations of `length` words: log-probabilities, slots of origin, ids; (N, beam).

        Returns origins and ids in the order of the new slots: open hypotheses first.
        """
        values = torch.where(self.slots < self.remaining, values, LOWEST)
        ended = (ids == END) | (length >= self.limits)
        # Finished hypotheses of equal length are sorted by score: the first is the best.
        first = ended.int().argmax(1, keepdim=True)
        final = torch.where(ended, values, LOWEST).gather(1, first) / float(length) ** self.alpha
        better = final > self.best
        self.best = torch.where(better, final, self.best)
        self.remaining = self.remaining - (ended & (values > LOWEST)).sum(1, keepdim=True)
        is_open = ~ended & (values / self.floor > self.best)
        order = torch.sort((~is_open).int(), dim=1, stable=True).indices
        slot = (order == first).int().argmax(1, keepdim=True)
        self.place = torch.where(better, (length - 1) * self.beam + slot, self.place)
        values, slots, ids, self.is_open = (part.gather(1, order) for part in (values, slots, ids, is_open))
        self.scores = torch.where(self.is_open, values, LOWEST)
        self.history.append((ids, slots))
        return slots, ids

    def read(self) -> list[Hypothesis]:
        """Trace the best hypotheses back to their first words."""
        ids, slots = (torch.stack(side).cpu().numpy() for side in zip(*self.history, strict=True))
        hypotheses = []
        places, scores = self.place.squeeze(1).tolist(), self.best.squeeze(1).tolist()
        for sentence, (place, score) in enumerate(zip(places, scores, strict=True)):
            last, slot = divmod(place, self.beam)
            words = []
            for number in range(last, -1, -1):
                words.append(int(ids[number, sentence, slot]))
                slot = slots[number, sentence, slot]
            words.reverse()
            hypotheses.append(Hypothesis(words[:-1] if words[-1] == END else words, score))
        return hypotheses


def top(values: Tensor, count: int) -> Tensor:
    """The indices of the `count` largest values of each row, best first; of equal values, the first.

    Read as an integer, the bits of a float order as the float does (for negative values, with all bits but
    the sign flipped); the index in the lower half makes every key unique.
    """
    bits = values.view(torch.int32)
    keys = torch.where(bits < 0, bits ^ 0x7FFFFFFF, bits).long() << 32
    return torch.topk(keys - torch.arange(values.shape[1], device=values.device), count, dim=1).indices
