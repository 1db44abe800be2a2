"""Leaves beside the printed tables."""

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT
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


def test_one_line_per_cell_with_the_printed_ones_first(tmp_path):
    assert compared(tmp_path / "c.csv", "paper").read_text().splitlines() == [
        "row,printed,ours,difference,comparable,signature",
        "a,1.5,1.2,-0.3,yes,from a",
        "b,2.0,2.0,0.0,no: simulated raters,from b",
        "c,3,,,no: no tagger,",
        "d,,9,,no: not printed,from d",
    ]


def test_intervals_and_an_order_of_ones_own(tmp_path):
    target = tmp_path / "c.csv"
    write_comparison(target, ("row",), PRINTED, OURS, intervals=True, order=[("d",), ("a",)])
    assert target.read_text().splitlines() == [
        "row,printed,ours,difference,ci_low,ci_high,comparable,signature",
        "d,,9,,,,no: not printed,from d",
        "a,1.5,1.2,-0.3,1.0,1.4,yes,from a",
    ]


def test_every_reason_is_given(tmp_path):
    reasons = [row["comparable"] for _, row in read_rows(compared(tmp_path / "c.csv", "demo"), ())]
    assert reasons == ["no: demo", "no: demo, simulated raters", "no: demo, no tagger", "no: demo"]


def test_a_difference_in_words_and_a_cell_of_neither(tmp_path):
    target = tmp_path / "c.csv"
    ours = {("a",): Cell("please", "from a", difference="other word")}
    write_comparison(target, ("row",), {("a",): "could"}, ours, order=[("a",), ("z",)])
    assert target.read_text().splitlines()[1:] == [
        "a,could,please,other word,yes,from a",
        "z,,,,no: not printed,",
    ]


def test_a_printed_cell_that_is_no_number_is_told(tmp_path):
    with pytest.raises(InputError, match="printed cell a: '1,5' is not a number"):
        write_comparison(tmp_path / "c.csv", ("row",), {("a",): "1,5"}, OURS)


@pytest.mark.parametrize(("scale", "why"), [("paper", "not computed"), (None, "not in the released data")])
def test_a_cell_without_a_number(tmp_path, scale, why):
    target = tmp_path / "c.csv"
    write_comparison(target, ("row",), PRINTED, {}, scale=scale)
    assert {line.split(",")[4] for line in target.read_text().splitlines()[1:]} == {f"no: {why}"}


def test_differences_are_exact_and_know_ranges():
    assert difference("0.30", "0.1") == "0.20"
    assert difference("-0.0005", "-0.0005") == "0.0000"
    assert difference("244", "254") == "-10"
    assert difference("1.23", "+1.14") == "0.09"
    assert [difference(ours, "60-70") for ours in ("59.5", "60", "66.7", "73.3")] == [
        *("-0.5", "0", "0.0", "3.3")
    ]


def test_what_the_paper_leaves_open_of_a_cell_makes_every_number_incomparable(tmp_path):
    (tmp_path / "p.csv").write_text("row,printed,caveat\na,1,of which seed\nb,2,\nc,3,of which unit\n")
    printed = read_printed(tmp_path / "p.csv", "row")
    ours = {("a",): Cell("1", ""), ("b",): Cell("2", ""), ("d",): Cell("4", "")}
    write_comparison(tmp_path / "c.csv", ["row"], printed, ours, scale="paper")
    # Without a number of ours there is nothing to be compared.
    said = ["no: of which seed", "yes", "no: not computed", "no: not printed"]
    assert [row["comparable"] for _, row in read_rows(tmp_path / "c.csv", ["comparable"])] == said
    ours[("a",)] = Cell("1", "", "backend nmt")
    write_comparison(tmp_path / "c.csv", ["row"], printed, ours, scale="demo")
    assert "no: demo, backend nmt, of which seed" in (tmp_path / "c.csv").read_text()


def test_a_printed_cell_stands_there_once(tmp_path):
    write_csv(
        tmp_path / "p.csv", ("row", "lang", "printed"), [("a", "pt", 1), ("a", "it", 2), ("a", "pt", 3)]
    )
    with pytest.raises(InputError, match=r"p\.csv:4: a second cell a, pt"):
        read_printed(tmp_path / "p.csv", "row", "lang")


@pytest.mark.parametrize(
    "path",
    sorted(ROOT.glob("workflow_scripts/papers/*/*.py")),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_no_table_is_written_before_its_printed_numbers_are_checked(path):
    """`write_comparison` refuses what is no number, so that it comes before all that writes."""
    for function in ast.parse(path.read_text(encoding="utf-8")).body:
        calls = [
            (one.lineno, one.func.id)
            for one in ast.walk(function)
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
        ]
        written = [line for line, name in calls if name in ("write_csv", "save", "write_lines")]
        checked = [line for line, name in calls if name in ("write_comparison", "read_printed")]
        assert max(checked, default=0) < min(written, default=10**9)


@pytest.mark.parametrize("text", ["1.5", "-0.30", "+2", "60-70", "0.40-1"])
def test_what_is_printed(tmp_path, text):
    (tmp_path / "p.csv").write_text(f"row,printed\na,{text}\n")
    assert read_printed(tmp_path / "p.csv", "row") == {("a",): text}
    assert difference("1", text)


@pytest.mark.parametrize(
    "text", ["", "1,5", "1.", ".5", "nan", "inf", "1e3", "yes", "-1-2", "1--2", "٣", "1 "]
)
def test_what_is_not_printed(tmp_path, text):
    (tmp_path / "p.csv").write_text(f'row,printed\na,1\nb,"{text}"\n', encoding="utf-8")
    with pytest.raises(InputError, match=rf"p\.csv:3: printed cell b: '{text}' is not a number"):
        read_printed(tmp_path / "p.csv", "row", words=("no",))
    (tmp_path / "p.csv").write_text("row,printed\na,no\n")
    assert read_printed(tmp_path / "p.csv", "row", words=("no",)) == {("a",): "no"}
