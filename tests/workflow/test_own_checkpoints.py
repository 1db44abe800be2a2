"""Folders of checkpoints, one for each language, from which a row of `kind: finetuned` starts."""

import re

import pytest
import yaml

from tests.conftest import said
from tests.transfer.checkpoints import mt5

pytestmark = pytest.mark.slow

MINE = {"label": "MINE", "kind": "finetuned", "model": {"kind": "folder", "path": "models/{lang}"}}
CONFIG = ["--configfile", "mine.yaml"]
# The overlay, the place of the row, a target, and the folders that are missing where Portuguese has one.
ROWS = {
    "transfer": (
        {"systems": {"mine": MINE}},
        "systems.mine",
        "results/table7.csv",
        ["models/it (Italian)", "models/fr (French)"],
    ),
    "control": (
        {"control": {"languages": ["it", "pt"], "systems": {"mine": MINE}}},
        "control.systems.mine",
        "results/cocoa-mt/table6.csv",
        ["models/it (Italian)"],
    ),
    # Test sets of shared tasks start from the checkpoint of their language.
    "shared": (
        {
            "control": {
                "languages": ["pt"],
                "systems": {"mine": {**MINE, "languages": ["pt", "pt-2023", "ko-2023"]}},
            }
        },
        "control.systems.mine",
        "results/cocoa-mt/shared-tasks.csv",
        ["models/ko (Korean)"],
    ),
}


def put(project, overlay):
    (project / "mine.yaml").write_text(yaml.safe_dump(overlay), encoding="utf-8")


@pytest.mark.parametrize("stage", ROWS)
def test_a_folder_that_a_language_lacks_stops_before_the_first_job(project, snakemake, stage):
    overlay, place, target, missing = ROWS[stage]
    put(project, overlay)
    (project / "models/pt").mkdir(parents=True)
    done = snakemake(project, "-n", *CONFIG, "--", target)
    assert done.returncode == 2, done.stdout[-2000:] + done.stderr[-2000:]
    assert said(done.stderr) == [
        f"error: configuration: {place}.model.path: no such folder: {folder}" for folder in missing
    ]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("stage", ["transfer", "control"])
def test_a_language_starts_from_its_folder_and_a_change_of_it_reruns_no_other(project, snakemake, stage):
    overlay, *_ = ROWS[stage]
    put(project, overlay)
    (project / "models").mkdir()
    languages = ("it", "pt", "fr") if stage == "transfer" else ("it", "pt")
    for lang in languages:
        mt5(project / "models" / lang)
    goals = [f"build/{stage}/pretrained/mine.{lang}" for lang in languages]
    done = snakemake(project, "--cores", 1, *CONFIG, "--", *goals)
    assert done.returncode == 0, done.stderr[-3000:]
    for lang, goal in zip(languages, goals, strict=True):
        weights = (project / "models" / lang / "model.safetensors").read_bytes()
        assert (project / goal / "model.safetensors").read_bytes() == weights

    def jobs():
        done = snakemake(project, "-n", *CONFIG, "--", *goals)
        assert done.returncode == 0, done.stderr[-3000:]
        return re.findall(rf"output: build/{stage}/pretrained/(\S+)", done.stdout)

    assert jobs() == []
    file = project / "models/it/config.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert jobs() == ["mine.it"]


def test_a_row_with_one_folder_for_all_languages_has_one_checkpoint(project, snakemake):
    put(project, {"systems": {"mine": {**MINE, "model": {"kind": "folder", "path": "models/all"}}}})
    (project / "models").mkdir()
    mt5(project / "models/all")
    done = snakemake(project, "-n", *CONFIG, "--", "results/table7.csv")
    assert done.returncode == 0, done.stderr[-3000:]
    assert set(re.findall(r"output: build/transfer/pretrained/(\S+)", done.stdout)) == {"mine"}


def test_sets_of_a_language_share_its_checkpoint(project, snakemake):
    put(project, ROWS["shared"][0])
    (project / "models").mkdir()
    for lang in ("pt", "ko"):
        mt5(project / "models" / lang)
    done = snakemake(project, "-n", *CONFIG, "--", "results/cocoa-mt/shared-tasks.csv")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    made = re.findall(r"output: build/control/pretrained/(\S+)", done.stdout)
    assert sorted(made) == ["mine.ko", "mine.pt"]


def test_what_is_no_part_of_a_checkpoint_reruns_nothing(project, snakemake):
    """Such as a card or a pickle."""
    put(project, ROWS["transfer"][0])
    (project / "models").mkdir()
    mt5(project / "models/pt")
    goal = "build/transfer/pretrained/mine.pt"
    for lang in ("it", "fr"):
        (project / "models" / lang).mkdir()
    assert snakemake(project, "--cores", 1, *CONFIG, "--", goal).returncode == 0
    (project / "models/pt/README.md").write_text("new", encoding="utf-8")
    done = snakemake(project, "-n", *CONFIG, "--", goal)
    assert done.returncode == 0 and "Nothing to be done" in done.stdout + done.stderr


def test_other_weights_of_a_scorer_are_read_again(project, snakemake):
    overlay = {"evaluation": {"scorers": {"formal": {"path": "models/formal"}}}}
    put(project, overlay)
    (project / "models").mkdir()
    mt5(project / "models/formal")
    goal = "build/scorers/formal/checkpoint"
    done = snakemake(project, "--cores", 1, *CONFIG, "--", goal)
    assert done.returncode == 0, done.stderr[-3000:]
    file = project / "models/formal/config.json"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = snakemake(project, "-n", *CONFIG, "--", goal)
    assert "rule scorer" in done.stdout and (project / goal / "config.json").is_file()
