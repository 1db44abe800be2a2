"""The model, its samples and its loss once more: sentence by sentence and word by word, by autograd."""

import math

import torch
from torch import nn

BEGIN, END = 2, 3


def cell(model, direction, x, hidden, memory):
    if direction is None:
        matrices = model.decoder_word, model.decoder_recurrent, model.decoder_bias
    else:
        matrices = (
            model.encoder_input[direction],
            model.encoder_recurrent[direction],
            model.encoder_bias[direction, 0],
        )
    gates = x @ matrices[0] + hidden @ matrices[1] + matrices[2]
    return gates, memory


def finish(gates, memory):
    enter, forget, out, candidate = gates.chunk(4)
    memory = forget.sigmoid() * memory + enter.sigmoid() * candidate.tanh()
    return out.sigmoid() * memory.tanh(), memory


def encode(model, sentence):
    """Pools (P, 2H), first hidden and first cell state of a list of ids with <s> and </s>."""
    units = model.sizes.hidden
    directions = []
    for direction, order in enumerate((sentence, sentence[::-1])):
        hidden = memory = model.embedding.new_zeros(units)
        states = []
        for number in order:
            hidden, memory = finish(*cell(model, direction, model.embedding[number], hidden, memory))
            states.append(hidden)
        directions.append(states)
    last = torch.cat([directions[0][-1], directions[1][-1]])
    states = [torch.cat(pair) for pair in zip(directions[0], directions[1][::-1], strict=True)]
    size = model.sizes.pool
    pools = [
        torch.stack(states[max(0, start) : start + size]).max(0).values
        for start in range(-(size // 2), len(states), size)
    ]
    memory = last @ model.first_memory
    return torch.stack(pools), memory.tanh(), memory


class Decoder:
    """One sentence's decoder; `step` reads an embedding and returns the logits of all words."""

    def __init__(self, model, source):
        self.model = model
        self.pools, self.hidden, self.memory = source
        units = model.sizes.hidden
        self.key, self.feed, self.read = model.pooled.split((units, 4 * units, units), 1)
        self.context = None

    def step(self, embedded):
        gates, _ = cell(self.model, None, embedded, self.hidden, self.memory)
        if self.context is not None:
            gates = gates + self.context @ self.feed
        self.hidden, self.memory = finish(gates, self.memory)
        model = self.model
        layer = torch.tanh(self.pools @ self.key + model.attention_bias + self.hidden @ model.attention_query)
        weights = (layer @ model.attention_score).softmax(0)
        self.context = weights @ self.pools
        vector = torch.tanh(self.hidden @ self.model.combine + self.context @ self.read)
        return self.model.output @ vector


def nll(model, sentence, source, style):
    """The negative log-probabilities of the words and </s> of `sentence`, summed."""
    decoder = Decoder(model, encode(model, source))
    embedded, total = model.style[style], 0.0
    for word in sentence[1:]:
        total = total - torch.log_softmax(decoder.step(embedded), 0)[word]
        embedded = model.embedding[word]
    return total


def lowest(step):
    return END + 1 if step == 0 else END


def sample(model, source, style, longest, temperature, uniform):
    """A sentence with <s> and </s>; `uniform`: one number per step."""
    decoder = Decoder(model, encode(model, source))
    embedded, words = model.style[style], []
    for step in range(longest):
        low = lowest(step)
        logits = decoder.step(embedded)[low:]
        if temperature:
            shares = (logits / temperature).softmax(0).cumsum(0)
            word = low + int((shares <= uniform[step] * shares[-1]).sum())
        else:
            word = low + int(logits.argmax())
        if word == END:
            break
        words.append(word)
        embedded = model.embedding[word]
    return [BEGIN, *words, END]


def relaxed(model, source, style, longest, temperature, gumbel, soft):
    """Samples (T, V) and log q; straight-through by autograd, unless soft. gumbel: (longest, V - low)."""
    decoder = Decoder(model, encode(model, source))
    embedded, samples, score = model.style[style], [], 0.0
    for step in range(longest):
        low = lowest(step)
        logits = decoder.step(embedded)[low:]
        z = ((logits + gumbel[step]) / temperature).softmax(0)
        best = int(z.argmax())
        if not soft:
            z = nn.functional.one_hot(torch.tensor(best), len(z)).to(z) + z - z.detach()
        score = score + (z * logits.log_softmax(0)).sum()
        samples.append(torch.cat([z.new_zeros(low), z]))
        embedded = samples[-1] @ model.embedding
        if best + low == END:
            break
    return torch.stack(samples), score


def prior_score(prior, samples):
    """log p of one sentence of relaxed words (T, V), by a cell of torch's."""
    lstm = nn.LSTMCell(prior.sizes.embedding, prior.sizes.hidden, dtype=samples.dtype)
    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
        setattr(lstm, name, getattr(prior.lstm, f"{name}_l0"))
    embedded, state, total = prior.embedding[BEGIN], None, 0.0
    for z in samples:
        state = lstm(embedded, state)
        total = total + z @ (prior.output @ state[0] + prior.output_bias).log_softmax(0)
        embedded = z @ prior.embedding
    return total


def gumbel_numbers(shape, generator, dtype):
    """What the model draws for one step of a batch."""
    uniform = torch.empty(shape, dtype=dtype).uniform_(generator=generator)
    return -torch.log(-torch.log(uniform))


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan
