"""Plans of the workflow's own graph."""

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.workflow import forks
from workflow_scripts.planning.amounts import Amount
from workflow_scripts.planning.plan import COLUMNS, Job, Total
from workflow_scripts.planning.schedule import Task

Run = Callable[..., subprocess.CompletedProcess]
NODES = ("1", "2", "4", "8", "16", "32")
# The rows of docs/clusters.md, by their first words, and the rule of each.
TOLD = {
    "Bicleaner": "bicleaner",
    "curation": "curate_bitext",
    "UNMT": "train_unsupervised",
    "their language models": "train_prior",
    "TRANSLATE TRAIN TAG": "train_supervised",
    "decoding": "decode_informal_text",
    "formality": "score_subtitles",
    "translating": "translate_gyafc",
    "all": "all rules",
}
HEAD = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def table(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as stream:
        return {row["rule"] if "rule" in row else row["nodes"]: row for row in csv.DictReader(stream)}


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """The plan of the paper's scale."""
    target = tmp_path_factory.mktemp("plan") / "plan.csv"
    options = ["--configfile", str(ROOT / "config/paper.yaml"), "--nodes", *NODES, "--cores", "8"]
    words = [str(target), "--targets", "results/table7.csv", *options]
    done = forks.run(ROOT, words, module="workflow_scripts.planning.plan")
    assert done.returncode == 0, done.stderr
    return target


def test_jobs_of_a_rule_need_the_memory_of_the_largest():
    amount, task = Amount("step", "lines", 1, 2e9, 3e9, 0.5), Task(3600, 1, 0, ())
    jobs = [Job("rule", 3600 * n, False, 1000.0 * n, amount, [], task) for n in (1, 3, 2)]
    row = dict(zip(COLUMNS, Total(jobs).row("rule"), strict=True))
    assert (row["jobs"], row["memory_mb"]) == (3, "3000")
    assert (row["core_hours"], row["longest_job_hours"]) == ("6.0000", "3.0000")
    assert (row["disk_gb"], row["download_gb"], row["dollars"]) == ("9.000", "6.000", "1.50")


@pytest.mark.slow
def test_the_paper_is_planned_from_its_settings_and_corpora(paper):
    rows = table(paper)
    assert rows["bicleaner"]["jobs"] == "192" and rows["train_supervised"]["jobs"] == "36"
    assert int(rows["all rules"]["jobs"]) == sum(int(r["jobs"]) for n, r in rows.items() if n != "all rules")
    assert float(rows["bicleaner"]["core_hours"]) > 10 and float(rows["bicleaner"]["gpu_hours"]) == 0
    assert float(rows["train_supervised"]["gpu_hours"]) > 10
    # GYAFC into three languages: 2 x 104,562 training sentences and the dev set's, of 60 characters,
    # at 15 dollars a million.
    dev = 5665 * (2 + 2 * 4)
    dollars = 3 * (2 * 104_562 + dev) * 60 * 15 / 1e6
    assert float(rows["translate_gyafc"]["dollars"]) == pytest.approx(dollars, rel=0.01)
    assert "size of opensubtitles v2018" in rows["read_bitext"]["extrapolated"]
    assert "no GPU measured" in rows["train_supervised"]["extrapolated"]
    assert float(rows["download"]["download_gb"]) > 1
    spans = table(paper.with_suffix(".nodes.csv"))
    one, eight = (float(spans[count]["hours"]) for count in ("1", "8"))
    assert one > eight >= float(spans["8"]["longest_chain_hours"])


def rows_told(head: str) -> list[list[str]]:
    """The rows of a table of docs/clusters.md whose head begins like this."""
    lines = (ROOT / "docs/clusters.md").read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head))
    rest = lines[start + 2 :]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in rest[: rest.index("")]]


def agrees(told: str, found: float) -> bool:
    """Whether a number is another one, rounded to its own digits; nothing is none."""
    digits = len(told.partition(".")[2])
    return abs(float(told or 0) - found) <= 0.5 * 10**-digits * (1 + 1e-6)


@pytest.mark.slow
def test_the_document_has_todays_plan(paper, module, tmp_path):
    rows = table(paper)
    told = rows_told("| | jobs | core-hours |")
    assert [next(start for start in TOLD if row[0].startswith(start)) for row in told] == list(TOLD)
    columns = ("jobs", "core_hours", "gpu_hours", "longest_job_hours")
    for (name, *cells), rule in zip(told, TOLD.values(), strict=True):
        found = [float(rows[rule][column]) for column in columns]
        same = [agrees(cell.removesuffix(" h"), hours) for cell, hours in zip(cells, found, strict=True)]
        assert same == [True] * 4, (name, cells, found)
    filtering = tmp_path / "plan.csv"
    targets = ["--targets", "build/filtering/opensubtitles/pt/counts.tsv"]
    done = module(
        "planning.plan", filtering, *targets, "--configfile", "config/paper.yaml", "--nodes", *NODES
    )
    assert done.returncode == 0, done.stderr
    for (name, *cells), plan in zip(rows_told("| nodes (8 cores"), (paper, filtering), strict=True):
        spans = table(plan.with_suffix(".nodes.csv"))
        found = [float(spans[count]["hours"]) for count in NODES]
        same = [agrees(cell, hours) for cell, hours in zip(cells, found, strict=True)]
        assert same == [True] * len(NODES), (name, cells, found)


@pytest.mark.slow
def test_half_the_seeds_are_half_the_training(module, paper, tmp_path):
    (tmp_path / "half.yaml").write_text("systems: {translate-train-tag: {seeds: [1, 2]}}\n")
    options = ["--targets", "build/transfer/fr/translate-train-tag/run0.txt", "--nodes", 1, "--configfile"]
    hours = []
    for overlays in ([], [tmp_path / "half.yaml"]):
        target = tmp_path / "plan.csv"
        done = module("planning.plan", target, *options, "config/paper.yaml", *overlays)
        assert done.returncode == 0, done.stderr
        hours.append(float(table(target)["train_supervised"]["gpu_hours"]))
    assert hours[0] == pytest.approx(2 * hours[1], rel=0.01)


@pytest.mark.slow
def test_a_target_that_no_rule_makes_is_one_line(module, tmp_path):
    done = module("planning.plan", tmp_path / "plan.csv", "--targets", "results/table99.csv")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert (
        "Snakefile: Snakemake finds no plan of this" in done.stderr and not (tmp_path / "plan.csv").exists()
    )


@pytest.mark.slow
def test_the_check_finds_a_rule_that_is_off(module, tmp_path):
    """Three steps as long as their plan, and then shards that take ten times theirs."""
    target = "build/filtering/opensubtitles/fr/counts.tsv"
    done = module("planning.plan", tmp_path / "plan.csv", "--targets", target)
    assert done.returncode == 0, done.stderr
    planned = {rule: float(row["core_hours"]) * 3600 for rule, row in table(tmp_path / "plan.csv").items()}
    wanted = {
        "shard.fr": ("shard", 1),
        "bicleaner.fr.0": ("bicleaner", 2),
        "curate_bitext.fr.0": ("curate_bitext", 2),
    }

    def check(factor: float) -> subprocess.CompletedProcess:
        for name, (rule, jobs) in wanted.items():
            # A machine that is forty times as slow.
            seconds = 40 * planned[rule] / jobs * (factor if rule == "shard" else 1)
            path = tmp_path / f"build/benchmarks/filtering/{name}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{HEAD}9\t0\t1\t1\t1\t1\t1\t1\t1\t{seconds}\n")
        return module("planning.check", tmp_path / "check.csv", "--folder", tmp_path, "--targets", target)

    done = check(1)
    assert done.returncode == 0, done.stderr
    # The plan's hours are rounded, and these jobs are short.
    assert float(table(tmp_path / "check.csv")["shard"]["ratio"]) == pytest.approx(1, abs=0.2)
    done = check(10)
    assert done.returncode == 2 and "off by more than a factor of 2 for shard" in done.stderr
