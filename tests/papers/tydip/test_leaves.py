"""Leaves: made through their commands on an invented corpus, and on the released data where there is some."""

from __future__ import annotations

import re
import statistics
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from pathlib import Path

import pytest

from tests.politeness.conftest import REQUESTS, table_of, write_table
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.pt16.pt16 import pt16
from workflow_scripts.papers.tydip.binary import binary
from workflow_scripts.papers.tydip.figure1 import figure1
from workflow_scripts.papers.tydip.figure4 import compared, figure4
from workflow_scripts.papers.tydip.figure8 import figure8
from workflow_scripts.papers.tydip.sensitivity import sensitivity
from workflow_scripts.papers.tydip.table1 import table1
from workflow_scripts.papers.tydip.table3 import table3
from workflow_scripts.papers.tydip.table8 import fingerprint, table8
from workflow_scripts.papers.tydip.table10 import table10
from workflow_scripts.papers.tydip.table11 import PRINTED as PRINTED_SEQUENCES
from workflow_scripts.papers.tydip.table11 import table11
from workflow_scripts.politeness.found import Found
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.strategies import strategies

ROOT = Path(__file__).parents[3]
PRINTED = ROOT / "resources/printed/tydip"
DIFFERENCES = (ROOT / "docs/differences.md").read_text(encoding="utf-8")
LANGUAGES = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


def test_table10_through_the_command(corpus: Path, tmp_path: Path, module) -> None:
    printed = write_table(
        tmp_path / "printed.csv",
        ("lang", "metric", "printed"),
        [("xx", "examples", "6"), ("xx", "std", "1.1000"), ("yy", "mean", "0.5")],
    )
    table, compare = tmp_path / "table10.csv", tmp_path / "table10.compare.csv"
    done = module(
        "papers.tydip.table10",
        *(table, compare, "--corpus", corpus, "--printed", printed, "--languages", "xx"),
    )
    assert done.returncode == 0, done.stderr
    scores = [score for _, score in REQUESTS]
    assert table_of(table) == [
        {
            "lang": "xx",
            "examples": "6",
            "mean": "0.0000",
            "std": f"{statistics.pstdev(scores):.4f}",
            "min": "-1.5000",
            "max": "1.5000",
            "positive": "0.5000",
        }
    ]
    rows = {(row["lang"], row["metric"]): row for row in table_of(compare)}
    assert rows["xx", "examples"]["difference"] == "0"
    assert rows["xx", "std"]["difference"] == f"{float(rows['xx', 'std']['ours']) - 1.1:.4f}"
    assert rows["yy", "mean"]["comparable"] == "no: not in the released data"
    assert rows["xx", "max"]["comparable"] == "no: not printed"
    facts = "n:6|std:population|positive:>0|decimals:rounded"
    made = f"xx_test.csv@{digest(corpus / 'data/all/xx_test.csv')[:12]}|{facts}"
    assert {row["signature"] for key, row in rows.items() if key[0] == "xx"} == {made}
    # In this process too, and the same.
    written = (table.read_bytes(), compare.read_bytes())
    table10(table, compare, corpus=corpus, printed=printed, languages=["xx"])
    assert (table.read_bytes(), compare.read_bytes()) == written


def test_a_bad_score_ends_the_command_with_file_and_line(corpus: Path, tmp_path: Path, module) -> None:
    bad = corpus / "data/all/xx_test.csv"
    bad.write_text("sentence,score\nJa?,1\nNein?,viel\n")
    target = tmp_path / "t.csv"
    done = module(
        "papers.tydip.table10",
        *(target, tmp_path / "c.csv", "--corpus", corpus, "--printed", PRINTED / "table10.csv"),
        *("--languages", "xx"),
    )
    assert done.returncode == 2
    assert f"{bad}:3: score 'viel' is not a number" in done.stderr
    assert not target.exists()


def test_binary_finds_what_was_changed(corpus: Path, tmp_path: Path) -> None:
    printed = write_table(tmp_path / "p.csv", ("lang", "part", "printed"), [("xx", "test", "5")])

    def made() -> dict[str, str]:
        binary(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["xx"])
        return table_of(tmp_path / "t.csv")[0]

    right = made()
    assert right["expected"] == right["released"] == "4"
    assert (right["missing"], right["extra"], right["same_texts"], right["label_agrees"]) == (
        *("0", "0", "yes", "yes"),
    )
    (cell,) = table_of(tmp_path / "c.csv")
    assert (cell["printed"], cell["ours"], cell["difference"]) == ("5", "4", "-1")
    assert cell["signature"].endswith("|quartiles:linear|over:test|missing:0|extra:0")
    assert list(right.values())[:7] == ["xx", "test", "6", "-0.875000", "0.875000", "2", "2"]
    facts = {"quartiles": "linear", "over": "test", "missing": 0, "extra": 0}
    assert cell["signature"] == signature(corpus / "data/binary/xx_test_binary.csv", **facts)
    # English has two parts, which share their quartiles; the score that lies between is on no side.
    binary(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["en"])
    both = [list(row.values()) for row in table_of(tmp_path / "t.csv")]
    assert [row[:2] + row[5:] for row in both] == [
        ["en", part, "1", "1", "2", "2", "0", "0", "yes", "yes"] for part in ("train", "test")
    ]
    said = {row["part"]: row for row in table_of(tmp_path / "c.csv") if row["lang"] == "en"}
    assert "|over:train+test|" in said["train"]["signature"]
    outer = [REQUESTS[i] for i in (0, 1, 4, 5)]
    file = corpus / "data/binary/xx_test_binary.csv"
    write_table(file, ("sentence", "score"), [(text, score + 1e-15) for text, score in outer])
    assert made()["missing"] == "0"
    write_table(file, ("sentence", "score"), [(outer[0][0], 1.4), *outer[1:]])
    assert [made()[name] for name in ("missing", "extra", "same_texts")] == ["1", "1", "yes"]
    write_table(file, ("sentence", "score"), [*outer[1:], outer[1]])
    assert [made()[name] for name in ("missing", "extra", "same_texts")] == ["1", "1", "no"]


def test_table3_averages_without_english(corpus: Path, tmp_path: Path) -> None:
    file = corpus / "data/binary/xx_test_binary.csv"
    write_table(file, ("sentence", "score"), [("a", 1), ("b", 1), ("c", 0)])
    table3(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=corpus,
        printed=PRINTED / "table3.csv",
        languages=["en", "xx"],
    )
    assert table_of(tmp_path / "t.csv") == [
        {
            **{"model": "Majority", "input": "-", "measure": "accuracy"},
            **{"en": "0.500", "xx": "0.666", "avg": "0.666"},
        }
    ]
    rows = {(row["model"], row["input"], row["lang"]): row for row in table_of(tmp_path / "c.csv")}
    assert rows["Majority", "-", "en"]["difference"] == "-0.037"
    assert rows["Majority", "-", "hi"]["comparable"] == "no: not in the released data"
    # A model stands twice in print, with target and with English input.
    assert [rows["XLMR", text, "hi"]["printed"] for text in ("target", "en")] == ["0.868", "0.884"]
    models = [row for (model, *_), row in rows.items() if model != "Majority"]
    assert len(models) == 5 * 11
    assert {row["ours"] for row in models} == {""}
    assert {row["comparable"] for row in models} == {"no: no such model is configured"}


def test_the_printed_averages_of_table3_are_those_of_its_rows() -> None:
    printed = read_printed(PRINTED / "table3.csv", "model", "input", "lang")
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for (model, text, language), number in printed.items():
        rows.setdefault((model, text), {})[language] = number
    assert len(rows) == 6
    for row in rows.values():
        assert list(row) == ["en", *LANGUAGES, "avg"]
        mean = sum(Decimal(row[language]) for language in LANGUAGES) / len(LANGUAGES)
        assert mean.quantize(Decimal("0.001"), rounding="ROUND_DOWN") == Decimal(row["avg"])
        # Shares of 251 English requests, and of 250 in the other languages, cut after the third decimal.
        for language in ["en", *LANGUAGES]:
            of = 251 if language == "en" else 250
            assert float(row[language]) in {count * 1000 // of / 1000 for count in range(of + 1)}


def test_scripts_of_table1_and_sections_are_those_of_the_text() -> None:
    """Tamil's script is Tamil there; the corpus and its scores are in Section 2.3, HITs in 2.1."""
    names = {row["lang"]: row["script"] for row in table_of(PRINTED / "languages.csv")}
    assert names["ta"] == "Tamil" and names["vi"] == "Latin"
    assert "script of Tamil" not in DIFFERENCES
    assert "| normalised score of a request (Section 2.3) |" in DIFFERENCES
    settings = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"`politeness\.raters\.(\w+)` \| \d+ \| TyDiP, (Section [0-9.]+)", settings))
    assert sections == {
        **{"requests": "Section 2.3", "english": "Section 2.1", "target": "Section 2.1"},
        "simulations": "Section 3",
    }


def test_table8_finds_an_example_by_its_letters(corpus: Path, tmp_path: Path) -> None:
    typeset = "Das ist „toll“,bitte.Machst du  mit ?"
    printed = write_table(
        tmp_path / "p.csv",
        ("lang", "sha256", "printed"),
        [("xx", fingerprint(typeset), "1.01"), ("en", fingerprint("not there"), "0.5")],
    )
    target, compare = tmp_path / "t.csv", tmp_path / "c.csv"
    table8(target, compare, corpus=corpus, printed=printed, languages=["xx", "en"])
    first, second = table_of(target)
    assert first["request"] == REQUESTS[1][0] and first["score"] == "1.00"
    assert second["request"] == second["score"] == ""
    rows = table_of(compare)
    assert [row["difference"] for row in rows] == ["-0.01", ""]
    assert rows[1]["comparable"] == "no: not in the released data"
    # The second request of the file.
    facts = signature(corpus / "data/all/xx_test.csv", request=2, score=1.0, decimals="cut")
    assert [row["signature"] for row in rows] == [facts, ""]
    assert first["translation"] == ""


def test_table11_says_where_the_printed_one_stands(corpus: Path, tmp_path: Path) -> None:
    printed = write_table(
        tmp_path / "p.csv",
        PRINTED_SEQUENCES,
        [
            ("Please", "please", "xx", fingerprint("bitte"), "picked by hand"),
            ("Deference", "great", "xx", fingerprint("super"), "picked by hand"),
            ("Deference", "nice", "xx", fingerprint("schön"), "picked by hand"),
            ("HASNEGATIVE", "bad", "xx", "", ""),
        ],
    )
    target, compare = tmp_path / "t.csv", tmp_path / "c.csv"
    table11(target, compare, corpus=corpus, printed=printed, languages=["xx"])
    assert [row["xx"] for row in table_of(target)] == ["bitte", "toll", "", "schlecht"]
    assert next(row["comparable"] for row in table_of(compare)) == "no: picked by hand"
    (nice,) = [row for row in table_of(compare) if row["word"] == "nice"]
    assert (nice["ours"], nice["comparable"]) == ("", "no: no sequence of the word in the list")
    lines = {row["word"]: row for row in table_of(compare)}
    lexicon = corpus / "strategies/xx.csv"
    assert lines["great"]["signature"] == signature(lexicon, sequences=3, pick="first")
    assert lines["great"]["ours"] == fingerprint("toll")[:12]
    assert lines["great"]["printed"] == fingerprint("super")[:12]
    assert (lines["bad"]["printed"], lines["bad"]["ours"]) == ("", fingerprint("schlecht")[:12])
    said = {row["word"]: row["difference"] for row in table_of(compare)}
    assert said == {
        "please": "same",
        "great": "printed is number 3 of 3",
        "nice": "printed is not in the list",
        "bad": "only ours",
    }
    for caveat, why in (("", "no: not printed"), ("others", "no: not printed, others")):
        table11(target, compare, corpus=corpus, printed=printed, languages=["xx"], caveat=caveat)
        judged = {row["word"]: row["comparable"] for row in table_of(compare)}
        assert judged["bad"] == why
    assert judged["please"] == "no: others, picked by hand"
    assert "bitte" not in compare.read_text() and "toll" not in compare.read_text()


def test_table11_with_an_unknown_word(corpus: Path, tmp_path: Path) -> None:
    printed = write_table(tmp_path / "p.csv", PRINTED_SEQUENCES, [("Please", "pleas", "xx", "", "")])
    with pytest.raises(InputError, match=r"xx.csv: no word 'pleas' in 'Please'; did you mean 'please'"):
        table11(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["xx"])


@pytest.fixture
def found(corpus: Path, tmp_path: Path) -> Path:
    strategies(tmp_path / "found.csv", corpus=corpus, languages=["en", "xx"])
    return tmp_path / "found.csv"


def test_strategies_count_requests(found: Path) -> None:
    rows = {(row["rule"], row["lang"], row["strategy"]): row for row in table_of(found)}
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


def test_figures_4_and_8(found: Path, tmp_path: Path) -> None:
    for name, draw in (("figure4", figure4), ("figure8", figure8)):
        outputs = [tmp_path / f"{name}.{end}" for end in ("svg", "csv", "compare.csv")]
        draw(*outputs, found=found, printed=PRINTED / f"{name}.csv")
        first = [path.read_bytes() for path in outputs]
        draw(*outputs, found=found, printed=PRINTED / f"{name}.csv")
        assert [path.read_bytes() for path in outputs] == first
        assert "Please" in check_svg(outputs[0])
    four = {(row["strategy"], row["lang"]): row for row in table_of(tmp_path / "figure4.csv")}
    assert four["Please", "xx"]["mean"] == "0.3333"
    assert four["HASNEGATIVE", "xx"]["requests"] == "1"
    assert "+0.33" not in (tmp_path / "figure4.svg").read_text() and ">0.33<" in re.sub(
        r"\s", "", (tmp_path / "figure4.svg").read_text()
    )
    said = {tuple(row.values())[:3]: row for row in table_of(tmp_path / "figure4.compare.csv")}
    counted = said["all", "all", "strategies"]
    assert (counted["printed"], counted["ours"], counted["difference"]) == ("15", "4", "-11")
    eight = {(row["strategy"], row["lang"]): row for row in table_of(tmp_path / "figure8.csv")}
    assert (eight["Please", "xx"]["first"], eight["Please", "xx"]["fourth"]) == ("0.3333", "0.6667")
    # Both grids have the same rows, whose names stand once.
    drawn = [*ElementTree.parse(tmp_path / "figure8.svg").getroot().itertext()]
    assert drawn.count("HASNEGATIVE") == drawn.count("Please start") == 1
    assert drawn.count("en") == drawn.count("xx") == 2


def test_sensitivity(found: Path, tmp_path: Path) -> None:
    printed = write_table(
        tmp_path / "p.csv",
        ("strategy", "lang", "metric", "printed"),
        [
            ("Please", "xx", "sign", "+"),
            ("HASNEGATIVE", "en", "sign", "+"),
            ("all", "xx", "coverage", "60-70"),
        ],
    )
    sensitivity(tmp_path / "s.csv", found=found, printed=printed, least=1)
    rows = {row["rule"]: row for row in table_of(tmp_path / "s.csv")}
    assert rows["words"]["largest_change"] == "0.0000" and rows["words"]["sign_changes"] == "0"
    assert (rows["words"]["statements"], rows["words"]["statements_held"]) == ("2", "1")
    assert rows["substring"]["largest_cell"] == "Deference xx"
    assert float(rows["substring"]["largest_change"]) == pytest.approx(0.75 - 0.5 / 3, abs=1e-4)
    assert rows["outer"]["median_change_first"] == rows["outer"]["median_change_fourth"] == ""
    # Of the four strategies in each language the median share changes by nothing, or by little.
    assert rows["words"]["median_change_first"] == rows["words"]["median_change_fourth"] == "0.0000"
    assert float(rows["substring"]["median_change_first"]) >= 0
    assert [rows[name]["says"] for name in rows] == [rule.says for rule in RULES]
    assert rows["words"]["pearson"] == "1.0000" and rows["words"]["largest_cell"] == ""
    # A cell on the other side of 0 counts where it has enough requests.
    changed = table_of(found)
    for row in changed:
        if (row["rule"], row["lang"], row["strategy"]) == ("substring", "xx", "Please"):
            row |= {"requests": "1", "mean": "-0.9", "first": "1", "fourth": "0"}
    write_table(found, list(changed[0]), [list(row.values()) for row in changed])
    for least, changes in ((1, "1"), (2, "0")):
        sensitivity(tmp_path / "s.csv", found=found, printed=printed, least=least)
        rows = {row["rule"]: row for row in table_of(tmp_path / "s.csv")}
        assert rows["substring"]["sign_changes"] == changes


@pytest.mark.parametrize(("mean", "sign"), [(0.01, "+"), (0.0, "-"), (-0.01, "-")])
def test_any_mean_above_0_is_positive(mean: float, sign: str) -> None:
    cells = {("Please", "xx"): Found(1, 1, 1, 9, mean, 3, 3, "s")}
    (cell, *_) = compared(cells, {("Please", "xx", "sign"): "+"}).values()
    assert (cell.ours, cell.difference) == (sign, "same" if sign == "+" else "other side")
    assert (cell.signature, cell.caveat) == (f"s|mean:{mean:.4f}|requests:9", "")


def test_figure1(corpus: Path, tmp_path: Path) -> None:
    names = write_table(
        tmp_path / "n.csv", ("lang", "language", "family", "script"), [("xx", "X<x", "F", "S")]
    )
    outputs = [tmp_path / f"f.{end}" for end in ("svg", "csv", "compare.csv")]
    options = {"corpus": corpus, "printed": PRINTED / "figure1.csv", "names": names, "languages": ["xx"]}
    figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    assert "X<x: 6 requests, mean 0.00" in check_svg(outputs[0])
    rows = table_of(outputs[1])
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
    ours = {row["metric"]: row for row in table_of(outputs[2]) if row["lang"] == "xx"}
    assert {name: (row["ours"], row["signature"]) for name, row in ours.items()} == {
        **{name: ("0.0000", facts) for name in ("mean", "median")}
    }
    assert "X<x: 6 requests, mean 0.00, median 0.00, most scores between -1.5 and -1." in (
        check_svg(outputs[0])
    )
    options["languages"] = ["yy"]
    with pytest.raises(InputError, match=r"no names of language 'yy'"):
        figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    names.write_text(names.read_text() + "xx,Y,F,S\n")
    with pytest.raises(InputError, match=r"n\.csv:3: a second row of xx; keep one"):
        figure1(*outputs, **options, width=0.5)  # type: ignore[arg-type]
    del options["languages"]
    with pytest.raises(InputError, match=r"n\.csv:3: a second row of xx; keep one"):
        table1(*outputs[1:], **options, languages=["xx"])  # type: ignore[arg-type]


def test_pt16(tmp_path: Path) -> None:
    ratings = [-3.0, -2.6, -0.2, 0.0, 2.5, 3.0]
    file = tmp_path / "answers"
    file.write_bytes(b"".join(f"{r}\t{r}\tid\ttext\n".encode() for r in ratings))
    outputs = [tmp_path / f"p.{end}" for end in ("svg", "csv", "compare.csv")]
    printed = ROOT / "resources/printed/pt16/pt16.csv"
    pt16(*outputs, files=[file], genres=["answers"], printed=printed)
    assert "6 sentences" in check_svg(outputs[0])
    (row,) = table_of(outputs[1])
    assert row["sentences"] == "6" and row["median"] == "-0.1000"
    assert [row[name] for name in ("-3", "-0.5", "0", "2.5")] == ["2", "1", "1", "2"]
    cells = {(row["bin"], row["metric"]): row for row in table_of(outputs[2])}
    assert cells["-3", "mean"]["ours"] == "-2.80" and cells["2", "mean"]["ours"] == "2.75"
    assert cells["-2", "mean"]["comparable"] == "no: not in the released data"
    with pytest.raises(InputError, match="1 genres have 2 files"):
        pt16(*outputs, files=[file, file], genres=["answers"], printed=printed)


# The released data
