"""The walk-throughs of docs/extending.md that need no finished run, done in a copy of the checkout."""

import csv

import pytest

from . import tiny
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
