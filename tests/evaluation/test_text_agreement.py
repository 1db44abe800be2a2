"""Scores of rated texts: correlations, tests and intervals by hand, both leaves, and messages."""

import numpy as np
import pytest
from scipy import stats

from tests.papers.conftest import every_leaf_is_as_documented
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.evaluation.text_agreement import text_agreement
from workflow_scripts.papers.tydip.metric_agreement import metric_agreement as leaf_of_tydip
from workflow_scripts.papers.xformal.metric_agreement import metric_agreement as leaf_of_xformal

__all__ = ["every_leaf_is_as_documented"]
TEXTS, SAMPLE = 60, 30
# (language, texts, metric, how much noise its scores have)
ROWS = [
    *(("en", "target", "near", 0.5), ("en", "en", "near", 0.5), ("en", "target", "far", 3.0)),
    *(("en", "target", "worse", 9.0), ("en", "target", "asked", 0.5)),
    *(("fr", "target", "near", 0.5), ("fr", "en", "far", 3.0)),
]


@pytest.fixture
def world(tmp_path):
    """Arguments of `text_agreement`, and the ratings and scores of each row; one scored a sample only."""
    draw = np.random.default_rng(1)
    rated = {lang: np.round(draw.normal(size=TEXTS), 6) for lang in ("en", "fr")}
    (tmp_path / "model").mkdir()
    write_lines(tmp_path / "model/weights", ["1"])
    write_lines(tmp_path / "signature.txt", ["prompted:gguf/m@1|prompt:2"])
    numbers, files = {}, []
    for lang, texts, metric, noise in ROWS:
        asked = metric == "asked"
        ratings = rated[lang][: SAMPLE if asked else TEXTS]
        values = np.round(ratings + noise * draw.normal(size=len(ratings)), 4)
        if texts == "en" and lang == "en":
            # English requests are their own translations.
            values = numbers["en", "target", metric][1]
        numbers[lang, texts, metric] = ratings, values
        paths = [tmp_path / f"{lang}.{texts}.{metric}.{kind}.txt" for kind in ("scores", "ratings")]
        for path, column in zip(paths, (values, ratings), strict=True):
            write_lines(path, map(str, column))
        files.append((*paths, tmp_path / ("signature.txt" if asked else "model")))
    columns = [[*column] for column in zip(*(row[:3] for row in ROWS), strict=True)]
    names = ("languages", "texts", "metrics", "scores", "ratings", "models")
    given = dict(zip(names, [*columns, *map(list, zip(*files, strict=True))], strict=True))
    given |= {"against": [tmp_path / f"{lang}.target.near.scores.txt" for lang in ("en", "fr")]}
    return given | {"task": "politeness", "resamples": 200, "confidence": 0.95, "seed": 1}, numbers


def made(tmp_path, given):
    text_agreement(tmp_path / "a.csv", **given)
    return {(row["language"], row["texts"], row["metric"]): row for row in rows_of(tmp_path / "a.csv")}


def test_correlations_are_scipys_and_in_the_given_order(world, tmp_path):
    given, numbers = world
    found = made(tmp_path, given)
    assert [*found] == [row[:3] for row in ROWS]
    for key, (ratings, values) in numbers.items():
        row, expected = found[key], stats.spearmanr(ratings, values).statistic
        assert float(row["spearman"]) == pytest.approx(expected, abs=1e-6)
        assert float(row["spearman_low"]) < expected < float(row["spearman_high"])
        assert row["n"] == str(len(ratings)) and row["task"] == "politeness"
        # One system has no order.
        assert not row["systems"] and not any(row[name] for name in row if name.startswith("kendall"))


@pytest.mark.slow
def test_intervals_are_near_those_of_fishers_transformation(world, tmp_path):
    given, numbers = world
    row = made(tmp_path, given | {"resamples": 1000})["fr", "en", "far"]
    ratings, values = numbers["fr", "en", "far"]
    middle, width = np.arctanh(stats.spearmanr(ratings, values).statistic), 1.96 / (TEXTS - 3) ** 0.5
    for column, expected in (("spearman_low", middle - width), ("spearman_high", middle + width)):
        assert float(row[column]) == pytest.approx(np.tanh(expected), abs=0.06)


def test_others_are_tested_against_the_reference_of_the_same_texts(world, tmp_path):
    found = made(tmp_path, world[0])
    # Neither the reference, nor the same scores, nor scores of other texts.
    tested = {key for key, row in found.items() if row["p"]}
    far, worse = ("en", "target", "far"), ("en", "target", "worse")
    assert tested == {far, worse, ("fr", "en", "far")}
    assert {key for key, row in found.items() if row["p_holm"]} == tested
    # Holm's correction is within a language.
    assert found["fr", "en", "far"]["p_holm"] == found["fr", "en", "far"]["p"]
    assert float(found[worse]["p"]) == pytest.approx(1 / 201, abs=1e-6)
    assert float(found[worse]["p_holm"]) == pytest.approx(2 / 201, abs=1e-6)
    assert float(found[far]["p_holm"]) >= float(found[far]["p"])


def test_without_a_reference_there_is_no_test(world, tmp_path):
    with_tests = made(tmp_path, world[0])
    without = made(tmp_path, world[0] | {"against": None, "simulated": True})
    for key, row in without.items():
        assert not row["p"] and not row["p_holm"] and row["spearman"] == with_tests[key]["spearman"]
        assert "|ar:" not in row["signature"] and row["signature"].startswith("simulated raters|")


def test_a_signature_has_the_draws_and_the_model(world, tmp_path):
    found = made(tmp_path, world[0])
    signature = found["en", "target", "asked"]["signature"]
    begun = "raters|task:politeness|rated:30|bs:200|ar:200|seed:1|"
    assert signature == f"{begun}prompted:gguf/m@1|prompt:2"
    assert found["fr", "en", "far"]["signature"].startswith("raters|task:politeness|rated:60|")
    assert "|seed:1|model:" in found["fr", "en", "far"]["signature"]


def test_a_constant_has_no_correlation(world, tmp_path):
    given, _ = world
    write_lines(given["scores"][2], ["1.0"] * TEXTS)
    row = made(tmp_path, given)["en", "target", "far"]
    assert row["spearman"] == row["spearman_low"] == row["p"] == row["p_holm"] == "" and row["n"] == "60"


def test_the_leaf_of_tydip(world, tmp_path):
    full = made(tmp_path, world[0])
    leaf_of_tydip(tmp_path / "leaf.csv", agreements=tmp_path / "a.csv")
    leaf = {(row["language"], row["input"], row["model"]): row for row in rows_of(tmp_path / "leaf.csv")}
    assert [*leaf] == [*full]
    for key, row in leaf.items():
        assert row["spearman"] == f"{float(full[key]['spearman']):.2f}"
        assert (row["n"], row["signature"]) == (full[key]["n"], full[key]["signature"])


def test_the_leaf_of_xformal_has_our_labels(world, tmp_path):
    given, _ = world
    names = ["formality", "formal", "zero_shot", "judge_formality", "formality", "formality", "formal"]
    text_agreement(tmp_path / "a.csv", **given | {"task": "formality", "metrics": names})
    leaf_of_xformal(tmp_path / "leaf.csv", agreements=[tmp_path / "a.csv"])
    rows = rows_of(tmp_path / "leaf.csv")
    assert [row["metric"] for row in rows[:3]] == ["formality", "formal (%)", "zero-shot formality"]
    assert {(row["rated"], row["kendall"], row["systems"]) for row in rows} == {("formality", "", "")}
    given["metrics"][0] = "formalty"
    text_agreement(tmp_path / "a.csv", **given | {"task": "formality"})
    with pytest.raises(InputError, match=r"a\.csv:2: no metric 'formalty'; did you mean 'formality'"):
        leaf_of_xformal(tmp_path / "leaf.csv", agreements=[tmp_path / "a.csv"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda given: given["texts"].pop(), "7, 6, 7, 7, 7, 7 languages, texts, metrics, scores"),
        (lambda given: given["against"].append(given["ratings"][0]), "no scores .*, which --against names"),
        (lambda given: write_lines(given["scores"][2], []), r"en\.target\.far\.scores\.txt: no score in it"),
        (lambda given: write_lines(given["scores"][2], ["1"] * 59), r"59 scores but 60 ratings in .*ratings"),
        (lambda given: write_lines(given["ratings"][2], ["x"] * 60), r"far\.ratings\.txt:1: .*x"),
        (lambda given: given["models"].append(given["models"].pop() / "none"), "none: no such model"),
    ],
)
def test_what_does_not_fit_is_named(world, tmp_path, change, told):
    change(world[0])
    with pytest.raises(InputError, match=told):
        text_agreement(tmp_path / "a.csv", **world[0])
    assert not (tmp_path / "a.csv").exists()
