"""TyDiP's figures, and figures of rated formality, on small data; strategies found in requests."""

import re
import statistics
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.papers.tydip.test_leaves import PRINTED, ROOT
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.pt16.pt16 import pt16
from workflow_scripts.papers.tydip.figure1 import figure1
from workflow_scripts.papers.tydip.figure4 import compared, figure4
from workflow_scripts.papers.tydip.figure8 import figure8
from workflow_scripts.papers.tydip.sensitivity import sensitivity
from workflow_scripts.papers.tydip.table1 import table1
from workflow_scripts.politeness.found import Found
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.strategies import strategies


@pytest.fixture
def found(corpus, tmp_path):
    strategies(tmp_path / "found.csv", corpus=corpus, languages=["en", "xx"])
    return tmp_path / "found.csv"


def test_strategies_count_requests(found):
    rows = {(row["rule"], row["lang"], row["strategy"]): row for row in rows_of(found)}
    please = rows["words", "xx", "Please"]
    assert [please[name] for name in ("requests", "mean", "first", "fourth")] == ["3", "0.333333", "1", "2"]
    start = rows["words", "xx", "Please_start"]
    assert [start[name] for name in ("requests", "mean")] == ["1", "1.500000"]
    great = rows["words", "xx", "Deference"]
    assert [great[name] for name in ("words", "mapped", "requests", "mean")] == ["2", "1", "2", "0.750000"]
    assert rows["substring", "xx", "Deference"]["requests"] == "3"
    assert rows["outer", "xx", "Deference"]["requests"] == "1"
    # English counts both parts, and a+ is not the article.
    assert rows["words", "en", "Please"]["requests"] == "2"
    assert rows["words", "en", "HASNEGATIVE"]["requests"] == "2"


def check_svg(path: Path) -> str:
    """The spoken text of a figure; it is vector graphics with a text alternative and no date."""
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg" and root.get("role") == "img"
    assert not list(root.iter(f"{space}image"))
    assert "<dc:date>" not in text and str(path.parent) not in text
    parts = {str(child.get("id")): child.text or "" for child in root if child.get("id")}
    assert root.get("aria-labelledby") == "title description"
    assert parts["title"].strip() and parts["description"].strip()
    assert list(root.iter(f"{space}text"))
    return parts["description"]


@pytest.mark.slow
def test_figures_4_and_8(found, tmp_path):
    for name, draw in (("figure4", figure4), ("figure8", figure8)):
        outputs = [tmp_path / f"{name}.{end}" for end in ("svg", "csv", "compare.csv")]
        draw(*outputs, found=found, printed=PRINTED / f"{name}.csv")
        first = [path.read_bytes() for path in outputs]
        draw(*outputs, found=found, printed=PRINTED / f"{name}.csv")
        assert [path.read_bytes() for path in outputs] == first
        assert "Please" in check_svg(outputs[0])
    four = {(row["strategy"], row["lang"]): row for row in rows_of(tmp_path / "figure4.csv")}
    assert four["Please", "xx"]["mean"] == "0.3333"
    assert four["HASNEGATIVE", "xx"]["requests"] == "1"
    assert "+0.33" not in (tmp_path / "figure4.svg").read_text() and ">0.33<" in re.sub(
        r"\s", "", (tmp_path / "figure4.svg").read_text()
    )
    said = {tuple(row.values())[:3]: row for row in rows_of(tmp_path / "figure4.compare.csv")}
    counted = said["all", "all", "strategies"]
    assert (counted["printed"], counted["ours"], counted["difference"]) == ("15", "4", "-11")
    eight = {(row["strategy"], row["lang"]): row for row in rows_of(tmp_path / "figure8.csv")}
    assert (eight["Please", "xx"]["first"], eight["Please", "xx"]["fourth"]) == ("0.3333", "0.6667")
    # Both grids have the same rows, whose names stand once.
    drawn = [*ElementTree.parse(tmp_path / "figure8.svg").getroot().itertext()]
    assert drawn.count("HASNEGATIVE") == drawn.count("Please start") == 1
    assert drawn.count("en") == drawn.count("xx") == 2


def test_sensitivity(found, tmp_path):
    printed = put(
        tmp_path / "p.csv",
        ("strategy", "lang", "metric", "printed"),
        [
            ("Please", "xx", "sign", "+"),
            ("HASNEGATIVE", "en", "sign", "+"),
            ("all", "xx", "coverage", "60-70"),
        ],
    )
    sensitivity(tmp_path / "s.csv", found=found, printed=printed, least=1)
    rows = {row["rule"]: row for row in rows_of(tmp_path / "s.csv")}
    assert rows["words"]["largest_change"] == "0.0000" and rows["words"]["sign_changes"] == "0"
    assert (rows["words"]["statements"], rows["words"]["statements_held"]) == ("2", "1")
    assert rows["substring"]["largest_cell"] == "Deference xx"
    assert float(rows["substring"]["largest_change"]) == pytest.approx(0.75 - 0.5 / 3, abs=1e-4)
    assert rows["outer"]["median_change_first"] == rows["outer"]["median_change_fourth"] == ""
    # Of the four strategies in each language the median share changes by nothing, or by little.
    assert rows["words"]["median_change_first"] == rows["words"]["median_change_fourth"] == "0.0000"
    assert rows["substring"]["median_change"] == rows["words"]["median_change"] == "0.0000"
    assert [rows[name]["says"] for name in rows] == [rule.says for rule in RULES]
    assert rows["words"]["pearson"] == "1.0000" and rows["words"]["largest_cell"] == ""
    # A cell on the other side of 0 counts where it has enough requests.
    changed = rows_of(found)
    for row in changed:
        if (row["rule"], row["lang"], row["strategy"]) == ("substring", "xx", "Please"):
            row |= {"requests": "1", "mean": "-0.9", "first": "1", "fourth": "0"}
    put(found, list(changed[0]), [list(row.values()) for row in changed])
    for least, changes in ((1, "1"), (2, "0")):
        sensitivity(tmp_path / "s.csv", found=found, printed=printed, least=least)
        rows = {row["rule"]: row for row in rows_of(tmp_path / "s.csv")}
        assert rows["substring"]["sign_changes"] == changes


@pytest.mark.parametrize(("mean", "sign"), [(0.01, "+"), (0.0, "-"), (-0.01, "-")])
def test_any_mean_above_0_is_positive(mean, sign):
    cells = {("Please", "xx"): Found(1, 1, 1, 9, mean, 3, 3, "s")}
    (cell, *_) = compared(cells, {("Please", "xx", "sign"): "+"}).values()
    assert (cell.ours, cell.difference) == (sign, "same" if sign == "+" else "other side")
    assert (cell.signature, cell.caveat) == (f"s|mean:{mean:.4f}|requests:9", "")


def test_figure1(corpus, tmp_path):
    names = put(tmp_path / "n.csv", ("lang", "language", "family", "script"), [("xx", "X<x", "F", "S")])
    outputs = [tmp_path / f"f.{end}" for end in ("svg", "csv", "compare.csv")]
    options = {"corpus": corpus, "printed": PRINTED / "figure1.csv", "names": names, "languages": ["xx"]}
    figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    assert "X<x: 6 requests, mean 0.00" in check_svg(outputs[0])
    rows = rows_of(outputs[1])
    assert sum(int(row["value"]) for row in rows if row["metric"] == "requests") == 6
    assert [row["value"] for row in rows if row["low"] == "1.5"] == ["1"]
    # One bin from -1.5 to 2 for each half point; of the numbers before them none belongs to a bin.
    assert [(row["metric"], row["low"], row["high"], row["value"]) for row in rows] == [
        *(("mean", "", "", "0.0000"), ("median", "", "", "0.0000")),
        *(
            ("requests", f"{low / 2:g}", f"{(low + 1) / 2:g}", str(number))
            for low, number in zip(range(-3, 4), (1, 1, 1, 0, 1, 1, 1), strict=True)
        ),
    ]
    facts = signature(corpus / "data/all/xx_test.csv", n=6, decimals="rounded")
    ours = {row["metric"]: row for row in rows_of(outputs[2]) if row["lang"] == "xx"}
    assert {name: (row["ours"], row["signature"]) for name, row in ours.items()} == {
        **{name: ("0.0000", facts) for name in ("mean", "median")}
    }
    assert "X<x: 6 requests, mean 0.00, median 0.00, most scores between -1.5 and -1." in (
        check_svg(outputs[0])
    )
    options["languages"] = ["yy"]
    with pytest.raises(InputError, match=r"no names for language 'yy'"):
        figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    names.write_text(names.read_text() + "xx,Y,F,S\n")
    with pytest.raises(InputError, match=r"n\.csv:3: a second row of xx; keep one"):
        figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    del options["languages"]
    with pytest.raises(InputError, match=r"n\.csv:3: a second row of xx; keep one"):
        table1(*outputs[1:], **options, languages=["xx"])  # type: ignore[arg-type]


def test_pt16(tmp_path):
    ratings = [-3.0, -2.6, -0.2, 0.0, 2.5, 3.0]
    file = tmp_path / "answers"
    file.write_bytes(b"".join(f"{r}\t{r}\tid\ttext\n".encode() for r in ratings))
    outputs = [tmp_path / f"p.{end}" for end in ("svg", "csv", "compare.csv")]
    printed = ROOT / "resources/printed/pt16/pt16.csv"
    pt16(*outputs, files=[file], genres=["answers"], printed=printed)
    assert "6 sentences" in check_svg(outputs[0])
    (row,) = rows_of(outputs[1])
    assert row["sentences"] == "6" and row["median"] == "-0.1000"
    assert [row[name] for name in ("-3", "-0.5", "0", "2.5")] == ["2", "1", "1", "2"]
    cells = {(row["bin"], row["metric"]): row for row in rows_of(outputs[2])}
    assert cells["-3", "mean"]["ours"] == "-2.80" and cells["2", "mean"]["ours"] == "2.75"
    assert cells["-2", "mean"]["comparable"] == "no: not in the released data"
    # The lowest bin has -3 and -2.6, whose deviation is 0.2; the highest 2.5 and 3.
    assert (cells["-3", "std"]["ours"], cells["2", "std"]["ours"]) == ("0.20", "0.25")
    facts = f"answers@{digest(file)[:12]}|n:2|std:population"
    for name in ("mean", "std"):
        cell = cells["-3", name]
        assert (cell["signature"], cell["comparable"]) == (facts, "no: the whole genre, not its test part")
    assert [row[name] for name in ("mean", "min", "max")] == ["-0.0500", "-3.0000", "3.0000"]
    # Quartiles by linear interpolation: a quarter of the way from the second value to the third.
    assert (row["quartile1"], row["quartile3"]) == ("-2.0000", "1.8750")
    assert row["std"] == f"{statistics.pstdev(ratings):.4f}"
    with pytest.raises(InputError, match="1 genres have 2 files"):
        pt16(*outputs, files=[file, file], genres=["answers"], printed=printed)


# The released data
