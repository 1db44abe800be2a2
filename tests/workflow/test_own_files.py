"""Files that the configuration names, checked before the first job, and the state after a failed run."""

import os
import subprocess

import pytest
import yaml

from tests.conftest import ROOT, said

pytestmark = pytest.mark.slow

TAG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["systems"]["translate-train-tag"]
# A system of each kind that names files, its setting in messages, what is missing, and a table with it.
MINE: dict[str, tuple[dict, str, list[str], str]] = {
    "outputs": (
        {
            "systems": {
                "mine": {"label": "MINE", "kind": "outputs", "path": "runs/{lang}.txt"},
                # Made by the workflow, and so not looked for.
                "copied": {
                    "label": "COPIED",
                    "kind": "outputs",
                    "path": "build/transfer/{lang}/copy/run0.txt",
                },
                "made": {
                    "label": "MADE",
                    "kind": "outputs",
                    "path": "build/corpora/xformal/{lang}/formal.ref1.txt",
                },
            }
        },
        "systems.mine.path",
        ["runs/it.txt (Italian)", "runs/fr.txt (French)"],
        "results/table7.csv",
    ),
    "template of prompts": (
        {
            "systems": {
                "mine": {
                    "label": "MINE",
                    "kind": "prompted",
                    "model": {"kind": "transformers", "name": "models"},
                    "prompt": "runs/prompt.txt",
                    "languages": ["fr"],
                }
            }
        },
        "systems.mine.prompt",
        ["runs/prompt.txt"],
        "results/table7.csv",
    ),
    "pairs": (
        {"systems": {"mine": {**TAG, "label": "MINE", "pairs": "runs/{lang}"}}},
        "systems.mine.pairs",
        [
            f"runs/fr/{part}.{style}.txt (French)"
            for part in ("train", "dev")
            for style in ("informal", "formal")
        ],
        "build/transfer/fr/mine/run0.txt",
    ),
    "translations": (
        {
            "control": {
                "languages": ["it"],
                "systems": {"mine": {"label": "MINE", "kind": "outputs", "path": "runs/{lang}.{level}.txt"}},
            }
        },
        "control.systems.mine.path",
        ["runs/it.formal.txt (Italian)", "runs/it.informal.txt (Italian)"],
        "results/cocoa-mt/table6.csv",
    ),
    "responses": (
        {"dialogue": {"systems": {"mine": {"label": "MINE", "kind": "outputs", "path": "runs/{set}.json"}}}},
        "dialogue.systems.mine.path",
        ["runs/polite.json", "runs/impolite.json"],
        "results/impolite/table7.csv",
    ),
    "rewrites": (
        {"style": {"systems": {"mine": {"label": "MINE", "kind": "outputs", "path": "runs/rude.txt"}}}},
        "style.systems.mine.path",
        ["runs/rude.txt"],
        "results/impolite/table5.csv",
    ),
    "scores": (
        {
            "politeness": {
                "outputs": {"mine": {"label": "MINE", "path": "runs/{lang}.txt", "languages": ["fr", "en"]}}
            }
        },
        "politeness.outputs.mine.path",
        ["runs/en.txt (English)", "runs/fr.txt (French)"],
        "results/tydip/table3.csv",
    ),
}


@pytest.mark.parametrize("kind", MINE)
def test_a_file_that_is_not_there_stops_before_the_first_job(project, snakemake, kind):
    settings, key, paths, target = MINE[kind]
    (project / "mine.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (project / "runs").mkdir()
    (project / "runs/pt.txt").write_text("Bom dia.\n", encoding="utf-8")
    # What stands there would otherwise be taken as it is, whatever is behind it.
    (project / target).parent.mkdir(parents=True, exist_ok=True)
    (project / target).write_text("finished\n", encoding="utf-8")
    for options in (["-n"], ["--cores", 1])[: 2 if kind == "outputs" else 1]:
        done = snakemake(project, *options, "--configfile", "mine.yaml", "--", target)
        assert done.returncode == 2, done.stdout[-2000:] + done.stderr[-2000:]
        assert said(done.stderr) == [f"error: configuration: {key}: no such file: {path}" for path in paths]
        assert "Traceback" not in done.stderr
    assert (project / target).read_text(encoding="utf-8") == "finished\n"


def test_a_finished_table_outlives_a_run_that_fails(project, snakemake):
    """It stands there as it was, and is still to be made."""

    def run(*options: object) -> subprocess.CompletedProcess:
        return snakemake(project, *options, "--", "results/table13.csv")

    assert run("--cores", 1).returncode == 0
    table, questions = project / "results/table13.csv", project / "resources/qualification/fr.csv"
    first, text = table.read_bytes(), questions.read_text(encoding="utf-8")
    questions.write_text("no questions\n", encoding="utf-8")
    failed = run("--cores", 1)
    assert failed.returncode == 1 and "error: " in failed.stderr, failed.stderr
    assert table.read_bytes() == first
    assert "results/table13.compare.csv: not made; the file of the previous run is back" in failed.stderr
    # Though it is now younger than what it is made of, and Snakemake has noted the job that failed.
    questions.write_text(text, encoding="utf-8")
    os.utime(questions, (0, 0))
    done = run("--cores", 1)
    assert done.returncode == 0 and "Nothing to be done" not in done.stdout + done.stderr, done.stderr
    assert table.read_bytes() == first
    assert not (project / "build/finished").exists()
