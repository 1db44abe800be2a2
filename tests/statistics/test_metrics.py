"""Metrics: sacreBLEU's scores from sums over sentences, and the registry from which all names come."""

import numpy as np
import pytest
from sacrebleu import corpus_bleu, corpus_chrf

from tests.commands import trainings
from tests.conftest import METRICS as PAPERS
from tests.statistics.test_bleu import corpus
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.provenance import reachable
from workflow_scripts.encoders.classes import EVEN, is_positive
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.metrics import METRICS, RATINGS, Run, Sentences, metric_of
from workflow_scripts.statistics.resampling import bootstrap_sums

# Metrics of models that are loaded where a configuration names them.
FURTHER = ["similarity", "zero_shot", "formal", "pseudo_perplexity"]
JUDGED = ["judge_formality", "judge_meaning", "judge_fluency"]


@pytest.mark.parametrize(("name", "theirs"), [("chrf", corpus_chrf), ("multi_bleu", corpus_bleu)])
def test_each_resample_has_the_score_that_sacrebleu_gives_it(name, theirs):
    outputs, references = corpus(30, 3, 5)
    metric = METRICS[name](Sentences([], references))
    statistics = metric.statistics(Run(outputs, {}))
    whole = theirs(outputs, references)  # type: ignore[operator]
    assert float(metric.value(statistics.sum(axis=0), 30)) == pytest.approx(whole.score, abs=1e-12)
    picks = np.random.default_rng(7).choice(30, size=(20, 30), replace=True)
    ours = metric.value(bootstrap_sums(statistics, 20, 7), 30)
    for value, pick in zip(ours, picks, strict=True):
        drawn = [[texts[place] for place in pick] for texts in (outputs, *references)]
        assert value == pytest.approx(theirs(drawn[0], drawn[1:]).score, abs=1e-9)  # type: ignore[operator]
    assert np.ptp(ours) > 1


def test_chrf_says_what_sacrebleu_says_of_it():
    metric = METRICS["chrf"](Sentences([], [["a b"], ["a c"]]))
    signature = metric.signature(Draws(10, 0.95, 3))
    assert signature.startswith("nrefs:2|bs:10|seed:3|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")


def test_every_metric_has_one_name_and_a_label():
    assert [*METRICS] == [*PAPERS, "chrf", "self_chrf", *FURTHER, *JUDGED]
    for name, metric in METRICS.items():
        assert metric.name == name and metric.label and metric.decimals in (1, 2)
    lower = [name for name, metric in METRICS.items() if metric.lower_is_better]
    assert lower == ["perplexity", "pseudo_perplexity"]
    # Each kind of rating stands in a column of its own.
    assert {rating.column for rating in RATINGS.values()} == set(PAPERS)
    with pytest.raises(InputError, match="no metric 'chrff'; did you mean 'chrf'"):
        metric_of("chrff")


@pytest.mark.slow
def test_no_training_runs_again_for_a_metric():
    commands = trainings()
    assert {"seq2seq.train", "unsupervised.train", "encoders.train"} < commands
    for command in (*commands, "rewrites.simulate"):
        assert not any(name.startswith("statistics.metrics") for name in reachable(command)), command


def test_a_formal_output_is_one_that_a_classifier_calls_so():
    """The threshold of classifiers has its home in another library, which may not be imported here."""
    metric = METRICS["formal"](Sentences(["a"] * 3, []))
    logits = [-0.1, EVEN, 0.1]
    found = metric.statistics(Run(["x"] * 3, {"formal": logits}))
    assert found.ravel().tolist() == [100.0 * is_positive(one) for one in logits]
    assert metric.of_each(Run(["x"] * 3, {"formal": logits})).tolist() == logits
