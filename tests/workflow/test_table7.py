"""From raw corpus files to Table 7, at the smallest scale."""

import gzip
import time

import pandas as pd
import pytest

from tests.conftest import METRICS

from .conftest import CONFIG, LEAVES
from .tiny import snakemake

pytestmark = pytest.mark.slow


def test_the_table_has_the_papers_layout(finished):
    table = pd.read_csv(finished.folder / "results/table7.csv")
    values = [f"{metric}_fr" for metric in METRICS]
    assert list(table.columns) == ["section", "system", *values, *(f"{name}_p" for name in values)]
    human = table[table["section"] == "human (simulated)"]
    assert list(human["system"])[:3] == ["GOLD STANDARD", "COPY", "RULE-BASED"]
    assert human["formality_fr"].between(-3, 3).all()
    table = table[table["section"] == "automatic"]
    assert list(table["system"]) == [
        "GOLD STANDARD",
        "COPY",
        "RULE-BASED",
        "ROUND-TRIP MT",
        "TRANSLATE TRAIN TAG",
        "MULTI-TASK TAG-STYLE",
        "BACKTRANSLATE",
        "UNMT",
        "DLSM",
        "UNMT (IN-DOMAIN)",
        "DLSM (IN-DOMAIN)",
        "MY SYSTEM",
    ]
    row = table.set_index("system")
    assert pd.isna(row.loc["GOLD STANDARD", "multi_bleu_fr"])
    assert row.loc["COPY", "self_bleu_fr"] == 100
    # A reference set scored against all four references, itself among them, is perfect.
    assert row.loc["MY SYSTEM", "multi_bleu_fr"] == 100
    assert row.drop("GOLD STANDARD")[values].notna().all(axis=None)
    others = row.drop("RULE-BASED")["self_bleu_fr_p"]
    assert others.between(0, 1).all()
    assert pd.isna(row.loc["RULE-BASED", "self_bleu_fr_p"])


def test_snakemake_makes_its_own_report(finished, tmp_path):
    target = tmp_path / "report.html"
    done = snakemake(finished.folder, *CONFIG, "--report", target, "--", "results/table7.csv")
    assert done.returncode == 0, done.stderr
    page = target.read_text(encoding="utf-8")
    assert "Computed at the <strong>demo</strong> scale by the rule" in page and "results/table7.csv" in page


def test_the_number_of_different_outputs_is_known_of_every_system(finished):
    """Only translation is trained long enough here not to say the same of everything; see test_demo_scale."""
    scores = pd.read_csv(finished.folder / "build/evaluation/fr/scores.csv").query("metric == 'distinct'")
    found = scores.set_index("system")["value"]
    assert list(found.index) == [
        *["gold", "copy", "rule-based", "round-trip-mt", "translate-train-tag", "multi-task-tag-style"],
        *["backtranslate", "unmt", "dlsm", "unmt-in-domain", "dlsm-in-domain", "mine"],
    ]
    assert found.between(100 / 30 - 0.01, 100).all()
    assert found["copy"] == 100 and found["round-trip-mt"] > 50


def test_every_printed_cell_is_compared_and_marked_as_demo(finished):
    compare = pd.read_csv(finished.folder / "results/table7.compare.csv", keep_default_na=False)
    assert list(compare.columns) == [
        *["section", "system", "metric", "lang", "printed", "ours", "difference"],
        *["ci_low", "ci_high", "comparable", "signature"],
    ]
    cell = compare.query("section == 'automatic' and system == 'RULE-BASED' and lang == 'fr'")
    assert list(cell["metric"]) == METRICS
    assert list(cell["printed"].astype(float)) == [85.4, -1.59, 7.07, 46.1]
    assert (cell["comparable"] != "yes").all()
    assert cell["signature"].str.contains("version:").iloc[0]
    assert "MY SYSTEM" in set(compare["system"])
    ours = compare.query("system == 'DLSM' and metric == 'multi_bleu'").set_index("lang")["ours"]
    assert ours["fr"] != "" and ours["it"] == ours["pt"] == ""
    for system, runs in (("UNMT", 2), ("DLSM", 1)):
        signatures = compare.query(f"system == '{system}' and lang == 'fr'")["signature"]
        assert signatures.str.contains(f"runs:{runs}").all()


def test_training_sizes_are_those_of_the_files(finished):
    table = pd.read_csv(finished.folder / "results/table6.csv").set_index("system")
    assert list(table.index) == [
        *["TRANSL. TRAIN TAG", "MULTI-TASK TAG-STYLE", "BACKTRANSLATE"],
        *["UNMT/DLSM", "UNMT/DLSM (IN-DOMAIN)", "L26, FORMAL", "L26, INFORMAL"],
    ]
    assert set(table["gyafc_fr"].dropna()) == {300}
    counts = (finished.folder / "build/transfer/fr/backtranslate/synthetic.tsv").read_text().splitlines()
    kept = dict(line.split("\t") for line in counts[1:])["kept"]
    assert table.loc["BACKTRANSLATE", "opensubtitles_fr"] == int(kept)
    # A pool may hold less than is asked for, by the regressor that dealt it out: the file is what was used.
    own = finished.folder / "build/filtering/opensubtitles/fr/formal.multi_task.fr.txt.gz"
    size = gzip.decompress(own.read_bytes()).count(b"\n")
    assert table.loc["MULTI-TASK TAG-STYLE", "opensubtitles_fr"] == size and 0 < size <= 50
    for row, corpus, column in (
        ("UNMT/DLSM", "opensubtitles", "opensubtitles_fr"),
        ("UNMT/DLSM (IN-DOMAIN)", "yahoo-fr", "yahoo_fr"),
    ):
        samples = (finished.folder / f"build/filtering/{corpus}/fr").glob("*.unsupervised.fr.txt.gz")
        sizes = [gzip.decompress(path.read_bytes()).count(b"\n") for path in samples]
        assert len(sizes) == 2 and 0 < min(sizes) <= 60
        assert table.loc[row, column] == min(sizes)
    compare = pd.read_csv(finished.folder / "results/table6.compare.csv")
    # Samples of the formal pool say what they share with the language model's text.
    told = compare[compare["signature"].str.contains("in the language model's text:", na=False)]
    assert set(told["system"]) == {"MULTI-TASK TAG-STYLE", "UNMT/DLSM"}
    # What is drawn of L26, and its pools, have lost what systems are tested on.
    told = compare[compare["signature"].str.contains("tested sentences left out:", na=False)]
    assert set(told["system"]) == {"UNMT/DLSM (IN-DOMAIN)", "L26, FORMAL", "L26, INFORMAL"}
    assert set(compare.query("system == 'BACKTRANSLATE'")["printed"]) == {110_000, 2_000_000}


def test_the_page_shows_both_and_says_demo(finished):
    page = (finished.folder / "results/index.html").read_text(encoding="utf-8")
    for text in ("TRANSLATE TRAIN TAG", "MY SYSTEM", "85.4", "demo"):
        assert text in page.lower() or text in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_second_run_does_nothing_and_is_quick(finished):
    start = time.perf_counter()
    # A process of its own, in which sets have another order than in the fork that made the files.
    done = finished.run(finished.folder, "--cores", 2, *CONFIG, "--", *LEAVES, check=False)
    seconds = time.perf_counter() - start
    assert "Nothing to be done" in done.stdout + done.stderr
    # Three seconds where nothing else runs; far less than the run that it must not repeat.
    assert seconds < 60
