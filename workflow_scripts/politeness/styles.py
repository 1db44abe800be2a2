"""Command: are formal sentences also polite (Srinivasan and Choi, 2022, Section 5, Tables 4, 7 and 12)?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.core.files import read_numbers
from workflow_scripts.encoders.classes import EVEN, is_positive
from workflow_scripts.politeness.measures import accuracy, auc

COLUMNS = ("lang", "informal", "formal", "before", "after", "stated", "auc", "same", "higher", "dev_share")
# Those of pairs, empty without any.
PAIRED = ("same", "higher")
# The threshold as the paper states it: the dev set's 80th percentile.
STATED = 0.8


@dataclass(frozen=True)
class Styles:
    """One language: the number of sentences of each style, and the results of a politeness classifier."""

    informal: int
    formal: int
    before: float
    after: float
    stated: float
    auc: float
    # Shares of pairs; NaN without pairs.
    same: float
    higher: float
    # The share of the dev set's sentences above the threshold of `after`.
    dev_share: float

    @property
    def majority(self) -> float:
        """The accuracy of always predicting the more frequent style."""
        return max(self.informal, self.formal) / (self.informal + self.formal)


def styles(
    table: Path,
    *,
    dev: list[Path],
    informal: list[Path],
    formal: list[Path],
    languages: list[str],
    unpaired: list[str] | None = None,
) -> None:
    """Write how well a politeness classifier distinguishes formal from informal sentences.

    Sentences that it predicts to be polite count as predicted formal.

    `before` has the threshold 0 (a probability of 0.5). `after` has one threshold for all languages, at which
    the share of the English dev set predicted formal equals the share of formal sentences in a test set of
    pairs: four fifths with four rewrites (the 20th percentile of the scores), half with one (their median).
    `stated` has the 80th percentile, as stated in Appendix G. `same` is the share of pairs of an informal
    sentence and a rewrite that are both above 0 or both not; `higher` is the share of pairs whose formal
    side scores higher, not counting ties.

    :param table: CSV to write: lang, informal, formal (sentences), before, after, stated, auc, same, higher
        (six decimals), dev_share (share of the dev set above the threshold of `after`)
    :param dev: scores of the English dev set
    :param informal: scores of each language's informal sentences
    :param formal: scores of their rewrites: equally many files for each language, in the languages' order
    :param unpaired: languages whose formal sentences are not rewrites, in one file each
    """
    if len(informal) != len(languages):
        raise InputError(f"{len(informal)} files of informal sentences for {len(languages)} languages")
    scores = [value for path in dev for value in read_numbers(path)]
    pairs = [language for language in languages if language not in (unpaired or [])]
    rewrites, rest = divmod(len(formal) - len(languages) + len(pairs), max(len(pairs), 1))
    if not scores or rest or (pairs and not rewrites):
        raise InputError("no dev set, or unequal numbers of files of rewrites for the languages")
    threshold = quantile(scores, 1 / (1 + (rewrites or 1)))
    stated = quantile(scores, STATED)
    share = sum(is_positive(score, threshold) for score in scores) / len(scores)
    files = iter(formal)
    rows = []
    for language, path in zip(languages, informal, strict=True):
        count = rewrites if language in pairs else 1
        theirs = [next(files) for _ in range(count)]
        low, high = read_numbers(path), [read_numbers(file) for file in theirs]
        if language in pairs:
            for file, values in zip(theirs, high, strict=True):
                if len(values) != len(low):
                    raise InputError(f"{len(values)} rewrites of {len(low)} sentences in {path}", path=file)
        together = [*low, *(value for values in high for value in values)]
        gold = [place >= len(low) for place in range(len(together))]
        if len(set(gold)) < 2:
            raise InputError("sentences of one style only", path=path)
        accuracies = [accuracy(together, gold, bound) for bound in (EVEN, threshold, stated)]
        shares = pairwise(low, high) if language in pairs else (math.nan, math.nan)
        numbers = [*accuracies, auc(together, gold), *shares, share]
        formatted = ["" if math.isnan(value) else f"{value:.6f}" for value in numbers]
        rows.append([language, len(low), len(together) - len(low), *formatted])
    write_csv(table, COLUMNS, rows)


def quantile(scores: Sequence[float], share: float) -> float:
    """The score below which a share of the scores lies, interpolated linearly between neighbours."""
    import numpy as np

    return float(np.quantile(scores, share))


def pairwise(informal: Sequence[float], formal: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The share of pairs with the same label, and the share of pairs whose formal side scores higher."""
    pairs = [pair for values in formal for pair in zip(informal, values, strict=True)]
    same = sum(is_positive(low) == is_positive(high) for low, high in pairs)
    return same / len(pairs), sum(high > low for low, high in pairs) / len(pairs)


def read_styles(path: Path) -> dict[str, Styles]:
    """The table of `styles`, by language."""
    by_language = {}
    for line, (language, informal, formal, *texts) in read_keyed(path, COLUMNS):
        numbers = [
            math.nan if name in PAIRED and not text else number(text, path, line)
            for name, text in zip(COLUMNS[3:], texts, strict=True)
        ]
        by_language[language] = Styles(whole(informal, path, line, 1), whole(formal, path, line, 1), *numbers)
    return by_language


if __name__ == "__main__":
    run(styles)
