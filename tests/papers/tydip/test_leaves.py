"""Leaves: made through their commands on an invented corpus, and on the released data where there is some."""

import re
import statistics
from decimal import Decimal
from pathlib import Path

import pytest

from tests.politeness.conftest import REQUESTS
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.fingerprint import fingerprint
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.binary import binary
from workflow_scripts.papers.tydip.table3 import table3
from workflow_scripts.papers.tydip.table8 import table8
from workflow_scripts.papers.tydip.table10 import table10
from workflow_scripts.papers.tydip.table11 import PRINTED as PRINTED_SEQUENCES
from workflow_scripts.papers.tydip.table11 import table11
from workflow_scripts.papers.tydip.table11_scratch import table11_scratch
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS

ROOT = Path(__file__).parents[3]
PRINTED = ROOT / "resources/printed/tydip"
DIFFERENCES = (ROOT / "docs/differences.md").read_text(encoding="utf-8")
LANGUAGES = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


def test_table10_through_the_command(corpus, tmp_path, module):
    printed = put(
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
    assert rows_of(table) == [
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
    rows = {(row["lang"], row["metric"]): row for row in rows_of(compare)}
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


def test_a_bad_score_ends_the_command_with_file_and_line(corpus, tmp_path, module):
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


def test_binary_finds_what_was_changed(corpus, tmp_path):
    printed = put(tmp_path / "p.csv", ("lang", "part", "printed"), [("xx", "test", "5")])

    def made() -> dict[str, str]:
        binary(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["xx"])
        return rows_of(tmp_path / "t.csv")[0]

    right = made()
    assert right["expected"] == right["released"] == "4"
    assert (right["missing"], right["extra"], right["same_texts"], right["label_agrees"]) == (
        *("0", "0", "yes", "yes"),
    )
    (cell,) = rows_of(tmp_path / "c.csv")
    assert (cell["printed"], cell["ours"], cell["difference"]) == ("5", "4", "-1")
    assert cell["signature"].endswith("|quartiles:linear|over:test|missing:0|extra:0")
    assert list(right.values())[:7] == ["xx", "test", "6", "-0.875000", "0.875000", "2", "2"]
    facts = {"quartiles": "linear", "over": "test", "missing": 0, "extra": 0}
    assert cell["signature"] == signature(corpus / "data/binary/xx_test_binary.csv", **facts)
    # English has two parts, which share their quartiles; the score that lies between is on no side.
    binary(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["en"])
    both = [list(row.values()) for row in rows_of(tmp_path / "t.csv")]
    assert [row[:2] + row[5:] for row in both] == [
        ["en", part, "1", "1", "2", "2", "0", "0", "yes", "yes"] for part in ("train", "test")
    ]
    said = {row["part"]: row for row in rows_of(tmp_path / "c.csv") if row["lang"] == "en"}
    assert "|over:train+test|" in said["train"]["signature"]
    outer = [REQUESTS[i] for i in (0, 1, 4, 5)]
    file = corpus / "data/binary/xx_test_binary.csv"
    put(file, ("sentence", "score"), [(text, score + 1e-15) for text, score in outer])
    assert made()["missing"] == "0"
    # Of the same text, scores that lie a billionth apart are two.
    zero = [("Null?", 0.0), *outer[1:]]
    put(corpus / "data/all/xx_test.csv", ("sentence", "score"), [*zero[1:], *[("Null?", 0.0)] * 5])
    for gap, missing in ((1e-9, "5"), (0.9e-9, "4")):
        put(file, ("sentence", "score"), [*outer[1:], ("Null?", gap)])
        assert made()["missing"] == missing
    put(corpus / "data/all/xx_test.csv", ("sentence", "score"), REQUESTS)
    put(file, ("sentence", "score"), [(outer[0][0], 1.4), *outer[1:]])
    assert [made()[name] for name in ("missing", "extra", "same_texts")] == ["1", "1", "yes"]
    put(file, ("sentence", "score"), [*outer[1:], outer[1]])
    assert [made()[name] for name in ("missing", "extra", "same_texts")] == ["1", "1", "no"]


def test_table3_averages_without_english(corpus, tmp_path):
    file = corpus / "data/binary/xx_test_binary.csv"
    put(file, ("sentence", "score"), [("a", 1), ("b", 1), ("c", 0)])
    table3(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=corpus,
        printed=PRINTED / "table3.csv",
        languages=["en", "xx"],
        scale="paper",
    )
    assert rows_of(tmp_path / "t.csv") == [
        {
            **{"model": "Majority", "input": "-", "measure": "accuracy"},
            **{"en": "0.500", "xx": "0.666", "avg": "0.666"},
        }
    ]
    rows = {(row["model"], row["input"], row["lang"]): row for row in rows_of(tmp_path / "c.csv")}
    assert rows["Majority", "-", "en"]["difference"] == "-0.037"
    assert rows["Majority", "-", "hi"]["comparable"] == "no: not computed"
    # A model stands twice in print, with target and with English input.
    assert [rows["XLMR", text, "hi"]["printed"] for text in ("target", "en")] == ["0.868", "0.884"]
    models = [row for (model, *_), row in rows.items() if model != "Majority"]
    assert len(models) == 5 * 11
    assert {row["ours"] for row in models} == {""}
    assert {row["comparable"] for row in models} == {"no: no such model is configured"}


def test_the_printed_averages_of_table3_are_those_of_its_rows():
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


def test_scripts_of_table1_and_sections_are_those_of_the_text():
    """Tamil's script is Tamil there; the corpus and its scores are in Section 2.3, HITs in 2.1."""
    names = {row["lang"]: row["script"] for row in rows_of(PRINTED / "languages.csv")}
    assert names["ta"] == "Tamil" and names["vi"] == "Latin"
    assert "script of Tamil" not in DIFFERENCES
    assert "| normalised score of a request (Section 2.3) |" in DIFFERENCES
    settings = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"`politeness\.raters\.(\w+)` \| \d+ \| TyDiP, (Section [0-9.]+)", settings))
    assert sections == {
        **{"requests": "Section 2.3", "english": "Section 2.1", "target": "Section 2.1"},
        "simulations": "Section 3",
    }


def test_table8_finds_an_example_by_its_letters(corpus, tmp_path):
    typeset = "Das ist „toll“,bitte.Machst du  mit ?"
    printed = put(
        tmp_path / "p.csv",
        ("lang", "sha256", "printed"),
        [("xx", fingerprint(typeset), "1.01"), ("en", fingerprint("not there"), "0.5")],
    )
    target, compare = tmp_path / "t.csv", tmp_path / "c.csv"
    table8(target, compare, corpus=corpus, printed=printed, languages=["xx", "en"])
    first, second = rows_of(target)
    assert first["request"] == REQUESTS[1][0] and first["score"] == "1.00"
    assert second["request"] == second["score"] == ""
    rows = rows_of(compare)
    assert [row["difference"] for row in rows] == ["-0.01", ""]
    assert rows[1]["comparable"] == "no: not in the released data"
    # The second request of the file.
    facts = signature(corpus / "data/all/xx_test.csv", request=2, score=1.0, decimals="cut")
    assert [row["signature"] for row in rows] == [facts, ""]
    assert first["translation"] == ""


def test_table11_says_where_the_printed_one_stands(corpus, tmp_path):
    printed = put(
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
    assert [row["xx"] for row in rows_of(target)] == ["bitte", "toll", "", "schlecht"]
    assert next(row["comparable"] for row in rows_of(compare)) == "no: picked by hand"
    (nice,) = [row for row in rows_of(compare) if row["word"] == "nice"]
    assert (nice["ours"], nice["comparable"]) == ("", "no: the word has no sequence in the list")
    lines = {row["word"]: row for row in rows_of(compare)}
    lexicon = corpus / "strategies/xx.csv"
    assert lines["great"]["signature"] == signature(lexicon, sequences=3, pick="first")
    assert lines["great"]["ours"] == fingerprint("toll")[:12]
    assert lines["great"]["printed"] == fingerprint("super")[:12]
    assert (lines["bad"]["printed"], lines["bad"]["ours"]) == ("", fingerprint("schlecht")[:12])
    said = {row["word"]: row["difference"] for row in rows_of(compare)}
    assert said == {
        "please": "same",
        "great": "printed is number 3 of 3",
        "nice": "printed is not in the list",
        "bad": "only ours",
    }
    assert lines["bad"]["comparable"] == "no: not printed"
    table11_scratch(target, compare, lexicons=corpus, printed=printed, languages=["xx"], scale="paper")
    judged = {row["word"]: row["comparable"] for row in rows_of(compare)}
    assert judged["bad"] == f"no: not printed, {OTHER_LEXICONS}"
    assert judged["please"] == f"no: {OTHER_LEXICONS}, picked by hand"
    assert "bitte" not in compare.read_text() and "toll" not in compare.read_text()


def test_table11_with_an_unknown_word(corpus, tmp_path):
    printed = put(tmp_path / "p.csv", PRINTED_SEQUENCES, [("Please", "pleas", "xx", "", "")])
    with pytest.raises(InputError, match=r"xx.csv: no word 'pleas' in 'Please'; did you mean 'please'"):
        table11(tmp_path / "t.csv", tmp_path / "c.csv", corpus=corpus, printed=printed, languages=["xx"])
