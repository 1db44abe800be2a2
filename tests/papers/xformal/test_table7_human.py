"""The human half of Table 7."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import METRICS
from tests.manifests import labelled
from tests.papers.xformal.conftest import MADE_WITH
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.aggregate import HEADER
from workflow_scripts.papers.xformal.table7 import table7
from workflow_scripts.papers.xformal.table7_compare import compare

PRINTED = Path(__file__).parents[3] / "resources" / "printed" / "xformal" / "table7.csv"
LABELS = {"gold": "GOLD STANDARD", "copy": "COPY", "rule-based": "RULE-BASED", "unmt": "UNMT"}


def scores(path: Path, system_metrics: dict[str, tuple[str, ...]], language: str = "fr") -> Path:
    """A file of scores: 1.234 for the first metric of a system, 2.234 for the second, ..."""
    rows = [
        (
            system,
            metric,
            language,
            f"{place}.234",
            f"{place}.1",
            f"{place}.3",
            "0.01",
            "0.0312",
            30,
            5,
            "sign",
        )
        for system, metrics in system_metrics.items()
        for place, metric in enumerate(metrics, 1)
    ]
    return put(path, HEADER, rows)


@pytest.fixture
def files(tmp_path):
    return {
        "scores": [scores(tmp_path / "automatic.csv", dict.fromkeys(LABELS, METRICS))],
        "systems": labelled(tmp_path / "systems.csv", LABELS),
    }


@pytest.fixture
def human(tmp_path):
    tasks = ("formality", "fluency", "meaning", "ranking")
    given = {"gold": tasks[:3], "copy": tasks[:2], "rule-based": tasks}
    return [scores(tmp_path / "human.csv", given)]


def test_ratings_have_their_columns_whatever_the_metrics_are(tmp_path, files, human):
    table7(tmp_path / "t.csv", **files, human=human, languages=["fr"], metrics=["multi_bleu"])
    rows = rows_of(tmp_path / "t.csv")
    expected = [f"{name}_fr" for name in ("multi_bleu", "self_bleu", "formality", "perplexity")]
    assert [name for name in rows[0] if name.endswith("_fr")] == expected
    rule_based = [row for row in rows if row["section"] == "human"][-1]
    assert all(rule_based[name] for name in expected)
    table7(tmp_path / "t.csv", **files, languages=["fr"], metrics=["multi_bleu"])
    assert list(rows_of(tmp_path / "t.csv")[0]) == ["section", "system", "multi_bleu_fr", "multi_bleu_fr_p"]


@pytest.mark.parametrize(("simulated", "section"), [(False, "human"), (True, "human (simulated)")])
def test_human_rows_come_after_the_automatic_ones(tmp_path, files, human, simulated, section):
    table7(
        tmp_path / "t.csv",
        **files,
        human=human,
        simulated=simulated,
        languages=["pt", "fr"],
        metrics=METRICS,
    )
    rows = rows_of(tmp_path / "t.csv")
    assert [(row["section"], row["system"]) for row in rows] == [
        *(("automatic", label) for label in LABELS.values()),
        *((section, label) for label in list(LABELS.values())[:3]),
    ]
    # Meaning under self-BLEU, fluency under perplexity, the ranking under multi-BLEU; two decimals.
    rules = rows[-1]
    assert [rules[f"{metric}_fr"] for metric in METRICS] == ["3.23", "1.23", "2.23", "4.23"]
    assert rules["self_bleu_fr_p"] == "0.0312" and rules["self_bleu_pt"] == ""
    copy = rows[-2]
    assert copy["self_bleu_fr"] == copy["multi_bleu_fr"] == "" != copy["formality_fr"]
    # One decimal for BLEU in the automatic half.
    assert rows[0]["self_bleu_fr"] == "1.2"
    # Systems that nobody has rated in these languages stand between those that somebody has.
    some = [scores(tmp_path / "some.csv", {"gold": ("fluency",), "unmt": ("fluency",)})]
    some.append(scores(tmp_path / "other.csv", {"copy": ("fluency",)}, "it"))
    table7(tmp_path / "t.csv", **files, human=some, simulated=simulated, languages=["fr"], metrics=METRICS)
    rated = [row["system"] for row in rows_of(tmp_path / "t.csv") if row["section"] == section]
    assert rated == ["GOLD STANDARD", "UNMT"]


def test_without_ratings_there_is_the_automatic_half(tmp_path, files):
    table7(tmp_path / "t.csv", **files, languages=["fr"], metrics=METRICS)
    assert {row["section"] for row in rows_of(tmp_path / "t.csv")} == {"automatic"}
    empty = put(tmp_path / "empty.csv", HEADER, [])
    table7(tmp_path / "t.csv", **files, human=[empty], languages=["fr"], metrics=METRICS)
    assert {row["section"] for row in rows_of(tmp_path / "t.csv")} == {"automatic"}


def cells(tmp_path: Path, files: dict[str, Any], **options: Any) -> dict[tuple, dict[str, str]]:
    compare(tmp_path / "c.csv", **files, printed=PRINTED, **MADE_WITH, **options)
    rows = rows_of(tmp_path / "c.csv")
    return {tuple(row.values())[:4]: row for row in rows}


def test_human_cells_stand_beside_the_printed_ones(tmp_path, files, human):
    found = cells(tmp_path, files, human=human, scale="paper")
    row = found["human", "RULE-BASED", "self_bleu", "fr"]
    assert (row["printed"], row["ours"], row["difference"], row["comparable"], row["signature"]) == (
        *("5.95", "3.23", "-2.72"),
        *("no: other raters than the paper's, abbreviations of ours", "sign"),
    )
    assert (row["ci_low"], row["ci_high"]) == ("3.10", "3.30")
    # The paper prints a sign.
    gold = found["human", "GOLD STANDARD", "formality", "fr"]
    assert (gold["printed"], gold["ours"], gold["difference"]) == ("+1.14", "1.23", "0.09")
    missing = found["human", "BACKTRANSLATE", "formality", "fr"]
    assert (missing["ours"], missing["comparable"]) == ("", "no: not computed")


@pytest.mark.parametrize(
    ("scale", "word"), [("paper", "no: simulated raters"), ("demo", "no: demo, simulated raters")]
)
def test_simulated_raters_are_called_so(tmp_path, files, human, scale, word):
    found = cells(tmp_path, files, human=human, simulated=True, scale=scale)
    judged = {row["comparable"] for key, row in found.items() if key[0] == "human" and row["ours"]}
    assert judged and all(why.startswith(word) for why in judged)
    assert "simulated" not in found["automatic", "UNMT", "formality", "fr"]["comparable"]


def test_without_ratings_the_reason_is_reported(tmp_path, files):
    found = cells(tmp_path, files, scale="paper")
    human = [row for key, row in found.items() if key[0] == "human"]
    assert {row["signature"] for row in human} == {""}
    assert {row["comparable"] for row in human} == {"no: no ratings: human.ratings"}


def test_wrong_human_scores_are_reported(tmp_path, files):
    for given, message in (
        ({"rule-base": ("meaning",)}, "ratings of unknown system 'rule-base'; did you mean 'rule-based'"),
        ({"unmt": ("meanings",)}, "no rating 'meanings'; did you mean 'meaning'"),
        ({"unmt": ("meaning", "meaning")}, "a second mean of unmt, meaning"),
    ):
        wrong = scores(tmp_path / "wrong.csv", given)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=message):
            table7(tmp_path / "t.csv", **files, human=[wrong], languages=["fr"], metrics=METRICS)
