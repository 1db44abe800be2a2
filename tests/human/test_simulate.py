"""Simulated raters give the wanted answers, with the wanted noise."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from tests.human.conftest import OUTPUTS, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.human.aggregate import aggregate
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.sheets import Entry, Item
from workflow_scripts.human.simulate import judged, quality, simulate

Made = tuple[list[Item], list[Entry]]
RUNS = [("gold", 0), ("gold", 1), ("copy", 0), *((name, 0) for name in OUTPUTS)]


def items(task: str, count: int, options: int = 0) -> list[Item]:
    return [Item(f"{task}{i}", 1, task, options=tuple("text" for _ in range(options))) for i in range(count)]


def judge(given: list[Item], shares: list[float], **options: float) -> list[Any]:
    known = {"raters": 5, "noise": 0.0, "bias": 0.0, "seed": 1, **options}
    return judged(given, {item.item: shares for item in given}, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("task", "share", "value"), [("formality", 0.5, 0), ("fluency", 0.25, 2), ("meaning", 1.0, 6)]
)
def test_without_noise_everyone_gives_the_ideal_rating(task: str, share: float, value: int) -> None:
    found = judge(items(task, 3), [share])
    assert len(found) == 15 and {int(rating.value) for rating in found} == {value}
    assert {rating.rater for rating in found} == {f"simulated-{i}" for i in range(1, 6)}


def test_without_noise_everyone_ranks_by_quality() -> None:
    assert {rating.value for rating in judge(items("ranking", 3, 4), [0.2, 0.9, 0.1, 0.5])} == {"BDAC"}


def test_mean_and_noise_are_the_known_ones() -> None:
    # Formality 0.3: far enough from the ends that nothing is cut; rounding adds 1/12 to the variance.
    values = [float(r.value) for r in judge(items("formality", 1500), [0.55], raters=2, noise=0.8)]
    assert mean(values) == pytest.approx(0.3, abs=4 * 0.85 / math.sqrt(len(values)))
    assert stdev(values) == pytest.approx(math.sqrt(0.8**2 + 1 / 12), abs=0.04)


def test_bias_is_a_raters_own() -> None:
    found = judge(items("formality", 300), [0.5], raters=30, noise=0.3, bias=0.5)
    by_rater: dict[str, list[float]] = {}
    for rating in found:
        by_rater.setdefault(rating.rater, []).append(float(rating.value))
    means = [mean(values) for values in by_rater.values()]
    assert len(means) == 30
    # A standard deviation of 30 draws has a relative error of about 1/8.
    assert stdev(means) == pytest.approx(0.5, rel=0.4)


def test_noise_decides_how_often_the_better_one_wins() -> None:
    # Two options, qualities 0.25 apart on a scale of 2 places: a difference of 0.5 with noise 0.5 * sqrt 2.
    found = judge(items("ranking", 2000, 2), [0.5, 0.75], raters=1, noise=0.5)
    expected = 0.5 * (1 + math.erf(0.5 / (0.5 * math.sqrt(2)) / math.sqrt(2)))
    assert mean(rating.value == "BA" for rating in found) == pytest.approx(expected, abs=0.04)


def test_quality_follows_the_scores() -> None:
    def of(task: str, formality: float = 0, fluency: float = 4, text: str = "oui") -> float:
        return quality(Item("i", 1, task, informal="oui"), formality, fluency, text)

    assert of("formality", 3) == 1 and of("formality", -3.7) == 0 and of("formality", 0) == 0.5
    assert of("fluency", fluency=1) == 1 and of("fluency", fluency=12) == 0
    assert of("fluency", fluency=3) > of("fluency", fluency=5)
    assert of("meaning") == 1 and of("meaning", text="xyz") == 0
    assert of("ranking") == pytest.approx((0.5 + of("fluency") + 1) / 3)


def put_scores(tmp_path: Path) -> dict[str, Path]:
    """Formality 2 for people, -2 for the informal sentences, and 0 for systems; all equally fluent."""
    for name, run in RUNS:
        level = {"gold": 2.0, "copy": -2.0}.get(name, 0.0)
        for metric, number in (("formality", level), ("fluency", 4.0)):
            write_lines(tmp_path / metric / name / f"run{run}.txt", [f"{number:.4f}"] * 4)
    return {"formality": tmp_path / "formality", "fluency": tmp_path / "fluency"}


def test_from_sheet_to_means(made: Made, tmp_path: Path) -> None:
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", **put_scores(tmp_path)}
    simulate(tmp_path / "sim/fr.csv", **options, raters=5, noise=0.0, bias=0.0, seed=1)
    ratings(
        tmp_path / "ratings.csv",
        tmp_path / "coverage.csv",
        sheet=tmp_path / "sheet.csv",
        folder=tmp_path / "sim",
        language="fr",
        languages=["fr"],
        raters=5,
    )
    aggregate(
        tmp_path / "scores.csv",
        ratings=tmp_path / "ratings.csv",
        key=tmp_path / "key.csv",
        language="fr",
        systems=["gold", "copy", *OUTPUTS],
        baseline="rules",
        resamples=100,
        confidence=0.95,
        seed=1,
        simulated=True,
    )
    found = {(row["system"], row["metric"]): row for row in rows_of(tmp_path / "scores.csv")}
    # A text that two wrote has the score of the first in the key: "a plus" is the informal sentence, and the
    # first rewrite of one reference set is also an output.
    assert float(found["tag", "formality"]["value"]) == -0.5
    assert float(found["gold", "formality"]["value"]) == 2
    assert float(found["copy", "formality"]["value"]) == -2
    assert ("copy", "meaning") not in found and ("gold", "ranking") not in found
    assert {row["raters"] for row in found.values()} == {"5"}
    assert all(row["signature"].startswith("simulated raters|task:") for row in found.values())
    assert sum(float(found[name, "ranking"]["value"]) for name in OUTPUTS) == pytest.approx(6)


def test_the_same_seed_gives_the_same_ratings(made: Made, tmp_path: Path) -> None:
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", **put_scores(tmp_path)}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        simulate(tmp_path / name, **options, raters=2, noise=0.8, bias=0.3, seed=seed)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != (tmp_path / "c").read_bytes()


def test_missing_scores_are_reported(made: Made, tmp_path: Path) -> None:
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", **put_scores(tmp_path)}
    numbers = {"raters": 1, "noise": 0.0, "bias": 0.0, "seed": 1}
    write_lines(tmp_path / "fluency/multi/run0.txt", ["4.0"])
    with pytest.raises(InputError, match=r"multi/run0\.txt: no score of sentence [2-4], which the key names"):
        simulate(tmp_path / "out.csv", **options | numbers)  # type: ignore[arg-type]
    write_lines(tmp_path / "fluency/multi/run0.txt", ["4.0"] * 4)
    (tmp_path / "formality/tag/run0.txt").unlink()
    with pytest.raises(InputError, match=r"tag/run0\.txt: no such file"):
        simulate(tmp_path / "out.csv", **options | numbers)  # type: ignore[arg-type]


def test_a_sheet_of_another_key_is_reported(made: Made, tmp_path: Path) -> None:
    key = tmp_path / "key.csv"
    rows = key.read_text(encoding="utf-8").splitlines(keepends=True)
    item = rows[1].split(",")[0]
    key.write_text("".join(row for row in rows if not row.startswith(item)), encoding="utf-8")
    with pytest.raises(InputError, match=r"key\.csv: no text \w+( \w)? of .*sheet\.csv; make both anew"):
        simulate(
            tmp_path / "r.csv",
            **{"sheet": tmp_path / "sheet.csv", "key": key, **put_scores(tmp_path)},
            **{"raters": 2, "noise": 0.5, "bias": 0.1, "seed": 1},  # type: ignore[arg-type]
        )
    assert not (tmp_path / "r.csv").exists()
