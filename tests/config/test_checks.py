"""Checks before the first job, through Snakemake: one line for each mistake, exit code 2."""

import re
import subprocess
from collections.abc import Callable

import pytest

from tests.conftest import ROOT, said

Run = Callable[..., subprocess.CompletedProcess]
# In the order of the configuration.
FOLDERS = {
    "mirror": "no/mirror",
    "formality.encoder.path": "no/encoder",
    "analysis.annotations": "no/annotations",
    "human.ratings": "no/ratings",
}
GIVEN = [
    f"mirror={FOLDERS['mirror']}",
    f"analysis={{annotations: {FOLDERS['analysis.annotations']}}}",
    f"human={{ratings: {FOLDERS['human.ratings']}}}",
    f"formality={{encoder: {{kind: folder, path: {FOLDERS['formality.encoder.path']}}}}}",
]


# A file, in a row of its own.
MODEL = "systems.llm.model.name", "no/model.gguf"
GGUF = f"systems={{llm: {{label: LLM, kind: prompted, model: {{kind: gguf, name: {MODEL[1]}}}}}}}"


@pytest.mark.slow
def test_bad_settings_are_one_line_each(snakemake, tmp_path):
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text("seed: true\nlanguages: [fr, fr]\nsystems: {dlsm: {seeds: [1, -1]}}\n")
    done = snakemake(ROOT, "-n", "--configfile", overlay, "--", "results/table7.csv")
    assert done.returncode == 2
    assert said(done.stderr) == [
        "error: configuration: 'seed' is True: a number is needed",
        "error: configuration: 'languages' is ['fr', 'fr']: fr is repeated",
        "error: configuration: 'systems.dlsm.seeds.1' is -1: input should be greater than or equal to 0",
    ]
    # Beside them Snakemake says which profile it uses and which files and settings it read.
    assert len(done.stderr.splitlines()) <= 5, done.stderr


@pytest.mark.slow
def test_a_wrong_setting_on_the_command_line_is_one_line(snakemake):
    done = snakemake(ROOT, "-n", "--config", "seed=true", "rows=[copi]", "--", "results/table7.csv")
    assert done.returncode == 2
    (line,) = said(done.stderr)
    assert line.startswith("error: configuration: 'seed' is 'true'")
    assert len(done.stderr.splitlines()) <= 3, done.stderr


@pytest.mark.slow
def test_a_dry_run_names_missing_folders_and_lists(snakemake):
    leaves = ["results/table7.csv", "results/table4.csv"]
    done = snakemake(ROOT, "-n", "--forceall", "--config", *GIVEN, GGUF, "--", *leaves)
    assert done.returncode == 0, done.stdout + done.stderr
    *warnings, model = said(done.stderr, "warning")
    assert warnings == [
        f"warning: configuration: {key}: no such folder: {path}" for key, path in FOLDERS.items()
    ]
    assert model.startswith(f"warning: configuration: {MODEL[0]}: no such file: {MODEL[1]}; ")
    assert re.search(r"^table7 +1$", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_a_real_run_stops_before_its_first_job(snakemake, project):
    done = snakemake(project, "--cores", 1, "--config", *GIVEN, "--", "results/table7.csv")
    assert done.returncode == 2
    assert said(done.stderr) == [
        f"error: configuration: {key}: no such folder: {path}" for key, path in FOLDERS.items()
    ]
    assert not list(project.glob("build/*")) and "Traceback" not in done.stderr
    # With the folders in place there is nothing to say.
    for path in FOLDERS.values():
        (project / path).mkdir(parents=True)
    for lang in ("pt", "it", "fr", "en"):
        (project / FOLDERS["analysis.annotations"] / f"{lang}.csv").touch()
    done = snakemake(project, "-n", "--config", *GIVEN, "--", "results/table7.csv")
    assert done.returncode == 0, done.stdout + done.stderr
    assert said(done.stderr, "warning") == []


@pytest.mark.slow
def test_a_command_that_is_too_long_is_told_before_the_first_job(snakemake, project):
    """With many rows, here with long labels: the shell would say that its list of arguments is too long."""
    manifest = "build/papers/xformal/table7.manifest.csv"
    rows = [f"  row{number}: {{kind: copy, label: {'x' * 4000}{number}}}\n" for number in range(40)]
    overlay = project / "overlay.yaml"
    overlay.write_text("systems:\n" + "".join(rows), encoding="utf-8")
    told = "list_files: a command of 16"
    listed = snakemake(project, "-n", "--configfile", overlay, "--", manifest)
    assert listed.returncode == 0, listed.stderr
    (line,) = said(listed.stderr, "warning")
    assert line.startswith(f"warning: {told}")
    done = snakemake(project, "--cores", 1, "--configfile", overlay, "--", manifest)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    (line,) = said(done.stderr)
    assert line.startswith(f"error: {told}") and "fewer rows" in line
    assert not (project / "build").exists()
    # With as many rows as a command can name it runs.
    overlay.write_text("systems:\n" + "".join(rows[:30]), encoding="utf-8")
    done = snakemake(project, "--cores", 1, "--configfile", overlay, "--", manifest)
    assert done.returncode == 0, done.stderr
    assert (project / manifest).stat().st_size > 30 * 4000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "threshold", "tool"),
    [(None, [], "hardrules"), ("v1.6", ["--threshold=0.7"], "bicleaner")],
)
def test_bicleaners_threshold_and_all_of_it_count_with_a_pack_only(planned, pack, threshold, tool):
    """And the bound of informal text, another threshold, has another name; it may be any number."""
    settings = {"filtering": {"bicleaner": {"pack": pack, "threshold": 0.7}, "informal_below": -0.00001}}
    jobs = planned(["results/table12.csv", "build/filtering/yahoo/fr/candidates.txt"], settings)
    filters = [job for job in jobs if job["rule"] == "bicleaner"]
    assert filters and all(job["params"]["threshold"] == threshold for job in filters)
    assert all(f"/{tool}-" in job["params"]["venv"] for job in filters)
    for rule in ("pools", "candidates"):
        found = [job for job in jobs if job["rule"] == rule]
        assert found and all(job["params"]["informal"] == ["--informal-below=-1e-05"] for job in found)
        assert not any("0.7" in job["shell"] for job in found)


def test_a_small_negative_number_is_no_option(module):
    """What is wrong comes after the options: there is no such file."""
    files = ["sentences.txt", "scores.txt", "out.txt", "counts.tsv"]
    done = module("filtering.candidates", *files, "--informal-below=-1e-05", "--size=1", "--seed=1")
    assert done.returncode == 2 and "no such file" in done.stderr
