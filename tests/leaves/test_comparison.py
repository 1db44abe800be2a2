"""Leaves beside the printed tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell, Scale, difference, read_printed, write_comparison

PRINTED = {("a",): "1.5", ("b",): "2.0", ("c",): "3"}
OURS = {
    ("d",): Cell("9", "from d"),
    ("a",): Cell("1.2", "from a", interval=("1.0", "1.4")),
    ("c",): Cell("", "", "no tagger"),
    ("b",): Cell("2.0", "from b", "simulated raters"),
}


def compared(path: Path, scale: Scale | None) -> Path:
    """The comparison of `OURS`."""
    write_comparison(path, ("row",), PRINTED, OURS, scale=scale)
    return path


def test_one_line_per_cell_with_the_printed_ones_first(tmp_path: Path) -> None:
    assert compared(tmp_path / "c.csv", "paper").read_text().splitlines() == [
        "row,printed,ours,difference,comparable,signature",
        "a,1.5,1.2,-0.3,yes,from a",
        "b,2.0,2.0,0.0,no: simulated raters,from b",
        "c,3,,,no: no tagger,",
        "d,,9,,no: not printed,from d",
    ]


def test_intervals_and_an_order_of_ones_own(tmp_path: Path) -> None:
    target = tmp_path / "c.csv"
    write_comparison(target, ("row",), PRINTED, OURS, intervals=True, order=[("d",), ("a",)])
    assert target.read_text().splitlines() == [
        "row,printed,ours,difference,ci_low,ci_high,comparable,signature",
        "d,,9,,,,no: not printed,from d",
        "a,1.5,1.2,-0.3,1.0,1.4,yes,from a",
    ]


def test_every_reason_is_given(tmp_path: Path) -> None:
    reasons = [row["comparable"] for _, row in read_rows(compared(tmp_path / "c.csv", "demo"), ())]
    assert reasons == ["no: demo", "no: demo, simulated raters", "no: demo, no tagger", "no: demo"]


def test_a_printed_cell_that_is_no_number_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="printed cell a: '1,5' is not a number"):
        write_comparison(tmp_path / "c.csv", ("row",), {("a",): "1,5"}, OURS)


@pytest.mark.parametrize(("scale", "why"), [("paper", "not computed"), (None, "not in the released data")])
def test_a_cell_without_a_number(tmp_path: Path, scale: Scale | None, why: str) -> None:
    target = tmp_path / "c.csv"
    write_comparison(target, ("row",), PRINTED, {}, scale=scale)
    assert {line.split(",")[4] for line in target.read_text().splitlines()[1:]} == {f"no: {why}"}


def test_differences_are_exact_and_know_ranges() -> None:
    assert difference("0.30", "0.1") == "0.20"
    assert difference("-0.0005", "-0.0005") == "0.0000"
    assert difference("244", "254") == "-10"
    assert difference("1.23", "+1.14") == "0.09"
    assert [difference(ours, "60-70") for ours in ("59.5", "60", "66.7", "73.3")] == [
        *("-0.5", "0", "0.0", "3.3")
    ]


def test_a_printed_cell_stands_there_once(tmp_path: Path) -> None:
    write_csv(
        tmp_path / "p.csv", ("row", "lang", "printed"), [("a", "pt", 1), ("a", "it", 2), ("a", "pt", 3)]
    )
    with pytest.raises(InputError, match=r"p\.csv:4: a second cell a, pt"):
        read_printed(tmp_path / "p.csv", "row", "lang")
