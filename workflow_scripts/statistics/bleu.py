"""Metrics of sacreBLEU for many resamples at once.

Tokens, n-grams and the corpus score are sacreBLEU's. Its metrics depend on a resample only through the sums
of some integers per sentence; for BLEU one matrix product and one formula score all resamples.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sacrebleu import metrics

from workflow_scripts.core.errors import InputError

if TYPE_CHECKING:
    from workflow_scripts.statistics.comparison import Draws

ORDER = 4
# Per sentence: its length, the closest reference length, matched n-grams and all n-grams of order 1 to 4.
COLUMNS = 2 + 2 * ORDER


class Reference:
    """Reference texts, tokenised once, against which many systems are scored: cased, smoothing exp."""

    def __init__(
        self, references: Sequence[Sequence[str]], tokenizer: str | None = None, kind: str = "BLEU"
    ) -> None:
        """`references`: the reference sets, each of one sentence per sentence to score.

        `tokenizer`: a tokenizer of sacreBLEU, 13a by default. InputError if its packages are missing.
        `kind`: the name of the metric's class in sacreBLEU.
        """
        options = {"tokenize": tokenizer} if tokenizer else {}
        try:
            self._metric = getattr(metrics, kind)(references=references, **options)
        except (ImportError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise InputError(
                f"sacreBLEU's tokenizer {tokenizer} does not start ({reason})",
                fix="python -m pip install 'sacrebleu[ja]'",
            ) from None

    def score(self, hypotheses: Sequence[str]) -> float:
        """sacreBLEU's corpus score, 0 to 100."""
        return float(self._metric.corpus_score(hypotheses, None).score)

    def statistics(self, hypotheses: Sequence[str]) -> NDArray[np.float64]:
        """The metric's statistics of each sentence, sentences x columns; sums of rows are exact."""
        # sacreBLEU's own significance tests start with the same method; there is no public one.
        rows = self._metric._extract_corpus_statistics(hypotheses, None)
        return np.asarray(rows, dtype=np.float64)

    def of_each(self, hypotheses: Sequence[str]) -> NDArray[np.float64]:
        """sacreBLEU's score of each sentence by itself; BLEU's is of the orders that the sentence has."""
        metric = copy(self._metric)
        # Of sentences of fewer than four words BLEU would be 0 otherwise; sacreBLEU advises this too.
        metric.effective_order = True
        rows = self._metric._extract_corpus_statistics(hypotheses, None)
        return np.array([metric._compute_score_from_stats(row).score for row in rows], dtype=np.float64)

    def of_sums(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """sacreBLEU's score of summed statistics of shape (..., columns), one after the other."""
        return np.apply_along_axis(lambda row: self._metric._compute_score_from_stats(row).score, -1, sums)

    def signature(self, draws: Draws | None = None) -> str:
        """sacreBLEU's signature, with the number of bootstrap resamples and their seed, if any."""
        if draws:
            self._metric.n_bootstrap, self._metric.seed = draws.resamples, str(draws.seed)
        return str(self._metric.get_signature())


def bleu_of_sums(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corpus BLEU, 0 to 100, of summed statistics of shape (..., COLUMNS), equal to sacreBLEU's to rounding.

    An order without any match gets the precision 1/(2^k * n-grams), k counting such orders (smoothing exp,
    Chen and Cherry, 2014). Without any match at all, or without any 4-gram, BLEU is 0.
    """
    length, reference = sums[..., 0], sums[..., 1]
    matched, ngrams = sums[..., 2 : 2 + ORDER], sums[..., 2 + ORDER :]
    missed = matched == 0
    numerator = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), matched)
    logs = np.log(numerator) - np.log(np.maximum(ngrams, 1))
    penalty = np.minimum(0, 1 - reference / np.maximum(length, 1))
    score = 100 * np.exp(logs.mean(axis=-1) + penalty)
    return np.where((matched.sum(axis=-1) == 0) | (ngrams[..., -1] == 0), 0.0, score)
