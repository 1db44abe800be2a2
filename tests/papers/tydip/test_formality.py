"""Tables 4, 5, 6, 7 and 12: politeness against formality."""

from pathlib import Path

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.table4 import table4
from workflow_scripts.papers.tydip.table5 import table5
from workflow_scripts.papers.tydip.table6 import table6
from workflow_scripts.papers.tydip.table7 import table7
from workflow_scripts.papers.tydip.table12 import table12
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED
from workflow_scripts.politeness import calibrated, styles

PRINTED = Path(__file__).parents[3] / "resources/printed/tydip"
CALIBRATED = "on which data the threshold was calibrated is not said"


@pytest.fixture
def measured(tmp_path):
    rows = [
        ("en", 60, 240, 0.401234, 0.7348, 0.2, 0.5, 0.8114, 0.6825, 0.8),
        ("fr", 10, 10, 0.5, 0.5, 0.5, 0.5, "", "", 0.8),
    ]
    return put(tmp_path / "styles.csv", styles.COLUMNS, rows)


def cells(path: Path) -> dict[tuple[str, ...], dict[str, str]]:
    return {tuple(list(row.values())[:2]): row for row in rows_of(path)}


def test_tables_4_7_and_12(measured, tmp_path):
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    options = {"languages": ["en", "fr", "it"], "scale": "demo", "styles": measured}
    table4(*files, printed=PRINTED / "table4.csv", **options)
    assert [list(row.values()) for row in rows_of(files[0])][:3] == [
        ["Majority Baseline", "80.00", "50.00", ""],
        ["Before Calib.", "40.12", "50.00", ""],
        ["After Calib.", "73.48", "50.00", ""],
    ]
    found = cells(files[1])
    assert found["Before Calib.", "en"]["difference"] == "0.00"
    assert found["Before Calib.", "it"]["comparable"] == "no: demo, no classifier, or no such test set"
    assert found["AUC", "en"]["ours"] == "50.00" and not found["AUC", "en"]["printed"]
    table7(*files, printed=PRINTED / "table7.csv", **options)
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["en", "0.811", "0.682"],
        ["fr", "", ""],
        ["it", "", ""],
    ]
    assert cells(files[1])["fr", "same"]["comparable"] == "no: demo, no pairs"
    table12(*files, printed=PRINTED / "table12.csv", **options)
    assert list(rows_of(files[0])[0].values()) == ["en", "60", "240"]
    table4(*files, printed=PRINTED / "table4.csv", languages=["en"], scale="open")
    assert {row["en"] for row in rows_of(files[0])} == {""}


@pytest.mark.parametrize(
    ("encoder", "why"),
    [
        ("FacebookAI/xlm-roberta-large", ""),
        ("Genius1237/xlm-roberta-large-tydip", ""),
        ("FacebookAI/roberta-large", "encoder FacebookAI/roberta-large"),
        ("folder", "encoder folder"),
    ],
)
def test_tables_4_and_7_are_comparable_with_xlmr_only(measured, tmp_path, encoder, why):
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    options = {"languages": ["en"], "scale": "paper", "styles": measured, "encoder": encoder}
    table4(*files, printed=PRINTED / "table4.csv", **options)
    said = {name: row["comparable"] for (name, lang), row in cells(files[1]).items() if lang == "en"}
    # The majority is no classifier's.
    assert said["Majority Baseline"] == "yes"
    assert (why in said["After Calib."]) and said["Before Calib."] == (f"no: {why}" if why else "yes")
    table7(*files, printed=PRINTED / "table7.csv", **options)
    assert cells(files[1])["en", "same"]["comparable"] == (f"no: {why}" if why else "yes")


def test_table5_is_cut_and_names_languages_that_the_encoder_never_read(tmp_path):
    rows = [("en", 251, 135 / 251, 140 / 251, 0.6, 1), ("hi", 250, 0.5, 0.612, 0.7, 0.25)]
    found = put(tmp_path / "calibrated.csv", calibrated.COLUMNS, [[row[0], *row[1:]] for row in rows])
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    options = {"printed": PRINTED / "table5.csv", "languages": ["en", "hi", "ko"], "scale": "paper"}
    table5(*files, calibrated=found, reads=["en"], **options)
    assert [list(row.values()) for row in rows_of(files[0])][:2] == [
        ["Before Calib.", "0.537", "0.500", ""],
        ["After Calib.", "0.557", "0.612", ""],
    ]
    given = cells(files[1])
    limited = tmp_path / "limited.csv", tmp_path / "limited.compare.csv"
    table5(*limited, calibrated=found, sentences=20_000, **options)
    assert (
        cells(limited[1])["After Calib.", "en"]["comparable"]
        == f"no: at most 20000 sentences of GYAFC, {CALIBRATED}"
    )
    assert (
        given["After Calib.", "en"]["difference"] == "0.000"
        and given["After Calib.", "en"]["comparable"] == f"no: {CALIBRATED}"
    )
    assert given["After Calib.", "hi"]["comparable"] == f"no: not a language of the encoder, {CALIBRATED}"
    assert given["After Calib.", "hi"]["signature"] == signature(
        found, n=250, called_formal="0.250", decimals="cut"
    )
    assert [list(row.values()) for row in rows_of(files[0])][2] == ["AUC", "0.600", "0.700", ""]
    # Languages that are not asked for are left out, and without a classifier all are empty.
    table5(*files, **{**options, "languages": ["hi"]}, calibrated=found)
    assert [list(row.values())[1] for row in rows_of(files[0])] == ["0.500", "0.612", "0.700"]
    table5(*files, **options)
    assert {row["en"] for row in rows_of(files[0])} == {""}
    assert cells(files[1])["After Calib.", "en"]["comparable"] == f"no: {NOT_COMPARED}"


def test_table6_has_the_surest_pairs(tmp_path):
    write_lines(tmp_path / "low", ["a", "b", "c"])
    write_lines(tmp_path / "high", ["A", "B", "C"])
    write_lines(tmp_path / "low.scores", ["2", "1", "-1"])
    write_lines(tmp_path / "high.scores", ["0.5", "1.5", "-2"])
    options = {
        **{"informal": tmp_path / "low", "formal": [tmp_path / "high"]},
        **{"informal_scores": tmp_path / "low.scores", "formal_scores": [tmp_path / "high.scores"]},
    }
    table6(tmp_path / "t.csv", **options)
    assert [list(row.values()) for row in rows_of(tmp_path / "t.csv")] == [
        ["b", "2", "", "Informal", "Polite"],
        ["B", "2", "0", "Formal", "Polite"],
        ["c", "3", "", "Informal", "Impolite"],
        ["C", "3", "0", "Formal", "Impolite"],
    ]
    table6(tmp_path / "t.csv", **options, hidden=True)
    assert [row["sentence"] for row in rows_of(tmp_path / "t.csv")] == [""] * 4
    # Of pairs that are as sure the first line counts, and of a line the first rewrite.
    write_lines(tmp_path / "other", ["D", "E", "F"])
    for name, scores in (("low", ["1", "1", "-1"]), ("high", ["1", "2", "-1"]), ("other", ["1", "1", "-1"])):
        write_lines(tmp_path / f"{name}.scores", scores)
    several = {**options, "formal": [tmp_path / "high", tmp_path / "other"]}
    several["formal_scores"] = [tmp_path / "high.scores", tmp_path / "other.scores"]
    table6(tmp_path / "t.csv", **several)
    assert [list(row.values())[:3] for row in rows_of(tmp_path / "t.csv")] == [
        *(["a", "1", ""], ["A", "1", "0"], ["c", "3", ""], ["C", "3", "0"])
    ]
    write_lines(tmp_path / "high.scores", ["0", "0", "-1"])
    table6(tmp_path / "t.csv", **several)
    assert [list(row.values())[:3] for row in rows_of(tmp_path / "t.csv")][:2] == [
        *(["a", "1", ""], ["D", "1", "1"])
    ]
    for name, scores in (("low", ["-1", "-1", "1"]), ("high", ["-1"] * 3), ("other", ["-1"] * 3)):
        write_lines(tmp_path / f"{name}.scores", scores)
    table6(tmp_path / "t.csv", **several)
    assert [list(row.values())[:3] for row in rows_of(tmp_path / "t.csv")] == [
        *(["a", "1", ""], ["A", "1", "0"])
    ]
    write_lines(tmp_path / "low.scores", ["2", "1", "-1"])
    # Without a pair that is impolite on both sides there are two lines, and without a classifier none.
    write_lines(tmp_path / "high.scores", ["0.5", "1.5", "2"])
    table6(tmp_path / "t.csv", **options)
    assert len(rows_of(tmp_path / "t.csv")) == 2
    write_lines(tmp_path / "high.scores", ["0.5"])
    with pytest.raises(InputError, match="differ in number"):
        table6(tmp_path / "t.csv", **options)
    table6(tmp_path / "t.csv")
    assert rows_of(tmp_path / "t.csv") == []


def test_the_printed_numbers_and_what_they_say():
    """Before calibration everything was called polite, so that the accuracy is the majority's."""
    five = read_printed(PRINTED / "table5.csv", "model", "lang")
    three = read_printed(PRINTED / "table3.csv", "model", "input", "measure", "lang")
    assert all(
        value == three["Majority", "-", "accuracy", lang]
        for (model, lang), value in five.items()
        if model[0] == "B"
    )
    assert len(five) == 20
    # Four rewrites each, but for English.
    twelve = read_printed(PRINTED / "table12.csv", "lang", "metric")
    assert [
        int(twelve[lang, "formal"]) - 4 * int(twelve[lang, "informal"]) for lang in ("en", "fr", "it", "pt")
    ] == [*(1080, 0, 0, 0)]
    assert int(twelve["en", "formal"]) == 4 * 2748
    # Above an 80th percentile is a fifth: at most two fifths of the sentences could be right.
    four = read_printed(PRINTED / "table4.csv", "model", "lang")
    assert min(float(value) for (model, _), value in four.items() if model == "After Calib.") > 73
