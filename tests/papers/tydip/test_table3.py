"""Table 3 with classifiers; its row of the majority class is tested in test_leaves."""

import re

import pytest

from tests.conftest import ROOT
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.registry import named
from workflow_scripts.papers.tydip.table3 import table3
from workflow_scripts.politeness.measures import COLUMNS
from workflow_scripts.report.sheet import sheet

PRINTED = ROOT / "resources/printed/tydip/table3.csv"


@pytest.fixture
def found(corpus, tmp_path):
    """The table and the comparison of three classifiers, whose languages are English, xx and yy."""
    (corpus / "data/binary/yy_test_binary.csv").write_bytes(
        (corpus / "data/binary/xx_test_binary.csv").read_bytes()
    )
    rows = {
        "XLMR": [
            ("target", "en", 1, 4, 0.75, 0.75, 0.9, ""),
            ("target", "en", 2, 4, 0.8539, 0.75, 0.8, ""),
            ("target", "xx", 1, 4, 0.5, 1, 1, ""),
            ("target", "xx", 2, 4, 0.7, 1, 1, ""),
            ("target", "yy", 1, 4, 0.4, 0.5, 0.5, ""),
            ("target", "yy", 2, 4, 0.4, 0.5, 0.5, ""),
        ],
        "OURS": [("target", "xx", 1, 4, 0.25, 0.25, 0.25, "prompted:gguf/m@1|prompt:2")],
        "RoBERTa": [("en", "en", 1, 4, 1, 1, 1, ""), ("en", "xx", 1, 4, 0.9, 1, 1, "")],
    }
    # In another order than in print.
    order = ["OURS", "RoBERTa", "XLMR"]
    files = [put(tmp_path / f"{name}.csv", COLUMNS, rows[name]) for name in order]
    table3(
        tmp_path / "t.csv",
        tmp_path / "c.csv",
        corpus=corpus,
        printed=PRINTED,
        languages=["en", "xx", "yy"],
        measures=files,
        labels=order,
        reads=["en,xx", "en", "en,xx"],
        scale="open",
    )
    accuracies = [row for row in rows_of(tmp_path / "c.csv") if row["measure"] == "accuracy"]
    cells = {(row["model"], row["input"], row["lang"]): row for row in accuracies}
    return rows_of(tmp_path / "t.csv"), cells


def test_rows_are_means_over_seeds_beside_ranges_and_other_measures(found):
    table, _ = found
    assert [(row["model"], row["input"], row["measure"]) for row in table] == [
        ("Majority", "-", "accuracy"),
        ("XLMR", "target", "accuracy"),
        ("XLMR", "target", "range"),
        ("XLMR", "target", "at median"),
        ("XLMR", "target", "auc"),
        *(("RoBERTa", "en", measure) for measure in ("accuracy", "at median", "auc")),
        *(("OURS", "target", measure) for measure in ("accuracy", "at median", "auc")),
    ]
    # 0.80195 is cut, not rounded; the average is that of xx and yy, and has no range.
    assert list(table[1].values())[3:] == ["0.801", "0.600", "0.400", "0.500"]
    assert list(table[2].values())[3:] == ["0.750-0.853", "0.500-0.700", "0.400-0.400", ""]
    assert list(table[4].values())[3:] == ["0.850", "1.000", "0.500", "0.750"]
    # Without yy there is no average.
    assert list(table[5].values())[3:] == ["1.000", "0.900", "", ""]


def test_the_signature_has_the_model_and_the_prompt_that_was_asked(found):
    _, cells = found
    assert cells["OURS", "target", "xx"]["signature"].endswith("|decimals:cut|prompted:gguf/m@1|prompt:2")
    assert "prompt" not in cells["XLMR", "target", "xx"]["signature"]


def test_the_comparison_has_accuracies_and_says_why_cells_are_empty(found):
    _, cells = found
    assert cells["XLMR", "target", "en"]["ours"] == "0.801"
    assert cells["XLMR", "target", "en"]["difference"] == "-0.091"
    assert cells["XLMR", "target", "en"]["signature"] == (
        "n:4|seeds:1+2|range:0.750-0.853|label:score>0|decimals:cut"
    )
    assert cells["XLMR", "target", "en"]["comparable"] == "no: open"
    for language in ("yy", "avg"):
        assert cells["XLMR", "target", language]["comparable"] == "no: open, not a language of the encoder"
    # English text is read by all; what is not there has a reason.
    assert cells["RoBERTa", "en", "xx"]["comparable"] == "no: open"
    assert cells["RoBERTa", "en", "hi"]["comparable"] == "no: open, not translated into English"
    assert cells["XLMR", "en", "hi"]["comparable"] == "no: open, not translated into English"
    assert cells["GPT3", "target", "hi"]["comparable"] == "no: open, no such model is configured"
    assert {cells["GPT3", text, "hi"]["ours"] for text in ("target", "en")} == {""}
    assert cells["OURS", "target", "xx"]["printed"] == ""


def test_the_page_finds_each_line_in_its_place(found, tmp_path):
    """Printed numbers stand in the rows of accuracies; their models have further rows."""
    results = tmp_path / "results"
    (results / "tydip").mkdir(parents=True)
    for name, ending in (("t", ".csv"), ("c", ".compare.csv")):
        (tmp_path / f"{name}.csv").rename(results / f"tydip/table3{ending}")
    leaf = named(ROOT / "resources/leaves.csv", "tydip/table3")
    languages = ROOT / "resources/languages.csv"
    page = sheet(leaf, results, ROOT / "resources/printed", languages, "open")
    assert page.in_place and page.badge == ""


@pytest.mark.parametrize("value", ["x", "inf"])
def test_a_value_that_is_no_number(corpus, tmp_path, value):
    file = put(tmp_path / "m.csv", COLUMNS, [("target", "en", 1, 4, value, 0.5, 0.5, "")])
    with pytest.raises(InputError, match=rf"m\.csv:2: '{value}' is not a number"):
        table3(
            tmp_path / "t.csv",
            tmp_path / "c.csv",
            corpus=corpus,
            printed=PRINTED,
            languages=["en"],
            measures=[file],
            labels=["XLMR"],
            reads=["en"],
            scale="open",
        )
    assert not (tmp_path / "t.csv").exists()


def test_weights_of_others_have_no_seed_and_translations_no_comparison(corpus, tmp_path):
    """The paper's translations are Google's; English requests are their own translations."""
    rows = [
        ("en", "en", "none", 4, 0.892, 1, 1, "released weights:w"),
        ("en", "xx", "none", 4, 0.5, 1, 1, "w"),
    ]
    measured = put(tmp_path / "m.csv", COLUMNS, rows)
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given: dict = {"corpus": corpus, "printed": PRINTED, "languages": ["en", "xx"], "scale": "paper"}
    table3(*files, measures=[measured], labels=["XLMR"], reads=["en,xx"], translator="aws", **given)
    cells = {
        row["lang"]: row
        for row in rows_of(files[1])
        if (row["model"], row["input"], row["measure"]) == ("XLMR", "en", "accuracy")
    }
    assert (cells["en"]["comparable"], cells["en"]["difference"]) == ("yes", "0.000")
    assert "seeds" not in cells["en"]["signature"] and "released weights:w" in cells["en"]["signature"]
    other = "translated into English by aws, in the paper by Google"
    assert other in cells["xx"]["comparable"] and other in cells["avg"]["comparable"]


def test_a_label_of_the_paper_is_comparable_with_its_encoder_only(corpus, tmp_path):
    rows = [("target", "en", 1, 4, 0.892, 1, 1, ""), ("target", "xx", 1, 4, 0.5, 1, 1, "")]
    measured = put(tmp_path / "m.csv", COLUMNS, rows)
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given: dict = {"corpus": corpus, "printed": PRINTED, "languages": ["en", "xx"], "scale": "paper"}

    def said(label: str, encoder: str) -> dict[str, str]:
        one = {"labels": [label], "reads": ["en"], "encoders": [encoder]}
        table3(*files, measures=[measured], **one, **given)
        key = (label, "target", "accuracy")
        found = [row for row in rows_of(files[1]) if (row["model"], row["input"], row["measure"]) == key]
        return {row["lang"]: row["comparable"] for row in found if row["ours"]}

    for encoder in ("FacebookAI/xlm-roberta-large", "Genius1237/xlm-roberta-large-tydip"):
        assert said("XLMR", encoder)["en"] == "yes"
    assert said("XLMR", "FacebookAI/xlm-roberta-base") == {
        "en": "no: encoder FacebookAI/xlm-roberta-base",
        "xx": "no: not printed, encoder FacebookAI/xlm-roberta-base, not a language of the encoder",
        "avg": "no: encoder FacebookAI/xlm-roberta-base, not a language of the encoder",
    }
    assert said("RoBERTa", "Genius1237/xlm-roberta-large-tydip")["xx"].startswith("no: not printed, encoder")
    # Rows that the paper does not have are whatever their label says.
    assert said("MINE", "ngrams")["en"] == "no: not printed"
    # Which model GPT3 was, and what else its prompt said, is open, whatever is asked here.
    assert said("GPT3", "gguf/m@1")["en"].startswith("no: the model's version")


@pytest.mark.parametrize("label", ["XLMR", "GPT3", "MINE"])
def test_scores_made_elsewhere_are_never_comparable(corpus, tmp_path, label):
    """Whoever put requests into English for them, it was not the backend of this run."""
    rows = [
        (given, lang, "none", 4, 0.5, 1, 1, "scores@1") for given in ("target", "en") for lang in ("en", "xx")
    ]
    measured = put(tmp_path / "m.csv", COLUMNS, rows)
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    table3(
        *files,
        corpus=corpus,
        printed=PRINTED,
        languages=["en", "xx"],
        measures=[measured],
        labels=[label],
        reads=["en,xx"],
        encoders=["outputs"],
        translator="aws",
        scale="paper",
    )
    cells = [row for row in rows_of(files[1]) if row["model"] == label]
    ours = {row["comparable"] for row in cells if row["ours"]}
    assert ours and all(re.match("no: (not printed, )?scores made elsewhere", said) for said in ours)
    assert {row["comparable"] for row in cells if not row["ours"]} <= {"no: no file of scores"}
    assert {"en", "xx", "avg"} == {row["lang"] for row in cells if row["ours"]}
