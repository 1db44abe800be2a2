"""The walk-throughs of docs/extending.md that need no finished run, done in a copy of the checkout."""

import csv
from pathlib import Path

import pytest

from . import tiny
from .test_extending import DOCUMENT, small
from .walk import steps, walk

TABLE = "results/tydip/table3"
pytestmark = pytest.mark.slow


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def do(tmp_path_factory, snakemake):
    """Does a walk-through; the folder, and the rules whose jobs have run so far."""
    folder = tmp_path_factory.mktemp("walk")
    tiny.put_sources(folder)

    def through(heading: str) -> tuple[Path, set[str]]:
        def run(words: list[str]) -> None:
            done = snakemake(folder, *small(words))
            assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"

        walk(steps(DOCUMENT, heading), folder, run)
        return folder, {path.name.partition(".")[0] for path in (folder / "logs").rglob("*.log")}

    return through


@pytest.fixture(scope="module")
def scored(do):
    """The run after the first walk-through, on which the second one is built; its rows, and its rules."""
    folder, rules = do("Scores of requests of your own")
    return rows(folder / f"{TABLE}.csv"), rules


def test_scores_of_requests_are_a_row_of_table_3(scored):
    table, rules = scored
    found = {row["measure"]: row for row in table if row["model"] == "WORDS"}
    assert found.keys() == {"accuracy", "at median", "auc"}
    # Better than one class for all, whose row stands above, where there are scores.
    assert table[0]["model"] == "Majority" and len(table) == 4
    for lang in ("en", "fr"):
        assert float(table[0][lang]) == 0.5 < float(found["accuracy"][lang]) <= 1
    assert found["accuracy"]["hi"] == found["accuracy"]["avg"] == ""
    assert not any(rule.startswith(("train", "translate", "score")) for rule in rules), rules


def test_with_another_threshold_fewer_than_half_are_polite(scored, do):
    folder, rules = do("Another threshold")
    majority = rows(folder / f"{TABLE}.csv")[0]
    assert majority["model"] == "Majority" and all(float(majority[lang]) > 0.5 for lang in ("en", "fr"))
    assert not any(rule.startswith(("train", "translate", "score")) for rule in rules), rules
    compared = rows(folder / f"{TABLE}.compare.csv")
    signed = [row["signature"] for row in compared if row["ours"] and row["lang"] == "fr"]
    assert len(signed) == 4 and all("|label:score>1|" in text for text in signed)
