"""Each requirement that a new language lacks is named in one clear line, before the first job."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import said
from workflow_scripts.config.languages import languages
from workflow_scripts.config.needs import lacking, translatable
from workflow_scripts.corpora.sources.registry import load

ROOT = Path(__file__).parents[2]
DEMO = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
VERSIONS = {(row.corpus, row.version, row.part) for row in load(ROOT / "resources/sources.csv")}
# A language of which nothing is known but how it is written.
BARE = dict.fromkeys(languages()["fr"], "") | {"code": "xx", "name": "Xish", "label": "XX"}
REAL = {"xformal": "cocoa-mt", "opensubtitles": "open", "bitext": "open"}
RULES = "systems.rule-based needs resources/abbreviations/xx.tsv"


def asked(changes: dict[str, Any], row: dict[str, str] = BARE) -> list[str]:
    """What `xx` lacks with config.yaml and some changes."""
    config = copy.deepcopy(DEMO)
    for name, system in config["systems"].items():
        config["systems"][name] = {"languages": None, **system}
    config["languages"] = ["xx"]
    for section, values in changes.items():
        config[section] |= values
    found = lacking(config, languages() | {"xx": row}, VERSIONS, ROOT / "resources")
    assert all(line.startswith("configuration: ") for line in found)
    return [line.removeprefix("configuration: ") for line in found]


def test_a_language_that_lacks_everything():
    assert asked({}) == [
        "the demo world has no 'xx'; set corpora.xformal, corpora.opensubtitles, corpora.bitext to real data",
        RULES,
    ]
    assert asked({"corpora": REAL}) == [
        "no corpus of corpora.open_bitext has 'xx'; see tatoeba, ntrex, diabla in resources/languages.csv",
        RULES,
    ]
    assert asked({"corpora": REAL}, BARE | {"ntrex": "xxx"}) == [RULES]


def test_versions_of_the_registry_need_a_row_of_the_language():
    versions = {"xformal": "1.0", "opensubtitles": "v2018", "bitext": "v2018", "punkt": "nltk"}
    filtering = {"bicleaner": {"pack": "v1.6", "threshold": 0.5}}
    assert asked({"corpora": versions, "filtering": filtering}) == [
        "corpora.opensubtitles: resources/sources.csv has no opensubtitles v2018 of 'xx'",
        "corpora.bitext: resources/sources.csv has no bitext v2018 of 'xx'",
        "filtering.bicleaner.pack: resources/sources.csv has no bicleaner v1.6 of 'xx'",
        "column punkt of resources/languages.csv is empty for 'xx'; set corpora.punkt",
        RULES,
    ]


@pytest.mark.parametrize(
    ("pairs", "backend", "problem"),
    [
        ("en", "hf", "translation.backend hf: column nllb of resources/languages.csv is empty for 'xx'"),
        (
            "es",
            "apertium",
            "translation.apertium.chains has no en-xx, xx-en, es-xx; or take another backend",
        ),
        (
            "es",
            "nmt",
            "translation.backend nmt translates from English, not from corpora.gyafc_language 'es' into 'xx'",
        ),
        ("xx", "nmt", ""),
        ("en", "aws", ""),
    ],
)
def test_a_backend_needs_to_know_the_language(pairs, backend, problem):
    changes = {"corpora": REAL | {"gyafc_language": pairs}, "translation": {"backend": backend}}
    found = [line for line in asked(changes, BARE | {"ntrex": "xxx"}) if "'xx'" in line or "chains" in line]
    assert [line[: len(problem)] for line in found] == ([problem] if problem else [])


def test_a_language_may_have_a_backend_and_pairs_of_its_own():
    row = BARE | {"ntrex": "xxx"}
    own = {"gyafc": "cocoa-mt", "gyafc_language": "es", "gyafc_languages": {"xx": "xx"}}
    own |= {"gyafc_references": 1}
    changes = {
        "corpora": REAL | own,
        "translation": {"backend": "apertium", "backends": {"xx": "nmt"}},
    }
    assert [line for line in asked(changes, row) if "translation" in line or "gyafc_" in line] == []
    changes["translation"]["backends"] = {"yy": "nmt"}
    changes["corpora"]["gyafc"] = "1.0"
    found = "".join(asked(changes, row))
    assert "translation.backends: resources/languages.csv has no 'yy'" in found
    assert "corpora.gyafc_languages needs corpora.gyafc: cocoa-mt" in found
    changes["corpora"] = changes["corpora"] | {"gyafc_languages": {"xx": "es"}, "gyafc_references": 4}
    found = "".join(asked(changes, row))
    assert "corpora.gyafc_languages: 'es' is none of `languages`" in found
    assert "the pairs of cocoa-mt have gyafc_references: 1" in found


@pytest.mark.parametrize("lang", ["hi", "es", "ja", "ta"])
def test_languages_of_cocoa_mt_and_tydip_have_backends_without_a_row(lang):
    """Hindi, Spanish and Japanese test sentences are translated as the configured languages are."""

    def said(backend: str) -> str:
        return "".join(
            line for line in asked({"translation": {"backends": {lang: backend}}}) if f"'{lang}'" in line
        )

    assert lang not in languages() and said("aws") == said("apertium") == ""
    assert "hf translates languages of resources/languages.csv" in said("hf")
    assert "take aws or apertium" in said("nmt")


@pytest.mark.parametrize(
    ("backend", "expected"),
    [("aws", ["hu", "fr", "es"]), ("apertium", ["fr", "es"]), ("nmt", ["fr"]), ("hf", ["fr"])],
)
def test_requests_are_translated_as_far_as_a_backend_can(backend, expected):
    section = DEMO["translation"]
    found = translatable(["hu", "fr", "es"], languages(), {**section, "backend": backend})
    assert found == expected


def test_the_projects_languages_lack_nothing_at_any_scale():
    for name in ("open", "paper"):
        config = copy.deepcopy(DEMO)
        overlay = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
        for section in ("corpora", "translation", "filtering"):
            config[section] |= overlay.get(section, {})
        config["systems"] = {"r": {"kind": "rules", "languages": None}}
        assert lacking(config, languages(), VERSIONS, ROOT / "resources") == []


@pytest.mark.slow
def test_a_dry_run_says_it(project, snakemake):
    table = project / "resources/languages.csv"
    columns = table.read_text(encoding="utf-8").splitlines()[0].count(",")
    with table.open("a", encoding="utf-8") as stream:
        stream.write(f"de,German,DE{',' * (columns - 2)}\n")
    done = snakemake(project, "-n", "--config", "languages=['de']", "--", "results/table7.csv")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    found = said(done.stderr)
    assert len(found) == 2 and "the demo world has no 'de'" in found[0]
    assert "needs resources/abbreviations/de.tsv" in found[1]


def test_lexicons_of_requests_need_the_requests():
    given = {
        "corpora": {**REAL, "tydip_requests": "dfc6306"},
        "politeness": {"lexicons": {"bitext": "requests", "requests": 5, "sequences": 5}},
    }
    row = BARE | {"ntrex": "xxx"}
    assert asked(given, row) == [RULES]
    given["corpora"] = {**REAL, "tydip_requests": "none"}
    assert asked(given, row) == [
        RULES,
        "politeness.lexicons.bitext: requests needs corpora.tydip_requests, which is none",
    ]
