"""Kappa, ICC, tau and alpha: by hand, and against the libraries."""

import re
import warnings
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.papers.conftest import every_leaf_is_as_documented
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.sheets import RATINGS
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.xformal.table10 import table10
from workflow_scripts.statistics import agreement

__all__ = ["every_leaf_is_as_documented"]
PRINTED = Path(__file__).parents[2] / "resources" / "printed" / "xformal" / "table10.csv"
KEYS = ("task", "measure", "lang", "statistic")
# Two annotators of four items: squared differences 1, 0, 0, 1.
ONE, TWO = np.array([1.0, 2, 3, 4]), np.array([2.0, 2, 3, 5])
RATED = arrays(np.float64, (2, 12), elements=st.integers(1, 6).map(float))


def test_kappa_by_hand():
    # Observed 2/4. Expected: 3 and 3, mean squared difference of all 16 pairs: (1 1 4 16, 0 0 1 9, 1 1 0 4,
    # 4 4 1 1) = 48 / 16 = 3. Kappa = 1 - 0.5 / 3.
    assert agreement.weighted_kappa(ONE, TWO) == pytest.approx(1 - 0.5 / 3)
    assert agreement.weighted_kappa(ONE, ONE) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(agreement.weighted_kappa(np.ones(3), np.ones(3)))


def test_icc_by_hand():
    # Means 1.5, 2, 3, 4.5 around 2.75: between = 2 * (1.5625 + 0.5625 + 0.0625 + 3.0625) / 3 = 3.5;
    # within = (0.5 + 0 + 0 + 0.5) / 4 = 0.25. ICC(1,k) = (3.5 - 0.25) / 3.5.
    assert agreement.icc(ONE, TWO) == pytest.approx(3.25 / 3.5)
    # Items that are all alike: raters who differ agree on nothing, those who do not leave nothing to say.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert agreement.icc(np.array([1.0, 2]), np.array([2.0, 1])) == -np.inf
        assert np.isnan(agreement.icc(np.ones(3), np.ones(3)))


def test_tau_by_hand():
    # Orders ABC, ABC, CAB: places 123, 123, 231. The others of the first: (1.5, 2.5, 2), one discordant pair
    # of three: tau 1/3; the same for the second. The others of the third: (1, 2, 3) against (2, 3, 1): -1/3.
    found = agreement.rank_pairs([[[1, 2, 3], [1, 2, 3], [2, 3, 1]]])
    assert found.one[0] == pytest.approx([1 / 3, 1 / 3, -1 / 3])
    # Others that cancel each other out agree with nothing; a tie among them costs as tau-b does.
    tied = agreement.rank_pairs([[[1, 2], [1, 2], [2, 1]], [[1, 2, 3], [1, 2, 3], [1, 3, 2]]])
    assert tied.one[0] == pytest.approx([0, 0, -1])
    assert tied.one[1] == pytest.approx([2 / np.sqrt(6), 2 / np.sqrt(6), 1 / 3])


def test_rankings_of_two_raters_and_of_one():
    # An item with a single ranking has no pair; two rankings are two pairs.
    found = agreement.rank_pairs([[[1, 2, 3]], [[1, 2, 3], [1, 2, 3]], [[1, 2], [2, 1], [2, 1]]])
    assert found.counts.tolist() == [2, 3]
    assert found.one.tolist() == [[1, 1, pytest.approx(np.nan, nan_ok=True)], [-1, 0, 0]]
    assert found.one.dtype == np.float64
    assert agreement.rank_pairs([]).one.shape == agreement.pairs([]).one.shape == (0, 0)


def test_alpha_by_hand():
    # Two raters, items 1-1, 1-2, 2-2: values 1 1 1 2 2 2. Ordinal distance of 1 and 2:
    # (3 + 3 - (3 + 3) / 2) ** 2 = 9. Observed: 2 of 6 coincidences differ; expected: 2 * 3 * 3 of 6 * 5.
    rated = [[("a", x), ("b", y)] for x, y in ((1.0, 1.0), (1.0, 2.0), (2.0, 2.0))]
    assert agreement.alpha(rated, 1, 2) == pytest.approx(1 - (2 / 6) / (18 / 30))
    # Not every rater rates everything; a single rating says nothing.
    more = [*rated, [("c", 2.0)]]
    assert agreement.alpha(more, 1, 5) == pytest.approx(1 - (2 / 6) / (18 / 30))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(agreement.alpha([[("a", 1.0), ("b", 1.0)]], 1, 5))
        assert np.isnan(agreement.alpha([[("a", 1.0)], [("b", 2.0)]], 1, 5))


def ordinal_alpha(items: list[list[int]]) -> float:
    """Krippendorff's alpha by its definition, with the distances of ordered categories."""
    paired = [item for item in items if len(item) > 1]
    counts = Counter(value for item in paired for value in item)
    size = sum(counts.values())

    def distance(one: int, two: int) -> float:
        low, high = sorted((one, two))
        return (sum(counts[g] for g in range(low, high + 1)) - (counts[one] + counts[two]) / 2) ** 2

    observed = sum(distance(a, b) / (len(item) - 1) for item in paired for a, b in permutations(item, 2))
    expected = sum(counts[a] * counts[b] * distance(a, b) for a, b in product(counts, repeat=2))
    return 1 - (size - 1) * observed / expected


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=4), min_size=2, max_size=8))
def test_alpha_is_its_definition(items):
    if len({value for item in items if len(item) > 1 for value in item}) < 2:
        return
    rated = [[(f"rater {number}", float(value)) for number, value in enumerate(item)] for item in items]
    assert agreement.alpha(rated, 1, 5) == pytest.approx(ordinal_alpha(items))


@pytest.mark.slow
@settings(max_examples=60)
@given(RATED)
def test_kappa_is_scikit_learns(rated):
    from sklearn.metrics import cohen_kappa_score

    one, two = rated
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # All categories are named: by itself the library takes those that occur for neighbours.
        theirs = cohen_kappa_score(one.astype(int), two.astype(int), weights="quadratic", labels=range(1, 7))
    assert agreement.weighted_kappa(one, two) == pytest.approx(theirs, nan_ok=True)


@pytest.mark.slow
@settings(max_examples=15)
@given(RATED)
def test_icc_is_pingouins(rated):
    import pandas as pd
    import pingouin

    one, two = rated[0], rated[1] + 0.25
    table = pd.DataFrame(
        {
            "item": [*range(12), *range(12)],
            "annotator": ["one"] * 12 + ["two"] * 12,
            "rating": [*one, *two],
        }
    )
    if np.ptp((one + two) / 2) == 0:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pingouin.intraclass_corr(table, "item", "annotator", "rating").set_index("Type")["ICC"]
    assert agreement.icc(one, two) == pytest.approx(theirs["ICC(1,k)"], abs=1e-6)


def test_all_simulations_at_once_are_the_simulations_one_by_one():
    generator = np.random.default_rng(3)
    one, two = generator.integers(1, 6, (2, 7, 20)).astype(float)
    for function in (agreement.weighted_kappa, agreement.icc):
        assert function(one, two) == pytest.approx(
            [float(function(*pair)) for pair in zip(one, two, strict=True)]
        )


def test_each_rater_stands_beside_the_mean_of_the_others():
    found = agreement.pairs([[1, 2, 6], [4], [3, 5]])
    assert list(found.counts) == [3, 2]
    assert found.one[0] == pytest.approx([1, 2, 6]) and found.rest[0] == pytest.approx([4, 3.5, 1.5])
    one, rest = found.draw(600, (1, 2))
    assert one.shape == rest.shape == (600, 2)
    # Every rater is drawn equally often, with what belongs to it.
    assert set(zip(one[:, 0], rest[:, 0], strict=True)) == {(1, 4), (2, 3.5), (6, 1.5)}
    assert all(150 < (one[:, 0] == value).sum() < 250 for value in (1, 2, 6))
    assert set(one[:, 1]) == {3, 5}
    again = found.draw(600, (1, 2))[0]
    assert (again == one).all() and (found.draw(600, (2, 2))[0] != one).any()


def test_printed_icc_is_spearman_browns_of_the_printed_kappa():
    printed = read_printed(PRINTED, *KEYS)
    pairs = [
        (float(value), float(printed[task, "icc", lang, part]))
        for (task, measure, lang, part), value in printed.items()
        if (measure, part) == ("kappa", "median")
    ]
    assert len(pairs) == 9
    assert max(abs(2 * kappa / (1 + kappa) - icc) for kappa, icc in pairs) < 0.02


def test_printed_table_has_all_cells():
    printed = read_printed(PRINTED, *KEYS)
    assert len(printed) == 3 * 3 * 4 + 3 * 2
    assert printed["Meaning Preservation", "icc", "fr", "median"] == "0.83"
    assert printed["Overall", "tau", "fr", "median"] == "0.44"
    assert {value for key, value in printed.items() if key[3] == "sd"} == {"0.01", "0.02", "0.03"}


def ratings_file(path: Path, spread: float, seed: int = 0) -> Path:
    """60 items of each task, five raters whose noise is known."""
    generator = np.random.default_rng(seed)
    rows: list[tuple[object, ...]] = []
    for item in range(60):
        truth = generator.uniform(-2, 2)
        for rater in range(5):
            number = int(np.clip(np.rint(truth + generator.normal(0, spread)), -3, 3))
            rows.append((f"r{rater}", f"f{item}", "formality", number))
            places = np.arange(4) + generator.normal(0, spread, 4)
            rows.append((f"r{rater}", f"o{item}", "ranking", "".join("ABCD"[i] for i in np.argsort(places))))
    return put(path, RATINGS, rows)


def make(tmp_path: Path, scale: Any = "demo", **options: Any) -> tuple[list[dict], dict[tuple, dict]]:
    """The table and its comparison, by key."""
    files = (tmp_path / "table10.csv", tmp_path / "compare.csv")
    given = {"languages": ["pt", "fr"], "simulations": 200, "seed": 1, "printed": PRINTED, **options}
    table10(*files, scale=scale, **given)
    compare = {tuple(row[key] for key in KEYS): row for row in rows_of(files[1])}
    return rows_of(files[0]), compare


def test_table_in_the_papers_layout(tmp_path):
    files = [ratings_file(tmp_path / f"{lang}.csv", 0.7, seed) for seed, lang in enumerate(("pt", "fr"))]
    table, compare = make(tmp_path, ratings=files, simulated=True)
    assert [row["task"] for row in table] == ["Formality", "Fluency", "Meaning Preservation", "Overall"]
    assert list(table[0]) == ["task", "source"] + [
        f"{measure}_{lang}" for lang in ("pt", "fr") for measure in ("kappa", "icc", "tau", "alpha")
    ]
    assert {row["source"] for row in table} == {"simulated"}
    cell = compare["Formality", "kappa", "pt", "median"]
    assert table[0]["kappa_pt"].startswith(f"{cell['ours']} ± ")
    # Of every measure that is drawn, median and deviation.
    for task, row, measure in (("Formality", 0, "kappa"), ("Formality", 0, "icc"), ("Overall", 3, "tau")):
        middle, spread = (compare[task, measure, "fr", part]["ours"] for part in ("median", "sd"))
        assert float(middle) > 0 and float(spread) < 0.1
        assert table[row][f"{measure}_fr"] == f"{middle} ± {spread}"
    assert float(cell["difference"]) == pytest.approx(float(cell["ours"]) - 0.57)
    assert cell["signature"].startswith("simulated raters|pt.csv@")
    assert re.search(r"\|raters:\d+\|items:\d+\|ratings:\d+\|simulations:\d+\|seed:\d+$", cell["signature"])
    assert cell["comparable"] == "no: demo, other raters than the paper's"
    assert table[3]["kappa_pt"] == table[3]["alpha_pt"] == table[0]["tau_pt"] == ""
    assert table[1]["kappa_pt"] == "" and compare["Fluency", "kappa", "pt", "median"]["comparable"] == (
        "no: demo, no ratings: human.ratings"
    )
    # A language that is not configured keeps its printed cells.
    assert compare["Overall", "tau", "it", "median"]["printed"] == "0.41"


@pytest.mark.slow
def test_agreement_falls_with_the_noise(tmp_path):
    found = []
    for spread in (0.0, 0.5, 1.5):
        _, compare = make(
            tmp_path, languages=["fr"], ratings=[ratings_file(tmp_path / "fr.csv", spread)], scale="paper"
        )
        found.append(
            [
                float(compare[task, measure, "fr", part]["ours"])
                for task, measure, part in (
                    ("Formality", "kappa", "median"),
                    ("Formality", "icc", "median"),
                    ("Formality", "alpha", "value"),
                    ("Overall", "tau", "median"),
                )
            ]
        )
    assert found[0] == [1, 1, 1, 1]
    assert all(low < high for low, high in zip(found[1], found[0], strict=True))
    assert all(low < high for low, high in zip(found[2], found[1], strict=True))
    assert compare["Formality", "kappa", "fr", "median"]["comparable"] == "no: other raters than the paper's"


def test_agreement_is_what_the_noise_makes_it(tmp_path):
    # Truth uniform on -2..2 has variance 4/3; a rating adds noise 0.5² and rounding 1/12; the mean of the
    # other four a quarter of both. Of two measurements x = t + a, y = t + b kappa is 2 V(t) / (V(x) + V(y)).
    error = 0.25 + 1 / 12
    expected = 2 * (4 / 3) / (2 * (4 / 3) + error * 1.25 + 1 / 12)
    path = ratings_file(tmp_path / "fr.csv", 0.5, 5)
    _, compare = make(tmp_path, languages=["fr"], ratings=[path])
    assert float(compare["Formality", "kappa", "fr", "median"]["ours"]) == pytest.approx(expected, abs=0.05)


def test_two_ratings_of_an_item_are_enough(tmp_path):
    rows = [(f"r{rater}", f"i{item}", "formality", item) for item in range(3) for rater in range(2)]
    path = put(tmp_path / "fr.csv", RATINGS, [*rows, ("r0", "i3", "formality", 1)])
    _, compare = make(tmp_path, languages=["fr"], ratings=[path])
    cell = compare["Formality", "kappa", "fr", "median"]
    # All agree; the fourth item has a single rating and is left out.
    assert cell["ours"] == "1.00" and "|items:3|ratings:6|" in cell["signature"]


def test_a_correlation_that_is_not_finite_is_an_empty_cell(tmp_path):
    """The mean of every item is the same, so that no item differs from another one."""
    rows = [(f"r{rater}", f"i{item}", "formality", (-1) ** rater) for item in range(3) for rater in range(2)]
    table, compare = make(tmp_path, languages=["fr"], ratings=[put(tmp_path / "fr.csv", RATINGS, rows)])
    assert table[0]["icc_fr"] == "" and table[0]["kappa_fr"]
    assert {compare["Formality", "icc", "fr", part]["ours"] for part in ("median", "sd")} == {""}


def test_halves_are_rounded_to_the_even_number(tmp_path):
    """So they favour neither end of the scale: turned around, the ratings agree as before."""
    generator = np.random.default_rng(1)
    numbers = generator.integers(-3, 4, (40, 1)).clip(-2, 2) + generator.integers(-1, 2, (40, 3))
    found = []
    for sign in (1, -1):
        rows = [
            (f"r{rater}", f"i{item}", "formality", sign * int(number))
            for item, three in enumerate(numbers)
            for rater, number in enumerate(three)
        ]
        path = put(tmp_path / "fr.csv", RATINGS, rows)
        found.append(make(tmp_path, languages=["fr"], ratings=[path], simulations=1)[0][0]["kappa_fr"])
    assert found[0] == found[1] != ""


def test_without_ratings_the_printed_stands_alone(tmp_path):
    table, compare = make(tmp_path, scale="paper")
    assert all(not value for row in table for name, value in row.items() if name != "task")
    assert len(compare) == 42
    said = {key[2]: row["comparable"] for key, row in compare.items()}
    assert said.pop("it") == "no: not computed" and set(said.values()) == {"no: no ratings: human.ratings"}
    with pytest.raises(InputError, match="1 files of ratings for 2 languages"):
        make(tmp_path, ratings=[ratings_file(tmp_path / "fr.csv", 1)])
