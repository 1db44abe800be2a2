"""The dialogue systems of the configuration: valid combinations, and refusals in one line."""

import copy
import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from snakemake.utils import update_config

from tests.conftest import ROOT
from workflow_scripts.config import settings
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import read_printed

DEMO = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
OWN = {"label": "MINE", "kind": "outputs", "path": "runs/{set}.json"}
Change = Callable[[dict[str, Any]], object]
SYSTEMS = "dialogue.systems"
# What the second trainings of MinTL and of it with more data answer.
SECOND = [
    f"build/responders/{name}.run1/{users}.json"
    for name in ("mintl", "mintl-augmented")
    for users in ("polite", "impolite")
]

WRONG: dict[str, Change] = {
    f"'{SYSTEMS}.mine.kind' is 'output'; did you mean 'outputs'?": lambda d: d["systems"].update(
        mine={**OWN, "kind": "output"}
    ),
    f"unknown key '{SYSTEMS}.mine.pth'; did you mean 'path'?": lambda d: d["systems"].update(
        mine={**OWN, "pth": "x"}
    ),
    f"'{SYSTEMS}.mine.path' is 'runs/x.json': it needs {{set}}": lambda d: d["systems"].update(
        mine={**OWN, "path": "runs/x.json"}
    ),
    f"'{SYSTEMS}.mine.path' is 'runs/{{lang}}{{set}}': the only placeholder is": lambda d: d[
        "systems"
    ].update(mine={**OWN, "path": "runs/{lang}{set}"}),
    f"{SYSTEMS}.mine.label: 'MinTL' is the label of 'mintl'": lambda d: d["systems"].update(
        mine={**OWN, "label": "MinTL"}
    ),
    f"{SYSTEMS}.more.of: no system 'mine' of kind causal": lambda d: d["systems"].update(
        mine=OWN, more={"label": "MORE", "kind": "augmented", "of": "mine"}
    ),
    f"{SYSTEMS}.llm.model.kind: gguf is not possible here": lambda d: d["systems"].update(
        llm={"label": "LLM", "kind": "prompted", "model": {"kind": "gguf", "name": "x.gguf"}}
    ),
    f"{SYSTEMS}.mintl.model.heads: 3 heads cannot share 64 units": lambda d: d["systems"]["mintl"][
        "model"
    ].update(heads=3),
    f"{SYSTEMS}.mintl.model.path: needed when": lambda d: d["systems"]["mintl"]["model"].update(
        kind="folder"
    ),
    f"unknown key '{SYSTEMS}.mintl.training.epoch'; did you mean 'epochs'?": lambda d: d["systems"]["mintl"][
        "training"
    ].update(epoch=1),
    f"{SYSTEMS}.labes.network.copying: 'released' is DAMD's": lambda d: d["systems"]["labes"].update(
        network={**d["systems"]["labes"]["network"], "copying": "released"}
    ),
    f"{SYSTEMS}.pptod-own: give checkpoint and revision, or archive": lambda d: d["systems"].update(
        {
            "pptod-own": {
                **{"label": "OWN", "kind": "released", "template": "pptod_released", "checkpoint": "a/b"},
                "decoding": d["systems"]["pptod"]["decoding"],
            }
        }
    ),
    f"'{SYSTEMS}.mintl.seeds' is []: list should have at least 1 item": lambda d: d["systems"][
        "mintl"
    ].update(seeds=[]),
    f"'{SYSTEMS}.damd.seeds' is [2, 2]: 2 is repeated": lambda d: d["systems"]["damd"].update(seeds=[2, 2]),
    f"unknown key '{SYSTEMS}.damd-augmented.seeds'": lambda d: d["systems"]["damd-augmented"].update(
        seeds=[1, 2]
    ),
    f"unknown key '{SYSTEMS}.mine.seeds'": lambda d: d["systems"].update(mine={**OWN, "seeds": [1, 2]}),
    "dialogue.folds: 'damd-augmented' is trained on the rewrites of train": lambda d: d.update(
        folds=["train"]
    ),
}


@pytest.mark.parametrize("problem", WRONG)
def test_what_does_not_fit_is_one_line(problem):
    config = copy.deepcopy(DEMO)
    WRONG[problem](config["dialogue"])
    with pytest.raises(InputError) as found:
        settings.load(config)
    (line,) = str(found.value).splitlines()
    assert line.startswith(f"configuration: {problem}")


def test_a_system_of_ones_own_is_a_line():
    config = copy.deepcopy(DEMO)
    # As Snakemake puts what an overlay adds: before all others.
    config["dialogue"]["systems"] = {"mine": OWN, **config["dialogue"]["systems"]}
    found = settings.load(config).dialogue.systems
    assert found["mine"].label == "MINE"
    assert list(found) == [*DEMO["dialogue"]["systems"], "mine"]


@pytest.mark.slow
def test_each_seed_is_a_training_by_default_the_runs(planned):
    own = {"dialogue": {"systems": {"mintl": {"seeds": [7, 8]}}}}
    leaves = ["results/impolite/table9.csv", "results/impolite/figure3.csv"]
    jobs = planned(["build/dialogue/scores.csv", "build/dialogue/transcripts.csv", *leaves], own)
    trained = {
        job["output"][0].removeprefix("build/responders/"): job["params"]["seed"]
        for job in jobs
        if job["rule"] in ("train_responder", "train_recurrent_responder")
    }
    augmented = {"mintl-augmented/model": "7", "mintl-augmented.run1/model": "8"}
    several = {"mintl/model": "7", "mintl.run1/model": "8", **augmented}
    assert {name: seed for name, seed in trained.items() if "mintl" in name} == several
    others = set(trained) - set(several)
    assert {"damd/network.safetensors", "damd-augmented/network.safetensors", "ubar/model"} <= others
    assert {trained[name] for name in others} == {"1"} and not any(".run" in name for name in others)
    answers = {name: [job for job in jobs if name in job["output"]] for name in SECOND}
    for file, (job,) in answers.items():
        model = "build/responders/" + file.split("/")[2] + "/model"
        assert job["rule"] == "respond" and model in job["input"]
    (listed,) = (job for job in jobs if job["rule"] == "list_responses")
    rows = json.loads(listed["params"]["rows"])
    assert [row for row in rows if row[0] == "mintl"] == [
        ["mintl", "-", *(f"build/responders/{name}/{users}.json" for users in ("polite", "impolite"))]
        for name in ("mintl", "mintl.run1")
    ]
    readers = {job["rule"] for job in jobs if set(answers) & set(job["input"])}
    assert readers == {"compare_systems"}
    (compared,) = (job for job in jobs if job["rule"] == "compare_systems")
    assert {file for row in rows[1:] for file in row[2:]} <= set(compared["input"])


@pytest.fixture(scope="module")
def paper():
    # Twice, as Snakemake merges: an alias of YAML has a copy of its own then.
    merged: dict[str, Any] = {}
    update_config(merged, DEMO)
    update_config(merged, yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8")))
    return settings.load(merged).dialogue


# Released weights are not trained further here, so that these printed rows have no system.
FURTHER_TRAINED = {f"{name} + Data Augmentation" for name in ("AuGPT", "PPTOD")}


def test_every_printed_row_has_a_system_at_the_papers_scale(paper):
    """Without one, a row of Tables VI to VIII would stay empty."""

    def printed(table: str) -> set[str]:
        keys = read_printed(ROOT / f"resources/printed/impolite/{table}.csv", "model", "data", "metric")
        return {model for model, _, _ in keys} - {"Cohen's kappa"}

    labels = {one.label for one in paper.systems.values()}
    assert len(printed("table7")) == 12
    assert (printed("table6") | printed("table7")) - labels == FURTHER_TRAINED
    rated = {paper.systems[name].label for name in paper.raters.systems}
    more = {one.label for one in paper.systems.values() if getattr(one, "of", "") in paper.raters.systems}
    assert printed("table8") - (rated | more) == {"PPTOD + Data Augmentation"}


def test_printed_labels_are_on_the_released_weights_at_the_papers_scale(paper):
    """Hu et al. use AuGPT's and PPTOD's released checkpoints; what is trained here says what it lacks."""
    for name in ("AuGPT", "PPTOD"):
        (kind,) = {one.kind for one in paper.systems.values() if one.label == name}
        assert kind == "released"
        (trained,) = (
            one
            for one in paper.systems.values()
            if one.label.startswith(f"{name} from ") and one.kind != "augmented"
        )
        assert "no dialogue pre-training" in trained.label
    assert paper.systems[paper.analysed or ""].label == "PPTOD"
    assert paper.systems[paper.analysed or ""].kind == "released"


def test_what_annotation_tells_the_systems_at_the_papers_scale(paper):
    """As the released codes have it: history, the domain of the database, the booking."""
    told = {
        name: (one.history, one.oracle_domain, one.oracle_booking)
        for name, system in paper.systems.items()
        if (one := getattr(system, "decoding", None))
    }
    assert told == {
        **dict.fromkeys(("damd", "labes", "mintl"), ("gold", True, True)),
        # UBAR's and PPTOD's codes are told no booking; docs/differences.md says so.
        **{"ubar": ("generated", True, True), "pptod": ("gold", True, True)},
        "pptod-released": ("gold", True, False),
        **dict.fromkeys(("augpt", "augpt-released"), ("gold", False, False)),
    }


@pytest.mark.slow
def test_trainings_with_more_data_are_told_which_are_the_further_ones(planned):
    """The updates are counted by the others."""
    files = {"mintl": "model", "damd": "network.safetensors"}
    systems = [f"{name}{more}/{file}" for name, file in files.items() for more in ("", "-augmented")]
    jobs = planned([f"build/responders/{name}" for name in systems], {})
    given: dict[str, tuple[str, str]] = {}
    for job in jobs:
        if job["rule"] in ("train_responder", "train_recurrent_responder"):
            words = shlex.split(job["shell"])
            further = words[words.index("--further") + 1] if "--further" in words else ""
            name = job["output"][0].removeprefix("build/responders/")
            given[name] = words[words.index("--dialogues") + 1], further
    known, more = "build/corpora/multiwoz/train.jsonl", "build/users/augmentation.jsonl"
    assert given == {name: (known, more if "augmented" in name else "") for name in systems}
