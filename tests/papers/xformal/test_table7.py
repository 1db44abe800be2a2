"""Table 7 in the paper's layout, and the printed one as a resource."""

import re
from collections import Counter

import pytest

from tests.conftest import METRICS
from tests.manifests import labelled
from tests.papers.xformal.conftest import LANGUAGES, MADE_WITH, PRINTED, SYSTEMS, value
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.papers.xformal.table7 import table7
from workflow_scripts.papers.xformal.table7_compare import compare


def test_columns_and_rows_are_the_papers(inputs, tmp_path):
    table7(tmp_path / "table.csv", **inputs, languages=list(LANGUAGES), metrics=METRICS)
    rows = rows_of(tmp_path / "table.csv")
    names = [f"{metric}_{language}" for metric in METRICS for language in LANGUAGES]
    assert list(rows[0]) == ["section", "system", *names, *(f"{name}_p" for name in names)]
    assert [row["system"] for row in rows] == list(SYSTEMS.values())
    assert {row["section"] for row in rows} == {"automatic"}


def test_numbers_stand_in_their_cells_rounded(inputs, tmp_path):
    table7(tmp_path / "table.csv", **inputs, languages=["fr", "pt"], metrics=METRICS)
    gold, rules, _, llm = rows_of(tmp_path / "table.csv")
    assert list(gold)[2:4] == ["self_bleu_fr", "self_bleu_pt"]
    assert "formality_it" not in gold
    assert rules["self_bleu_fr"] == f"{value('rule-based', 'self_bleu', 'fr'):.1f}"
    assert rules["formality_pt"] == f"{value('rule-based', 'formality', 'pt'):.2f}"
    assert llm["multi_bleu_pt_p"] == "0.3000"
    assert gold["perplexity_fr_p"] == "0.0247"
    assert gold["multi_bleu_pt"] == gold["multi_bleu_pt_p"] == rules["self_bleu_pt_p"] == ""


def test_a_further_metric_is_a_column_behind_the_others(inputs, tmp_path):
    for path in inputs["scores"]:
        lines = path.read_text().splitlines(keepends=True)
        added = [line.replace("multi_bleu", "chrf") for line in lines if "multi_bleu" in line]
        path.write_text("".join([*lines, *added]))
    table7(tmp_path / "table.csv", **inputs, languages=["fr"], metrics=[*METRICS, "chrf"])
    gold, rules, *_ = rows_of(tmp_path / "table.csv")
    names = [f"{metric}_fr" for metric in (*METRICS, "chrf")]
    assert list(gold) == ["section", "system", *names, *(f"{name}_p" for name in names)]
    assert gold["chrf_fr"] == "" and rules["chrf_fr"] == rules["multi_bleu_fr"] != ""
    compare(tmp_path / "c.csv", **inputs, printed=PRINTED, scale="paper", **MADE_WITH)
    cells = [row for row in rows_of(tmp_path / "c.csv") if row["metric"] == "chrf"]
    assert {row["system"] for row in cells} == {*SYSTEMS.values()} - {"GOLD STANDARD"}
    assert {(row["printed"], row["comparable"].split(",")[0]) for row in cells} == {("", "no: not printed")}
    assert [row["lang"] for row in cells[:3]] == list(LANGUAGES) and all(row["ours"] for row in cells)


def test_a_language_that_a_system_lacks_is_empty(inputs, tmp_path):
    # As UNMT (IN-DOMAIN), which exists for French only.
    for path in inputs["scores"][:2]:
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith("my-llm")))
    table7(tmp_path / "table.csv", **inputs, languages=list(LANGUAGES), metrics=METRICS)
    row = rows_of(tmp_path / "table.csv")[-1]
    assert row["self_bleu_pt"] == row["formality_it_p"] == "" != row["self_bleu_fr"]


def test_a_system_of_one_language_leaves_the_others_empty(french_only, tmp_path):
    table7(tmp_path / "table.csv", **french_only, languages=list(LANGUAGES), metrics=METRICS)
    rows = {row.pop("system"): row for row in rows_of(tmp_path / "table.csv")}
    assert list(rows)[3] == "UNMT (IN-DOMAIN)"
    row = rows["UNMT (IN-DOMAIN)"]
    assert row.pop("section") == "automatic"
    filled = {name for name, text in row.items() if text}
    assert filled == {f"{metric}_fr{end}" for metric in METRICS for end in ("", "_p")}
    # In no file at all it is a mistake.
    with pytest.raises(InputError, match=r"no score for system 'unmt-in-domain' in .*\.csv"):
        some = french_only | {"scores": french_only["scores"][:2]}
        table7(tmp_path / "table.csv", **some, languages=list(LANGUAGES), metrics=METRICS)


def test_unknown_system_double_scores_and_labels_are_reported(inputs, tmp_path):
    target = tmp_path / "table.csv"
    wrong = labelled(tmp_path / "wrong.csv", {**SYSTEMS, "my-lm": "MY LM"})
    with pytest.raises(InputError, match=r"no score for system 'my-lm' in .*\.csv; did you mean 'my-llm'\?"):
        table7(target, **inputs | {"systems": wrong}, languages=["pt"], metrics=METRICS)
    with pytest.raises(InputError, match=r"pt\.csv:2: a second value of gold, self_bleu, pt"):
        table7(
            target,
            **inputs | {"scores": [*inputs["scores"], inputs["scores"][0]]},
            languages=["pt"],
            metrics=METRICS,
        )
    twice = labelled(tmp_path / "twice.csv", {**SYSTEMS, "unmt": SYSTEMS["gold"]})
    with pytest.raises(InputError, match=r"twice\.csv: a label is named twice: .*GOLD"):
        table7(target, **inputs | {"systems": twice}, languages=["pt"], metrics=METRICS)
    text = inputs["scores"][0].read_text(encoding="utf-8")
    damaged = tmp_path / "damaged.csv"
    damaged.write_text(re.sub(r"(?m)^(gold,self_bleu,pt,.*?)([0-9])\.", r"\1\2&", text), encoding="utf-8")
    with pytest.raises(InputError, match=r"damaged\.csv:2: '\d+&\d+' is not a number"):
        table7(
            target,
            **inputs | {"scores": [damaged, *inputs["scores"][1:]]},
            languages=["pt"],
            metrics=METRICS,
        )
    broken = put(tmp_path / "broken.csv", ("system", "metric"), [("gold", "self_bleu")])
    with pytest.raises(InputError, match=r"broken\.csv:1: no column language, value"):
        table7(target, **inputs | {"scores": [broken]}, languages=["pt"], metrics=METRICS)
    assert not target.exists()


def test_command_line_of_table7(inputs, tmp_path, module):
    options = ["--scores", *inputs["scores"], "--systems", inputs["systems"], "--metrics", *METRICS]
    finished = module("papers.xformal.table7", tmp_path / "table.csv", *options, "--languages", *LANGUAGES)
    assert finished.returncode == 0, finished.stderr
    assert len(rows_of(tmp_path / "table.csv")) == 4


def test_printed_table_has_every_cell_of_the_paper():
    rows = rows_of(PRINTED)
    cells = Counter((row["section"], row["system"]) for row in rows)
    assert len(rows) == len({tuple(row.values())[:4] for row in rows}) == 185
    assert [count for (section, _), count in cells.items() if section == "automatic"] == [
        9,
        9,
        *[12] * 7,
        4,
        4,
    ]
    assert [count for (section, _), count in cells.items() if section == "human"] == [9, 6, *[12] * 5]
    printed = {tuple(row.values())[:4]: row["printed"] for row in rows}
    assert ("automatic", "GOLD STANDARD", "multi_bleu", "pt") not in printed
    assert ("automatic", "COPY", "self_bleu", "pt") not in printed
    copied = [printed["automatic", "COPY", "multi_bleu", language] for language in LANGUAGES]
    assert copied == ["46.2", "40.2", "44.3"]
    assert printed["automatic", "BACKTRANSLATE", "self_bleu", "fr"] == "71.9"
    assert printed["human", "GOLD STANDARD", "formality", "it"] == "+1.46"


def test_bold_numbers_of_the_printed_table_are_its_best():
    rows = [row for row in rows_of(PRINTED) if row["system"] not in ("GOLD STANDARD", "COPY")]
    columns = {(row["section"], row["metric"], row["lang"]) for row in rows}
    assert len(columns) == 24
    for column in columns:
        mine = [row for row in rows if (row["section"], row["metric"], row["lang"]) == column]
        choose = min if column[:2] == ("automatic", "perplexity") else max
        best = choose(float(row["printed"]) for row in mine)
        assert [float(row["printed"]) for row in mine if row["bold"] == "yes"] == [best], column


def test_baseline_and_references_of_the_printed_table_have_no_mark():
    for row in rows_of(PRINTED):
        assert row["significant"] in ("yes", "no") and row["bold"] in ("yes", "no")
        if row["system"] in ("GOLD STANDARD", "COPY", "RULE-BASED"):
            assert row["significant"] == "no"
