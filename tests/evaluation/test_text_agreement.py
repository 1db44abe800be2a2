"""The agreement of scores with ratings of texts that no system wrote: by SciPy, and its messages."""

import random

import pytest
from scipy import stats

from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.evaluation.agreement import HEADER
from workflow_scripts.evaluation.text_agreement import text_agreement
from workflow_scripts.papers.tydip.metric_agreement import metric_agreement as of_requests
from workflow_scripts.papers.xformal.metric_agreement import metric_agreement as of_outputs

OPTIONS = {"resamples": 200, "confidence": 0.95, "seed": 1, "texts": "PT16", "task": "formality"}


@pytest.fixture
def given(tmp_path):
    """Two languages: three metrics of the same 60 texts, and one that scored 20 of them."""
    draw = random.Random(3)
    ratings = [draw.gauss(0, 1) for _ in range(60)]
    noise = {"formality": 1.0, "zero_shot": 0.2, "formal": 3.0}
    scores = {name: [value + much * draw.gauss(0, 1) for value in ratings] for name, much in noise.items()}
    files: dict[str, list] = {name: [] for name in ("languages", "metrics", "scores", "ratings", "models")}
    (model := tmp_path / "model").mkdir()
    (model / "weights").write_text("1")
    (asked := tmp_path / "signature.txt").write_text("prompted:m@1|n:20\n")

    def put(name, values):
        write_lines(tmp_path / name, map(repr, values))
        return tmp_path / name

    for lang in ("en", "fr"):
        for name, values in scores.items():
            files["scores"].append(put(f"{lang}.{name}", values))
            files["ratings"].append(put("ratings", ratings))
            files["models"].append(model)
            files["languages"].append(lang)
            files["metrics"].append(name)
    files["scores"].append(put("judged", scores["formal"][:20]))
    files["ratings"].append(put("some", ratings[:20]))
    files["models"].append(asked)
    files["languages"].append("fr")
    files["metrics"].append("judge_formality")
    return files, ratings, scores


def test_correlations_intervals_and_tests(given, tmp_path):
    files, ratings, scores = given
    text_agreement(tmp_path / "t.csv", **files, **OPTIONS, shown="formality")
    rows = rows_of(tmp_path / "t.csv")
    assert list(rows[0]) == list(HEADER)
    assert [(row["language"], row["metric"]) for row in rows] == [
        *(("en", name) for name in scores),
        *(("fr", name) for name in (*scores, "judge_formality")),
    ]
    for row in rows:
        values = scores.get(row["metric"], scores["formal"][:20])
        expected = stats.spearmanr(values, ratings[: len(values)]).statistic
        assert float(row["spearman"]) == pytest.approx(expected, abs=1e-6)
        assert float(row["spearman_low"]) < expected < float(row["spearman_high"])
        assert (row["texts"], row["task"], row["n"]) == ("PT16", "formality", str(len(values)))
        # There are no systems to be ordered.
        assert row["kendall"] == row["kendall_low"] == row["systems"] == ""
    english = {row["metric"]: row for row in rows if row["language"] == "en"}
    # The better one is told apart; the one that others are tested against has no p.
    assert english["formality"]["p"] == "" and float(english["zero_shot"]["p"]) < 0.05
    ps = sorted(float(english[name]["p"]) for name in ("zero_shot", "formal"))
    assert min(float(english[name]["p_holm"]) for name in ("zero_shot", "formal")) == pytest.approx(2 * ps[0])
    # Nor the one of other texts.
    assert rows[-1]["p"] == "" and rows[-1]["signature"].endswith("|prompted:m@1|n:20")
    assert rows[0]["signature"].startswith("raters|task:formality|rated:60|bs:200|ar:200|seed:1|model:")


def test_leaves_show_them_rounded(given, tmp_path):
    files, *_ = given
    text_agreement(tmp_path / "t.csv", **files, **OPTIONS, shown="formality", simulated=True)
    full = rows_of(tmp_path / "t.csv")
    of_outputs(tmp_path / "leaf.csv", agreements=[tmp_path / "t.csv"])
    leaf = rows_of(tmp_path / "leaf.csv")
    assert [row["metric"] for row in leaf[:3]] == ["formality", "zero-shot formality", "formal (%)"]
    assert {row["texts"] for row in leaf} == {"PT16"} and {row["rated"] for row in leaf} == {"formality"}
    of_requests(tmp_path / "requests.csv", agreements=tmp_path / "t.csv")
    for shown in (leaf, rows_of(tmp_path / "requests.csv")):
        for row, own in zip(shown, full, strict=True):
            assert row["spearman"] == f"{float(own['spearman']):.2f}" and row["n"] == own["n"]
            assert row["signature"] == own["signature"]
            assert row["signature"].startswith("simulated raters|")


def test_ratings_that_are_all_equal_have_no_correlation(given, tmp_path):
    files, ratings, _ = given
    write_lines(tmp_path / "ratings", ["1.0"] * len(ratings))
    text_agreement(tmp_path / "t.csv", **files, **OPTIONS, shown="formality")
    assert {
        row["spearman"] for row in rows_of(tmp_path / "t.csv") if row["metric"] in ("formality", "formal")
    } == {""}


def test_what_does_not_match_is_named(given, tmp_path):
    files, *_ = given
    write_lines(files["scores"][0], ["1.0"])
    with pytest.raises(InputError, match=r"en\.formality: 1 scores but 60 ratings in .*ratings"):
        text_agreement(tmp_path / "t.csv", **files, **OPTIONS, shown="formality")
    for name in files:
        with pytest.raises(InputError, match="differ in length; give as many of each"):
            text_agreement(
                tmp_path / "t.csv", **files | {name: files[name][1:]}, **OPTIONS, shown="formality"
            )
    twice = {name: [values[1], values[1]] for name, values in files.items()}
    with pytest.raises(InputError, match="two files of scores of 'zero_shot' in en"):
        text_agreement(tmp_path / "t.csv", **twice, **OPTIONS, shown="formality")
    assert not (tmp_path / "t.csv").exists()
