"""Tables 2 and 9, and Figures 2, 3, 6 and 7: with ratings, and without."""

import re
import statistics
from pathlib import Path

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.figure2 import figure2
from workflow_scripts.papers.tydip.figure3 import figure3
from workflow_scripts.papers.tydip.figure5 import figure5
from workflow_scripts.papers.tydip.figure6 import figure6
from workflow_scripts.papers.tydip.figure7 import figure7
from workflow_scripts.papers.tydip.table2 import table2
from workflow_scripts.papers.tydip.table9 import table9
from workflow_scripts.politeness import agreement, hits, measures, original, raters_accuracy

PRINTED = Path(__file__).parents[3] / "resources/printed/tydip"
# Nobody can ask the paper's raters again.
OTHER = "no: other raters than the paper's"


@pytest.fixture
def agreed(tmp_path):
    rows = [
        *(("hi", "en", 1, 0.5, -0.1, 3, 0), ("hi", "en", 2, 0.1, 0.1, 3, 0), ("hi", "en", 3, "", "", 0, 3)),
        *(
            ("hi", "target", 1, 0.505, 0, 3, 0),
            ("ko", "en", 1, 0.7, 0, 2, 1),
            ("ko", "target", 1, 0.6, 0, 3, 0),
        ),
        *(("stanford", "original", 1, 0.4, 0.05, 10, 0), ("stanford", "original", 2, 0.6, 0, 10, 0)),
    ]
    return put(tmp_path / "agreement.csv", agreement.COLUMNS, rows)


def test_table2_has_means_over_hits_and_their_deviation(agreed, tmp_path):
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    options = {"agreement": agreed, "printed": PRINTED / "table2.csv", "scale": "demo", "raters": "simulated"}
    table2(*files, languages=["hi", "ko"], **options)
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["hi", "0.30", "0.20", "0.51", "0.00"],
        ["ko", "0.70", "0.00", "0.60", "0.00"],
        ["average", "0.50", "0.10", "0.55", "0.00"],
    ]
    cells = {(row["lang"], row["metric"]): row for row in rows_of(files[1])}
    assert cells["hi", "en"]["comparable"] == "no: demo, simulated raters, other raters than the paper's"
    assert cells["hi", "en"]["signature"].endswith("|hits:2|pairs_dropped:3")
    assert cells["ko", "en_sd"]["signature"].endswith("|hits:1|pairs_dropped:1")
    assert cells["average", "en"]["signature"] == "mean of 2 languages"
    assert cells["average", "en"]["comparable"] == cells["hi", "en"]["comparable"]
    assert cells["hi", "en"]["difference"] == "-0.01"
    # Without ratings of a language there is no average.
    del options["raters"]
    table2(*files, languages=["hi", "es"], **{**options, "scale": "paper"})
    assert rows_of(files[0])[2]["en"] == ""
    cells = {(row["lang"], row["metric"]): row for row in rows_of(files[1])}
    assert cells["es", "en"]["comparable"] == "no: the single ratings are not released"
    assert cells["hi", "en"]["comparable"] == OTHER


def test_table9_leaves_out_what_has_no_correlation(tmp_path):
    rows = [("hi", "raw", 0.5), ("hi", "raw", ""), ("hi", "raw", -0.5), ("hi", "aggregate", 0.25)]
    found = put(tmp_path / "o.csv", original.COLUMNS, rows)
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    table9(*files, original=found, printed=PRINTED / "table9.csv", languages=["hi", "ko"], scale="open")
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["hi", "0.00", "0.50", "0.25", "0.00"],
        ["ko", "", "", "", ""],
    ]
    assert rows_of(files[1])[0]["signature"] == signature(found, n=2, dropped=1)
    table9(*files, original=found, printed=PRINTED / "table9.csv", languages=["hi", "ko"], scale="paper")
    why = {(row["lang"], row["metric"]): row["comparable"] for row in rows_of(files[1])}
    assert {why["ko", name] for name in ("raw", "raw_sd", "aggregate", "aggregate_sd")} == {
        "no: the single ratings are not released"
    }
    assert why["hi", "aggregate_sd"] == OTHER and why["es", "raw"] == "no: not computed"


def test_the_printed_tables_have_the_averages_that_the_paper_prints():
    """Averages are of unrounded cells, so that those of the rounded ones may be a hundredth off."""
    printed = read_printed(PRINTED / "table2.csv", "lang", "metric")
    for metric in ("en", "en_sd", "target", "target_sd"):
        cells = [
            float(value) for (lang, name), value in printed.items() if name == metric and lang != "average"
        ]
        assert len(cells) == 9
        assert statistics.fmean(cells) == pytest.approx(float(printed["average", metric]), abs=0.0101)
    # Section 2.2 says that all agree more on their own language.
    lower = [lang for lang, name in printed if name == "en" and printed[lang, "en"] > printed[lang, "target"]]
    assert lower == ["ta"]
    assert len(read_printed(PRINTED / "table9.csv", "lang", "metric")) == 36


def test_figures_of_agreement(agreed, tmp_path):
    files = tmp_path / "f.svg", tmp_path / "f.csv"
    for figure in (figure2, figure6, figure7):
        figure(*files, agreement=agreed, languages=["hi", "ko", "es"], raters="simulated")
        text = files[0].read_text(encoding="utf-8")
        assert "simulated raters" in text
        # A dotted line in each panel is where raters do not agree at all.
        assert len(re.findall("stroke-dasharray", text)) == (3 if figure is figure7 else 1)
        rows = {(row["panel"], row["group"]): row for row in rows_of(files[1])}
        if figure is figure7:
            assert rows["hi", "en"]["mean"] == "0.3000" and rows["hi", "en"]["n"] == "2"
            assert rows["es", "en"]["note"] == "the single ratings are not released"
            assert [*rows["es", "en"].values()][2:] == ["0", *[""] * 6, rows["es", "en"]["note"]]
            assert rows["hi", "en"]["note"] == "simulated raters"
            assert "hi en: 2 HITs, mean 0.3000." in text
        else:
            assert rows["", "en"]["mean"] == "0.4333" and rows["", "en shuffled"]["mean"] == "0.0000"
        if figure is figure6:
            # Stanford's raters are people.
            assert rows["", "original en"]["note"] == "" and rows["", "original en"]["mean"] == "0.5000"
    figure2(*files, agreement=agreed, languages=["es"])
    assert "not released" in files[0].read_text(encoding="utf-8")
    assert {row["mean"] for row in rows_of(files[1])} == {""}


def test_figure3_has_raters_beside_the_classifier(tmp_path):
    rows = [("en", 2, 10, 1, 0.8), ("en", 2, 10, 2, 0.9), ("en", 4, 10, 1, 0.9), ("hi", 2, 4, 1, 0.75)]
    found = put(tmp_path / "a.csv", raters_accuracy.COLUMNS, rows)
    models = [
        ("target", "en", 1, 10, 0.7, 1, 1, ""),
        ("target", "en", 2, 10, 0.8, 1, 1, ""),
        ("en", "hi", 1, 4, 1, 1, 1, ""),
    ]
    files = tmp_path / "f.svg", tmp_path / "f.csv", tmp_path / "c.csv"
    measured = put(tmp_path / "m.csv", measures.COLUMNS, models)
    given = {"printed": PRINTED / "figure3.csv", "scale": "demo", "raters": "simulated"}
    figure3(*files, accuracies=found, measures=measured, languages=["hi", "ko"], **given)
    lines = {(row["lang"], row["others"]): row for row in rows_of(files[1])}
    assert [lines["en", "2"][name] for name in ("n", "mean", "median", "classifier", "gap", "note")] == [
        *("10", "0.8500", "0.8500", "0.7500", "0.1000", "")
    ]
    assert [lines["hi", "2"][name] for name in ("mean", "classifier", "note")] == [
        "0.7500",
        "",
        "simulated raters",
    ]
    assert lines["ko", "2"]["note"] == "the single ratings are not released"
    assert "<title" in files[0].read_text(encoding="utf-8")
    # Without raters in every language nothing is said about all of them.
    assert {(row["ours"], row["comparable"]) for row in rows_of(files[2])} == {
        ("", "no: demo, the single ratings are not released")
    }


def test_what_the_text_says_of_figure3_is_compared(tmp_path):
    """Gaps of exactly 10 points count as 10%, of exactly 15 not as more than 15%."""
    human, model = {"hi": 0.9, "ko": 0.95, "es": 0.8}, {"hi": 0.8, "ko": 0.8, "es": 0.64}
    found = put(
        tmp_path / "a.csv", raters_accuracy.COLUMNS, [(lang, 2, 4, 1, one) for lang, one in human.items()]
    )
    measured = put(
        tmp_path / "m.csv",
        measures.COLUMNS,
        [("target", lang, 1, 4, one, 1, 1, "") for lang, one in model.items()],
    )
    files = tmp_path / "f.svg", tmp_path / "f.csv", tmp_path / "c.csv"
    given = {"accuracies": found, "languages": [*human], "printed": PRINTED / "figure3.csv", "scale": "paper"}
    figure3(*files, measures=measured, **given)
    assert [list(row.values())[:5] for row in rows_of(files[2])] == [
        ["languages with a gap of 0.10 or more", "6", "3", "-3", OTHER],
        ["languages with a gap above 0.15", "2", "1", "-1", OTHER],
        ["mean accuracy", "0.85-0.95", "0.8833", "0.0000", OTHER],
    ]
    assert {row["signature"] for row in rows_of(files[2])} == {"languages:3|gap:raters-classifier"}
    figure3(*files, **given)
    assert [(row["ours"], row["comparable"]) for row in rows_of(files[2])] == [
        *[("", "no: no classifier")] * 2,
        ("0.8833", OTHER),
    ]


def test_figure5_says_what_is_on_the_pages_of_raters(tmp_path):
    """As many requests of each kind as in the paper, on its scale; the last HIT has fewer."""
    rows = [
        (f"en-{n}-{hit}", hit, 1, "politeness", "Why?")
        for hit in (1, 2)
        for n in range(5 * hit - 4, 5 * hit + 1)
    ]
    rows += [(f"hi-{n}-{1 + n // 16}", 1 + n // 16, 1, "politeness", "Why?") for n in range(1, 20)]
    sheet = put(tmp_path / "politeness/hi.csv", hits.COLUMNS, rows)
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"pages": [sheet.with_suffix(".html")], "languages": ["hi"], "printed": PRINTED / "figure5.csv"}
    figure5(*files, sheets=[sheet], **given, scale="paper")
    assert [list(row.values()) for row in rows_of(files[0])] == [["hi", "politeness/hi.html", "2", "5", "15"]]
    assert {row["signature"] for row in rows_of(files[1])} == {signature(sheet, languages=1)}
    with pytest.raises(InputError, match="2 sheets and 1 pages of 1 languages"):
        figure5(*files, sheets=[sheet] * 2, **given, scale="paper")
    with pytest.raises(InputError, match=r"none\.csv: no requests"):
        none = put(tmp_path / "none.csv", hits.COLUMNS, [])
        figure5(*files, sheets=[none], **given, scale="paper")
    figure5(*files, sheets=[sheet], **given, scale="paper")
    assert [(row["metric"], row["difference"], row["comparable"]) for row in rows_of(files[1])] == [
        (name, "0" if name != "step" else "0.0", "yes")
        for name in ("english", "target", "lowest", "highest", "step")
    ]
