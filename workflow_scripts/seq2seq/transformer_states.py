"""The Transformer in search: keys and values once per source sentence, one cell state per layer and row."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import embedding

from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.products import multiply, product
from workflow_scripts.seq2seq.states import output_layer
from workflow_scripts.seq2seq.transformer import DecoderLayer, Norm, Transformer
from workflow_scripts.seq2seq.transformer_kernels import EPSILON, positions


class Folded(NamedTuple):
    """A decoder layer's weights in the form that a step uses; matrices have the type of the products."""

    norms: tuple[Norm, Norm, Norm]
    cell: Tensor
    cell_bias: Tensor
    query: Tensor
    leave: Tensor
    feed: tuple[Tensor, Tensor]
    """(D, F) and its bias."""
    back: tuple[Tensor, Tensor]
    """(F, D) and its bias."""


class TransformerMember:
    """A Transformer, folded for search."""

    def __init__(self, model: Transformer, device: torch.device, dtype: torch.dtype) -> None:
        """The model is moved to the device."""
        self.model, self.dtype = model.to(device), dtype
        with torch.no_grad():
            self.words = model.embedding * model.sizes.units**0.5
            self.output, self.bias = output_layer(model.embedding, model.output_bias, dtype)
            self.layers = [self._folded(layer) for layer in model.decoder]  # type: ignore[arg-type]

    def begin(self, source: Tensor, lengths: Tensor) -> TransformerState:
        """Encode a batch, (S, N) ids; one hypothesis per sentence."""
        encoded, padding = self.model.encode(source, lengths, Dropout(), self.dtype)
        return TransformerState(self, encoded, padding)

    def _folded(self, layer: DecoderLayer) -> Folded:
        cell, cell_bias = layer.cell()
        feed, dtype = layer.feed, self.dtype
        return Folded(
            norms=(layer.norm, layer.cross_norm, feed.norm),
            cell=cell.to(dtype),
            cell_bias=cell_bias.to(dtype),
            query=layer.query.to(dtype),
            leave=layer.leave.to(dtype),
            feed=(feed.enter.to(dtype), feed.enter_bias.to(dtype)),
            back=(feed.leave.to(dtype), feed.leave_bias.to(dtype)),
        )


class TransformerState:
    """The states of the open hypotheses in one model; one row each, except in the states of the sources.

    In attention, the rows of a sentence are the queries of one product with its keys: the rows are arranged
    in a table of the sentences that have any, with as many columns as the largest number of rows of a
    sentence.
    """

    def __init__(self, member: TransformerMember, encoded: Tensor, padding: Tensor) -> None:
        """encoded: (S, N, D), padding: (N, S), of a batch whose sentences have one hypothesis each."""
        self.member = member
        _, count, units = encoded.shape
        sizes = member.model.sizes
        self.heads, self.width = sizes.heads, units // sizes.heads
        self.all_keys, self.all_values, self.all_padding = [], [], padding
        for layer in member.model.decoder:
            keys, values = layer.keys_values(encoded, member.dtype)  # type: ignore[operator]
            self.all_keys.append((keys * self.width**-0.5).permute(1, 2, 3, 0).contiguous())
            self.all_values.append(values.permute(1, 2, 0, 3).contiguous())
        self.cells = encoded.new_zeros(sizes.decoder_layers, count, units)
        self.number = 0
        self.spread(torch.arange(count, device=encoded.device))

    def step(self, words: Tensor, probabilities: Tensor) -> None:
        """Read one word per hypothesis; write the distribution of the next word to `probabilities` (R, V)."""
        member = self.member
        place = positions(self.number + 1, member.model.sizes.units, words.device)[self.number]
        y = embedding(words, member.words) + place
        for number, layer in enumerate(member.layers):
            first, second, third = layer.norms
            forget, inner = product(first(y), layer.cell, layer.cell_bias).chunk(2, 1)
            self.cells[number] = torch.lerp(inner, self.cells[number], forget.sigmoid_())
            y += self.cells[number].relu()
            contexts = self._attended(number, product(second(y), layer.query))
            y += product(contexts, layer.leave)
            y += product(product(third(y), *layer.feed).relu_(), *layer.back)
        self.number += 1
        norm = member.model.decoder_norm
        y = torch.nn.functional.layer_norm(y, y.shape[-1:], norm.gain, norm.shift, EPSILON)
        logits = multiply(y.to(member.dtype), member.output, member.bias)
        torch.softmax(logits, 1, dtype=torch.float32, out=probabilities)

    def follow(self, parents: Tensor) -> None:
        """Continue with these rows only."""
        self.cells = self.cells.index_select(1, parents)

    def spread(self, sentences: Tensor) -> None:
        """Assign each row the source of its sentence; rows of a sentence are adjacent and in order."""
        there, line, counts = sentences.unique_consecutive(return_inverse=True, return_counts=True)
        rows = torch.arange(len(sentences), device=sentences.device)
        before = counts.cumsum(0) - counts
        self.places = int(counts.max())
        self.table = len(there) * self.places
        # The position of each row in the table; None if the table is full, so that each row is at its own
        # index.
        full = self.table == len(sentences)
        self.cell_of = None if full else line * self.places + rows - before.index_select(0, line)
        self.keys = [part.index_select(0, there).flatten(0, 1) for part in self.all_keys]
        self.values = [part.index_select(0, there).flatten(0, 1) for part in self.all_values]
        padding = self.all_padding.index_select(0, there)
        self.padding = padding.repeat_interleave(self.heads, 0).unsqueeze(1)

    def _attended(self, number: int, queries: Tensor) -> Tensor:
        """The contexts of all rows, (R, D), from their queries (R, D)."""
        units = queries.shape[1]
        if self.cell_of is not None:
            queries = queries.new_zeros(self.table, units).index_copy_(0, self.cell_of, queries)
        table = queries.view(-1, self.places, self.heads, self.width).transpose(1, 2)
        scores = torch.baddbmm(self.padding, table.flatten(0, 1), self.keys[number])
        contexts = torch.bmm(torch.softmax(scores, -1), self.values[number])
        contexts = contexts.view(-1, self.heads, self.places, self.width).transpose(1, 2)
        contexts = contexts.reshape(self.table, units)
        return contexts if self.cell_of is None else contexts.index_select(0, self.cell_of)
