"""The recurrent parts of the translation model: forward for search and training, backward for training.

Only the computations that depend on the previous step are done step by step. A time loop under automatic
differentiation would compute and accumulate a gradient of every weight matrix at every step. The two
functions here keep the inputs of the matrix products and compute one large product per weight at the end.

Matrix products are computed in the type of the weights that are passed in (float32 or bfloat16), everything
else (gates, normalisation, softmax, sums of gradients) in float32.

Symbols: T target steps, S source steps, B sentences (in search: hypotheses), E embedding units, H decoder
units, M units of an encoder state, A attention units. The order of the gates is input, forget, output,
candidate.
"""

from typing import Any, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor

from workflow_scripts.seq2seq.products import Fixed, product

Matrix = TypeVar("Matrix", Tensor, Fixed)

EPSILON = 1e-6
"""Added to the variance in layer normalisation."""

MINUS_ONE = torch.tensor(-1.0, device="cpu")
"""A tensor, since torch converts a number at each operation, which takes as long as a small operation."""


def tanh(x: Tensor) -> Tensor:
    """tanh(x) = 2 sigmoid(2x) - 1, without gradient: the sigmoid is fast on every processor, tanh is not."""
    return _stretch((x + x).sigmoid_())


def _stretch(x: Tensor) -> Tensor:
    """Replace x by 2x - 1, in one operation; doubling rounds nothing."""
    return torch.add(MINUS_ONE, x, alpha=2, out=x)


def normalise(x: Tensor, gain: Tensor, shift: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Layer normalisation over the last dimension; also returns the mean and the inverse deviation."""
    return torch.native_layer_norm(x, x.shape[-1:], gain, shift, EPSILON)


def normalise_backward(
    gradient: Tensor, x: Tensor, mean: Tensor, deviation: Tensor, gain: Tensor, shift: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `normalise` with respect to x, gain and shift."""
    return torch.ops.aten.native_layer_norm_backward(
        gradient, x, x.shape[-1:], mean, deviation, gain, shift, [True, True, True]
    )


def cell(gates: Tensor, memory: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """One step of an LSTM: hidden state, new cell state and its tanh; `gates` are activated in place.

    gates: (..., B, 4H), the sums of all products and biases. memory: (..., B, H), the old cell state.
    """
    enter, forget, out, candidate = gates.chunk(4, -1)
    candidate.add_(candidate)
    gates.sigmoid_()
    _stretch(candidate)
    memory = (forget * memory).addcmul_(enter, candidate)
    squashed = tanh(memory)
    return out * squashed, memory, squashed


def cell_backward(
    hidden: Tensor, memory: Tensor, gates: Tensor, before: Tensor, squashed: Tensor, out: Tensor
) -> Tensor:
    """Write the gradient of the gates' sums to `out`, and return the gradient of the old cell state.

    hidden, memory: gradients of the hidden and the new cell state. gates, squashed: from `cell`. before: the
    old cell state.
    """
    size = before.shape[-1]
    enter, forget, opened, candidate = gates.chunk(4, -1)
    of_enter, of_forget, of_out, of_candidate = out.chunk(4, -1)
    memory = memory + torch.ops.aten.tanh_backward(hidden * opened, squashed)
    torch.mul(memory, candidate, out=of_enter)
    torch.mul(memory, before, out=of_forget)
    torch.mul(hidden, squashed, out=of_out)
    sigmoids = out[..., : 3 * size]
    torch.ops.aten.sigmoid_backward.grad_input(sigmoids, gates[..., : 3 * size], grad_input=sigmoids)
    torch.ops.aten.tanh_backward.grad_input(memory * enter, candidate, grad_input=of_candidate)
    return memory * forget


class Recurrence(torch.autograd.Function):
    """An LSTM over all steps, for D directions side by side; the hidden states of all steps, (D, S, B, H).

    sums: (D, S, B, 4H), the inputs' share of the gates. weight: (D, H, 4H). mask: (D, B, H), the variational
    dropout of the recurrent hidden state, or None. Both initial states are zero. (Fused LSTM kernels do not
    support such a mask.)
    """

    @staticmethod
    def forward(ctx: Any, sums: Tensor, weight: Tensor, mask: Tensor | None, dtype: torch.dtype) -> Tensor:
        """Loop over the steps and keep the tensors that `backward` needs."""
        directions, steps, batch, _ = sums.shape
        units = weight.shape[1]
        matrix = weight.to(dtype)
        outputs = sums.new_empty(directions, steps, batch, units)
        inputs = torch.zeros_like(outputs)
        memory = sums.new_zeros(directions, batch, units)
        kept = []
        # The views of all steps at once: one by one they take as long as the operations on them.
        given, into, output = sums.unbind(1), inputs.unbind(1), outputs.unbind(1)
        for step in range(steps):
            if step:
                hidden = output[step - 1]
                into[step].copy_(hidden if mask is None else hidden * mask)
                gates = product(into[step], matrix).add_(given[step])
            else:
                gates = given[0].clone()
            before = memory
            hidden, memory, squashed = cell(gates, before)
            output[step].copy_(hidden)
            kept.append((gates, before, squashed))
        ctx.save_for_backward(inputs, weight, mask)
        ctx.kept, ctx.dtype = kept, dtype
        return outputs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Loop backwards over the steps, then compute one product for the weight."""
        (outputs,) = gradients
        inputs, weight, mask = ctx.saved_tensors
        directions, steps, batch, units = inputs.shape
        # Contiguous, since a small product by a transposed matrix takes half as long again.
        back = weight.to(ctx.dtype).transpose(1, 2).contiguous()
        sums = outputs.new_empty(directions, steps, batch, 4 * units)
        memory = outputs.new_zeros(directions, batch, units)
        above, of_gates = outputs.unbind(1), sums.unbind(1)
        hidden = above[-1]
        for step in reversed(range(steps)):
            gates, before, squashed = ctx.kept[step]
            memory = cell_backward(hidden, memory, gates, before, squashed, of_gates[step])
            if step:
                hidden = product(of_gates[step], back)
                hidden = above[step - 1] + (hidden if mask is None else hidden * mask)
        rows = steps * batch
        of_weight = _weight_gradient(
            inputs.view(directions, rows, units), sums.view(directions, rows, 4 * units), ctx.dtype
        )
        return sums, of_weight, None, None


def _weight_gradient(inputs: Tensor, outputs: Tensor, dtype: torch.dtype) -> Tensor:
    """The gradient of a weight from all inputs of its product and the gradients of all its outputs."""
    return product(inputs.mT, outputs.to(dtype))


class Source(NamedTuple):
    """The parts of the encoded source that a decoder step reads."""

    states: Tensor
    """(B, S, M) encoder outputs."""
    keys: Tensor
    """(B, S, A) their projections U h, computed once."""
    padding: Tensor
    """(B, S) zero, and minus infinity after the end of a sentence."""


class Weights(NamedTuple, Generic[Matrix]):
    """The decoder's weights in the form that a step uses; matrices have the type of the products."""

    recurrent: Matrix
    """(E + H, 4H) from the last attentional vector and the last hidden state to the gates."""
    query: Matrix
    """(H, A) V of the attention."""
    gain: Tensor
    """(A) twice the gain of the attention's normalisation."""
    shift: Tensor
    """(A) twice its shift."""
    score: Tensor
    """(A) twice v."""
    combine: Matrix
    """(H + M, E) from hidden state and context to the attentional vector."""
    combine_gain: Tensor
    """(E) gain of its normalisation."""
    combine_shift: Tensor
    """(E) shift of its normalisation."""


class Step(NamedTuple):
    """The results of one decoder step."""

    gates: Tensor
    memory: Tensor
    squashed: Tensor
    query: Tensor
    attention: tuple[Tensor, Tensor, Tensor]
    """(B, S, A) sigmoids, mean and inverse deviation of the normalisation."""
    weights: Tensor
    """(B, S) the attention distribution."""
    joined: Tensor
    """(B, H + M) hidden state and context."""
    combined: tuple[Tensor, Tensor, Tensor]
    """(B, E) input, mean and inverse deviation of the last normalisation."""
    vector: Tensor
    """(B, E) the attentional vector."""


def step(weights: Weights[Any], source: Source, sums: Tensor, inputs: Tensor, memory: Tensor) -> Step:
    """One decoder step with input feeding and MLP attention.

    sums: (B, 4H) the target word's share of the gates. inputs: (B, E + H) last attentional vector and last
    hidden state. memory: (B, H) last cell state.

    The attention score is v . tanh(z) = 2v . sigmoid(2z) - sum(v), and the softmax is invariant to the
    constant: hence the doubled `gain`, `shift` and `score`.
    """
    gates = sums + product(inputs, weights.recurrent)
    hidden, memory, squashed = cell(gates, memory)
    query = product(hidden, weights.query)
    squashing, mean, deviation = normalise(source.keys + query.unsqueeze(1), weights.gain, weights.shift)
    squashing.sigmoid_()
    distribution = torch.softmax((squashing @ weights.score).add_(source.padding), -1)
    context = torch.bmm(distribution.unsqueeze(1), source.states).squeeze(1)
    joined = torch.cat([hidden, context], 1)
    combined = product(joined, weights.combine)
    normal, *_ = moments = normalise(combined, weights.combine_gain, weights.combine_shift)
    return Step(
        gates=gates,
        memory=memory,
        squashed=squashed,
        query=query,
        attention=(squashing, mean, deviation),
        weights=distribution,
        joined=joined,
        combined=(combined, moments[1], moments[2]),
        vector=tanh(normal),
    )


class Decoding(torch.autograd.Function):
    """The decoder over all steps of given target sentences; returns the attentional vectors, (T, B, E).

    sums: (T, B, 4H), the target words' share of the gates. hidden, memory: (B, H), the initial states.
    states, keys, padding: a `Source`. mask: (B, E + H), the variational dropout of the recurrent attentional
    vector and hidden state, or None. weights: the fields of `Weights` in float32.
    """

    @staticmethod
    def forward(
        ctx: Any,
        sums: Tensor,
        hidden: Tensor,
        memory: Tensor,
        states: Tensor,
        keys: Tensor,
        padding: Tensor,
        mask: Tensor | None,
        dtype: torch.dtype,
        *weights: Tensor,
    ) -> Tensor:
        """Loop over the steps and keep the tensors that `backward` needs."""
        fixed = in_type(Weights(*weights), dtype)
        source = Source(states, keys, padding)
        steps, batch, _ = sums.shape
        size = fixed.combine.shape[1]
        units = hidden.shape[1]
        training = any(ctx.needs_input_grad)
        inputs = sums.new_empty(steps if training else 1, batch, size + units)
        vectors: list[Tensor] = []
        kept: list[Step] = []
        first = memory
        vector = hidden.new_zeros(batch, size)
        for number, words in enumerate(sums.unbind(0)):
            into = inputs[number if training else 0]
            torch.cat([vector, hidden], 1, out=into)
            if mask is not None:
                into.mul_(mask)
            state = step(fixed, source, words, into, memory)
            vector, hidden, memory = state.vector, state.joined[:, :units], state.memory
            vectors.append(vector)
            if training:
                kept.append(state)
        ctx.save_for_backward(inputs, first, states, keys, mask, *fixed)
        ctx.kept = kept
        return torch.stack(vectors)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Loop backwards over the steps, then compute one product per weight and for the encoder states."""
        (above,) = gradients
        inputs, first, states, keys, mask, *rest = ctx.saved_tensors
        kept: list[Step] = ctx.kept
        weights = Weights(*rest)
        steps, batch, size = above.shape
        units, length = first.shape[1], keys.shape[1]
        query_back, combine_back, recurrent_back = (
            matrix.t().contiguous() for matrix in (weights.query, weights.combine, weights.recurrent)
        )

        sums = above.new_empty(steps, batch, 4 * units)
        queries = above.new_empty(steps, batch, keys.shape[2])
        combined = above.new_empty(steps, batch, size)
        contexts = above.new_empty(steps, batch, states.shape[2])
        of_keys = torch.zeros_like(keys)
        of_gain, of_shift, of_score = (torch.zeros_like(weights.gain) for _ in range(3))
        of_combine_gain, of_combine_shift = (torch.zeros_like(weights.combine_gain) for _ in range(2))
        memory = torch.zeros_like(first)
        back = above.new_zeros(batch, size + units)
        for number in reversed(range(steps)):
            state = kept[number]
            vector = torch.ops.aten.tanh_backward(above[number] + back[:, :size], state.vector)
            combined[number], gain, shift = normalise_backward(
                vector, *state.combined, weights.combine_gain, weights.combine_shift
            )
            of_combine_gain += gain
            of_combine_shift += shift
            joined = product(combined[number], combine_back)
            contexts[number] = joined[:, units:]

            # Written as a row times a matrix: a matrix times a column takes ten times as long on a CPU.
            distribution = torch.bmm(contexts[number].unsqueeze(1), states.transpose(1, 2)).squeeze(1)
            scores = torch.ops.aten._softmax_backward_data(
                distribution, state.weights, -1, state.weights.dtype
            )
            squashing, mean, deviation = state.attention
            of_score += torch.mv(squashing.view(batch * length, -1).t(), scores.view(-1))
            inner = scores.unsqueeze(2) * weights.score
            torch.ops.aten.sigmoid_backward.grad_input(inner, squashing, grad_input=inner)
            inner, gain, shift = normalise_backward(
                inner, keys + state.query.unsqueeze(1), mean, deviation, weights.gain, weights.shift
            )
            of_gain += gain
            of_shift += shift
            of_keys += inner
            torch.sum(inner, 1, out=queries[number])

            hidden = product(queries[number], query_back).add_(joined[:, :units]).add_(back[:, size:])
            before = kept[number - 1].memory if number else first
            memory = cell_backward(hidden, memory, state.gates, before, state.squashed, sums[number])
            back = product(sums[number], recurrent_back)
            if mask is not None:
                back.mul_(mask)

        dtype = weights.recurrent.dtype
        joins = torch.cat([state.joined for state in kept])
        of_recurrent = _weight_gradient(inputs.view(steps * batch, -1), sums.view(steps * batch, -1), dtype)
        of_query = _weight_gradient(joins[:, :units], queries.view(steps * batch, -1), dtype)
        of_combine = _weight_gradient(joins, combined.view(steps * batch, -1), dtype)
        distributions = torch.stack([state.weights for state in kept], 2)
        of_states = torch.bmm(distributions, contexts.transpose(0, 1))
        return (
            sums,
            back[:, size:],
            memory,
            of_states,
            of_keys,
            None,
            None,
            None,
            *Weights(
                recurrent=of_recurrent,
                query=of_query,
                gain=of_gain,
                shift=of_shift,
                score=of_score,
                combine=of_combine,
                combine_gain=of_combine_gain,
                combine_shift=of_combine_shift,
            ),
        )


def in_type(weights: Weights[Tensor], dtype: torch.dtype) -> Weights[Tensor]:
    """The same weights with the matrices in the type of the products."""
    return weights._replace(
        recurrent=weights.recurrent.to(dtype),
        query=weights.query.to(dtype),
        combine=weights.combine.to(dtype),
    )


def fixed(weights: Weights[Tensor], dtype: torch.dtype) -> Weights[Fixed]:
    """The same for a search, in which all steps multiply by the same matrices."""
    parts = in_type(weights, dtype)._asdict()
    return Weights(**parts | {name: Fixed(parts[name]) for name in ("recurrent", "query", "combine")})
