"""Printed numbers find their cells, and never another one's."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.conftest import LANGUAGES, put
from workflow_scripts.report.cells import Line, agrees, match, parse, strengths
from workflow_scripts.report.layout import (
    Table,
    columns,
    groups,
    language_heads,
    marked,
    read,
    significant,
    spaced,
)


def line(keys: dict[str, str], ours: str, printed: str = "1", difference: str = "0") -> Line:
    return Line(keys, printed, ours, difference, "yes")


def test_metric_and_language_name_a_column():
    table = Table(["system", "bleu_pt", "bleu_it"], [["A", "1.0", "2.0"], ["B", "3.0", "4.0"]])
    lines = [
        line({"system": s, "metric": "bleu", "lang": g}, v)
        for s, g, v in (("A", "pt", "1.0"), ("A", "it", "2.0"), ("B", "pt", "3.0"), ("B", "it", "4.0"))
    ]
    grid = match(table, lines)
    assert grid.lines == dict(zip([(0, 1), (0, 2), (1, 1), (1, 2)], lines, strict=True)) and grid.rest == []


def test_one_of_two_names_may_be_the_column():
    table = Table(["system", "gyafc_pt", "yahoo_fr"], [["A", "5", "7"]])
    lines = [
        line({"system": "A", "corpus": "gyafc", "lang": "pt"}, "5"),
        line({"system": "A", "corpus": "yahoo_fr", "lang": "fr"}, "7"),
    ]
    assert match(table, lines).lines == {(0, 1): lines[0], (0, 2): lines[1]}


def test_number_that_is_another_is_not_set_beside_a_cell():
    table = Table(["lang", "mean"], [["pt", "1.0"]])
    lines = [line({"lang": "pt", "metric": "mean"}, "2.0")]
    assert match(table, lines).lines == {} and match(table, lines).rest == lines


def test_two_lines_of_one_cell_have_none():
    table = Table(["genre", "mean"], [["answers", "1.0"]])
    lines = [line({"genre": "answers", "bin": b, "metric": "mean"}, "1.0") for b in ("-3", "-2")]
    grid = match(table, lines)
    assert grid.lines == {} and grid.rest == lines


def test_only_column_with_the_numbers_is_theirs():
    table = Table(["lang", "text", "score"], [["hi", "x", "-0.65"], ["ko", "y", "0.12"]])
    lines = [line({"lang": "hi"}, "-0.65"), line({"lang": "ko"}, "0.12")]
    assert match(table, lines).lines == {(0, 2): lines[0], (1, 2): lines[1]}
    # With two such columns nobody knows which it is.
    twice = Table(["lang", "a", "b"], [["hi", "1", "1"]])
    assert match(twice, [line({"lang": "hi"}, "1")]).lines == {}


def test_rows_under_other_names_are_found_by_their_order():
    table = Table(["language", "length"], [["Hindi", "351"], ["Korean", "183"]])
    lines = [
        line({"lang": "hi", "metric": "length"}, "351"),
        line({"lang": "ko", "metric": "length"}, "183"),
    ]
    assert match(table, lines).lines == {(0, 1): lines[0], (1, 1): lines[1]}


def test_rows_that_are_only_printed_are_added():
    table = Table(["half", "system", "bleu"], [["automatic", "A", "1"]])
    lines = [
        line({"half": "automatic", "system": "A", "metric": "bleu"}, "1"),
        line({"half": "human", "system": "A", "metric": "bleu"}, "", printed="5"),
    ]
    grid = match(table, lines)
    assert grid.table.rows[-1] == ["human", "A", ""] and grid.lines[1, 2] is lines[1]
    assert grid.printed_rows == 1 and grid.rest == [] and len(table.rows) == 1


def test_table_whose_rows_have_no_own_names_keeps_its_lines_apart():
    table = Table(["lang", "metric", "value"], [["hi", "mean", "1"], ["hi", "mean", "1"]])
    lines = [line({"lang": "hi", "metric": "mean"}, "1")]
    assert match(table, lines).rest == lines


@given(
    st.lists(st.sampled_from("ABCDE"), min_size=1, unique=True),
    st.lists(st.sampled_from(["bleu", "mean", "self_bleu"]), min_size=1, unique=True),
    st.lists(st.sampled_from(["pt", "it", "fr", "en"]), min_size=1, unique=True),
    st.data(),
)
def test_each_line_is_in_its_cell_or_in_the_rest(systems, metrics, languages, data):
    names = [f"{m}_{g}" for m, g in product(metrics, languages)]
    value = st.integers(0, 99).map(str)
    rows = [[s, *(data.draw(value) for _ in names)] for s in systems]
    lines = [
        line({"system": s, "metric": m, "lang": g}, data.draw(value))
        for s, m, g in product(systems, metrics, languages)
    ]
    grid = match(Table(["system", *names], rows), lines)
    assert sorted(map(id, [*grid.lines.values(), *grid.rest])) == sorted(map(id, lines))
    for (row, column), found in grid.lines.items():
        assert rows[row][0] == found.keys["system"]
        assert names[column - 1] == f"{found.keys['metric']}_{found.keys['lang']}"
        assert rows[row][column] == found.ours


def test_same_number_may_be_rounded():
    assert agrees("0.7254", "0.73") and agrees("12", "12.0") and agrees("x", "x")
    assert not agrees("0.7254", "0.72") and not agrees("", "0") and not agrees("x", "y")


def test_strength_is_the_share_of_the_spread():
    lines = [line({}, "0", "10", "-5"), line({}, "0", "30", "40"), line({}, "0", "20", "0")]
    found = strengths(("bleu", one) for one in lines)
    assert [found[id(one)] for one in lines] == [25, 100, 0]
    # One printed number has no spread: its own size serves.
    single = line({}, "0", "-50", "10")
    assert strengths([("x", single)]) == {id(single): 20}
    words = [line({}, "a", "b", "other side"), line({}, "a", "a", "same")]
    assert list(strengths(("x", one) for one in words).values()) == [100, 0]


def test_comparison_keeps_what_says_where_a_number_is_from(tmp_path):
    path = put(
        tmp_path / "a.compare.csv",
        [
            ("system", "printed", "ours", "difference", "comparable", "signature"),
            ("A", "5", "7", "2", "no: demo", "unit:pairs|files:7"),
        ],
    )
    (found,) = parse(read(path))
    assert found.keys == {"system": "A"} and found.signature == "unit:pairs|files:7" and found.gap == 2


def test_columns_of_languages_share_a_head_and_tests_are_none():
    heads = language_heads(LANGUAGES, True)
    table = Table(["system", "self_bleu_pt", "self_bleu_fr", "self_bleu_pt_p"], [["A", "1", "2", "0.01"]])
    shown = columns(table, heads)
    assert [(c.group, c.head, c.kind, c.tests) for c in shown] == [
        ("", "system", "word", None),
        ("self_bleu", "BR-PT", "number", 3),
        ("self_bleu", "FR", "number", None),
    ]
    assert groups(shown) == [("", 0, 1), ("self_bleu", 1, 2)]
    # One such name alone is no group.
    assert columns(Table(["m_pt"], [["1"]]), heads)[0].head == "m pt"


def test_numbers_are_set_with_real_minus_and_groups():
    assert spaced("-1.50") == "−1.50" and spaced("61300000") == "61\u202f300\u202f000"
    assert spaced("2000") == "2000" and spaced("60-70") == "60-70" and spaced("yes") == "yes"


@given(st.text(alphabet="ab []"))
def test_marked_text_loses_nothing(text):
    parts = marked(text)
    assert "".join(f"[[{part}]]" if strong else part for strong, part in parts).replace(
        "[[]]", ""
    ) == text.replace("[[]]", "")


def test_cell_with_several_numbers_has_a_line_of_each():
    table = Table(["row", "[0,1]"], [["A", "+0.54 ± 0.70*"], ["B", "1.00 ± 0.20"]])
    keys = {"row": "A", "bin": "[0,1]"}
    lines = [
        line(keys | {"metric": "mean"}, "0.54", "+0.23", "0.31"),
        line(keys | {"metric": "sd"}, "0.70", "0.45", "0.25"),
        line(keys | {"metric": "significant"}, "yes", "yes", "same"),
        line(keys | {"metric": "colour"}, "blue", "red", "other"),
        line({"row": "B", "bin": "[0,1]", "metric": "mean"}, "1.00"),
    ]
    grid = match(table, lines)
    found = grid.lines[0, 1]
    assert (found.printed, found.difference, found.keys) == ("+0.23 ± 0.45", "0.31", keys)
    assert found.parts == tuple(lines[:4])
    # Half of a cell is not the cell.
    assert grid.rest == lines[4:]
    assert spaced("-1.5 ± 0.2*") == "−1.5\u00a0±\u00a00.2*"


def test_row_may_say_more_than_the_papers():
    table = Table(["half", "bleu"], [["human (simulated)", "3"]])
    lines = [line({"half": "human", "metric": "bleu"}, "3")]
    assert match(table, lines).lines == {(0, 1): lines[0]}


def test_heads_that_change_less_stand_above():
    heads = language_heads(LANGUAGES, True)
    table = Table(["task", "kappa_pt", "icc_pt", "kappa_fr", "icc_fr"], [["A", "1", "2", "3", "4"]])
    shown = columns(table, heads)
    assert groups(shown) == [("", 0, 1), ("BR-PT", 1, 2), ("FR", 3, 2)]
    assert [c.head for c in shown] == ["task", "kappa", "ICC", "kappa", "ICC"]


def test_text_with_marks_stands_for_the_text():
    table = Table(["lang", "id", "text", "marked"], [["pt", "43", "x", "[[x]]"]])
    assert [(c.head, c.kind) for c in columns(table, {})] == [
        ("language", "word"),
        ("id", "word"),
        ("text", "word"),
    ]


@pytest.mark.parametrize(
    ("p", "expected"),
    [("0.0499", True), ("0.05", False), ("4%", True), ("50%", False), ("", False), ("<0.001", False)],
)
def test_a_p_is_significant_as_a_number_or_in_per_cent(p, expected):
    assert significant(p) is expected
