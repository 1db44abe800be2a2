"""The jobs that `transfer.copying` and a user's own pairs (`pairs`) add, and the jobs that stay the same."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.config.conftest import Jobs
from tests.conftest import ROOT
from tests.workflow.dag import ask

TABLE7 = ["results/table7.csv"]
OPEN = "config/open.yaml"
SHARED = "build/transfer/fr/translate_train"
COPYING = {
    "sentences": 200,
    "dev_sentences": 20,
    "learning_rate": 0.01,
    "checkpoint_every": 5,
    "max_updates": 10,
}
ROW = {
    "label": "MINE",
    "kind": "translate_train_tag",
    "pairs": "my pairs/{lang}",
    "seeds": [7],
    "input": "copy",
}


@pytest.fixture(scope="module")
def at_open_scale(planned):
    return planned(TABLE7, {"languages": ["fr"]}, OPEN)


def makers(jobs: Jobs) -> dict[str, dict[str, Any]]:
    """The job of each file."""
    return {path: job for job in jobs for path in job["output"]}


def training(jobs: Jobs, system: str) -> dict[str, Any]:
    """The training of a system's first seed in French."""
    return makers(jobs)[f"build/transfer/fr/{system}/seed1.safetensors"]


@pytest.mark.slow
def test_without_the_setting_nothing_copies(planned):
    for overlays in ([], ["config/paper.yaml"]):
        jobs = planned(TABLE7, {"languages": ["fr"]}, *overlays)
        assert "copying" not in json.dumps(jobs) and "own_pairs" not in json.dumps(jobs)
        for system in ("translate-train-tag", "backtranslate"):
            job = training(jobs, system)
            assert job["params"]["initial"] == [] and "seed1.safetensors" not in str(job["input"])
        learnt = makers(jobs)[f"{SHARED}/text"]
        assert learnt["input"] == [
            f"build/translation/gyafc/fr/train.{s}.txt" for s in ("informal", "formal")
        ]
        assert learnt["params"]["languages"] == ["fr", "fr"]
        # BACKTRANSLATE reads and writes in pieces of its own.
        assert training(jobs, "backtranslate")["input"][0] == "build/transfer/fr/backtranslate/text"


@pytest.mark.slow
def test_at_open_scale_every_system_starts_from_the_model_that_copies(at_open_scale):
    made = makers(at_open_scale)
    copies = f"{SHARED}/copying.seed1.safetensors"
    for system in ("translate-train-tag", "backtranslate", "own-pairs"):
        job = training(at_open_scale, system)
        assert job["params"]["initial"] == [f"--initial={copies}"]
        assert job["input"][0] == f"{SHARED}/text" and copies in job["input"]
    base = "--initial=build/transfer/fr/translate-train-tag/seed1.safetensors"
    assert training(at_open_scale, "multi-task-tag-style")["params"]["initial"] == [base]
    copied = "build/filtering/opensubtitles/fr/copying.train.fr.txt.gz"
    assert (
        copied in made[f"{SHARED}/text"]["input"]
        and made[f"{SHARED}/text"]["params"]["languages"] == ["fr"] * 3
    )
    # Both sides of its pairs are the same text, which is of no test set.
    pairs = made[f"{SHARED}/copying.train.source.txt"]
    assert pairs["shell"].count(copied) == 4 and "'<2formal>' '<2informal>'" in pairs["shell"]
    seen, todo = set[str](), [copies]
    while todo:
        path = todo.pop()
        if path in made and path not in seen:
            todo += made[path]["input"]
        seen.add(path)
    assert copied in seen and not any("xformal" in path or "cocoa-mt-pairs" in path for path in seen)


@pytest.mark.slow
def test_its_settings_are_those_of_the_others_but_for_its_own(at_open_scale):
    own = yaml.safe_load((ROOT / OPEN).read_text(encoding="utf-8"))["transfer"]["copying"]

    def settings(path: str) -> dict[str, Any]:
        (words,) = makers(at_open_scale)[path]["params"]["settings"]
        found: dict[str, Any] = json.loads(words.removeprefix("--settings="))
        return found

    copies = settings(f"{SHARED}/copying.seed1.safetensors")
    others = settings("build/transfer/fr/translate-train-tag/seed1.safetensors")
    changed = {key for key in others if copies[key] != others[key]}
    assert copies.keys() == others.keys() and changed
    assert changed <= {"learning_rate", "checkpoint_every", "max_updates"}
    assert all(copies[key] == own[key] for key in changed)


@pytest.mark.slow
def test_a_change_of_it_reruns_its_training_only(planned, at_open_scale):
    other = planned(TABLE7, {"languages": ["fr"], "transfer": {"copying": {"max_updates": 77}}}, OPEN)
    before, after = (
        {path: job["tracked"] for path, job in makers(jobs).items()} for jobs in (at_open_scale, other)
    )
    assert before.keys() == after.keys()
    assert {Path(path).name.partition(".")[0] for path in before if before[path] != after[path]} == {
        "copying"
    }


@pytest.mark.slow
def test_own_pairs_are_learnt_with_a_text_model_of_their_own(project):
    """Where no model copies; with one, its pieces are shared."""
    names = [
        f"my pairs/fr/{part}.{style}.txt" for part in ("train", "dev") for style in ("informal", "formal")
    ]
    config = {"languages": ["fr"], "rows": ["copy", "mine"], "systems": {"mine": ROW}}
    jobs = planned_in(project, names, config)
    folder = "build/transfer/fr/mine"
    made = makers(jobs)
    train, dev = (made[f"{folder}/{part}.source.txt"] for part in ("train", "dev"))
    assert made[f"{folder}/text"]["input"] == names[:2]
    assert train["input"] == [f"{folder}/text", *names[:2]] and dev["input"] == [f"{folder}/text", *names[2:]]
    assert train["params"]["backwards"] == names[1::-1]
    pieces = [f"{folder}/{part}.{side}.txt" for part in ("train", "dev") for side in ("source", "target")]
    assert made[f"{folder}/seed7.safetensors"]["input"] == [f"{folder}/text", *pieces]
    # Nothing of what is learnt on translated pairs.
    assert not any(f"{SHARED}/" in path for job in jobs for path in job["input"])
    jobs = planned_in(project, names, {**config, "transfer": {"copying": COPYING}})
    made = makers(jobs)
    assert made[f"{folder}/train.source.txt"]["input"][0] == f"{SHARED}/text"
    assert made[f"{folder}/seed7.safetensors"]["params"]["initial"] == [
        f"--initial={SHARED}/copying.seed1.safetensors"
    ]
    assert f"{folder}/text" not in made


def planned_in(project: Path, names: list[str], config: dict[str, Any]) -> Jobs:
    """The jobs in a folder that has some pairs."""
    for name in names:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("a\n", encoding="utf-8")
    return ask(project, config, [], TABLE7)
