"""The bi-LSTM translation model in plain autograd: one sentence and one word at a time, without dropout.

The reference implementation for testing `model`, which computes the same in batches with custom kernels.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from workflow_scripts.seq2seq.kernels import EPSILON
from workflow_scripts.seq2seq.model import Model
from workflow_scripts.text.symbols import BEGIN, END

# Hidden state, cell state and attentional vector.
State = tuple[Tensor, Tensor, Tensor]


def layer_norm(x: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
    """Layer normalisation."""
    return torch.nn.functional.layer_norm(x, x.shape[-1:], gain, shift, EPSILON)


def lstm(
    x: Tensor, weight: Tensor, recurrent: Tensor, bias: Tensor, hidden: Tensor, memory: Tensor
) -> tuple[Tensor, Tensor]:
    """The next hidden and cell state."""
    enter, forget, out, candidate = (x @ weight + hidden @ recurrent + bias).chunk(4, -1)
    memory = forget.sigmoid() * memory + enter.sigmoid() * candidate.tanh()
    return out.sigmoid() * memory.tanh(), memory


class PlainModel:
    """One source, which is read word by word, and one target, which is generated word by word."""

    def __init__(self, model: Model, source: Sequence[int]) -> None:
        """`source`: ids, without padding."""
        m = self.model = model
        words = m.embedding[list(source)]
        directions = []
        forward = range(len(words))
        for number, order in enumerate((forward, reversed(forward))):
            hidden = memory = words.new_zeros(m.sizes.hidden // 2)
            outputs: dict[int, Tensor] = {}
            for place in order:
                hidden, memory = lstm(
                    words[place],
                    m.encoder_input[number],
                    m.encoder_recurrent[number],
                    m.encoder_bias[number, 0],
                    hidden,
                    memory,
                )
                outputs[place] = hidden
            directions.append(torch.stack([outputs[place] for place in range(len(words))]))
        self.states = torch.cat(directions, 1)
        last = self.states[-1]
        hidden = layer_norm(last @ m.first_hidden, m.first_hidden_gain, m.first_hidden_shift).tanh()
        memory = layer_norm(last @ m.first_memory, m.first_memory_gain, m.first_memory_shift).tanh()
        self.first = (hidden, memory, words.new_zeros(m.sizes.embedding))

    def step(self, state: State, word: int) -> tuple[Tensor, State]:
        """Log-probabilities of the next word, and the next state."""
        m = self.model
        hidden, memory, vector = state
        inputs = torch.cat([m.embedding[word], vector])
        weight = torch.cat([m.decoder_word, m.decoder_feed])
        hidden, memory = lstm(inputs, weight, m.decoder_recurrent, m.decoder_bias, hidden, memory)
        inner = self.states @ m.attention_key + hidden @ m.attention_query
        scores = layer_norm(inner, m.attention_gain, m.attention_shift).tanh() @ m.attention_score
        joined = torch.cat([hidden, scores.softmax(0) @ self.states])
        vector = layer_norm(joined @ m.combine, m.combine_gain, m.combine_shift).tanh()
        logits = m.embedding @ vector + m.output_bias
        return logits.log_softmax(0), (hidden, memory, vector)

    def loss(self, target: Sequence[int]) -> Tensor:
        """The summed negative log-probability of the words and </s>."""
        total, state = torch.zeros(()), self.first
        for before, word in zip([BEGIN, *target], [*target, END], strict=True):
            logs, state = self.step(state, before)
            total = total - logs[word]
        return total
