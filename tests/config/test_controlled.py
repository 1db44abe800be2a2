"""The generic test sets of translators under control, at open scale."""

import re
import shlex
import textwrap

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config.settings import load
from workflow_scripts.core.errors import InputError
from workflow_scripts.text.levels import SHARED_TASKS

pytestmark = pytest.mark.slow
TABLE6 = ["results/cocoa-mt/table6.csv"]
HUB = ["config/open.yaml", "config/hub.yaml"]


def test_generic_test_sets_are_read_where_a_system_translates_them(planned):
    """Of the other languages there may be none: NTREX of Hindi is no source of the open scale."""
    jobs = planned(TABLE6, {}, "config/open.yaml")
    read = {path for job in jobs if job["rule"] == "read_generic" for path in job["output"]}
    translated = {
        path.split("/")[4] for job in jobs if job["rule"] == "decode_generic" for path in job["output"]
    }
    assert {path.split("/")[3] for path in read} == translated == {"de", "fr"}
    scored = [job for job in jobs if job["rule"] == "score_controlled"]
    assert len(scored) > 1
    for job in scored:
        assert ("--generic" in job["shell"]) == any(
            part in path for part in ("/de/", "/fr/") for path in job["output"] + job["input"]
        )


def test_the_paper_scale_has_the_papers_languages_and_sets(planned):
    """Six generic models; TED in Japanese only; dev sets but in Italian; four languages labelled by rules."""
    jobs = planned(TABLE6, {}, "config/paper.yaml")

    def languages(rule: str, place: int, part: str = "") -> set[str]:
        return {
            path.split("/")[place]
            for job in jobs
            if job["rule"] == rule
            for path in job["output"]
            if part in path
        }

    assert languages("train_generic", 3) == {"de", "es", "fr", "it", "hi", "ja"}
    assert languages("read_generic", 3) == {"de", "es", "fr", "it", "hi"}
    assert languages("read_jparacrawl", 3) == languages("read_test_set", 3, "/ted.") == {"ja"}
    assert languages("read_test_set", 3, "/wmt.") == {"de", "es", "fr", "it", "hi", "ja"}
    assert languages("read_test_set", 3, "/dev.") == {"de", "es", "fr", "hi", "ja"}
    assert languages("train_tuned", 4, "/rules/") == {"de", "es", "fr", "ja"}
    assert languages("decode_generic_ted", 4) == languages("decode_tuned_ted", 4) == {"ja"}
    table = next(job for job in jobs if job["rule"] == "cocoa_mt_table6")
    for told in (
        "de.train=paracrawl-v9-de",
        "hi.train=ccmatrix-hi",
        "es.wmt=newstest2013-es",
        "ja.dev=newsdev2020-ja",
    ):
        assert told in table["shell"]
    assert "'it.dev=pairs held out of the training pairs'" in table["shell"]


# Translators of the shared tasks' test sets: a small model from scratch, and a language model in a file.
TUNED = {"label": "TUNED", "kind": "finetuned", "model": {"kind": "scratch"}}
ASKED = {"label": "ASKED", "kind": "prompted", "model": {"kind": "gguf", "name": "m.gguf", "max_tokens": 9}}


def test_translators_of_shared_tasks_are_made_beside_each_other(planned, tmp_path):
    (tmp_path / "m.gguf").touch()
    model = {**ASKED["model"], "name": str(tmp_path / "m.gguf")}
    tuned = {
        **TUNED,
        "languages": ["ko-2023", "pt-2023", "vi-2023", "ru-2023"],
        "segments": {"ru-2023": "vi-2023"},
    }
    asked = {**ASKED, "model": model, "languages": ["ko-2023", "vi-2023"]}
    control = {"rows": ["references", "tuned", "asked"], "systems": {"tuned": tuned, "asked": asked}}
    control["languages"] = ["pt"]
    jobs = planned(["results/cocoa-mt/shared-tasks.csv"], {"control": control})

    def outputs(rule: str) -> set[str]:
        return {path for job in jobs if job["rule"] == rule for path in job["output"]}

    models = {f"build/control/tuned/tuned/{name}/run0.model" for name in ("ko-2023", "pt-2023", "vi-2023")}
    assert outputs("fine_tune_translator") == models
    corpora = {f"build/corpora/iwslt2023/{name}" for name in ("ko-2023", "vi-2023")}
    assert outputs("read_shared_task_train") == corpora
    # Of the released CoCoA-MT, also at demo scale.
    assert outputs("read_shared_cocoa_train") == {"build/corpora/iwslt2023/pt-2023"}
    (european,) = (job for job in jobs if job["rule"] == "shared_cocoa_test")
    assert european["input"] == ["build/corpora/cocoa-mt/pt"]
    assert {path.split("/")[4] for path in outputs("translate_finetuned")} == set(tuned["languages"])
    assert {path.split("/")[4] for path in outputs("controlled_gguf")} == set(asked["languages"])
    (russian,) = (job for job in jobs if "build/control/scores/ru-2023.csv" in job["output"])
    made = [
        f"build/control/outputs/tuned/ru-2023/{level}/run0.finetuned.csv" for level in ("formal", "informal")
    ]
    assert set(made) < set(russian["input"])
    (read,) = (job for job in jobs if "build/corpora/iwslt2023/ko-2023" in job["output"])
    assert "--tested=build/control/test/ko-2023/source.txt" in read["shell"]
    assert not {job["rule"] for job in jobs} & {"train_generic", "fine_tune", "demo_world"}
    control["tested_segments"] = True
    jobs = planned(["build/corpora/iwslt2023/ko-2023"], {"control": control})
    assert all("--tested" not in job["shell"] for job in jobs if job["rule"] == "read_shared_task_train")


def test_a_translator_as_it_is_needs_no_segments_and_no_training(planned, tmp_path):
    """Its one translation stands for both levels; a model that is told the level has two."""
    plain = {"label": "PLAIN", "kind": "finetuned", "training": None, "languages": ["ru-2022", "vi-2023"]}
    plain["model"] = {"kind": "folder", "path": str(tmp_path)}
    told = {"label": "TOLD", "like": "plain", "prompt": "<{level}> ", "languages": ["ko-2023"]}
    control = {"rows": ["references", "plain", "told"], "systems": {"plain": plain, "told": told}}
    control |= {"languages": ["pt"], "baseline": "plain"}
    jobs = planned(["results/cocoa-mt/shared-tasks.csv"], {"control": control})
    rules: dict[str, list] = {job["rule"]: [] for job in jobs}
    for job in jobs:
        rules[job["rule"]].append(job)
    assert not rules.keys() & {"fine_tune_translator", "read_shared_task_train", "read_shared_cocoa_train"}
    made = [f"build/control/pretrained/{name}" for name in ("plain", "told")]
    assert sorted(path for job in rules["pretrained_translator"] for path in job["output"]) == made
    folders = [f"build/control/outputs/plain/{name}" for name in plain["languages"]]
    names = ("formal/run0.txt", "informal/run0.txt", "run0.finetuned.csv")
    once = sorted(rules["translate_without_level"], key=lambda job: job["output"])
    assert [job["output"] for job in once] == [[f"{folder}/{name}" for name in names] for folder in folders]
    for job in once:
        assert {"--made=pretrained:folder", "--prompt="} < set(shlex.split(job["shell"]))
        assert made[0] in job["input"]
    words = {word for job in rules["translate_finetuned"] for word in shlex.split(job["shell"])}
    prompts = {word for word in words if word.startswith("--prompt=")}
    assert prompts == {"--prompt=<formal> ", "--prompt=<informal> "}
    scored = {job["output"][0]: job for job in rules["score_controlled"]}
    for name in ("ru-2022", "ko-2023"):
        job = scored[f"build/control/scores/{name}.csv"]
        is_there = name in plain["languages"]
        assert ("--baseline=plain" in job["shell"]) == is_there
        assert (f"build/control/outputs/plain/{name}/run0.finetuned.csv" in job["input"]) == is_there


@pytest.mark.parametrize(
    ("system", "problem"),
    [
        (
            {**TUNED, "languages": ["ko-2023", "ru-2022"]},
            "configuration: TUNED: ru-2022 has no training segments; name a set that has some,"
            " segments: {ru-2022: ko-2023}",
        ),
        (
            {**TUNED, "languages": ["ru-2022"], "segments": {"ru-2022": "ru-2023"}},
            "'control.systems.mine.segments.ru-2022' is 'ru-2023'",
        ),
        (
            {**ASKED, "languages": ["vi-2023", "ru-2023"]},
            "configuration: ASKED: ru-2023 has no training segments for 4 examples; set examples: 0",
        ),
        ({**ASKED, "languages": ["ko-2022"]}, "'control.systems.mine.languages.0' is 'ko-2022'"),
    ],
)
def test_a_test_set_without_segments_is_told(demo, system, problem):
    demo["control"]["systems"]["mine"] = system
    with pytest.raises(InputError) as told:
        load(demo)
    assert problem in str(told.value) and "\n" not in str(told.value)


def test_a_classifier_that_is_given_scores_all_test_sets_of_shared_tasks(planned, tmp_path):
    control = {"rows": ["references"], "classifier": {"path": str(tmp_path), "formal": "first"}}
    jobs = planned(["results/cocoa-mt/shared-tasks.csv"], {"control": control})
    scored = {path for job in jobs if job["rule"] == "classify_controlled" for path in job["output"]}
    assert scored == {f"build/control/classified/{name}" for name in SHARED_TASKS}
    (taken,) = (job for job in jobs if job["rule"] == "shared_task_classifier")
    assert f"--folder={tmp_path}" in taken["shell"] and "--place 0" in taken["shell"]
    (score,) = (job for job in jobs if "build/control/scores/vi-2023.csv" in job["output"])
    assert "--classified build/control/classified/vi-2023/references/formal.run0.txt" in score["shell"]
    jobs = planned(["results/cocoa-mt/shared-tasks.csv"], {"control": {"rows": ["references"]}})
    assert not {job["rule"] for job in jobs} & {"classify_controlled", "shared_task_classifier"}


def test_the_model_of_one_language_is_enough_for_its_tables(planned):
    """With the settings that the document shows, nothing is trained before the tuning."""
    document = (ROOT / "docs/papers/cocoa-mt.md").read_text(encoding="utf-8")
    (block,) = re.findall(
        r"^    control:\n(?:     .*\n)*?      generic: .*\n(?:     .*\n)*", document, re.MULTILINE
    )
    leaves = [
        f"results/cocoa-mt/{name}" for name in ("table8.csv", "table13.csv", "figure1.svg", "figure2.svg")
    ]
    jobs = planned([*TABLE6, *leaves], yaml.safe_load(textwrap.dedent(block)), *HUB)
    assert [job["output"] for job in jobs if job["rule"] == "read_sockeye"] == [
        [f"build/control/generic/it/{name}" for name in ("text", "model.safetensors")]
    ]
    tuned = {path for job in jobs if job["rule"] == "train_tuned" for path in job["output"]}
    assert all("/it/" in path for path in tuned)
    for row in ("cocoa-mt", "half", "single", "feminine"):
        assert any(f"/{row}/" in path for path in tuned)
    assert not any(job["rule"] == "train_generic" for job in jobs)
