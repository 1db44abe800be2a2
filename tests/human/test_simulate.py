"""Simulated raters give the wanted answers, with the wanted noise."""

import json
import math
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from tests.human.conftest import FORMAL, INFORMAL, OUTPUTS
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.human.aggregate import aggregate
from workflow_scripts.human.knowledge import read_known
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.sheets import Entry, Item
from workflow_scripts.human.simulate import judged, quality, simulate

Made = tuple[list[Item], list[Entry]]


def items(task: str, count: int, options: int = 0) -> list[Item]:
    return [Item(f"{task}{i}", 1, task, options=tuple("text" for _ in range(options))) for i in range(count)]


def judge(given: list[Item], shares: list[float], **options: float) -> list[Any]:
    known = {"raters": 5, "noise": 0.0, "bias": 0.0, "spread": 0.0, "seed": 1, **options}
    return judged(given, {item.item: shares for item in given}, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("task", "share", "value"), [("formality", 0.5, 0), ("fluency", 0.25, 2), ("meaning", 1.0, 6)]
)
def test_without_noise_everyone_gives_the_ideal_rating(task, share, value):
    found = judge(items(task, 3), [share])
    assert len(found) == 15 and {int(rating.value) for rating in found} == {value}
    assert {rating.rater for rating in found} == {f"simulated-{i}" for i in range(1, 6)}


def test_ratings_are_cut_to_the_scale():
    found = {int(one.value) for one in judge(items("meaning", 60), [0.5], noise=9.0)}
    assert found == set(range(1, 7))


def test_without_noise_everyone_ranks_by_quality():
    assert {rating.value for rating in judge(items("ranking", 3, 4), [0.2, 0.9, 0.1, 0.5])} == {"BDAC"}
    # The same quality: in the order of the letters.
    assert {rating.value for rating in judge(items("ranking", 3, 3), [0.5, 0.5, 0.9])} == {"CAB"}


def test_mean_and_noise_are_the_known_ones():
    # Formality 0.3: far enough from the ends that nothing is cut; rounding adds 1/12 to the variance.
    values = [float(r.value) for r in judge(items("formality", 1500), [0.55], raters=2, noise=0.8)]
    assert mean(values) == pytest.approx(0.3, abs=4 * 0.85 / math.sqrt(len(values)))
    assert stdev(values) == pytest.approx(math.sqrt(0.8**2 + 1 / 12), abs=0.04)


def test_bias_is_a_raters_own():
    found = judge(items("formality", 300), [0.5], raters=30, noise=0.3, bias=0.5)
    by_rater: dict[str, list[float]] = {}
    for rating in found:
        by_rater.setdefault(rating.rater, []).append(float(rating.value))
    means = [mean(values) for values in by_rater.values()]
    assert len(means) == 30
    # A standard deviation of 30 draws has a relative error of about 1/8.
    assert stdev(means) == pytest.approx(0.5, rel=0.4)


def test_noise_decides_how_often_the_better_one_wins():
    # Two options, qualities 0.25 apart on a scale of 2 places: a difference of 0.5 with noise 0.5 * sqrt 2.
    found = judge(items("ranking", 2000, 2), [0.5, 0.75], raters=1, noise=0.5)
    expected = 0.5 * (1 + math.erf(0.5 / (0.5 * math.sqrt(2)) / math.sqrt(2)))
    assert mean(rating.value == "BA" for rating in found) == pytest.approx(expected, abs=0.04)


def test_what_all_find_in_a_text_is_not_noise():
    """Raters without noise of their own agree, and a text's rating differs from what is expected."""
    found = judge(items("formality", 400), [0.5], raters=2, spread=0.6)
    by_item: dict[str, set[str]] = {}
    for rating in found:
        by_item.setdefault(rating.item, set()).add(rating.value)
    assert all(len(values) == 1 for values in by_item.values())
    assert stdev(float(min(values)) for values in by_item.values()) == pytest.approx(
        math.sqrt(0.6**2 + 1 / 12), abs=0.08
    )


def test_quality_is_that_of_what_is_known(tmp_path):
    path = put_known(tmp_path)
    known = read_known(path)[0]
    shares = [quality(task, known, "Bonjour.") for task in ("formality", "fluency", "meaning", "ranking")]
    assert shares[3] == pytest.approx(sum(shares[:3]) / 3)


def put_known(tmp_path: Path) -> Path:
    """What is known of the four sentences of the small evaluation."""
    path = tmp_path / "known.jsonl"
    write_lines(
        path,
        [
            json.dumps({"content": ["là"], "informal": [[informal]], "formal": [[formal]]})
            for informal, formal in zip(INFORMAL, FORMAL, strict=True)
        ],
    )
    return path


def test_from_sheet_to_means(made, tmp_path):
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", "known": put_known(tmp_path)}
    simulate(tmp_path / "sim/fr.csv", **options, raters=5, noise=0.0, bias=0.0, spread=0.0, seed=1)
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
        tmp_path / "outputs.csv",
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
    # Every rewrite has the one formal word of its sentence, and no informal one.
    assert float(found["gold", "formality"]["value"]) > 0.5 > 0 > float(found["copy", "formality"]["value"])
    assert float(found["gold", "fluency"]["value"]) >= float(found["multi", "fluency"]["value"])
    assert ("copy", "meaning") not in found and ("gold", "ranking") not in found
    assert {row["raters"] for row in found.values()} == {"5"}
    assert all(row["signature"].startswith("simulated raters|task:") for row in found.values())
    assert sum(float(found[name, "ranking"]["value"]) for name in OUTPUTS) == pytest.approx(6)


def test_the_same_seed_gives_the_same_ratings(made, tmp_path):
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", "known": put_known(tmp_path)}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        simulate(tmp_path / name, **options, raters=2, noise=0.8, bias=0.3, spread=0.4, seed=seed)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() != (tmp_path / "c").read_bytes()
    # Simulated ratings are the same ones in any later version.
    assert digest(tmp_path / "a")[:12] == "ea785c164169"


def test_a_sentence_that_nobody_knows_is_reported(made, tmp_path):
    options = {"sheet": tmp_path / "sheet.csv", "key": tmp_path / "key.csv", "known": put_known(tmp_path)}
    numbers = {"raters": 1, "noise": 0.0, "bias": 0.0, "spread": 0.0, "seed": 1}
    first, *_ = (tmp_path / "known.jsonl").read_text(encoding="utf-8").splitlines()
    write_lines(tmp_path / "known.jsonl", [first])
    with pytest.raises(InputError, match=r"known\.jsonl: nothing of sentence [2-4], which the key names"):
        simulate(tmp_path / "out.csv", **options | numbers)  # type: ignore[arg-type]
    write_lines(tmp_path / "known.jsonl", [first, '{"content": 1}'])
    with pytest.raises(InputError, match=r"known\.jsonl:2: not the knowledge about a sentence"):
        simulate(tmp_path / "out.csv", **options | numbers)  # type: ignore[arg-type]


def test_a_sheet_of_another_key_is_reported(made, tmp_path):
    key = tmp_path / "key.csv"
    rows = key.read_text(encoding="utf-8").splitlines(keepends=True)
    item = rows[1].split(",")[0]
    key.write_text("".join(row for row in rows if not row.startswith(item)), encoding="utf-8")
    with pytest.raises(InputError, match=r"key\.csv: no text \w+( \w)? of .*sheet\.csv; make both anew"):
        simulate(
            tmp_path / "r.csv",
            **{"sheet": tmp_path / "sheet.csv", "key": key, "known": put_known(tmp_path)},
            **{"raters": 2, "noise": 0.5, "bias": 0.1, "spread": 0.1, "seed": 1},  # type: ignore[arg-type]
        )
    assert not (tmp_path / "r.csv").exists()
