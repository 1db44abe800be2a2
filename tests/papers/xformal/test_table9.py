"""Table 9: bins, shifts and tests, checked by hand."""

import math
import re
import statistics
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.xformal.table9 import BINS, WORDS, _binned, _colour, pivots
from workflow_scripts.statistics.shifts import paired_t_p

PRINTED = Path(__file__).parents[3] / "resources" / "printed" / "xformal" / "table9.csv"
RATINGS = [-3.0, -2.5, -2.2, -2.1, -2.0, -1.0, 0.0, 0.4, 1.5, 2.0, 3.0]
ORIGINAL = [-2.0, -1.0, -2.0, -1.0, -1.5, -0.5, 0.5, 0.5, 1.0, 1.0, 2.0]
# Shifts of the first bin: 0.3, 0.5, 0.4, 0.6; elsewhere none.
ROUND_TRIP = [-1.7, -0.5, -1.6, -0.4, *ORIGINAL[4:]]


@pytest.fixture
def options(tmp_path):
    """Eleven rated sentences, and their round trips through Italian and French."""
    for name, numbers in {
        "ratings": RATINGS,
        "original": ORIGINAL,
        "it": ROUND_TRIP,
        "fr": ORIGINAL,
    }.items():
        write_lines(tmp_path / name, map(str, numbers))
    return {
        "languages": ["it", "fr"],
        "ratings": tmp_path / "ratings",
        "original": tmp_path / "original",
        "translated": [tmp_path / "it", tmp_path / "fr"],
        "printed": PRINTED,
        "scale": "paper",
    }


def test_table9_in_the_papers_layout(options, tmp_path):
    pivots(tmp_path / "t.csv", tmp_path / "c.csv", **options)
    rows = {row["row"]: row for row in rows_of(tmp_path / "t.csv")}
    assert list(rows) == [
        *("GOLD-STANDARD", "ORIGINAL-EN", "PIVOT-IT", "Δ IT", "PIVOT-FR", "Δ FR", "SENTENCES"),
    ]
    assert list(rows["SENTENCES"].values()) == ["SENTENCES", "4", "1", "1", "2", "1", "2", ""]
    # The mean of -3, -2.5, -2.2, -2.1; deviations 0.55, 0.05, 0.25, 0.35.
    assert rows["GOLD-STANDARD"]["[-3,-2]"] == "-2.45 ± 0.35"
    assert rows["ORIGINAL-EN"]["[-3,-2]"] == "-1.50 ± 0.50"
    assert rows["PIVOT-IT"]["[-3,-2]"] == "-1.05 ± 0.60"
    assert rows["Δ IT"]["[-3,-2]"] == "+0.45 ± 0.11*"
    assert rows["Δ IT"]["[2,3]"] == rows["Δ FR"]["[-3,-2]"] == "0.00 ± 0.00"
    assert rows["GOLD-STANDARD"]["spearman"] == rows["Δ IT"]["spearman"] == ""
    # Ranks of the scores, of which several are equal, by their definition.
    for row, scores in (("ORIGINAL-EN", ORIGINAL), ("PIVOT-IT", ROUND_TRIP), ("PIVOT-FR", ORIGINAL)):
        ranks = [
            [sum(one < other for one in values) + sum(one == other for one in values) / 2 for other in values]
            for values in (RATINGS, scores)
        ]
        assert rows[row]["spearman"] == f"{statistics.correlation(*ranks):.3f}"


def test_every_printed_cell_has_ours(options, tmp_path):
    pivots(tmp_path / "t.csv", tmp_path / "c.csv", **options)
    cells = {(row["row"], row["bin"], row["metric"]): row for row in rows_of(tmp_path / "c.csv")}
    mine = [row for row in cells.values() if row["printed"] and not row["row"].endswith("PT")]
    assert mine and all(row["ours"] for row in mine)
    assert {row["comparable"] for row in mine} == {
        "no: the paper does not say which sentences of answers it tested"
    }
    assert {row["comparable"] for key, row in cells.items() if key[0].endswith("PT")} == {"no: not computed"}
    cell = cells["Δ IT", "[-3,-2]", "mean"]
    assert (cell["printed"], cell["ours"], cell["difference"]) == ("+0.23", "0.45", "0.22")
    star = cells["Δ IT", "[-3,-2]", "significant"]
    assert (star["printed"], star["ours"], star["difference"]) == ("yes", "yes", "same")
    colours = {key[1]: row["ours"] for key, row in cells.items() if key[::2] == ("Δ IT", "colour")}
    assert colours == {name: "blue" if name == "[-3,-2]" else "none" for name in BINS}
    assert cells["Δ IT", "[2,3]", "colour"]["difference"] == "other"
    # With 3 degrees of freedom: P(|T| > t) = 1 - 2/pi (x / (1 + x^2) + atan x) for x = t / sqrt(3).
    x = 0.45 / math.sqrt((0.15**2 + 0.05**2 + 0.05**2 + 0.15**2) / 3 / 4) / math.sqrt(3)
    p = 1 - 2 / math.pi * (x / (1 + x * x) + math.atan(x))
    assert star["signature"] == f"{cell['signature']}|test:paired t, two-sided|p:{p:.4g}"
    assert cell["signature"] == signature(tmp_path / "it", n=4, std="population")
    same = cells["Δ FR", "[-3,-2]", "significant"]["signature"]
    assert same.endswith("|n:4|std:population|test:none: shifts do not vary")
    ranks = cells["ORIGINAL-EN", "all", "spearman"]["signature"]
    assert ranks == signature(tmp_path / "original", n=11, method="spearman")
    assert cells["Δ FR", "[-3,-2]", "significant"]["difference"] == "other"
    drop = cells["Δ", "all", "spearman"]
    assert drop["printed"] == "-0.075" and float(drop["ours"]) < 0
    assert drop["signature"] == "mean of 2 languages|n:11|method:spearman"


def test_the_printed_colours_are_those_of_the_printed_shifts():
    printed = read_printed(PRINTED, "row", "bin", "metric", words=WORDS)
    colours = {key[:2]: text for key, text in printed.items() if key[2] == "colour"}
    assert len(colours) == 18
    assert colours == {key: _colour(float(printed[(*key, "mean")])) for key in colours}
    starred = {key[:2] for key, text in printed.items() if key[2] == "significant" and text == "yes"}
    assert len(starred) == 8 and {colours[key] for key in starred} == {"blue"}
    # One shift of the informal half has no star.
    assert colours.keys() - starred >= {("Δ FR", "[-1,0]")}


def test_the_t_test_is_that_of_the_textbook():
    # With 2 degrees of freedom: P(|T| > t) = 1 - t / sqrt(t^2 + 2).
    shifts = [0.1, 0.2, 0.6]
    mean, variance = 0.3, (0.04 + 0.01 + 0.09) / 2
    t = mean / math.sqrt(variance / 3)
    assert paired_t_p(shifts) == pytest.approx(1 - t / math.sqrt(t * t + 2))
    assert math.isnan(paired_t_p([0.5])) and math.isnan(paired_t_p([0.5, 0.5]))


def test_what_floats_add_to_a_constant_shift_is_no_variation(options, tmp_path):
    # In floats 0.2 + 0.1 - 0.2 and 0.7 + 0.1 - 0.7 differ; on paper, and with 4 decimals, they do not.
    before = [-2.2, -1.7, -0.3, -1.1, *ORIGINAL[4:]]
    after = [round(score + 0.1, 4) for score in before]
    assert len({late - early for early, late in zip(before, after, strict=True)}) > 1
    write_lines(tmp_path / "original", map(str, before))
    write_lines(tmp_path / "it", map(str, after))
    pivots(tmp_path / "t.csv", tmp_path / "c.csv", **options)
    rows = {row["row"]: row for row in rows_of(tmp_path / "t.csv")}
    assert rows["Δ IT"]["[-3,-2]"] == rows["Δ IT"]["[2,3]"] == "+0.10 ± 0.00"


@settings(max_examples=100)
@given(st.lists(st.one_of(st.floats(-3, 3), st.integers(-3, 3).map(float)), max_size=30))
def test_every_sentence_has_one_bin(ratings):
    bins = _binned(ratings, Path("x"))
    assert sorted(number for numbers in bins for number in numbers) == list(range(len(ratings)))
    for name, numbers in zip(BINS, bins, strict=True):
        low, high = map(float, name.strip("[]").split(","))
        assert all(low <= ratings[n] < high or ratings[n] == high == 3 for n in numbers)


def test_bad_files_are_named(options, tmp_path):
    targets = (tmp_path / "t.csv", tmp_path / "c.csv")
    write_lines(tmp_path / "short", ["0.5"])
    with pytest.raises(InputError, match=r"short: 1 scores but 11 ratings in .*ratings"):
        pivots(*targets, **{**options, "translated": [tmp_path / "it", tmp_path / "short"]})
    with pytest.raises(InputError, match="2 languages have 1 files"):
        pivots(*targets, **{**options, "translated": [tmp_path / "it"]})
    write_lines(tmp_path / "ratings", [*map(str, RATINGS[:-1]), "3.5"])
    with pytest.raises(InputError, match=re.escape("ratings:11: rating 3.5 is not between -3 and 3")):
        pivots(*targets, **options)
    assert not targets[0].exists()


def test_an_empty_bin_has_no_cell_and_one_score_for_all_no_correlation(options, tmp_path):
    for name in ("original", "it", "fr"):
        write_lines(tmp_path / name, ["0.5", "0.5"])
    write_lines(tmp_path / "ratings", ["-3", "-2.5"])
    pivots(tmp_path / "t.csv", tmp_path / "c.csv", **options)
    rows = {row["row"]: row for row in rows_of(tmp_path / "t.csv")}
    assert list(rows["PIVOT-IT"].values()) == ["PIVOT-IT", "0.50 ± 0.00", *[""] * 6]
    assert not any(row["ours"] for row in rows_of(tmp_path / "c.csv") if row["metric"] == "spearman")


@pytest.mark.slow
def test_table9_on_the_command_line(options, tmp_path, module):
    named = [
        text
        for name, value in options.items()
        for text in (f"--{name}", *(value if isinstance(value, list) else [value]))
    ]
    done = module("papers.xformal.table9", tmp_path / "t.csv", tmp_path / "c.csv", *named)
    assert done.returncode == 0, done.stderr
    assert rows_of(tmp_path / "t.csv")[0]["row"] == "GOLD-STANDARD"
