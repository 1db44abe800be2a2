"""Properties of Table 7 at demo scale, where it is made: in this checkout, or in the folder TUVOUS_DEMO.

The tests' own run is too small to train a system that listens. With TUVOUS_DEMO a missing table is a mistake.
"""

import os
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from .conftest import ROOT

NAMED = os.environ.get("TUVOUS_DEMO")
RUN = Path(NAMED or ROOT)
LANGUAGES = ("pt", "it", "fr")
UNTRAINED = {"gold", "copy", "rule-based"}
# Systems in the order of their scores in each language.
ORDERS = {
    "formality": ["copy", "rule-based", "gold"],
    "formality trained": ["rule-based", "translate-train-tag"],
    "perplexity": ["gold", "rule-based", "copy"],
    "multi_bleu": ["copy", "rule-based"],
}
# In the mean of the languages, since in one the seed can decide.
MEAN_ORDERS = {
    "formality": ["translate-train-tag", "gold"],
    # A human rewrite changes more of a sentence than any model that is trained on pairs.
    **{
        f"self_bleu {name}": ["gold", name]
        for name in ("translate-train-tag", "multi-task-tag-style", "backtranslate")
    },
}


@pytest.fixture(scope="module")
def scores():
    """The scores of all languages: system, metric, language, value and more."""
    paths = [RUN / f"build/evaluation/{lang}/scores.csv" for lang in LANGUAGES]
    if not NAMED and not all(path.exists() for path in paths):
        pytest.skip("make results/table7.csv makes what is looked at")
    rows = pd.concat(pd.read_csv(path) for path in paths)
    if not NAMED and set(rows["n"].dropna()) != {100}:
        pytest.skip("the table in this checkout is not that of the demo scale")
    return rows


def test_no_trained_system_says_the_same_of_everything(scores):
    distinct = scores.query("metric == 'distinct' and system not in @UNTRAINED")
    assert distinct["value"].min() >= 90, distinct[distinct["value"] < 90]


def check_order(scores, what, systems):
    """The means of the scores of each system rise; skips where a system is not in the table."""
    of = scores[scores["metric"] == what.split()[0]]
    # A system without a score in one of the languages has no mean, and is in no order.
    values = of.pivot(index="system", columns="language", values="value").mean(axis=1, skipna=False)
    missing = [name for name in systems if name not in values.index]
    if missing and not NAMED:
        pytest.skip(f"no {missing[0]} in this table")
    found = {name: values[name] for name in systems}
    assert all(before < after for before, after in pairwise(found.values())), found


@pytest.mark.parametrize("what", ORDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_systems_are_in_the_order_that_the_demo_world_gives(scores, what, language):
    check_order(scores[scores["language"] == language], what, ORDERS[what])


@pytest.mark.parametrize("what", MEAN_ORDERS)
def test_trained_systems_are_in_their_order_in_the_mean(scores, what):
    check_order(scores, what, MEAN_ORDERS[what])
