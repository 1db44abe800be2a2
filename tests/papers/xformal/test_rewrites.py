"""Leaves: made through their commands on four rewrites whose numbers are computed by hand."""

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from sacrebleu.metrics import BLEU

from tests.papers.xformal.conftest import MADE_OPTIONS, MADE_WITH
from tests.rewrites.conftest import REFERENCES, fill
from tests.tables import rows_of
from workflow_scripts.config.sections import Edits
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.xformal.figure1 import figure1
from workflow_scripts.papers.xformal.figure2 import figure2
from workflow_scripts.papers.xformal.table4 import table4
from workflow_scripts.papers.xformal.table5 import table5
from workflow_scripts.rewrites.pairs import COLUMNS as PAIRS
from workflow_scripts.rewrites.pairs import read_pairs
from workflow_scripts.rewrites.self_bleu import COLUMNS as SETS
from workflow_scripts.rewrites.self_bleu import self_bleu

GYAFC = "which part of GYAFC is not stated"
OPEN = "text and released code contradict each other"
SIGN = 'the figure prints no sign; the text has "skewed towards positive values"'
PRINTED = Path(__file__).parents[3] / "resources/printed/xformal"
# Without and with what config/paper.yaml has.
CAREFUL = json.dumps(dict.fromkeys(("spelling", "normalization", "repetition", "paraphrase"), "careful"))
OVERLAY = Path(__file__).parents[3] / "config/paper.yaml"
RULES = json.dumps(yaml.safe_load(OVERLAY.read_text(encoding="utf-8"))["analysis"]["edits"])
Corpus = dict[str, list[Path]]


@pytest.fixture
def call(module):
    """Run a command; it must succeed. Without a folder it is a leaf of the paper."""

    def call(name: str, *arguments: object) -> None:
        done = module(name if "." in name else f"papers.xformal.{name}", *arguments)
        assert done.returncode == 0, done.stderr

    return call


def measured(call: Callable[..., None], corpus: Corpus, path: Path) -> Path:
    options = [word for name, paths in corpus.items() for word in (f"--{name}", *paths)]
    call("rewrites.measure", path, *options, "--language", "en")
    return path


@pytest.mark.slow
def test_all_commands_in_a_row(call, corpus, tmp_path):
    pairs = measured(call, corpus, tmp_path / "pairs.csv")
    assert [
        [row[name] for name in ("sentence", "reference", "levenshtein", "led")] for row in rows_of(pairs)
    ] == [
        ["1", "0", "5", "0.416667"],  # pls of 3; please and . of 4
        ["1", "1", "0", "0.000000"],
        ["2", "0", "4", "0.000000"],
        ["2", "1", "14", "0.466667"],  # love of 3; adore, greatly and . of 5
    ]
    texts = ["--informal", *corpus["informal"], "--references", *corpus["references"]]
    task, sheet, judged = (tmp_path / name for name in ("task.csv", "sheet.csv", "judged.csv"))
    call("rewrites.annotation_task", task, *texts, "--language", "en", "--annotated", 3, "--seed", 1)
    seed = ["--language", "en", "--seed", 1, "--rules", CAREFUL]
    call("rewrites.simulate", sheet, "--task", task, "--pairs", pairs, *seed)
    call(
        "rewrites.judged",
        judged,
        "--sheet",
        sheet,
        "--task",
        task,
        "--language",
        "en",
        "--source",
        "simulated",
    )
    common = ["--languages", "en", "--scale", "demo"]

    table, comparison = tmp_path / "table4.csv", tmp_path / "table4.compare.csv"
    options = ["--pairs", pairs, "--rules", CAREFUL, "--printed", PRINTED / "table4.csv", *common]
    call("table4", table, comparison, *options, "--judged", judged)
    rows = {(row["edit_type"], row["source"]): row["en"] for row in rows_of(table)}
    assert Counter(source for _, source in rows) == {"automatic": 9, "simulated": 13}
    automatic = {name: value for (name, source), value in rows.items() if source == "automatic"}
    found = {"PUNCTUATION": "0.50", "NORMALIZATION": "0.25", "UNCHANGED": "0.25", "LOWERCASE": "0.25"}
    assert automatic == {**dict.fromkeys(automatic, "0.00"), **found}
    compared = {(row["edit_type"], row["source"], row["lang"]): row for row in rows_of(comparison)}
    # What is simulated is not set beside what is printed.
    assert compared["SPELLING", "manual", "en"]["ours"] == ""
    assert compared["SPELLING", "simulated", "en"]["printed"] == ""
    assert "source:simulated" in compared["SPELLING", "simulated", "en"]["signature"]
    assert compared["PUNCTUATION", "automatic", "en"]["difference"] == "-0.24"
    assert {row["comparable"] for key, row in compared.items() if key[-1] != "en"} == {"no: demo"}
    assert {row["comparable"] for key, row in compared.items() if key[-1] == "en" and row["ours"]} == {
        *(f"no: demo, {GYAFC}", f"no: demo, a rule of ours, {GYAFC}"),
        *("no: demo", f"no: demo, a rule of ours, {OPEN}, {GYAFC}", f"no: demo, {OPEN}, {GYAFC}"),
    }

    bleu = tmp_path / "self_bleu.csv"
    call("rewrites.self_bleu", bleu, "--references", *corpus["references"])
    scores = [BLEU().corpus_score(REFERENCES[i], [REFERENCES[1 - i]]).score / 100 for i in (0, 1)]
    assert [float(row["self_bleu"]) for row in rows_of(bleu)] == pytest.approx(scores, abs=1e-6)
    table = tmp_path / "table5.csv"
    inputs = ["--pairs", pairs, "--self-bleu", bleu, "--printed", PRINTED / "table5.csv", *common]
    call("table5", table, tmp_path / "table5.compare.csv", *inputs)
    for row in rows_of(tmp_path / "table5.compare.csv"):
        assert row["comparable"] == (f"no: demo, {GYAFC}" if row["lang"] == "en" else "no: demo")
    facts = {
        row["metric"]: row["signature"]
        for row in rows_of(tmp_path / "table5.compare.csv")
        if row["lang"] == "en"
    }
    assert facts["LeD"] == signature(pairs, tokens="moses", case="lower", n=4)
    assert facts["self-BLEU"].startswith(f"{signature(bleu, sets=2)}|")
    assert table.read_text(encoding="utf-8").splitlines() == [
        "metric,en",
        "LeD,0.22",
        f"self-BLEU,{sum(scores) / 2:.2f}",
    ]
    quality = ["--judged", judged, "--printed", PRINTED / "appendix-j.csv", *common]
    call("appendix_j", tmp_path / "j.csv", tmp_path / "j.compare.csv", *quality)
    assert [row["source"] for row in rows_of(tmp_path / "j.csv")] == ["simulated"] * 4
    assert rows_of(tmp_path / "j.csv")[-1] == {
        **{"quality": "rewrites", "source": "simulated", "en": "3", "mean": ""}
    }
    samples = {
        row["lang"]: row for row in rows_of(tmp_path / "j.compare.csv") if row["quality"] == "rewrites"
    }
    assert {code: row["printed"] for code, row in samples.items()} == {
        **dict.fromkeys(("pt", "it", "fr"), "200"),
        "en": "",
    }

    drawn = [tmp_path / f"figure1{ending}" for ending in (".svg", ".csv", ".compare.csv")]
    call("figure1", *drawn, "--pairs", pairs, "--labels", "EN", "--width", 10, *_printed("figure1"), *common)
    assert list(rows_of(drawn[1])[0]) == ["lang", "metric", "low", "high", "value"]
    numbers = [tuple(row.values()) for row in rows_of(drawn[1])]
    assert numbers == [
        ("en", "mean", "", "", "5.7500"),
        ("en", "median", "", "", "4.5000"),
        ("en", "rewrites", "0", "10", "3"),
        ("en", "rewrites", "10", "20", "1"),
    ]
    scored = _scores(tmp_path / "scores")
    drawn = [tmp_path / f"figure2{ending}" for ending in (".svg", ".csv", ".compare.csv")]
    call(
        "figure2", *drawn, "--scores", scored, "--labels", "EN", *_printed("figure2"), *common, *MADE_OPTIONS
    )
    assert drawn[0].read_text(encoding="utf-8").count("<pattern") == 1


def _printed(name: str) -> list[object]:
    return ["--printed", PRINTED / f"{name}.csv"]


def _scores(folder: Path) -> Path:
    for name, values in {
        "informal": ["-5.0", "-2.0", "-1.5"],
        "formal.ref0": ["0.2", "3.5", "3.0"],
        "formal.ref1": ["0.0", "-0.1", "2.9"],
    }.items():
        write_lines(folder / f"{name}.txt", values)
    return folder


@pytest.mark.slow
def test_without_annotations_the_manual_half_is_empty(call, corpus, tmp_path):
    pairs = measured(call, corpus, tmp_path / "pairs.csv")
    table, comparison = tmp_path / "table4.csv", tmp_path / "table4.compare.csv"
    options = ["--languages", "en", "--pairs", pairs, "--rules", RULES, *_printed("table4")]
    call("table4", table, comparison, *options, "--judged", "--scale", "open")
    rows = rows_of(table)
    assert len(rows) == 22
    assert {row["en"] for row in rows if row["source"] == "manual"} == {""}
    assert Counter(row["source"] for row in rows) == {"automatic": 9, "manual": 13}
    paraphrase = [row for row in rows_of(comparison) if row["edit_type"] == "PARAPHRASE" and row["ours"]]
    assert ["rule:paraphrase_paper" in row["signature"] for row in paraphrase] == [True]


@pytest.mark.slow
def test_annotations_of_people_are_compared(corpus, tmp_path, call):
    pairs = measured(call, corpus, tmp_path / "pairs.csv")
    texts = ["--informal", *corpus["informal"], "--references", *corpus["references"]]
    task, judged = tmp_path / "task.csv", tmp_path / "judged.csv"
    call("rewrites.annotation_task", task, *texts, "--language", "en", "--annotated", 4, "--seed", 1)
    sheet = fill(tmp_path / "en.csv", task, {0: {"delete_fillers": "x"}})
    call(
        "rewrites.judged", judged, "--sheet", sheet, "--task", task, "--language", "en", "--source", "manual"
    )
    table, comparison = tmp_path / "table4.csv", tmp_path / "table4.compare.csv"

    def make(judged: list[Path]) -> None:
        table4(
            *(table, comparison),
            languages=["en"],
            pairs=[pairs],
            rules=Edits.model_validate_json(RULES),
            judged=judged,
            printed=PRINTED / "table4.csv",
            scale="paper",
        )

    make([judged])
    rows = {(row["edit_type"], row["source"], row["lang"]): row for row in rows_of(comparison)}
    cell = rows["DELETE FILLERS", "manual", "en"]
    assert [cell[name] for name in ("printed", "ours", "difference", "comparable")] == [
        *("0.26", "0.25", "-0.01", f"no: other raters than the paper's, {GYAFC}")
    ]
    assert rows["DELETE FILLERS", "manual", "pt"]["comparable"] == "no: not computed"
    # By the rules of the released program or of appendix I, which contradict each other in three rows.
    judgements = {
        name: row["comparable"]
        for (name, source, _), row in rows.items()
        if source == "automatic" and row["ours"]
    }
    listed = {
        "NORMALIZATION": f"no: abbreviations of ours, {GYAFC}",
        **{name: f"no: {OPEN}, {GYAFC}" for name in ("PARAPHRASE", "CAPITALIZATION", "LOWERCASE")},
    }
    assert judgements == {**dict.fromkeys(judgements, f"no: {GYAFC}"), **listed}
    assert len(judgements) == 9
    assert rows["PARAPHRASE", "automatic", "en"]["signature"].endswith("|n:4|careful:0.00|released:0.00")
    assert rows["POLITENESS", "manual", "en"]["comparable"] == "no: not printed"
    other = tmp_path / "other.csv"
    other.write_text(judged.read_text().replace("en,manual", "pt,simulated"))
    with pytest.raises(InputError, match=r"judgments are manual in .* and simulated in .*"):
        make([judged, other])
    with pytest.raises(InputError, match="a second capitalization of en"):
        make([judged, judged])


@pytest.mark.slow
def test_one_set_of_rewrites_has_no_self_bleu(corpus, tmp_path, call):
    bleu = tmp_path / "self_bleu.csv"
    self_bleu(bleu, references=corpus["references"][:1])
    assert rows_of(bleu) == []
    pairs = measured(call, corpus, tmp_path / "pairs.csv")
    table, comparison = tmp_path / "table5.csv", tmp_path / "table5.compare.csv"
    options = ["--languages", "fr", "--pairs", pairs, "--self-bleu", bleu, *_printed("table5")]
    call("table5", table, comparison, *options, "--scale", "open")
    assert table.read_text(encoding="utf-8").splitlines()[2] == "self-BLEU,"
    rows = {(row["metric"], row["lang"]): row for row in rows_of(comparison)}
    assert "only one set of rewrites" in rows["self-BLEU", "fr"]["comparable"]


def test_table5_is_of_the_files_of_each_language(tmp_path):
    """LeD: two pairs at 0.2 and 0.6 in Italian, one at 0.5 in French; self-BLEU: 0.1 and 0.4, none."""
    measured, bleu = [], []
    for code, values, sets in (("it", (0.2, 0.6), (0.1, 0.4)), ("fr", (0.5,), ())):
        rows = [[n + 1, 0, 3, value, *[0] * (len(PAIRS) - 4)] for n, value in enumerate(values)]
        measured.append(tmp_path / f"{code}.pairs.csv")
        write_csv(measured[-1], PAIRS, rows)
        bleu.append(tmp_path / f"{code}.bleu.csv")
        write_csv(bleu[-1], SETS, [[n, value, "nrefs:1|tok:13a"] for n, value in enumerate(sets)])
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"languages": ["it", "fr"], "printed": PRINTED / "table5.csv", "scale": "paper"}
    table5(*files, **given, pairs=measured, self_bleu=bleu)
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["LeD", "0.40", "0.50"],
        ["self-BLEU", "0.25", ""],
    ]
    cells = {(row["metric"], row["lang"]): row for row in rows_of(files[1])}
    assert cells["LeD", "it"]["signature"] == signature(measured[0], tokens="moses", case="lower", n=2)
    assert cells["self-BLEU", "it"]["signature"] == f"{signature(bleu[0], sets=2)}|nrefs:1|tok:13a"
    assert cells["self-BLEU", "fr"]["comparable"] == (
        "no: only one set of rewrites, and no other to compare it with"
    )
    with pytest.raises(InputError, match="2 languages have 1 --pairs"):
        table5(*files, **given, pairs=measured[:1], self_bleu=bleu)
    with pytest.raises(InputError, match="2 languages have 1 --self_bleu"):
        table5(*files, **given, pairs=measured, self_bleu=bleu[:1])
    write_csv(bleu[0], SETS, [[0, 0.1, "s"], [1, "much", "s"]])
    with pytest.raises(InputError, match=r"it\.bleu\.csv:3: 'much' is not a number"):
        table5(*files, **given, pairs=measured, self_bleu=bleu)


def test_figure1_says_means_and_ranks(tmp_path):
    """Distances 1, 2 and 2 in Italian, 3 and 10 in French, whose mean is the larger one."""
    measured = []
    for code, distances in (("it", (1, 2, 2)), ("fr", (3, 10))):
        rows = [[n + 1, 0, distance, 0, *[0] * (len(PAIRS) - 4)] for n, distance in enumerate(distances)]
        measured.append(tmp_path / f"{code}.csv")
        write_csv(measured[-1], PAIRS, rows)
    files = tmp_path / "f.svg", tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"printed": PRINTED / "figure1.csv", "scale": "paper", "width": 5, "labels": ["IT", "FR"]}
    figure1(*files, pairs=measured, languages=["it", "fr"], **given)
    assert [list(row.values()) for row in rows_of(files[1])] == [
        *(["it", "mean", "", "", "1.6667"], ["it", "median", "", "", "2.0000"]),
        *(["it", "rewrites", low, high, n] for low, high, n in (("0", "5", "3"), ("5", "10", "0"))),
        *(["it", "rewrites", "10", "15", "0"], ["fr", "mean", "", "", "6.5000"]),
        *(["fr", "median", "", "", "6.5000"], ["fr", "rewrites", "0", "5", "1"]),
        *(["fr", "rewrites", "5", "10", "0"], ["fr", "rewrites", "10", "15", "1"]),
    ]
    ranks = {row["lang"]: row for row in rows_of(files[2])}
    assert (ranks["it"]["ours"], ranks["fr"]["ours"]) == ("2", "1")
    for code, path, mean, n in (("it", measured[0], "1.6667", 3), ("fr", measured[1], "6.5000", 2)):
        assert ranks[code]["signature"] == signature(path, mean=mean, n=n, languages=2)
    with pytest.raises(InputError, match="languages, labels and pairs differ in number"):
        figure1(*files, pairs=measured, languages=["it"], **given)


def test_figure2_keeps_scores_beyond_the_scale_in_the_outer_bins(tmp_path):
    paths = [tmp_path / name for name in ("f.svg", "f.csv", "f.compare.csv")]
    figure2(
        *paths,
        scores=[_scores(tmp_path / "scores")],
        languages=["it"],
        labels=["IT"],
        printed=PRINTED / "figure2.csv",
        scale="paper",
        **MADE_WITH,
    )
    counts = {"informal": [], "formal": []}
    for row in rows_of(paths[1]):
        if row["metric"] == "sentences":
            counts[row["style"]].append(int(row["value"]))
    assert counts == {"informal": [1, 2, 0, 0, 0, 0], "formal": [0, 0, 1, 2, 0, 3]}
    means = [row["value"] for row in rows_of(paths[1]) if row["metric"] == "mean"]
    assert means == ["-2.8333", "1.5833"]  # of the scores as they are
    compared = {row["lang"]: row for row in rows_of(paths[2])}
    assert [compared["it"][name] for name in ("printed", "ours", "difference", "comparable")] == [
        *("+", "+", "same", f"no: {SIGN}")
    ]
    assert compared["fr"]["comparable"] == "no: not computed"


@pytest.mark.slow
def test_figures_are_the_same_bytes_and_have_text_alternatives(corpus, tmp_path, call):
    pairs = measured(call, corpus, tmp_path / "pairs.csv")
    assert len(read_pairs(pairs)) == 4
    scores = _scores(tmp_path / "scores")
    for number in (1, 2):
        endings = ("svg", "csv", "compare.csv")
        first, second = ([tmp_path / f"{name}.{number}.{end}" for end in endings] for name in ("one", "two"))
        common = {"languages": ["en", "it"], "labels": ["EN", "IT"], "scale": "paper"}
        made = {"backend": "nmt", "encoder": "scratch"}
        figure1(*first, pairs=[pairs, pairs], width=5, printed=PRINTED / "figure1.csv", **common)
        figure2(*second, scores=[scores, scores], printed=PRINTED / "figure2.csv", **common, **made)
    for name, said in (
        ("one", "IT: 4 rewrites, mean 5.75, median 4.50."),
        ("two", "formal 0, 0, 1, 2, 0, 3."),
    ):
        drawn = (tmp_path / f"{name}.1.svg").read_bytes()
        assert drawn == (tmp_path / f"{name}.2.svg").read_bytes()
        texts = {child.get("id"): child.text for child in ElementTree.fromstring(drawn)}
        assert "XFORMAL" in (texts["title"] or "") and said in (texts["description"] or "")
    ranks = {row["lang"]: row for row in rows_of(tmp_path / "one.1.compare.csv")}
    assert ranks["it"]["comparable"] == (
        "no: a rank without fr, pt, ranked with English, of which the part of GYAFC is not stated"
    )
    assert ranks["it"]["ours"] == "1" and "|mean:5.7500|n:4|languages:2" in ranks["it"]["signature"]
    assert ranks["en"]["comparable"] == ranks["it"]["comparable"]
    shifts = {row["lang"]: row["comparable"] for row in rows_of(tmp_path / "two.1.compare.csv")}
    # English ratings need no translation.
    assert shifts["it"] == f"no: backend nmt, encoder scratch, {SIGN}"
    assert shifts["en"] == f"no: encoder scratch, {SIGN}, {GYAFC}"


def test_printed_tables_are_complete():
    table = read_printed(PRINTED / "table4.csv", "edit_type", "source", "lang")
    assert Counter((source, lang) for _, source, lang in table) == {
        **{("automatic", lang): 9 for lang in ("pt", "it", "fr", "en")},
        **{("manual", lang): 13 for lang in ("pt", "it", "fr")},
        ("manual", "en"): 8,
    }
    assert set(read_printed(PRINTED / "table5.csv", "metric", "lang")) == {
        (metric, lang) for metric in ("LeD", "self-BLEU") for lang in ("pt", "it", "fr", "en")
    }
