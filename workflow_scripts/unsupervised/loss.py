"""The loss of UNMT and DLSM (He et al., 2020, Section 3; XFORMAL, appendix D).

Per sentence x of style y, with |x| counting <s> and </s>, and averaged over the batch:

    NLL(x | x~, y) / (|x| - 1)                                      back-translation
    + w_t NLL(x | noise(x), y) / (|x| - 1)                          auto-encoding
    + klw [log q(z | x, 1-y) - log p_1-y(z)] / (|z| - 1)            language model (DLSM only)

x~ is the model's output for x in the other style, nearly greedy and without a gradient. z is a
straight-through sample of that output, through which the gradients of q and of the frozen prior p of the
other style reach the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import pad

from workflow_scripts.seq2seq.data import Sentences
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.loss import weighted_cross_entropy
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.unsupervised import streams
from workflow_scripts.unsupervised.model import Model
from workflow_scripts.unsupervised.noise import Noise
from workflow_scripts.unsupervised.prior import Prior
from workflow_scripts.unsupervised.sampling import Relaxation, relaxed_sample, sample
from workflow_scripts.unsupervised.streams import Streams


@dataclass(frozen=True)
class Batch:
    """Sentences of both styles, the informal ones first."""

    ids: NDArray[np.int64]
    """(S, B) <s>, words, </s>, padding."""
    lengths: NDArray[np.int64]
    """(B) of all but the padding."""
    style: NDArray[np.int64]
    """(B) numbers of the sentences' styles."""

    @classmethod
    def of(cls, sentences: Sentences, style: NDArray[np.int64], which: NDArray[np.int64]) -> Batch:
        """The chosen sentences; style: of all sentences."""
        which = which[np.argsort(style[which], kind="stable")]
        lengths = sentences.lengths[which] + 2
        words = sentences.padded(which, begin=BEGIN)
        ids = np.vstack([words, np.full((1, len(which)), PADDING)])
        ids[lengths - 1, np.arange(len(which))] = END
        return cls(ids, lengths, style[which])


@dataclass(frozen=True)
class Settings:
    """The settings of the loss; see the command `train`."""

    noise: Noise
    dropout: float
    temperature: float
    max_sample: int
    lm_weight: float
    gumbel_temperature: float
    max_gumbel: int


class Terms(NamedTuple):
    """The terms of a batch's loss, each the mean over its sentences, and their weighted sum."""

    total: Tensor
    back_translation: Tensor | None
    """None in the warm-up."""
    auto_encoding: Tensor | None
    """Without its weight; None if that is zero."""
    language_model: Tensor | None
    """Without its weight; None for UNMT."""


class Objective:
    """The loss of a model."""

    def __init__(self, model: Model, priors: Sequence[Prior], settings: Settings, dtype: torch.dtype) -> None:
        """`priors`: the informal one and the formal one, or none if `lm_weight` is zero; they get frozen."""
        self.model, self.priors, self.settings, self.dtype = model, priors, settings, dtype
        for prior in priors:
            prior.requires_grad_(False)

    def __call__(
        self, batch: Batch, weight: float, random: Streams, *, training: bool, joint: bool = True
    ) -> Terms:
        """The loss with so much weight of the auto-encoder; `training`: with dropout.

        With weight zero nothing is auto-encoded, and with `lm_weight` zero no z is drawn. Unless `joint`, as
        in the warm-up, the loss is the auto-encoder's alone, and nothing is sampled.
        """
        settings, device = self.settings, random.device
        rate = settings.dropout if training else 0.0
        ids, lengths, style = (
            torch.from_numpy(part).to(device) for part in (batch.ids, batch.lengths, batch.style)
        )
        sources: dict[str, tuple[Tensor, Tensor]] = {}
        weights = []
        if joint:
            generator = random.torch(streams.SAMPLE_DROPOUT) if self.model.released else None
            sampling = Dropout(rate, generator) if self.model.released else Dropout()
            with torch.no_grad():
                source = self.model.encode(ids, lengths, sampling, self.dtype)
            sources["back_translation"] = sample(
                self.model,
                source,
                1 - style,
                longest=settings.max_sample,
                dtype=self.dtype,
                temperature=settings.temperature,
                generator=random.torch(streams.SAMPLE),
                dropout=sampling,
            )
            weights.append(1.0)
        if weight:
            noisy = settings.noise(batch.ids, batch.lengths, random.numpy(streams.NOISE))
            sources["auto_encoding"] = (
                torch.from_numpy(noisy[0]).to(device),
                torch.from_numpy(noisy[1]).to(device),
            )
            weights.append(weight)
        dropout = Dropout(rate, random.torch(streams.DROPOUT))
        total, each = self._reconstruct(ids, lengths, style, list(sources.values()), weights, dropout)
        terms = dict(zip(sources, each, strict=True))
        if joint and settings.lm_weight:
            language_model = self.language_model(batch, ids, lengths, style, rate, random)
            total = total + settings.lm_weight * language_model
            terms["language_model"] = language_model.detach()
        return Terms(total, *map(terms.get, ("back_translation", "auto_encoding", "language_model")))

    def _reconstruct(
        self,
        ids: Tensor,
        lengths: Tensor,
        style: Tensor,
        sources: Sequence[tuple[Tensor, Tensor]],
        weights: Sequence[float],
        dropout: Dropout,
    ) -> tuple[Tensor, list[Tensor]]:
        """The weighted sum of the losses from each of the sources, and each loss without its weight.

        All sources go through the model as one batch: its loops over the steps cost less for one large batch
        than for two small ones.
        """
        count, batch = len(sources), len(style)
        longest = max(len(part) for part, _ in sources)
        read = torch.cat([pad(part, (0, 0, 0, longest - len(part))) for part, _ in sources], 1)
        source = self.model.encode(read, torch.cat([part for _, part in sources]), dropout, self.dtype)
        words = ids[1:-1].repeat(1, count)
        vectors = self.model(source, style.repeat(count), words, dropout, self.dtype)
        wanted = ids[1:].repeat(1, count).view(-1)
        real = (wanted != PADDING).nonzero().squeeze(1)
        # Words of one sentence share its part of the mean over the batch.
        one = ((lengths - 1) * batch).to(vectors.dtype).reciprocal()
        shares = torch.cat([one * weight for weight in weights]).repeat(len(ids) - 1)[real]
        total, each = weighted_cross_entropy(
            vectors.reshape(-1, vectors.shape[2]).index_select(0, real),
            self.model.output,
            None,
            wanted[real],
            shares,
            self.dtype,
        )
        table = each.new_zeros(len(wanted)).index_copy_(0, real, each).view(-1, count, batch)
        return total, list((table.sum(0) * one).sum(1))

    def language_model(
        self, batch: Batch, ids: Tensor, lengths: Tensor, style: Tensor, rate: float, random: Streams
    ) -> Tensor:
        """The mean over the sentences of [log q(z | x, 1-y) - log p_1-y(z)] / (|z| - 1)."""
        dropout = Dropout(rate, random.torch(streams.GUMBEL_DROPOUT))
        source = self.model.encode(ids, lengths, dropout, self.dtype)
        how = Relaxation(
            temperature=self.settings.gumbel_temperature,
            longest=self.settings.max_gumbel,
            generator=random.torch(streams.GUMBEL),
            dropout=dropout,
            dtype=self.dtype,
        )
        samples, score, real = relaxed_sample(self.model, source, 1 - style, how)
        informal = int((batch.style == 0).sum())
        # Each prior scores what was written in its style.
        parts = [
            prior.score(samples[:, begin:end], real[:, begin:end], self.dtype)
            for prior, begin, end in (
                (self.priors[1], 0, informal),
                (self.priors[0], informal, len(style)),
            )
            if begin < end
        ]
        return ((score - torch.cat(parts)) / real.sum(0)).mean()
