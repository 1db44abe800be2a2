"""What holds for every rule of the workflow, as Snakemake reads them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.submissions import profile
from tests.conftest import ROOT
from tests.workflow import forks
from workflow_scripts.progress.jobs import seconds_of

SCALES = [["config.yaml"], ["config.yaml", "config/open.yaml"], ["config.yaml", "config/paper.yaml"]]
# What people read, and environments of tools, stand outside `build`.
BESIDE = {
    "corpora": ("results/sources.csv",),
    "evaluation": ("results/changes.csv",),
    "fluency": (".venvs/",),
    "human": ("results/human/",),
    "politeness": ("results/politeness/",),
    "report": ("results/",),
    "tools": (".venvs/",),
}
# The rules of this file belong to the papers whose leaves they make.
LEAVES = "rules/papers/leaves.smk"


def ask(files: list[str]) -> list[dict[str, Any]]:
    """The rules at one scale."""
    done = forks.run(ROOT, [json.dumps(files)], dict(os.environ), "tests.rules")
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def rules() -> list[dict[str, Any]]:
    """The rules of all scales: some exist at one of them only."""
    found = {(rule["name"], rule["file"]): rule for files in SCALES for rule in ask(files)}
    assert {"demo_world", "read_cocoa_train", "table7", "table2", "tydip_table3"} <= {
        name for name, _ in found
    }
    return list(found.values())


def places(rule: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The stage or paper of a rule, and where it may write."""
    if rule["file"] == LEAVES:
        paper = rule["log"][0].split("/")[1]
        assert (ROOT / f"rules/papers/{paper}.smk").exists(), rule
        return paper, ("results/",)
    if rule["file"].startswith("rules/papers/"):
        paper = Path(rule["file"]).stem
        return paper, (f"build/papers/{paper}/", "results/")
    # The first line of a file says which stage its rules belong to.
    stage = re.match(r"# (\w+): ", (ROOT / rule["file"]).read_text(encoding="utf-8"))
    assert stage, rule["file"]
    return stage[1], (f"build/{stage[1]}/", *BESIDE.get(stage[1], ()))


def test_a_stage_writes_below_its_own_folder_only(rules: list[dict[str, Any]]) -> None:
    wrong = []
    for rule in rules:
        if rule["file"] == "Snakefile":
            assert not rule["output"], rule
            continue
        stage, allowed = places(rule)
        wrong += [f"{rule['name']}: {path}" for path in rule["output"] if not path.startswith(allowed)]
        wrong += [f"{rule['name']}: {path}" for path in rule["log"] if not path.startswith(f"logs/{stage}/")]
        if rule["benchmark"] and not rule["benchmark"].startswith(f"build/benchmarks/{stage}/"):
            wrong.append(f"{rule['name']}: {rule['benchmark']}")
    assert wrong == []


def test_the_translation_backend_is_tried_on_raw_subtitles(rules: list[dict[str, Any]]) -> None:
    """Appendix B: what the filters of the training data keep would flatter it."""
    (rule,) = (rule for rule in rules if rule["name"] == "sample_sanity")
    assert rule["input"] == [
        f"build/corpora/opensubtitles/{{lang}}/{side}.txt.gz" for side in ("en", "{lang}")
    ]


def test_every_job_has_a_log_of_its_own_and_every_rule_a_docstring(rules: list[dict[str, Any]]) -> None:
    making = [rule for rule in rules if rule["output"]]
    assert [rule["name"] for rule in making if len(rule["log"]) != 1] == []
    assert [rule["name"] for rule in rules if not rule["docstring"]] == []
    for kind in ("log", "benchmark"):
        # With the values of wildcards in it, no two rules can mean one file.
        paths = [re.sub(r"\{(\w+)[^}]*\}", r"{\1}", str(rule[kind])) for rule in making if rule[kind]]
        repeated = {path for path in paths if paths.count(path) > 1}
        assert repeated == set()


def test_every_job_that_uses_torch_asks_for_a_gpu_and_its_memory(
    rules: list[dict[str, Any]],
) -> None:
    torch = [rule for rule in rules if "torch" in rule["params"] or rule["name"].startswith("translate_")]
    trainings = {"train_nmt", "train_supervised", "train_prior", "train_unsupervised", "train_regressor"}
    assert trainings <= {rule["name"] for rule in torch}
    assert [rule["name"] for rule in torch if not {"gpu", "mem_mb"} <= set(rule["resources"])] == []


def test_every_word_of_a_command_is_quoted(rules: list[dict[str, Any]]) -> None:
    """By `:q`, and by nothing else: inside quotes it would end them."""
    commands = {rule["name"]: rule["shell"] for rule in rules if rule["shell"]}
    assert len(commands) > 100
    for name, command in commands.items():
        assert re.findall(r"\{[^{}]*(?<!:q)\}", command) == [], name
        assert not any("{" in quoted for quoted in re.findall(r"'[^']*'|\"[^\"]*\"", command)), name


def test_the_seconds_of_a_run_are_those_of_rules(rules: list[dict[str, Any]]) -> None:
    """From which the time left is estimated (workflow_scripts/progress)."""
    seconds = seconds_of(ROOT / "resources/seconds.csv")
    assert "train_supervised" in seconds
    assert set(seconds) - {rule["name"] for rule in rules} == set()


def test_the_profile_for_slurm_names_rules_that_exist(rules: list[dict[str, Any]]) -> None:
    names = {rule["name"] for rule in rules}
    settings = profile()
    groups = dict(item.split("=") for item in settings["groups"])
    sizes = dict(item.split("=") for item in settings["group-components"])
    assert groups.keys() <= names and set(groups.values()) == sizes.keys()
    # What stands there to be switched on counts too.
    text = (ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8")
    switched_off = re.findall(r"^ *# (?:- (\w+)=|\"(\w+)\": \{)", text, flags=re.MULTILINE)
    assert len(switched_off) > 5 and {one or other for one, other in switched_off} <= names


def test_every_rule_that_can_use_a_gpu_gets_what_the_profile_says(rules: list[dict[str, Any]]) -> None:
    on_a_gpu = {"gpu": 0, "gres": "gpu:1"}
    asking = {rule["name"] for rule in rules if "gpu" in rule["resources"]}
    # Other language models than those of transformers ask for none, but say so.
    asking -= {"prompted_endpoint", "prompted_gguf", "asked_endpoint", "asked_gguf", "answered_endpoint"}
    asking -= {"rewritten_endpoint", "rewritten_gguf", "controlled_endpoint", "controlled_gguf"}
    translating = {name for name in asking if name.startswith("translate_")}
    assert len(translating) > 3
    for backend in ("nmt", "hf"):
        assert profile(on_a_gpu, backend=backend)["set-resources"] == dict.fromkeys(asking, on_a_gpu)
    for backend in ("apertium", "aws"):
        expected = dict.fromkeys(asking - translating, on_a_gpu)
        assert profile(on_a_gpu, backend=backend)["set-resources"] == expected
    assert "set-resources" not in profile(on_a_gpu, device="cpu")
    assert "set-resources" not in profile()


def test_what_the_profile_asks_for_more_than_once_is_no_limit() -> None:
    settings = profile()
    # An array waits for ever where not all of its jobs are chosen at once.
    assert settings["jobs"] == settings["resources"]["gpu"]
    # A run lifts the default one (`lift_rate_of_jobs`).
    assert "max-jobs-per-timespan" not in settings
    assert settings["slurm-array-jobs"] == "all" and settings["retries"] >= 1


def test_no_rule_asks_for_more_than_a_day() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "rules").rglob("*.smk")]
    times = [time for text in texts for time in re.findall(r"\bruntime=(.*),$", text, flags=re.MULTILINE)]
    assert len(times) > 20
    assert [time for time in times if not re.fullmatch(r"growing\((\w+), DAY\)", time)] == []
