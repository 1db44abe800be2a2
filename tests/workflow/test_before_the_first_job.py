"""Messages before the first job: mistakes in settings, missing licensed corpora, the paper's DAG."""

import json

import pytest

from tests.conftest import said
from workflow_scripts.core import gpu

pytestmark = pytest.mark.slow

PAPER = ["--configfile", "config.yaml", "config/paper.yaml"]


def test_an_unknown_key_stops_with_one_line_and_code_2(project, snakemake):
    (project / "mine.yaml").write_text("filtering: {bicleaner: {treshold: 0.7}}")
    done = snakemake(project, "-n", "--configfile", "config.yaml", "mine.yaml", "--", "all")
    assert done.returncode == 2
    assert said(done.stderr) == [
        "error: configuration: unknown key 'filtering.bicleaner.treshold'; did you mean 'threshold'?"
    ]
    assert "Traceback" not in done.stderr


def test_a_server_that_does_not_run_and_a_key_that_is_not_there_are_told(project, snakemake, monkeypatch):
    """A dry run warns, and a run stops."""
    monkeypatch.delenv("OWN_KEY", raising=False)
    address = "http://127.0.0.1:1/v1"
    model = {"kind": "endpoint", "name": "own", "address": address, "key": "OWN_KEY"}
    system = {"label": "OWN", "kind": "prompted", "examples": 0, "model": model}
    settings = {"systems": {"own": system}, "prompting": {"prices": {"own": {"input": 0, "output": 0}}}}
    (project / "mine.yaml").write_text(json.dumps(settings))
    words = ["--configfile", "config.yaml", "mine.yaml", "--", "build/transfer/fr/own/run0.txt"]
    key = "the environment has no OWN_KEY: export OWN_KEY=..."
    line = f"no server runs at {address} (Connection refused): start the one that serves own; with"
    done = snakemake(project, "-n", *words)
    assert done.returncode == 0 and done.stderr.count(f"warning: {key}\nwarning: {line}") == 1
    done = snakemake(project, "--cores", 1, *words)
    assert done.returncode == 2 and done.stderr.count(f"error: {key}\nerror: {line}") == 1
    assert not (project / "build/transfer").exists()


def test_an_unknown_language_stops_with_one_line_and_code_2(project, snakemake):
    done = snakemake(project, "-n", "--config", "languages=['es']", "--", "all")
    assert done.returncode == 2
    assert said(done.stderr) == ["error: configuration: unknown language 'es'; known: fr, it, pt"]


def test_an_unknown_corpus_version_stops_with_code_2(project, snakemake):
    (project / "mine.yaml").write_text("corpora: {gyafc: demos}")
    done = snakemake(project, "-n", "--configfile", "config.yaml", "mine.yaml", "--", "all")
    assert done.returncode == 2
    assert len(said(done.stderr)) == 1 and "corpora.gyafc" in done.stderr


def test_a_leaf_that_rules_make_and_no_row_describes_is_named(project, snakemake):
    table = project / "resources/leaves.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("impolite/table5,", "impolite/table55,"))
    done = snakemake(project, "-n", "--", "results/table7.csv")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert said(done.stderr) == [
        "error: resources/leaves.csv: no leaf 'impolite/table5', which workflow_scripts/wiring/papers/ makes;"
        " did you mean 'impolite/table55'?"
    ]


def test_mistyped_targets_are_told_with_the_nearest_ones(project, snakemake):
    # Files are those of the run's directory, and none by its absolute path.
    absolute = str(project / "runs/one/results/table9.csv")
    elsewhere = "resources/leaves.csv lists the leaves, snakemake --list-target-rules further names"
    hints = {
        "results/tabel7.csv": "did you mean 'results/table7.csv'?",
        "tabel7": "did you mean 'table7'?",
        # Without its folder.
        "table8.csv": "did you mean 'results/table8.csv'?",
        "results/table.csv": "did you mean 'results/table9.csv' or 'results/table8.csv' or"
        " 'results/table7.csv'?",
        absolute: "did you mean 'results/table9.csv'?",
        "build/nothing/near.here": elsewhere,
        # It begins and ends like outputs, but runs have numbers.
        "build/transfer/it/copy/runx.txt": elsewhere,
        "train_reggressor": "did you mean 'train_regressor'?",
    }
    *targets, forced = hints
    right = [
        "results/table7.csv",
        "./results/table6.csv",
        "build/transfer/fr/../it/copy/run0.txt",
        "cocoa_mt",
    ]
    done = snakemake(
        project, "-n", "--directory", "runs/one", "--forcerun", forced, "bicleaner", "--", *targets, *right
    )
    assert done.returncode == 2 and "Exception" not in done.stderr, done.stderr
    assert sorted(said(done.stderr)) == sorted(
        f"error: no rule makes '{target}'; {hint}" for target, hint in hints.items()
    )


def test_the_papers_dag_is_listed_whole(project, snakemake):
    done = snakemake(project, "-n", *PAPER, "--", "results/table7.csv")
    assert done.returncode == 0, done.stderr[-2000:]
    counts = dict(
        line.split()
        for line in done.stdout.splitlines()
        if len(line.split()) == 2 and line.split()[1].isdigit()
    )
    # Three supervised systems with four seeds each; UNMT and DLSM, in-domain in French too.
    assert counts["train_supervised"] == str(3 * 3 * 4)
    assert counts["train_unsupervised"] == str((3 + 1) * 2 * 4)
    assert counts["bicleaner"] == str(3 * 64)
    assert counts["train_regressor"] == "3"
    assert "train_nmt" not in counts


def test_missing_licensed_corpora_stop_before_the_first_job(project, snakemake):
    done = snakemake(project, "--cores", 1, "--config", "device=auto", *PAPER, "--", "results/table7.csv")
    assert done.returncode == 2
    found = said(done.stderr)
    # And what Bicleaner would unpickle, one pack per language, has no checksum yet.
    packs = [line for line in found if "no checksum of 'bicleaner-v1.6-" in line]
    assert len(packs) == 3 and len(found) == 6, done.stderr
    for corpus in ("GYAFC", "XFORMAL", "L26"):
        message = next(line for line in found if corpus in line)
        assert "licensed/" in message
    assert not (project / "build").exists()


def test_a_corpus_that_no_target_needs_is_not_asked_for(project, snakemake):
    target = "build/corpora/xformal/fr/informal.txt"
    done = snakemake(project, "--cores", 1, "--config", "device=auto", *PAPER, "--", target)
    assert done.returncode == 2
    assert len(said(done.stderr)) == 1 and "XFORMAL" in done.stderr


def test_a_model_of_sockeye_that_is_not_there_is_told_to_those_who_read_it(project, snakemake):
    """A dry run warns, and a run stops."""
    given = ["--config", "control={generic: {sockeye: {fr: models/none}}}", "--"]
    model = "build/control/generic/fr/model.safetensors"
    line = "configuration: control.generic.sockeye.fr: no such file: models/none/params.best; IWSLT 2022's"
    for asked, level, code in ((["-n"], "warning", 0), (["--cores", 1], "error", 2)):
        done = snakemake(project, *asked, *given, model)
        (told,) = said(done.stderr, level)
        assert done.returncode == code and told.startswith(f"{level}: {line}")
    # The table of sources asks every rule for its input, without such a job.
    for target in ("build/corpora/demo/world.json", "results/sources.csv"):
        done = snakemake(project, "-n", *given, target)
        assert done.returncode == 0 and said(done.stderr, "warning") == [], target


def test_cuda_without_a_gpu_stops_before_the_first_job(project, snakemake):
    if gpu.count():
        pytest.skip("this machine has a GPU")
    done = snakemake(project, "--cores", 1, "--config", "device=cuda", "--", "results/table7.csv")
    assert done.returncode == 2
    assert len(said(done.stderr)) == 1 and "no GPU" in done.stderr
    assert not (project / "build").exists()
    # A dry run lists the jobs of another machine.
    listed = snakemake(project, "-n", "--config", "device=cuda", "--", "results/table7.csv")
    assert listed.returncode == 0
    # Nor does a machine without one refuse the jobs that need none, such as downloads.
    done = snakemake(project, "--cores", 1, "--config", "device=cuda", "--", "build/corpora/demo/world.json")
    assert done.returncode == 0, done.stderr


def test_the_open_scale_is_listed_whole(project, snakemake):
    scale = ["--configfile", "config.yaml", "config/open.yaml"]
    done = snakemake(project, "-n", *scale, "--", "results/table7.csv")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "read_cocoa_eval" in done.stdout and "read_open_bitext" in done.stdout
    assert "demo_world" not in done.stdout and "check_licensed" not in done.stdout


@pytest.mark.parametrize("backend", ["hf", "aws", "apertium"])
def test_another_backend_trains_no_translation_model(project, snakemake, backend):
    (project / "mine.yaml").write_text(f"translation: {{backend: {backend}}}")
    done = snakemake(project, "-n", "--configfile", "config.yaml", "mine.yaml", "--", "results/table7.csv")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "translate_gyafc" in done.stdout and "train_nmt" not in done.stdout
