"""The walk-throughs of docs/extending.md that need no finished run, done in a copy of the checkout."""

import csv
import subprocess
import sys

import pytest

from workflow_scripts.core.files import read_lines

from . import tiny
from .conftest import ROOT
from .test_extending import DOCUMENT, small
from .walk import steps, walk


@pytest.fixture
def do(tmp_path, snakemake):
    """Does a walk-through; the lines of a table that it ends with, and the rules whose jobs have run."""

    def through(heading: str, table: str) -> tuple[list[dict[str, str]], set[str]]:
        tiny.put_sources(tmp_path)

        def run(words: list[str]) -> None:
            done = snakemake(tmp_path, *small(words))
            assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"

        walk(steps(DOCUMENT, heading), tmp_path, run)
        logs = (tmp_path / "logs").rglob("*.log")
        with (tmp_path / table).open(encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream)), {path.name.partition(".")[0] for path in logs}

    return through


@pytest.mark.slow
def test_scores_of_requests_are_a_row_of_table_3(do, tmp_path):
    rows, rules = do("Scores of requests of your own", "results/tydip/table3.csv")
    found = {row["measure"]: row for row in rows if row["model"] == "WORDS"}
    assert found.keys() == {"accuracy", "at median", "auc"}
    # Better than one class for all, whose row stands above, where there are scores.
    assert rows[0]["model"] == "Majority" and len(rows) == 4
    for lang in ("en", "fr"):
        assert float(rows[0][lang]) == 0.5 < float(found["accuracy"][lang]) <= 1
    assert found["accuracy"]["hi"] == found["accuracy"]["avg"] == ""
    assert not any(rule.startswith(("train", "translate", "score")) for rule in rules), rules
    # With another threshold fewer than half are polite.
    others, rules = do("Another threshold", "results/tydip/table3.csv")
    assert others[0]["model"] == "Majority" and all(float(others[0][lang]) > 0.5 for lang in ("en", "fr"))
    assert not any(rule.startswith(("train", "translate", "score")) for rule in rules), rules
    with (tmp_path / "results/tydip/table3.compare.csv").open(encoding="utf-8", newline="") as stream:
        signed = [row["signature"] for row in csv.DictReader(stream) if row["ours"] and row["lang"] == "fr"]
    assert len(signed) == 4 and all("|label:score>1|" in text for text in signed)


@pytest.mark.long
def test_rewrites_of_users_words_are_a_row_of_table_5(do):
    rows, rules = do("Rewrites of users' words of your own", "results/impolite/table5.csv")
    assert [row["model"] for row in rows] == ["original", "people", "RUDE ENDS"]
    assert 0 < float(rows[2]["BLEU"]) < float(rows[0]["BLEU"]) == 100 and float(rows[2]["PPL"]) > 1
    # Those of the metrics.
    assert {rule for rule in rules if rule.startswith("train")} == {"train_judge", "train_fluency", "train"}


@pytest.mark.long
def test_a_pointer_network_is_a_row_of_tables_6_and_7(do, tmp_path):
    rows, rules = do("A model architecture of your own", "results/table7.csv")
    row = {row["system"]: row for row in rows}["POINTER NETWORK"]
    assert float(row["multi_bleu_fr"]) >= 0 and 0 < float(row["self_bleu_fr"]) < 100
    # Its models are its own rules', and no translator is trained but that of the training pairs.
    assert {"train_pointer", "decode_pointer", "train_nmt"} <= rules and "decode" not in rules
    assert not any((tmp_path / "logs/transfer").glob("train.*"))
    outputs = tmp_path / "build/transfer/fr/pointer"
    texts = [read_lines(outputs / f"{name}.txt") for name in ("run0", "seed1", "seed2")]
    assert texts[1] != texts[2] and all(texts[0])
    with (tmp_path / "results/table6.csv").open(encoding="utf-8", newline="") as stream:
        assert {row["system"]: row["gyafc_fr"] for row in csv.DictReader(stream)} == {
            "POINTER NETWORK": "300"
        }
    with (tmp_path / "results/plan.csv").open(encoding="utf-8", newline="") as stream:
        plan = {row["rule"]: row["extrapolated"] for row in csv.DictReader(stream)}
    assert "guessed rate" in plan["decode_pointer"] and "guessed rate" not in plan["train_pointer"]
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["format"], ["check"]):
        command = [*ruff, *words, "--config", str(ROOT / "pyproject.toml"), tmp_path / "workflow_scripts"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
