"""Two experiments beside each other, through the rule."""

import csv
import shutil

import pytest

from tests.conftest import METRICS, said
from workflow_scripts.core.files import read_lines, write_lines

from .conftest import CONFIG


@pytest.mark.slow
def test_a_change_of_one_system_is_a_row_with_a_test(finished, tmp_path):
    for stage in ("corpora/xformal", "transfer", "unsupervised", "formality", "fluency", "evaluation"):
        source = finished.folder / f"build/{stage}/fr"
        shutil.copytree(
            source, tmp_path / f"build/{stage}/fr", ignore=shutil.ignore_patterns("*.safetensors")
        )
    # The other experiment's system wrote the sentences back to front.
    path = tmp_path / "build/transfer/fr/mine/run0.txt"
    write_lines(path, [" ".join(reversed(line.split())) for line in read_lines(path)])
    own = ["--config", f"evaluation={{against: {tmp_path}}}"]
    done = finished.run(finished.folder, "--cores", 1, *CONFIG, *own, "--", "results/changes.csv")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 jobs" in done.stderr + done.stdout
    with (finished.folder / "results/changes.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    tested = {(row["system"], row["metric"]) for row in rows if row["p_holm"]}
    assert tested == {("mine", metric) for metric in METRICS}
    row = next(row for row in rows if (row["system"], row["metric"]) == ("mine", "multi_bleu"))
    assert float(row["second"]) == 100 and float(row["difference"]) > 10 and float(row["p_holm"]) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("against", "problem"),
    [
        ("", "error: results/changes.csv compares with another experiment: set evaluation.against"),
        ("nowhere", "error: evaluation.against: no scores of pt, it, fr in nowhere/build; make Table 7"),
    ],
)
def test_without_another_experiment_one_line_says_so(project, snakemake, against, problem):
    own = ["--config", f"evaluation={{against: {against}}}"] if against else []
    done = snakemake(project, "--cores", 1, *own, "--", "results/changes.csv")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    found = said(done.stderr)
    assert len(found) == 1 and found[0].startswith(problem)
    # Nothing is left that would stop the next run.
    assert not list((project / ".snakemake/locks").glob("*"))
