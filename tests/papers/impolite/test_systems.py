"""Tables VI and VII of Hu et al. (2022): dialogue systems beside the printed ones."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.papers.impolite.test_leaves import PRINTED, put_dialogues
from tests.tables import lists_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.dialogue.compare import COLUMNS as SCORES
from workflow_scripts.dialogue.evaluate import METRICS
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.registry import load
from workflow_scripts.papers.impolite.table2 import table2
from workflow_scripts.papers.impolite.table6 import NO_SYSTEM, table6
from workflow_scripts.papers.impolite.table7 import table7


def put_scores(folder: Path, *values: tuple[str, str, float]) -> dict[str, Path]:
    """Scores in which all metrics of a system on some dialogues have the same value."""
    rows = [
        [
            name,
            data,
            metric,
            value,
            value - 1,
            value + 1,
            *(["x original", 0.01, 0.02] if data == "impolite" else [""] * 3),
            9,
            "gold" if name == "mine" else "own",
            "s",
        ]
        for name, data, value in values
        for metric in METRICS
    ]
    write_csv(folder / "scores.csv", SCORES, rows)
    labels = [["mine", "MINE"], ["ubar", "UBAR"]]
    write_csv(folder / "systems.csv", ("system", "label"), labels)
    return {"scores": folder / "scores.csv", "systems": folder / "systems.csv"}


# At the paper's scale too: none of Table VI's reproduced numbers is given by an evaluator that is known.
UNKNOWN = "no: the paper's evaluator is not known"


def test_systems_beside_the_printed_ones(tmp_path):
    found = [("mine", "test", 50.0), ("ubar", "test", 90.0)]
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table6(*outs, **put_scores(tmp_path, *found), printed=PRINTED / "table6.csv", scale="paper")
    rows = lists_of(outs[0])
    assert rows[1:3] == [["DAMD", "reported", *[""] * 4], ["DAMD", "reproduced", *[""] * 4]]
    assert [row for row in rows[1:] if row[2]] == [
        ["UBAR", "reproduced", "90.0", "90.0", "90.0", "own"],
        ["MINE", "reproduced", "50.0", "50.0", "50.0", "gold"],
    ]
    lines = {tuple(row[:3]): row[3:] for row in lists_of(outs[1])}
    assert lines["UBAR", "reproduced", "Inform"] == ["90.0", "90.0", "0.0", "89.0", "91.0", UNKNOWN, "s"]
    assert lines["UBAR", "reported", "Inform"][5].startswith("no: reported")
    assert lines["DAMD", "reproduced", "BLEU"][5] == f"no: {NO_SYSTEM}"
    assert lines["MINE", "reproduced", "BLEU"][5] == f"no: not printed, {UNKNOWN.removeprefix('no: ')}"


def test_what_impolite_users_do(tmp_path):
    found = [("ubar", "original", 80.0), ("ubar", "impolite", 60.0), ("mine", "original", 0.0)]
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table7(*outs, **put_scores(tmp_path, *found), printed=PRINTED / "table7.csv", scale="paper")
    rows = lists_of(outs[0])[1:]
    assert len(rows) == 19 and rows[3][:2] == ["LABES", "Original"]
    assert [row for row in rows if row[2]] == [
        ["UBAR", "Original", *["80.0"] * 4, "", "own", *[""] * 4],
        ["UBAR", "Impolite", *["60.0"] * 4, "25.0", "own", *["0.0200"] * 4],
        ["MINE", "Original", *["0.0"] * 4, "", "gold", *[""] * 4],
    ]
    lines = {tuple(row[:3]): row[3:] for row in lists_of(outs[1])}
    assert lines["UBAR", "Impolite", "Decrease"][:3] == ["9.0", "25.0", "16.0"]
    write_lines(tmp_path / "printed.csv", ["model,data,metric,printed", "UBAR,Polite,BLEU,1"])
    with pytest.raises(InputError, match=r"printed\.csv: unknown data 'Polite'; did you mean 'Impolite'"):
        table7(*outs, **put_scores(tmp_path, *found), printed=tmp_path / "printed.csv", scale="paper")
    assert lines["UBAR", "Impolite", "Success"][-1] == "s|p_holm:0.0200 against x original"
    assert lines["PPTOD", "Impolite", "BLEU"][5] == f"no: {NO_SYSTEM}"


@pytest.mark.parametrize(("label", "version"), [("AuGPT", "2.1"), ("PPTOD", "2.0")])
def test_weights_that_the_paper_leaves_open_stand_beside_its_numbers(tmp_path, label, version):
    """The text says MultiWOZ 2.2, of which no released weights are; docs/differences.md says so."""
    given = put_scores(tmp_path, *(("ubar", data, 1.0) for data in ("test", "original", "impolite")))
    write_csv(given["systems"], ("system", "label"), [["ubar", label]])
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    for leaf, cells in ((table6, 3), (table7, 9)):
        leaf(*outs, **given, printed=PRINTED / f"{leaf.__name__}.csv", scale="paper")
        why = [row[-2] for row in lists_of(outs[1])[1:] if row[0] == label and row[4] not in ("", "own")]
        assert len(why) == cells
        assert all(
            one.endswith(f"the text has MultiWOZ 2.2, the released weights are of {version}") for one in why
        )


def test_words_that_no_people_have_written_are_marked(tmp_path):
    found = [("ubar", "original", 80.0), ("ubar", "impolite", 60.0)]
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    given = put_scores(tmp_path, *found)
    table7(*outs, **given, printed=PRINTED / "table7.csv", scale="paper", written_by="RULES")
    lines = {tuple(row[:3]): row[-2] for row in lists_of(outs[1])}
    assert lines["UBAR", "Original", "BLEU"] == UNKNOWN
    by_rules = "no: impolite words by RULES, " + UNKNOWN.removeprefix("no: ")
    for metric in ("BLEU", "Decrease"):
        assert lines["UBAR", "Impolite", metric] == by_rules
    train = put_dialogues(tmp_path / "train.jsonl", "hotel")
    shown = {"dialogues": train, "impolite": train, "printed": PRINTED / "table2.csv"}
    table2(*outs, **shown, scale="paper", written_by="RULES")
    told = {row[0]: row[-2] for row in lists_of(outs[1])[1:]}
    assert told == {"MultiWOZ 2.2": "yes", "Impolite Dialogue Corpus": "no: impolite words by RULES"}


def test_scores_of_another_system_are_refused(tmp_path):
    given = put_scores(tmp_path, ("other", "test", 1.0))
    with pytest.raises(InputError, match=r"scores.csv:2: 'other' is not a system of"):
        table6(
            *(tmp_path / "t.csv", tmp_path / "c.csv"), **given, printed=PRINTED / "table6.csv", scale="demo"
        )


@pytest.mark.parametrize("column", ["value", "ci_low", "ci_high", "p_holm"])
def test_a_score_that_is_no_number_is_named(tmp_path, column):
    given = put_scores(tmp_path, ("ubar", "impolite", 1.0))
    header, first, *others = lists_of(given["scores"])
    first[header.index(column)] = "many"
    write_csv(given["scores"], header, [first, *others])
    with pytest.raises(InputError, match=r"scores\.csv:2: 'many' is not a number"):
        table7(
            *(tmp_path / "t.csv", tmp_path / "c.csv"), **given, printed=PRINTED / "table7.csv", scale="demo"
        )


def test_sums_that_the_printed_table_states():
    """Combined is half of Inform and Success, plus BLEU, but for two rows, which rounding may have made.

    docs/differences.md says so.
    """
    printed = read_printed(PRINTED / "table7.csv", "model", "data", "metric")
    rows = dict.fromkeys(key[:2] for key in printed)
    wrong = []
    for row in rows:
        inform, success, bleu, combined = (
            float(printed[*row, name]) for name in ("Inform", "Success", "BLEU", "Combined")
        )
        gap = abs((inform + success) / 2 + bleu - combined)
        # Each of the four is rounded by 0.05 at most.
        assert gap < 0.1501, row
        if gap > 0.0501:
            wrong.append(row)
        if row[1] == "Impolite" and "+" not in row[0]:
            before = float(printed[row[0], "Original", "Combined"])
            assert abs(100 * (before - combined) / before - float(printed[*row, "Decrease"])) < 0.11
    assert wrong == [("UBAR", "Impolite"), ("UBAR + Data Augmentation", "Impolite")]
    assert len(rows) - len(wrong) == 16


def test_the_caption_says_over_what_intervals_are():
    caption = next(
        one.caption for one in load(ROOT / "resources/leaves.csv") if one.name == "impolite/table7"
    )
    assert caption.endswith(
        "p-values and intervals are over dialogues, and over the number of trainings in the signature"
    )


def test_what_the_text_says_of_the_printed_tables_and_they_do_not():
    """docs/differences.md has these ranges."""
    seven = read_printed(PRINTED / "table7.csv", "model", "data", "metric")
    six = read_printed(PRINTED / "table6.csv", "model", "data", "metric")
    systems = sorted({model for model, _, _ in six})
    fell = [float(seven[one, "Impolite", "Decrease"]) for one in systems]
    assert (min(fell), max(fell)) == (7.5, 15.8)

    def rises(*metrics: str) -> tuple[float, float]:
        """Least and most that the mean of metrics rises with more data."""
        found = [
            sum(
                float(seven[f"{one} + Data Augmentation", "Impolite", metric])
                - float(seven[one, "Impolite", metric])
                for metric in metrics
            )
            / len(metrics)
            for one in systems
        ]
        return round(min(found), 2), round(max(found), 2)

    assert rises("Combined") == (0.4, 6.8) and rises("Inform", "Success") == (-1.7, -0.1)
    for metric, least, most in (("Inform", 1.1, 7.5), ("Success", 6.8, 13.5)):
        lower = [
            float(six[one, "reproduced", metric]) - float(seven[one, "Original", metric]) for one in systems
        ]
        assert (round(min(lower), 1), round(max(lower), 1)) == (least, most)
    # What the standard evaluator gives for the published responses: Inform and Success.
    standard = {"DAMD": (57.9, 47.6), "LABES": (68.5, 58.1), "MinTL": (73.7, 65.4), "AuGPT": (76.6, 60.5)}
    for number, metric, least, most in ((0, "Inform", 6.3, 18.4), (1, "Success", 7.3, 12.8)):
        higher = [float(six[one, "reported", metric]) - standard[one][number] for one in standard]
        assert (round(min(higher), 1), round(max(higher), 1)) == (least, most)
    for metric in ("Inform", "Success", "BLEU"):
        assert six["AuGPT", "reported", metric] == six["AuGPT", "reproduced", metric]
