"""Metrics and ratings in released files: correlations by hand, gaps, separators, and messages."""

import random

import numpy as np
import pytest
from scipy import stats

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.evaluation.released_agreement import RATED, TEXTS, released_agreement
from workflow_scripts.papers.xformal.metric_agreement import metric_agreement

OPTIONS = {"language": "pt", "resamples": 50, "confidence": 0.95, "seed": 1}
COLUMNS = (*TEXTS, *RATED.values(), "self-Chrf", "pseudo-ppl-xlm", "note")


@pytest.fixture
def rows():
    """Three systems for twenty sentences; a rating and a number are missing, and a column is no metric."""
    draw = random.Random(1)
    found = []
    for place, system in enumerate(("a", "b", "c")):
        for sentence in range(20):
            quality = place + draw.random()
            ratings = [f"{quality + draw.random():.3f}" for _ in RATED]
            numbers = [f"{quality + draw.random():.3f}", f"{-quality + draw.random():.3f}"]
            found.append([system, f"s {sentence}", f"o {sentence} {system}", *ratings, *numbers, "x"])
    found[3][3], found[5][8] = "None", ""
    return found


def test_correlations_are_those_of_the_columns(rows, tmp_path):
    released_agreement(tmp_path / "a.csv", put(tmp_path / "pt.csv", COLUMNS, rows), **OPTIONS)
    table = {(row["task"], row["metric"]): row for row in rows_of(tmp_path / "a.csv")}
    assert len(table) == 2 * len(RATED) and {row["language"] for row in table.values()} == {"pt"}
    for task, column in RATED.items():
        for metric in ("self-Chrf", "pseudo-ppl-xlm"):
            places = COLUMNS.index(column), COLUMNS.index(metric)
            pairs = [[row[0], *(row[place] for place in places)] for row in rows]
            pairs = [(name, float(one), float(two)) for name, one, two in pairs if one != "None" and two]
            row = table[task, metric]
            names, one, two = zip(*pairs, strict=True)
            expected = stats.spearmanr(one, two).statistic
            assert float(row["spearman"]) == pytest.approx(expected, abs=1e-6)
            assert float(row["spearman_low"]) <= expected <= float(row["spearman_high"])
            assert (row["n"], row["systems"], row["p"]) == (str(len(pairs)), "3", "")
            means = [
                [np.mean([v for name, v in zip(names, values, strict=True) if name == own]) for own in "abc"]
                for values in (one, two)
            ]
            expected = stats.kendalltau(*means).statistic
            assert float(row["kendall"]) == pytest.approx(expected, abs=1e-6)
    counts = {table[key]["n"] for key in table if key[0] == "meaning"}
    assert counts == {"59", "58"}
    # The sign is the column's.
    assert float(table["formality", "pseudo-ppl-xlm"]["spearman"]) < 0


def test_tabs_give_the_same_table(rows, tmp_path):
    released_agreement(tmp_path / "a.csv", put(tmp_path / "pt.csv", COLUMNS, rows), **OPTIONS)
    # Quotes in such a file are text.
    rows[0][2] = 'o "0" a'
    text = "\n".join("\t".join(row) for row in [[*COLUMNS], *rows]) + "\n"
    (tmp_path / "tabs.csv").write_text(text, encoding="utf-8")
    released_agreement(tmp_path / "b.csv", tmp_path / "tabs.csv", **OPTIONS)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_the_leaf_has_them_beside_ours(rows, tmp_path):
    released_agreement(tmp_path / "a.csv", put(tmp_path / "pt.csv", COLUMNS, rows), **OPTIONS)
    metric_agreement(tmp_path / "leaf.csv", agreements=[tmp_path / "a.csv"])
    leaf = {(row["texts"], row["rated"], row["metric"]) for row in rows_of(tmp_path / "leaf.csv")}
    assert {("released", "overall", "self-Chrf"), ("released", "meaning", "pseudo-ppl-xlm")} < leaf


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("fluency_human", "fluency"), r"pt\.csv:1: no column fluency_human"),
        (lambda text: text.replace("\t1.", "\tmuch", 1), r"pt\.csv:\d+: 'much\d+' is not a number"),
        (lambda text: text.replace("\tx\n", "\n", 2), r"pt\.csv:2: 9 fields instead of 10"),
        (lambda text: text.split("\n")[0] + "\n", r"pt\.csv: no output in it"),
        (lambda text: "", r"pt\.csv: empty file"),
    ],
)
def test_what_cannot_be_read_is_named(rows, tmp_path, change, told):
    text = "\n".join("\t".join(row) for row in [[*COLUMNS], *rows]) + "\n"
    (tmp_path / "pt.csv").write_text(change(text), encoding="utf-8")
    with pytest.raises(InputError, match=told):
        released_agreement(tmp_path / "a.csv", tmp_path / "pt.csv", **OPTIONS)
    assert not (tmp_path / "a.csv").exists()


def test_a_file_without_metrics_is_named(rows, tmp_path):
    texts = [[*row[:7], "x"] for row in rows]
    path = put(tmp_path / "pt.csv", (*COLUMNS[:7], "note"), texts)
    with pytest.raises(InputError, match=r"pt\.csv:1: no column of a metric"):
        released_agreement(tmp_path / "a.csv", path, **OPTIONS)
