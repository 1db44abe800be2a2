"""Metrics: the statistics each computes per sentence, and the value it computes from sums over sentences.

A function of sums over sentences can be resampled: `statistics.comparison` gives every metric its values,
intervals and tests. Tables, figures and pages take the name, label and decimals of a metric from here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workflow_scripts.statistics.comparison import Draws

# The logit at which both classes of a classifier are equally probable, as in `encoders.classes`.
EVEN_LOGIT = 0.0
# No language model gives more nats per token: their exp is not finite.
MOST_NATS = 700


class Metric:
    """A metric of a system's outputs."""

    name: str
    label: str
    decimals: int = 1
    lower_is_better: bool = False
    # A mean over sentences is tested by paired randomisation, other metrics by a paired bootstrap.
    is_mean: bool = False

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """The metric for sums over so many sentences; `sums`: shape (..., columns)."""
        raise NotImplementedError

    def counted(self, sums: NDArray, sentences: int) -> NDArray:
        """The number of sentences that the metric counts: all by default."""
        import numpy as np

        return np.full(sums.shape[:-1], sentences)


class Mean(Metric):
    """A mean over sentences."""

    is_mean = True

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """The sum of the only column, divided by the number of sentences."""
        return sums[..., 0] / sentences


class Bleu(Metric):
    """Corpus BLEU, 0 to 100."""

    name, label = "bleu", "BLEU"

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """Of the columns that `statistics.bleu` describes."""
        from workflow_scripts.statistics.bleu import bleu_of_sums

        return bleu_of_sums(sums)


class MAcc(Metric):
    """The share of the requested level among hypotheses that have either level, in per cent."""

    name, label = "m_acc", "M-Acc"

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """From two columns: requested level, either level; 0 if no hypothesis has a level."""
        import numpy as np

        wanted, matched = sums[..., 0], sums[..., 1]
        return 100 * np.divide(wanted, matched, out=np.zeros_like(wanted), where=matched > 0)

    def counted(self, sums: NDArray, sentences: int) -> NDArray:
        """The hypotheses of either level."""
        return sums[..., 1].astype(int)


class Classified(Mean):
    """The share of translations to which a classifier gives the requested level, in per cent."""

    name, label = "classifier", "classifier"


class Inform(Mean):
    """The percentage of dialogues in which a system offers an entity that meets the user's goal."""

    name, label = "inform", "Inform"


class Success(Mean):
    """The percentage of dialogues in which it also gives all requested information."""

    name, label = "success", "Success"


class Combined(Metric):
    """The mean of Inform and Success, and BLEU."""

    name, label = "combined", "Combined"

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """From the columns of Inform, Success and BLEU."""
        rates = (sums[..., 0] / sentences + sums[..., 1] / sentences) / 2
        return rates + Bleu().value(sums[..., 2:], sentences)


class Rating(Mean):
    """Mean ratings by people, shown in the column of a metric (XFORMAL, Table 7, human half)."""

    decimals = 2

    def __init__(self, name: str, column: str, label: str = "") -> None:
        self.name, self.column, self.label = name, column, label or name


@dataclass(frozen=True)
class Run:
    """The outputs of one run of a system, and the scores of models: metric -> score per sentence."""

    texts: Sequence[str]
    scores: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Sentences:
    """The texts with which outputs are compared: informal sentences, and the sets of their rewrites."""

    source: Sequence[str]
    rewrites: Sequence[Sequence[str]]
    # metric -> the model that scored the outputs, as the beginning of a signature
    scorers: Mapping[str, str] = field(default_factory=dict)


class OutputMetric(Metric):
    """A metric of Table 7 of XFORMAL."""

    # Its name in that table, if it is not the label.
    heading: str = ""
    # Whether GOLD STANDARD has a value, whose outputs are the rewrites.
    of_rewrites: bool = True

    def __init__(self, sentences: Sentences) -> None:
        self.sentences = sentences

    def statistics(self, run: Run) -> NDArray:
        """The summed statistics of each output: sentences x columns."""
        raise NotImplementedError

    def of_each(self, run: Run) -> NDArray:
        """The metric of each output by itself."""
        return self.value(self.statistics(run), 1)

    def signature(self, draws: Draws | None = None) -> str:
        """The signature of the numbers: how they are computed, and the draws."""
        raise NotImplementedError


class AgainstTexts(OutputMetric):
    """A metric of sacreBLEU against sets of references, which are read once."""

    # The name of its class in sacreBLEU.
    kind: str = "BLEU"

    def __init__(self, sentences: Sentences) -> None:
        from workflow_scripts.statistics.bleu import Reference

        super().__init__(sentences)
        self.reference = Reference(self.references(), kind=self.kind)

    def references(self) -> Sequence[Sequence[str]]:
        """The sets of references: the rewrites."""
        return self.sentences.rewrites

    def statistics(self, run: Run) -> NDArray:
        """sacreBLEU's statistics."""
        return self.reference.statistics(run.texts)

    def of_each(self, run: Run) -> NDArray:
        """sacreBLEU's score of each sentence."""
        return self.reference.of_each(run.texts)

    def value(self, sums: NDArray, sentences: int) -> NDArray:
        """sacreBLEU's score."""
        return self.reference.of_sums(sums)

    def signature(self, draws: Draws | None = None) -> str:
        """sacreBLEU's signature."""
        return self.reference.signature(draws)


class SelfBleu(Bleu, AgainstTexts):
    """BLEU against the informal sentences: the similarity of an output to its source."""

    name, label = "self_bleu", "self-BLEU"

    def references(self) -> Sequence[Sequence[str]]:
        """The informal sentences."""
        return [self.sentences.source]


class MultiBleu(Bleu, AgainstTexts):
    """BLEU against all rewrites."""

    name, label = "multi_bleu", "multi-BLEU"
    of_rewrites = False


class Chrf(AgainstTexts):
    """chrF (Popović, 2015) against all rewrites: of each sentence, the closest one counts."""

    name, label = "chrf", "chrF"
    kind = "CHRF"
    of_rewrites = False


class SelfChrf(Chrf):
    """chrF against the informal sentences, for the meaning that is kept (Briakou et al., EMNLP 2021)."""

    name, label = "self_chrf", "self-chrF"
    of_rewrites = True

    def references(self) -> Sequence[Sequence[str]]:
        """The informal sentences."""
        return [self.sentences.source]


class Scored(OutputMetric, Mean):
    """The mean score of a model over the outputs."""

    decimals = 2
    # The stage that computes the scores: the name of a folder, and of a column of manifests.
    stage: str
    # The unit or the scale of the scores, for signatures.
    unit: str
    # The smallest and the largest possible score.
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def statistics(self, run: Run) -> NDArray:
        """The scores."""
        import numpy as np

        return np.array(run.scores[self.name])[:, None]

    def signature(self, draws: Draws | None = None) -> str:
        """The model behind the scores, and the draws."""
        drawn = f"|bs:{draws.resamples}|ar:{draws.resamples}|seed:{draws.seed}" if draws else ""
        return f"{self.sentences.scorers[self.name]}{drawn}|n:{len(self.sentences.source)}"


class Formality(Scored):
    """The regressor's score, -3 to 3."""

    name, label, heading = "formality", "formality", "mBERT score"
    stage, unit = "formality", "scale:-3..3"


class Perplexity(Scored):
    """The language model's negative log-likelihood per token in nats; the paper names no base."""

    name, label = "perplexity", "perplexity"
    lower_is_better = True
    stage, unit = "fluency", "unit:nats/token"
    bounds = (0, MOST_NATS)


class Further(Scored):
    """The mean score of a model that is loaded only where `evaluation.metrics` names the metric."""


class Similarity(Further):
    """The cosine of the vectors of an output and of its informal sentence, of a sentence encoder."""

    name, label = "similarity", "cosine"
    stage, unit = "similarity", "scale:-1..1"
    bounds = (-1, 1)


class ZeroShot(Further):
    """The score, -3 to 3, of a multilingual regressor of English ratings (Briakou et al., EMNLP 2021)."""

    name, label = "zero_shot", "zero-shot formality"
    stage, unit = "zero_shot", "scale:-3..3"


class Formal(Further):
    """The percentage of outputs that a released classifier calls formal, whose scores are logits."""

    name, label = "formal", "formal (%)"
    decimals = 1
    stage, unit = "formal", "per:100"

    def statistics(self, run: Run) -> NDArray:
        """100 for a formal output, 0 for another."""
        return 100.0 * (super().statistics(run) > EVEN_LOGIT)

    def of_each(self, run: Run) -> NDArray:
        """The logits: many outputs would be equal otherwise."""
        return super().statistics(run)[:, 0]


class PseudoPerplexity(Further):
    """The negative log-likelihood in nats per token that is masked alone, of a masked language model.

    Salazar et al. (ACL 2020) describe it; Briakou et al. (EMNLP 2021) recommend it for fluency.
    """

    name, label = "pseudo_perplexity", "pseudo-perplexity"
    lower_is_better = True
    stage, unit = "pseudo_perplexity", "unit:nats/token"
    bounds = (0, MOST_NATS)


class Judged(Further):
    """The mean rating by a language model that is asked, on the scale of XFORMAL's raters."""

    # The task of raters whose scale it is.
    task: str


class JudgeFormality(Judged):
    """Formality, from -3 to 3."""

    name, label = "judge_formality", "formality, by LLM"
    stage, task, unit = "judge_formality", "formality", "scale:-3..3"
    bounds = (-3, 3)


class JudgeMeaning(Judged):
    """The meaning that an output keeps, from 1 to 6."""

    name, label = "judge_meaning", "meaning, by LLM"
    stage, task, unit = "judge_meaning", "meaning", "scale:1..6"
    bounds = (1, 6)


class JudgeFluency(Judged):
    """Fluency, from 1 to 5."""

    name, label = "judge_fluency", "fluency, by LLM"
    stage, task, unit = "judge_fluency", "fluency", "scale:1..5"
    bounds = (1, 5)


# By name, in the order of Table 7's columns unless `evaluation.metrics` says otherwise.
METRICS: dict[str, type[OutputMetric]] = {
    metric.name: metric
    for metric in (
        *(SelfBleu, Formality, Perplexity, MultiBleu, Chrf, SelfChrf),
        *(Similarity, ZeroShot, Formal, PseudoPerplexity),
        *(JudgeFormality, JudgeMeaning, JudgeFluency),
    )
}
# The metrics of models by stage: those of the paper, which every manifest has, and the others.
SCORED: dict[str, type[Scored]] = {
    metric.stage: metric for metric in METRICS.values() if issubclass(metric, Scored)
}
SCORERS = tuple(stage for stage, metric in SCORED.items() if not issubclass(metric, Further))
RATINGS = {
    rating.name: rating
    for rating in (
        Rating("meaning", SelfBleu.name),
        Rating("formality", Formality.name),
        Rating("fluency", Perplexity.name),
        Rating("ranking", MultiBleu.name, "overall"),
    )
}
# A file of rated outputs: the sentence is the line of its source from 1, the rating the mean of so many.
OF_OUTPUTS = ("task", "system", "sentence", "rating", "ratings")
DIALOGUE: dict[str, Metric] = {one.name: one for one in (Inform(), Success(), Bleu(), Combined())}


def metric_of(name: str) -> type[OutputMetric]:
    """The metric with a name; InputError if there is none."""
    if name not in METRICS:
        raise InputError(f"no metric '{name}'", fix=nearest(name, METRICS))
    return METRICS[name]
