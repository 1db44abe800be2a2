"""Table V of Hu et al. (2022): how impolite, how faithful and how fluent rewrites are."""

import pytest

from tests.conftest import ROOT
from tests.tables import lists_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table5 import g_mean, table5
from workflow_scripts.users.perplexity import COLUMNS

PRINTED = ROOT / "resources/printed/impolite/table5.csv"


@pytest.mark.parametrize(
    ("model", "mean"), [("DAST", 4.0329), ("BART-large Fine-tune", 8.3616), ("T5-large Fine-tune", 8.3759)]
)
def test_the_printed_means_are_those_of_their_rows(model, mean):
    printed = read_printed(PRINTED, "model", "metric")
    accuracy, bleu, perplexity = (float(printed[model, one]) for one in ("ACC(%)", "BLEU", "PPL"))
    assert g_mean(accuracy, bleu, perplexity) == pytest.approx(mean, abs=5e-5)
    assert f"{mean:.2f}" == printed[model, "G-Mean"]


def test_a_row_for_each_text(tmp_path):
    texts, judged = [], []
    for name, lines, scores in (
        ("original", ["a b c d e", "f g h i j"], ["-1.0", "2.0"]),
        ("t5", ["a b c d e", "x y z v w"], ["1.0", "0.5"]),
    ):
        write_lines(tmp_path / name, lines)
        write_lines(tmp_path / f"{name}.scores", scores)
        texts.append(tmp_path / name)
        judged.append(tmp_path / f"{name}.scores")
    rows = [
        [n, way, 9, value, "s"] for n in ("original", "t5") for way, value in (("joined", 4), ("apart", 8))
    ]
    write_csv(tmp_path / "p.csv", COLUMNS, rows)
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    files = {"texts": texts, "judged": judged, "perplexities": tmp_path / "p.csv"}
    labels = ["original", "T5-large Fine-tune"]
    table5(*outs, labels=labels, **files, printed=PRINTED, scale="demo")
    header, first, second = lists_of(outs[0])
    apart = ["PPL, each alone", "G-Mean, each alone"]
    assert header == ["model", "ACC(%)", "BLEU", "PPL", "G-Mean", *apart, "ACC(%), classifier of requests"]
    assert first == ["original", "50.0", "100.0", "4.0", "10.77", "8.0", "8.55", ""]
    assert second[:4] == ["T5-large Fine-tune", "100.0", second[2], "4.0"]
    assert float(second[4]) == pytest.approx(g_mean(100, float(second[2]), 4), abs=0.02)
    compared = {(row[0], row[1]): row[2:5] for row in lists_of(outs[1])}
    assert compared["T5-large Fine-tune", "ACC(%)"] == ["85.3", "100.0", "14.7"]
    lines = {(row[0], row[1]): row for row in lists_of(outs[1])}
    for label, text in zip(labels, texts, strict=True):
        assert {lines[label, name][6] for name in header[1:-1]} == {signature(text, n=2, bleu="13a")}
    assert lines["original", "PPL, each alone"][2:6] == ["", "8.0", "", "no: demo"]
    table5(*outs, labels=labels, **files, simulated=True, printed=PRINTED, scale="demo")
    assert {row[5] for row in lists_of(outs[1]) if row[3]} >= {"no: demo, simulated rewrites"}
    # A label of the paper's makes no file of a user's comparable.
    split = "the paper's split is not known"
    for elsewhere, why in ((None, f"no: {split}"), (labels[1:], f"no: rewrites made elsewhere, {split}")):
        table5(*outs, labels=labels, **files, elsewhere=elsewhere, printed=PRINTED, scale="paper")
        found = {row[5] for row in lists_of(outs[1]) if row[0] == labels[1] and row[2] and row[3]}
        assert found == {why}
    # Requests are polite above 0, and utterances impolite.
    table5(*outs, labels=labels, **files, polite=judged, printed=PRINTED, scale="demo")
    assert [row[7] for row in lists_of(outs[0])] == ["ACC(%), classifier of requests", "50.0", "0.0"]
    with pytest.raises(InputError, match="2 labels for 2 texts"):
        table5(*outs, labels=labels, **files, polite=judged[:1], printed=PRINTED, scale="demo")
    write_csv(tmp_path / "p.csv", COLUMNS, rows[:3])
    with pytest.raises(InputError, match="1 perplexities are missing"):
        table5(*outs, labels=labels, **files, printed=PRINTED, scale="demo")
    for bad in ("0.9", "inf", "nan", "many"):
        write_csv(tmp_path / "p.csv", COLUMNS, [*rows[:2], [*rows[2][:3], bad, "s"], rows[3]])
        with pytest.raises(InputError, match=r"p\.csv:4: not a perplexity; make it again"):
            table5(*outs, labels=labels, **files, printed=PRINTED, scale="demo")
    write_csv(tmp_path / "p.csv", COLUMNS, [*rows[:2], [*rows[2][:3], 1, "s"], rows[3]])
    table5(*outs, labels=labels, **files, printed=PRINTED, scale="demo")
    assert lists_of(outs[0])[2][3] == "1.0"
    write_csv(tmp_path / "p.csv", COLUMNS, rows)
    write_lines(tmp_path / "few", ["1.0"])
    with pytest.raises(InputError, match="few: 2 utterances, 1 scores"):
        few = [judged[0], tmp_path / "few"]
        table5(*outs, labels=labels, **files, polite=few, printed=PRINTED, scale="demo")
    write_lines(judged[1], ["1.0"])
    with pytest.raises(InputError, match="2 utterances, 1 scores"):
        table5(*outs, labels=labels, **files, printed=PRINTED, scale="demo")


def test_without_rewrites_the_table_is_empty(tmp_path):
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table5(*outs, labels=["original"], printed=PRINTED, scale="open")
    assert lists_of(outs[0])[1] == ["original", *[""] * 7]
    assert {row[5] for row in lists_of(outs[1])[1:] if row[0] == "original"} == {
        "no: open, the corpus is not public"
    }
