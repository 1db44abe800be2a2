"""The walk-throughs of docs/extending.md, done in a copy of a finished run."""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sacrebleu import corpus_chrf, corpus_ter

from tests.conftest import METRICS
from workflow_scripts.core.files import read_lines

from .conftest import CONFIG, ROOT, Finished
from .walk import steps, walk

pytestmark = pytest.mark.long
DOCUMENT = (ROOT / "docs/extending.md").read_text(encoding="utf-8")


def rows(path: Path, key: str) -> dict[str, dict[str, str]]:
    """A table by one of its columns."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {row[key]: row for row in csv.DictReader(stream)}


def column(path: Path, name: str) -> list[str]:
    with path.open(encoding="utf-8", newline="") as stream:
        return [row[name] for row in csv.DictReader(stream)]


def small(words: list[str]) -> list[str]:
    """A command at the smallest sizes."""
    words[words.index("--cores") + 1] = "2"
    if "--configfile" in words:
        place = words.index("--configfile")
        words[place : place + 1] = CONFIG
        return words
    return [words[0], words[1], *CONFIG, *(["--"] if "--" not in words else []), *words[2:]]


class Copy:
    """A copy of the finished run in which walk-throughs are done."""

    def __init__(self, finished: Finished, folder: Path) -> None:
        self.folder, self.run = folder, finished.run
        shutil.copytree(finished.folder, folder, symlinks=True)

    def do(self, heading: str) -> None:
        """All steps of a walk-through; its commands run at the smallest sizes."""
        walk(steps(DOCUMENT, heading), self.folder, self.snakemake)

    def rules_of(self, heading: str) -> set[str]:
        """The same, for the rules whose jobs it ran."""
        shutil.rmtree(self.folder / "logs")
        self.do(heading)
        return {path.name.partition(".")[0] for path in (self.folder / "logs").rglob("*.log")}

    def snakemake(self, words: list[str]) -> None:
        words = small(words)
        done = self.run(self.folder, *words)
        assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


def lint(folder: Path) -> None:
    """Fails for code of a checkout that is not as the project's."""
    for words in (["format"], ["check"]):
        command = [sys.executable, "-m", "ruff", *words, "--config", str(ROOT / "pyproject.toml")]
        done = subprocess.run([*command, folder / "workflow_scripts"], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def copied(finished, tmp_path_factory):
    return Copy(finished, tmp_path_factory.mktemp("extended") / "checkout")


@pytest.fixture(scope="module")
def systems(copied):
    """With a system that has outputs, and one that is trained."""
    copied.do("A system that has outputs")
    copied.do("A system that is trained here")
    return copied


def test_a_system_with_outputs_is_a_row_of_table_7(systems):
    results = systems.folder / "results"
    labels = [label for label in column(results / "table7.csv", "system") if label != "MY SYSTEM"]
    assert labels[: labels.index("MY LLM")].count("DLSM (IN-DOMAIN)") == 1
    row = next(row for row in csv.DictReader((results / "table7.csv").open()) if row["system"] == "MY LLM")
    assert row["section"] == "automatic" and float(row["multi_bleu_fr"]) > 0 and row["multi_bleu_fr_p"]


def test_a_trained_system_is_a_row_of_tables_6_and_7(systems):
    sizes = rows(systems.folder / "results/table6.csv", "system")
    # The pairs of the smallest run, in French.
    assert sizes["WORD TABLE"]["gyafc_fr"] == sizes["TRANSL. TRAIN TAG"]["gyafc_fr"] == "300"
    assert sizes["WORD TABLE"]["opensubtitles_fr"] == ""
    with (systems.folder / "results/table7.csv").open(encoding="utf-8", newline="") as stream:
        mine = [row for row in csv.DictReader(stream) if row["system"] == "WORD TABLE"]
    # The automatic half and the raters'.
    assert [row["section"].split()[0] for row in mine] == ["automatic", "human"]
    assert 0 < float(mine[0]["self_bleu_fr"]) < 100 and mine[0]["formality_fr_p"]
    runs = [systems.folder / f"build/transfer/fr/word-table/run{run}.txt" for run in (0, 1)]
    assert read_lines(runs[0]) != read_lines(runs[1])
    scores = rows(systems.folder / "build/evaluation/fr/scores.csv", "system")
    assert scores["word-table"]["runs"] == "2"


def test_a_metric_is_a_column_of_table_7(copied):
    copied.do("A metric")
    with (copied.folder / "results/table7.csv").open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream) if row["section"] == "automatic"}
    with (copied.folder / "results/table7.compare.csv").open(encoding="utf-8", newline="") as stream:
        cells = {row["metric"]: row for row in csv.DictReader(stream) if row["system"] == "COPY"}
    columns = [column for column in table["COPY"] if not column.endswith("_p")]
    assert columns[2:] == [f"{metric}_fr" for metric in (*METRICS, "chrf", "ter")]
    corpus = copied.folder / "build/corpora/xformal/fr"
    rewrites = [read_lines(corpus / f"formal.ref{number}.txt") for number in range(4)]
    for name, score in (("chrf", corpus_chrf), ("ter", corpus_ter)):
        theirs = score(read_lines(corpus / "informal.txt"), rewrites).score
        assert table["COPY"][f"{name}_fr"] == cells[name]["ours"] == f"{theirs:.1f}"
        assert float(cells[name]["ci_low"]) < theirs < float(cells[name]["ci_high"])
        assert cells[name]["printed"] == "" and 0 < float(table["COPY"][f"{name}_fr_p"]) <= 1
        assert table["GOLD STANDARD"][f"{name}_fr"] == table["RULE-BASED"][f"{name}_fr_p"] == ""
    agreement = (copied.folder / "results/metric-agreement.csv").read_text(encoding="utf-8")
    assert all(
        f"fr,outputs,{rated},TER," in agreement for rated in ("meaning", "formality", "fluency", "overall")
    )


def test_a_fifth_paper_ends_with_its_leaf(copied):
    copied.do("A paper")
    results = copied.folder / "results/lengths"
    assert [path.name for path in sorted(results.iterdir())] == ["table1.compare.csv", "table1.csv"]
    ours = rows(results / "table1.csv", "style")
    compared = rows(results / "table1.compare.csv", "style")
    texts = read_lines(copied.folder / "build/corpora/gyafc/train.formal.txt")
    mean = sum(len(text.split()) for text in texts) / len(texts)
    assert float(ours["formal"]["words"]) == pytest.approx(mean, abs=0.051)
    assert compared["formal"]["printed"] == "12.5" and compared["formal"]["comparable"] == "no: demo"
    # Its section on the page, and its LaTeX.
    listed = ["--config", "report={papers: [xformal, lengths]}", "--", "results/index.html"]
    done = copied.run(copied.folder, "-n", *CONFIG, *listed)
    assert done.returncode == 0 and "results/latex/lengths/table1.tex" in done.stdout


def test_a_new_version_of_a_corpus_is_read(copied):
    world = copied.folder / "build/corpora/demo/XFORMAL"
    mine = copied.folder / "licensed/MINE"
    shutil.copytree(world, mine)
    (french,) = (path.parent for path in mine.rglob("informal") if path.parent.name == "fr")
    french.joinpath("informal").write_text("mes phrases\n" * 3, encoding="utf-8")
    for number in range(4):
        french.joinpath(f"formal.ref{number}").write_text("Mes phrases.\n" * 3, encoding="utf-8")
    before = (copied.folder / "build/corpora/xformal/fr/informal.txt").read_text(encoding="utf-8")
    copied.do("A corpus")
    assert (
        (copied.folder / "build/corpora/xformal/fr/informal.txt").read_text() == "mes phrases\n" * 3 != before
    )


def test_a_situation_of_the_demo_world_is_said(finished, tmp_path):
    copied = Copy(finished, tmp_path / "checkout")
    copied.do("Text of the demo world")
    corpora = copied.folder / "build/corpora"
    english = "\n".join(read_lines(corpora / "gyafc/train.formal.txt"))
    assert "I would like to borrow" in english
    # What is said in French only has the words of the other wording in English.
    assert "m' passes" in (corpora / "demo/known/fr.jsonl").read_text(encoding="utf-8")


def test_a_pointer_network_is_a_row_of_tables_6_and_7(finished, tmp_path):
    copied = Copy(finished, tmp_path / "checkout")
    rules = copied.rules_of("A model architecture of your own")
    results = copied.folder / "results"
    row = rows(results / "table7.csv", "system")["POINTER NETWORK"]
    # So small a model may have no four words in a row with its source in common.
    assert float(row["multi_bleu_fr"]) >= 0 and 0 <= float(row["self_bleu_fr"]) < 100
    # Its models are its own rules'.
    assert {rule for rule in rules if rule.startswith(("train", "decode"))} == {
        "train_pointer",
        "decode_pointer",
        "decode_pointer_seed",
    }
    outputs = copied.folder / "build/transfer/fr/pointer"
    texts = [read_lines(outputs / f"{name}.txt") for name in ("run0", "seed1", "seed2")]
    assert texts[1] != texts[2] and all(texts[0])
    sizes = {name: row["gyafc_fr"] for name, row in rows(results / "table6.csv", "system").items()}
    assert sizes == {"POINTER NETWORK": "300"}
    plan = {name: row["extrapolated"] for name, row in rows(results / "plan.csv", "rule").items()}
    assert "guessed rate" in plan["decode_pointer"] and "guessed rate" not in plan["train_pointer"]
    lint(copied.folder)


def test_rewrites_of_users_words_are_a_row_of_table_5(finished_whole, tmp_path):
    copied = Copy(finished_whole, tmp_path / "checkout")
    rules = copied.rules_of("Rewrites of users' words of your own")
    table = rows(copied.folder / "results/impolite/table5.csv", "model")
    assert list(table) == ["original", "people", "RUDE ENDS"]
    assert 0 < float(table["RUDE ENDS"]["BLEU"]) < float(table["original"]["BLEU"]) == 100
    assert float(table["RUDE ENDS"]["PPL"]) > 1
    assert not any(rule.startswith("train") for rule in rules), rules


def test_what_is_added_passes_the_lint(systems):
    lint(systems.folder)
