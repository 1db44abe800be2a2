"""Sentences that the model generates: discrete samples, and relaxed ones that gradients pass through.

Only words, <unk> excepted, and </s> are ever generated, and </s> only after a word; excluded symbols
have no share in the probabilities. A model with the released code's behaviour may generate anything from the
second word on. Ended sentences are computed no further, or not counted.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import embedding

from workflow_scripts.seq2seq.device import patience
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.kernels import cell, cell_backward, tanh
from workflow_scripts.seq2seq.products import product
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.unsupervised.kernels import Source, attend, attend_backward, weigh, weigh_backward
from workflow_scripts.unsupervised.model import Model


def lowest(step: int, released: bool) -> int:
    """The first id that may be generated at a step; the special symbols come before all words."""
    if step == 0:
        return END + 1
    return 0 if released else END


def sample(
    model: Model,
    source: Source,
    style: Tensor,
    *,
    longest: int,
    dtype: torch.dtype,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
    dropout: Dropout | None = None,
) -> tuple[Tensor, Tensor]:
    """One sentence in the wanted style for each source, drawn from softmax(logits / temperature).

    Returns ids (longest of them + 2, B) with <s>, at most `longest` words and </s>, and their lengths (B), of
    all but the padding. Temperature 0 takes the most probable word at each step, and needs no generator. Each
    sentence and step has one random number. No gradient. `dropout`: of the attention, none by default.
    """
    with torch.inference_mode():
        mask = (dropout or Dropout()).mask((longest, *source.padding.shape), source.hidden)
        words = _sample(model, source, style, longest, dtype, temperature, generator, mask)
        ended = words == END
        lengths = torch.where(ended.any(0), ended.int().argmax(0), longest)
        steps = torch.arange(int(lengths.max()) + 1, device=words.device).unsqueeze(1)
        # After a sentence's last word there are only </s>, of which one is kept.
        ids = torch.cat([torch.full_like(words[:1], BEGIN), words[: len(steps)]])
        ids[1:].masked_fill_(steps > lengths, PADDING)
    # Outside, since automatic differentiation does not keep tensors that were made in inference mode.
    return ids.clone(), lengths + 2


def _sample(
    model: Model,
    source: Source,
    style: Tensor,
    longest: int,
    dtype: torch.dtype,
    temperature: float,
    generator: torch.Generator | None,
    mask: Tensor | None,
) -> Tensor:
    """The words, (longest + 1, B); </s> in all places after the last word."""
    units, batch = model.sizes.hidden, len(style)
    interval = patience(style.device)
    recurrent = torch.cat([model.decoder_word, model.decoder_recurrent]).to(dtype)
    combine, output = model.combine.to(dtype), model.output.to(dtype)
    asking = model.attention_query.to(dtype)
    values = torch.cat([source.feed, source.read], 2)
    keys, padding, hidden, memory = source.keys, source.padding, source.hidden, source.memory
    rows = torch.arange(batch, device=style.device)
    over = torch.zeros(batch, dtype=torch.bool, device=style.device)
    words = torch.full((longest + 1, batch), END, device=style.device)
    if temperature:
        uniform = hidden.new_empty(longest, batch).uniform_(generator=generator)
    embedded, looked = model.styles(style), hidden.new_zeros(batch, 5 * units)
    for step in range(longest):
        gates = product(torch.cat([embedded, hidden], 1), recurrent)
        gates += model.decoder_bias
        gates += looked[:, : 4 * units]
        hidden, memory, _ = cell(gates, memory)
        query = product(hidden, asking)
        distribution, _ = attend(keys, padding, query, model.attention_score)
        if mask is not None:
            distribution *= mask[step, rows]
        looked = weigh(distribution, values)
        vector = tanh(product(hidden, combine).add_(looked[:, 4 * units :]))
        first = lowest(step, model.released)
        logits = product(vector, output[first:].t())
        if temperature:
            shares = torch.softmax(logits / temperature, 1).cumsum(1)
            # The last sum is 1 except for rounding.
            points = uniform[step, rows].unsqueeze(1) * shares[:, -1:]
            picked = torch.searchsorted(shares, points, right=True).squeeze(1)
            picked = picked.clamp_(max=shares.shape[1] - 1) + first
        else:
            picked = logits.argmax(1) + first
        # An ended sentence that is not yet removed gets </s> again.
        picked.masked_fill_(over, END)
        words[step, rows] = picked
        over |= picked == END
        embedded = embedding(picked, model.embedding)
        if step % interval == interval - 1:
            left = (~over).nonzero().squeeze(1)
            if len(left) == 0:
                break
            # Removing rows costs a copy of the tensors of the others.
            if len(left) <= 0.75 * len(rows):
                rows, over, keys, padding, values = (
                    part[left] for part in (rows, over, keys, padding, values)
                )
                embedded, hidden, memory, looked = (part[left] for part in (embedded, hidden, memory, looked))
    return words


@dataclass(frozen=True)
class Relaxation:
    """Parameters for drawing relaxed samples.

    temperature: of the Gumbel-softmax. soft: return and read the relaxed sample itself; else a one-hot
    sample (straight-through), with the gradient of the relaxed one. longest: steps, with </s>.
    """

    temperature: float
    longest: int
    generator: torch.Generator
    dropout: Dropout
    dtype: torch.dtype
    soft: bool = False


def relaxed_sample(
    model: Model, source: Source, style: Tensor, how: Relaxation
) -> tuple[Tensor, Tensor, Tensor]:
    """Samples z from the model q that gradients pass through, and their log-probabilities.

    With g Gumbel noise, z_t = softmax((log q(. | z_<t) + g) / temperature); straight-through: the one-hot
    vector of its largest element, differentiated as if it were z_t. Returns

    - samples (T, B, V): zero after a sentence's end and for words that may not be generated
    - log q(z) (B): sum_t z_t . log q(. | z_<t) in nats, differentiable in q and in z
    - real (T, B): 1 up to the </s>, 0 after it; without gradient

    Dropout on the attention's distributions only.
    """
    weights = (
        model.attention_query,
        model.attention_score,
        model.embedding,
        model.decoder_word,
        model.decoder_bias,
        model.decoder_recurrent,
        model.combine,
        model.output,
    )
    return Relaxed.apply(model.styles(style), *source, *weights, how, model.released)


class Relaxed(torch.autograd.Function):
    """See `relaxed_sample`; first: (B, E), the first input of the decoder."""

    @staticmethod
    def forward(
        ctx: Any,
        first: Tensor,
        keys: Tensor,
        feed: Tensor,
        read: Tensor,
        padding: Tensor,
        hidden: Tensor,
        memory: Tensor,
        query: Tensor,
        score_of: Tensor,
        embeddings: Tensor,
        word: Tensor,
        bias: Tensor,
        recurrent: Tensor,
        combine: Tensor,
        output: Tensor,
        how: Relaxation,
        released: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Loop over the steps and keep the tensors that `backward` needs."""
        dtype = how.dtype
        batch, width = first.shape
        units, vocabulary = hidden.shape[1], len(embeddings)
        interval = patience(first.device)
        into = torch.cat([word, recurrent]).to(dtype)
        combine, output, asking = combine.to(dtype), output.to(dtype), query.to(dtype)
        values = torch.cat([feed, read], 2)
        mask = how.dropout.mask((how.longest, *padding.shape), first)
        inputs = first.new_empty(how.longest, batch, width + units)
        samples = first.new_zeros(how.longest, batch, vocabulary)
        real = first.new_zeros(how.longest, batch)
        picks = torch.full((how.longest, batch), END, device=first.device)
        room = first.new_empty(batch * vocabulary)
        alive, score = first.new_ones(batch), first.new_zeros(batch)
        every = torch.arange(batch, device=first.device)
        kept = []
        embedded, looked = first, first.new_zeros(batch, 5 * units)
        for step in range(how.longest):
            inputs[step, :, :width] = embedded
            inputs[step, :, width:] = hidden
            gates = product(inputs[step], into).add_(bias).add_(looked[:, : 4 * units])
            before = memory
            hidden, memory, squashed = cell(gates, before)
            whole, layer = attend(keys, padding, product(hidden, asking), score_of)
            distribution = whole if mask is None else whole * mask[step]
            looked = weigh(distribution, values)
            vector = tanh(product(hidden, combine).add_(looked[:, 4 * units :]))
            low = lowest(step, released)
            logits = product(vector, output[low:].t())
            # Gumbel noise is -log(-log(u)); a u of zero excludes a word.
            noisy = room[: logits.numel()].view_as(logits).uniform_(generator=how.generator)
            noisy.log_().neg_().log_().neg_().add_(logits).div_(how.temperature)
            soft, certain = torch.softmax(noisy, 1), torch.log_softmax(logits, 1)
            best = noisy.argmax(1)
            real[step] = alive
            if how.soft:
                torch.mul(soft, alive.unsqueeze(1), out=samples[step, :, low:])
                score += alive * (soft * certain).sum(1)
                embedded = product(soft, embeddings[low:].to(dtype))
            else:
                samples[step, every, best + low] = alive
                score += alive * certain[every, best]
                embedded = embedding(best + low, embeddings)
            picks[step] = best + low
            kept.append((gates, before, squashed, hidden, distribution, whole, layer, vector, soft, certain))
            alive = alive * (picks[step] != END)
            if step % interval == interval - 1 and not alive.any():
                break
        steps = len(kept)
        ctx.save_for_backward(
            *(feed, read, query, score_of, embeddings, into, combine, output),
            *(inputs[:steps], real[:steps], picks[:steps], mask),
        )
        ctx.kept, ctx.how, ctx.released = kept, how, released
        samples, real = samples[:steps], real[:steps].clone()
        ctx.mark_non_differentiable(real)
        return samples, score, real

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Loop back; then one product for each weight and projection."""
        above, of_score, _ = gradients
        feed, read, query, score_of, embeddings, into, combine, output, *rest = ctx.saved_tensors
        inputs, real, picks, mask = rest
        how: Relaxation = ctx.how
        dtype = how.dtype
        steps, batch, _ = inputs.shape
        units = len(combine)
        width = inputs.shape[2] - units
        into_back, combine_back, asking_back = (
            matrix.t().contiguous() for matrix in (into, combine, query.to(dtype))
        )
        matrix = embeddings.to(dtype)

        sums = inputs.new_empty(steps, batch, 4 * units)
        words = inputs.new_empty(steps, batch, width)
        combined = inputs.new_empty(steps, batch, units)
        queries = torch.empty_like(combined)
        of_keys, of_score_of = inputs.new_zeros(batch, feed.shape[1], units), torch.zeros_like(score_of)
        logits = inputs.new_zeros(steps, batch, len(embeddings))
        memory = hidden = inputs.new_zeros(batch, units)
        every = torch.arange(batch, device=inputs.device)
        for step in reversed(range(steps)):
            gates, before, squashed, _, _, whole, layer, vector, soft, certain = ctx.kept[step]
            low, last = lowest(step, ctx.released), step == steps - 1
            share = (real[step] * of_score).unsqueeze(1)
            sampled = above[step, :, low:] * real[step].unsqueeze(1)
            sampled.addcmul_(certain, share)
            if not last:
                sampled += product(words[step + 1], matrix[low:].t())
            of_logits = torch.ops.aten._softmax_backward_data(sampled, soft, 1, soft.dtype)
            of_logits.div_(how.temperature)
            # log q depends on the logits directly, too: z . log_softmax has the gradient z - q.
            of_logits.addcmul_(certain.exp(), share, value=-1)
            if how.soft:
                of_logits.addcmul_(soft, share)
            else:
                of_logits[every, picks[step] - low] += share.squeeze(1)
            logits[step, :, low:] = of_logits

            of_vector = product(of_logits, output[low:])
            combined[step] = torch.ops.aten.tanh_backward(of_vector, vector)
            attention = weigh_backward(combined[step], read)
            if not last:
                attention += weigh_backward(sums[step + 1], feed)
            if mask is not None:
                attention *= mask[step]
            attended = attend_backward(attention, whole, layer, score_of)
            of_keys += attended.keys
            of_score_of += attended.score
            queries[step] = attended.query
            hidden = product(attended.query, asking_back).add_(hidden)
            hidden.add_(product(combined[step], combine_back))
            memory = cell_backward(hidden, memory, gates, before, squashed, sums[step])
            back = product(sums[step], into_back)
            words[step] = back[:, :width]
            hidden = back[:, width:]

        rows = steps * batch
        states, distributions, vectors = (
            torch.stack([values[place] for values in ctx.kept]) for place in (3, 4, 7)
        )
        of_into = product(inputs.view(rows, -1).t(), sums.view(rows, -1).to(dtype))
        of_combine = product(states.view(rows, -1).t(), combined.view(rows, -1).to(dtype))
        of_query = product(states.view(rows, -1).t(), queries.view(rows, -1).to(dtype))
        of_output = product(logits.view(rows, -1).t(), vectors.view(rows, -1).to(dtype))
        if how.soft:
            of_embeddings = torch.zeros_like(embeddings)
            for step in range(steps - 1):
                low = lowest(step, ctx.released)
                of_embeddings[low:] += product(ctx.kept[step][8].t(), words[step + 1].to(dtype))
        else:
            of_embeddings = torch.ops.aten.embedding_dense_backward(
                words[1:], picks[:-1], len(embeddings), -1, False
            )
        by_sentence = distributions.permute(1, 2, 0)
        return (
            words[0],
            of_keys,
            torch.bmm(by_sentence[:, :, :-1], sums[1:].transpose(0, 1)),
            torch.bmm(by_sentence, combined.transpose(0, 1)),
            None,
            hidden,
            memory,
            of_query,
            of_score_of,
            of_embeddings,
            of_into[:width],
            sums.sum((0, 1)),
            of_into[width:],
            of_combine,
            of_output,
            None,
            None,
        )
