"""Any text of the configuration reaches a command unchanged, or is refused in one line."""

import copy
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
import yaml

from tests.config.conftest import Jobs
from tests.conftest import ROOT
from workflow_scripts.config import settings
from workflow_scripts.config.languages import languages
from workflow_scripts.config.needs import lacking
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.sources import registry

Place = tuple[str, ...]
# What a shell, Snakemake's patterns, JSON and a parser of options each read in a way of their own.
HOSTILE = "-x h{number}h a'b\"c $(touch RUN)`touch RUN` {{x}} \\n ;&|<>*?[1] #~! é"
PATH = "/{folder}/h{number}h a'b\"c $(touch RUN)`touch RUN` \\n ;&|<>*[1] #~! é"
ONE_LINE = "{hostile}\ntwo"
REGISTRY = registry.load(ROOT / "resources/sources.csv")
VERSIONS = {(row.corpus, row.version, row.part) for row in REGISTRY}
RECORDER = '#!/bin/bash\nprintf "%s\\0" "$@" >> "$RECORD"\nprintf "\\1\\0" >> "$RECORD"\n'


def holds_text(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return False
    return kind is str or any(map(holds_text, get_args(kind)))


def places(model: type[settings.Section], inner: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The settings of a model that are texts, or hold some, with their types."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, settings.Section):
            yield from places(kind, (*inner, name))
        elif (inner, name) != ((), "systems") and holds_text(kind):
            yield (*inner, name), kind


def texts(demo: dict[str, Any]) -> list[tuple[Place, Any]]:
    """All settings that hold texts, those of each kind of system too."""
    found = list(places(settings.Settings))
    for name, system in demo["systems"].items():
        found += places(settings.KINDS_OF["systems"][system["kind"]], ("systems", name))
    return found


def put(config: dict[str, Any], place: Place, kind: Any, text: str) -> None:
    """Set a text; in a list or mapping of texts as its only one."""
    *path, last = place
    for key in path:
        config = config[key]
    plain = [part for part in (kind, *get_args(kind)) if get_origin(part) in (list, dict)]
    shape = get_origin(plain[0]) if plain else None
    key = "en-de" if last == "directions" else "de"
    config[last] = [text] if shape is list else {key: text} if shape is dict else text


def refusal(config: dict[str, Any]) -> str:
    """Why settings are refused before the first job; nothing if they are not."""
    try:
        checked = settings.load(config)
        registry.accepted(checked.downloads.unpinned, REGISTRY)
    except InputError as problem:
        return str(problem)
    return "\n".join(lacking(checked.model_dump(), languages(), VERSIONS, ROOT / "resources"))


@pytest.fixture(scope="module")
def demo():
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["languages"] = ["fr"]
    config["systems"]["mine"] = {"label": "MINE", "kind": "outputs", "path": "x"}
    config["systems"]["other"] = {
        "label": "OTHER",
        "kind": "other_input",
        "of": "backtranslate",
        "input": "copy",
    }
    config["systems"]["llm"] = {
        **{"label": "LLM", "kind": "prompted", "examples": 1},
        "model": {"kind": "transformers", "name": "x"},
    }
    config["systems"]["tuned"] = {
        **{"label": "TUNED", "kind": "finetuned", "input": "copy", "prompt": "{style}: ", "codes": {}},
        "model": {"kind": "folder", "path": "x", "checkpoint": "", "revision": ""},
    }
    assert {system["kind"] for system in config["systems"].values()} == set(settings.KINDS_OF["systems"])
    return config


@pytest.fixture(scope="module")
def accepted(demo, tmp_path_factory):
    """The configuration with a hostile text wherever one is accepted, and the texts by their places."""
    folder = str(tmp_path_factory.mktemp("given")).strip("/")
    config, kept = copy.deepcopy(demo), {}
    found = texts(demo)
    assert len(found) > 40
    for number, (place, kind) in enumerate(found):
        hostile = HOSTILE.format(number=number)
        for text in (
            hostile,
            PATH.format(number=number, folder=folder),
            PATH.format(number=number, folder=folder) + "{lang}",
        ):
            changed = copy.deepcopy(config)
            put(changed, place, kind, text)
            why = refusal(changed)
            if not why:
                config, kept[place] = changed, text
                break
            assert len(why.splitlines()) == 1 and len(why) < 700, why
        # With a line break nothing is accepted.
        changed = copy.deepcopy(demo)
        put(changed, place, kind, ONE_LINE.format(hostile=hostile))
        assert len(refusal(changed).splitlines()) == 1, place
    assert {("licensed",), ("cache",), ("mirror",), ("human", "ratings"), ("analysis", "annotations")} <= set(
        kept
    )
    assert {
        ("translation", "hf", "prefix"),
        ("systems", "mine", "path"),
        ("systems", "unmt", "label"),
        ("systems", "llm", "model", "name"),
        ("systems", "tuned", "model", "path"),
    } <= set(kept)
    return {"config": config, "texts": kept}


def prepare(kept: dict[Place, str]) -> None:
    """The folders that the configuration names."""
    ratings, annotations, against = (
        Path(kept[place])
        for place in (("human", "ratings"), ("analysis", "annotations"), ("evaluation", "against"))
    )
    for path in (
        *(folder / "fr.csv" for folder in (ratings, ratings / "workers", ratings / "reviews", annotations)),
        against / "build/evaluation/fr/scores.csv",
        ratings / "qualification" / "fr.csv",
        Path(kept["evaluation", "released"]) / "en.csv",
        Path(kept["systems", "mine", "path"].format(lang="fr")),
        Path(kept["systems", "llm", "prompt"]),
        Path(kept["politeness", "raters", "ratings"]) / "hi.csv",
        Path(kept["politeness", "raters", "dump_ratings"]) / "hi.csv",
        Path(kept["control", "raters", "ratings"]) / "labels/fr.csv",
        Path(kept["politeness", "dumps"]) / "hiwiki-1-pages-meta-current.xml.bz2",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


LEAVES = [
    *("results/index.html", "results/changes.csv", "results/human/fr.html", "results/cocoa-mt/table3.csv"),
    *("results/tydip/table2.csv", "results/tydip/crawl.csv", "results/cocoa-mt/table4.csv"),
    *("results/impolite/table5.csv", "results/impolite/figure3.csv", "results/politeness/rated"),
]
SCORERS = ["similarity", "zero_shot", "formal", "pseudo_perplexity"]
# Which of the settings count: backends and encoders exclude each other, and licensed corpora the demo's.
VARIANTS = {
    "nmt": (
        [],
        {
            "style": {"judge": {"encoder": {"kind": "package"}}},
            "dialogue": {"similarity": {"encoder": {"kind": "package"}}},
            "evaluation": {"metrics": SCORERS, "scorers": {name: {"path": None} for name in SCORERS}},
        },
    ),
    "hf": (
        ["config/paper.yaml"],
        {"translation": {"backend": "hf"}, "dialogue": {"similarity": {"encoder": {"kind": "hub"}}}},
    ),
    "aws": (
        [],
        {
            "translation": {"backend": "aws"},
            "formality": {"encoder": {"kind": "folder"}},
            "dialogue": {"similarity": {"encoder": {"kind": "folder"}}},
            "style": {"judge": {"encoder": {"kind": "folder"}}, "fluency": {"model": {"kind": "folder"}}},
            "evaluation": {"metrics": SCORERS},
        },
    ),
    "apertium": (["config/open.yaml"], {}),
}


def recorded(jobs: Jobs, folder: Path) -> list[list[str]]:
    """The words that bash gives to each job's command."""
    lines = ["export RECORD=$PWD/record"]
    for job in jobs:
        for path in job["log"]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        program = job["shell"].split()[0]
        if program != "python":
            program = program.strip("'")
            (folder / program).parent.mkdir(parents=True, exist_ok=True)
            (folder / program).write_text(RECORDER)
            (folder / program).chmod(0o755)
        lines.append(job["shell"])
    (folder / "bin").mkdir()
    (folder / "bin/python").write_text(RECORDER)
    (folder / "bin/python").chmod(0o755)
    script = folder / "all.sh"
    script.write_text("PATH=$PWD/bin:$PATH\n" + "\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(["bash", "-eu", script.name], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    whole = (folder / "record").read_text(encoding="utf-8")
    return [words.split("\0")[:-1] for words in whole.split("\1\0")[:-1]]


def strings(value: Any) -> Iterator[str]:
    """The texts in a JSON value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    else:
        yield str(value)


def said(word: str) -> list[str]:
    """What a word says: itself, or the texts of its JSON."""
    bare = re.sub(r"^--[\w-]+=", "", word)
    return list(strings(json.loads(bare))) if bare[:1] in ("[", "{") and bare[-1] in "]}" else [word]


@pytest.fixture(scope="module")
def seen():
    return {}


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_text_reaches_commands_as_it_is(accepted, planned, seen, tmp_path, variant):
    prepare(accepted["texts"])
    overlays, changes = VARIANTS[variant]
    mine = tmp_path / "mine.yaml"
    mine.write_text(json.dumps({**accepted["config"], "languages": ["fr"]}), encoding="utf-8")
    files = [mine, *(ROOT / overlay for overlay in overlays)]
    jobs = planned(LEAVES, {"filtering": {"shards": 2}, "languages": ["fr"], **changes}, *files)
    jobs = [job for job in jobs if job["shell"]]
    assert len(jobs) > 100
    folder = tmp_path / "run"
    folder.mkdir()
    given = recorded(jobs, folder)
    assert len(given) == len(jobs)
    assert not list(folder.rglob("RUN")), "a command ran what stands in a setting"
    seen[variant] = set()
    for job, words in zip(jobs, given, strict=True):
        everything = [text for word in words for text in said(word)]
        for place, text in accepted["texts"].items():
            (mark,) = re.findall(r"h\d+h", text)
            found = [one for one in everything if mark in one]
            if mark in job["shell"]:
                assert found, (job["rule"], place)
            for one in found:
                assert text in one or text.replace("{lang}", "fr") in one, (job["rule"], place, one)
            if found and job["rule"] != "resolved":
                seen[variant].add(place)


@pytest.mark.slow
def test_every_accepted_text_was_seen(accepted, seen):
    """So that the test above has looked at all of them."""
    if set(seen) != set(VARIANTS):
        pytest.skip("needs all variants")
    assert set(accepted["texts"]) - set.union(*seen.values()) == set()
