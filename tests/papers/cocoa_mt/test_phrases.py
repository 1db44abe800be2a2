"""Table 3 of CoCoA-MT: phrases, their tokens and parts of speech."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.papers.cocoa_mt.test_leaves import PAPER, PRINTED, ROOT, by_key
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell, read_printed
from workflow_scripts.papers.cocoa_mt import table3 as table3_module
from workflow_scripts.papers.cocoa_mt.table3 import Share, mean_of_others
from workflow_scripts.papers.cocoa_mt.table3 import table3 as table3_command


@pytest.fixture
def spacy_python():
    """A Python that has spaCy: this one, or that of the environment TUVOUS_SPACY."""
    if folder := os.environ.get("TUVOUS_SPACY"):
        return f"{folder}/bin/python"
    if not (find_spec("spacy") and find_spec("sudachipy")):
        pytest.skip("no spaCy here, and TUVOUS_SPACY names no environment with it")
    return sys.executable


def table3(python: str, tmp_path: Path, corpus: Path, language: str, *pipelines: str) -> dict[str, Any]:
    """Run the command that needs spaCy; the lines of one language by their metric."""
    compare = tmp_path / "table3.compare.csv"
    done = subprocess.run(
        [
            *(python, "-m", "workflow_scripts.papers.cocoa_mt.table3", str(tmp_path / "table3.csv")),
            *(str(compare), "--corpora", str(corpus), "--languages", language, "--threads", "1"),
            *("--printed", str(PRINTED / "table3.csv"), *(["--pipelines", *pipelines] if pipelines else [])),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if done.returncode == 2:
        raise InputError(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    return {key[1]: row for key, row in by_key(compare).items() if key[0] == language}


@pytest.mark.slow
def test_phrases_and_tokens(tmp_path, canonical, spacy_python):
    found = table3(spacy_python, tmp_path, canonical("de"), "de")
    # Sie, Könnten Sie, Sie; twice.
    assert {name: row["ours"] for name, row in found.items()} == {
        **{"phrases_unique": "2", "phrases_total": "6", "tokens_unique": "2", "tokens_total": "8"},
        **{"verbs": "", "pronouns": "", "nouns_adjectives": ""},
    }
    assert found["verbs"]["comparable"].startswith("no: no tagger") and not found["verbs"]["signature"]
    assert "|tok:spacy-" in found["tokens_total"]["signature"]
    assert found["tokens_total"]["signature"].endswith("+blank-de")
    assert rows_of(tmp_path / "table3.csv")[0]["phrases_total"] == "6"


def taggers(python: str, folder: Path, name: str, tags: dict[str, dict[str, str]]) -> dict[str, str]:
    """Pipelines of a name that tag words by a list, by language; their folders."""
    patterns = {
        language: [{"patterns": [[{"LOWER": word}]], "attrs": {"POS": tag}} for word, tag in listed.items()]
        for language, listed in tags.items()
    }
    paths = {language: str(folder / f"{language}_{name}") for language in tags}
    script = (
        "import json, spacy, sys\n"
        "paths, patterns = map(json.loads, sys.argv[2:])\n"
        "for language, path in paths.items():\n"
        "    model = spacy.blank(language, meta={'name': sys.argv[1], 'version': '3.8.0'})\n"
        "    model.add_pipe('attribute_ruler').add_patterns(patterns[language])\n"
        "    model.to_disk(path)\n"
    )
    # One process for all: to load spaCy takes a second.
    subprocess.run([python, "-c", script, name, json.dumps(paths), json.dumps(patterns)], check=True)
    return paths


@pytest.mark.slow
def test_a_pipeline_tags_the_tokens(tmp_path, canonical, spacy_python):
    """Its shares are compared if it is the paper's."""
    tags = {"könnten": "AUX", "sie": "PRON"}
    for name, comparable in (
        ("core_news_lg", "yes"),
        ("core_news_sm", "no: tagged by de_core_news_sm-3.8.0, not by de_core_news_lg"),
    ):
        pipelines = taggers(spacy_python, tmp_path, name, {"de": tags})
        found = table3(spacy_python, tmp_path, canonical("de"), "de", f"de={pipelines['de']}")
        assert (found["verbs"]["ours"], found["pronouns"]["ours"]) == ("25.0", "75.0")
        signature = found["verbs"]["signature"]
        assert "|pos:spacy-" in signature and signature.endswith("|VERB+AUX")
        assert found["verbs"]["comparable"] == found["pronouns"]["comparable"] == comparable
        assert found["tokens_total"]["comparable"] == "yes"
    with pytest.raises(InputError, match="is for 'de', not for 'it'"):
        table3(spacy_python, tmp_path, canonical("it"), "it", f"it={pipelines['de']}")
    with pytest.raises(InputError, match="cannot load pipeline de_no_such"):
        table3(spacy_python, tmp_path, canonical("de"), "de", "de=de_no_such")


class Blank:
    """In the place of spaCy's German models, to which the phrases of the test are their words."""

    def __init__(self, tags: dict[str, str] | None = None) -> None:
        self.tags = tags or {}

    def pipe(self, texts: Iterable[str]) -> Iterator[list[SimpleNamespace]]:
        for text in texts:
            yield [
                SimpleNamespace(text=word, is_space=False, pos_=self.tags.get(word, ""))
                for word in text.split()
            ]


def test_a_signature_counts_the_references(monkeypatch):
    """Not the phrases, of which a reference may have several, or none."""
    monkeypatch.setattr(table3_module, "_load", lambda *_: (Blank(), "spacy-3.8+blank-de"))
    references = [
        "[F]Könnten Sie[/F] warten , oder gehen [F]Sie[/F] ?",
        "Sind [F]Sie[/F] sich sicher ?",
        "Sind [F]Sie sich sicher ?",
        "Ja .",
    ]
    found, _ = table3_module.count_phrases(references, "de", None)
    assert {name: found[name].ours for name in ("phrases_total", "tokens_total", "tokens_unique")} == {
        **{"phrases_total": "3", "tokens_total": "4", "tokens_unique": "2"}
    }
    where = "references:train.formal|case:mixed|n:4|malformed:1"
    assert {name: cell.signature for name, cell in found.items()} == {
        **dict.fromkeys(("phrases_unique", "phrases_total"), where),
        **dict.fromkeys(("tokens_unique", "tokens_total"), f"{where}|tok:spacy-3.8+blank-de"),
        **dict.fromkeys(("verbs", "pronouns", "nouns_adjectives"), ""),
    }
    lacking = "no tagger: name de_core_news_lg of spaCy in control.pipelines"
    assert found["verbs"] == found["nouns_adjectives"] == Cell("", "", lacking)
    # Of the four tokens one is a verb, and the others are pronouns.
    tagged = (Blank({"Könnten": "AUX", "Sie": "PRON"}), "spacy-3.8+de_core_news_sm-3.8.0")
    monkeypatch.setattr(table3_module, "_load", lambda _, name: tagged if name else (Blank(), "blank"))
    found, share = table3_module.count_phrases(references, "de", "de_core_news_sm")
    other = "tagged by de_core_news_sm-3.8.0, not by de_core_news_lg"
    pos = f"{where}|pos:spacy-3.8+de_core_news_sm-3.8.0"
    assert found["verbs"] == Cell("25.0", f"{pos}|VERB+AUX", other)
    assert found["pronouns"] == Cell("75.0", f"{pos}|PRON+DET", other)
    assert found["nouns_adjectives"] == Cell("0", f"{pos}|NOUN+ADJ", other)
    assert share == table3_module.Share(0.0, other)
    assert table3_module.tagged_otherwise("de", "spacy-3.8+de_core_news_lg-3.8.0") == ""
    assert table3_module.tagged_otherwise("pt", "spacy-3.8+pt_core_news_sm-3.8.0") == ""


def test_a_signature_names_spacy_and_what_it_has_loaded(monkeypatch):
    """spaCy has an environment of its own, so that a stand-in says what it would say of its models."""
    meta = {"lang": "de", "name": "core_news_lg", "version": "3.8.0"}
    blank, german = SimpleNamespace(lang="xx"), SimpleNamespace(lang="de", meta=meta)

    def loaded(name: str) -> SimpleNamespace:
        if name != "de_core_news_lg":
            raise OSError(f"no package {name}\nand so on")
        return german

    spacy = SimpleNamespace(__version__="3.8.7", blank={"de": blank, "ja": blank}.__getitem__, load=loaded)
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    load = table3_module._load
    assert load("de", None) == (blank, "spacy-3.8.7+blank-de")
    assert load("de", "de_core_news_lg") == (german, "spacy-3.8.7+de_core_news_lg-3.8.0")
    fix = "install it beside spaCy, or name its folder"
    with pytest.raises(InputError, match=rf"cannot load pipeline de_sm \(no package de_sm\); {fix}"):
        load("de", "de_sm")
    with pytest.raises(InputError, match=r"pipeline de_core_news_lg is for 'de', not for 'it'"):
        load("it", "de_core_news_lg")

    def unknown(language: str) -> SimpleNamespace:
        raise ImportError(f"no language {language}")

    spacy.blank = unknown
    with pytest.raises(InputError, match=r"cannot load the tokenizer of 'zz' \(no language zz\)"):
        load("zz", None)


def test_the_whole_table_without_a_tagger(tmp_path, canonical, monkeypatch):
    monkeypatch.setattr(table3_module, "_load", lambda language, _: (Blank(), f"spacy-3.8+blank-{language}"))
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"corpora": [canonical("de")] * 2, "languages": ["de", "pt"], "threads": 1}
    table3_command(*files, **given, printed=PRINTED / "table3.csv")
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["de", "2", "6", "2", "8", "", "", ""],
        ["pt", "2", "6", "2", "8", "", "", ""],
        ["others", *[""] * 7],
    ]
    cells = by_key(files[1])
    assert cells["de", "phrases_total"]["printed"] == "754"
    assert cells["pt", "phrases_total"]["comparable"] == "no: not printed"
    assert cells["others", "nouns_adjectives"]["comparable"] == "no: no tagger for de+es+fr+hi+it"
    # Each pipeline, whatever its name or folder is, tags the language that it is named for.
    taggers = {"lg": Blank({"Sie": "PRON", "Könnten": "AUX"}), "folder/x=y": Blank({"Sie": "NOUN"})}
    monkeypatch.setattr(
        table3_module,
        "_load",
        lambda language, name: (taggers[name], f"spacy-3.8+{name}") if name else (Blank(), "spacy-3.8"),
    )
    pipelines = ["pt=folder/x=y", "de=lg"]
    table3_command(*files, **given, pipelines=pipelines, printed=PRINTED / "table3.csv")
    assert [list(row.values())[5:] for row in rows_of(files[0])] == [
        *(["25.0", "75.0", "0"], ["0.0", "0.0", "75"], ["", "", ""])
    ]
    assert by_key(files[1])["others", "nouns_adjectives"]["comparable"] == "no: no tagger for es+fr+hi+it"


@pytest.mark.slow
def test_the_row_of_the_others_is_of_the_papers_languages(tmp_path, canonical, spacy_python):
    """Without Portuguese and Japanese, and of shares before rounding: all are the same German corpus here."""
    languages = ["de", "es", "fr", "hi", "it", "ja", "pt"]
    corpus = canonical("de")
    # Könnten and Sie, which is three of four tokens.
    nouns = {"de": {"könnten": "NOUN"}, "es": {"könnten": "ADJ"}, "pt": {"sie": "NOUN"}}
    tags = {one: {"könnten": "AUX", **nouns.get(one, {})} for one in languages if one != "ja"}
    named = taggers(spacy_python, tmp_path, "core_news_lg", tags)
    files = [tmp_path / "t.csv", tmp_path / "t.compare.csv"]

    def others(*left_out: str) -> dict[str, str]:
        pipelines = [f"{one}={path}" for one, path in named.items() if one not in left_out]
        command = [spacy_python, "-m", "workflow_scripts.papers.cocoa_mt.table3", *map(str, files)]
        command += ["--corpora", *[str(corpus)] * 7, "--languages", *languages, "--threads", "1"]
        command += ["--printed", str(PRINTED / "table3.csv"), "--pipelines", *pipelines]
        subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
        return by_key(files[1])["others", "nouns_adjectives"]

    row = others()
    # Two of five have a quarter.
    assert row["ours"] == "10" and row["comparable"] == "no: tagged by hi_core_news_lg-3.8.0, not by stanza"
    assert row["signature"] == "mean of de+es+fr+hi+it|NOUN+ADJ"
    row = others("es", "hi", "pt")
    assert row["ours"] == "" and row["comparable"] == "no: no tagger for es+hi"
    cells = by_key(files[1])
    assert cells["es", "verbs"]["comparable"] == (
        "no: no tagger: name es_core_news_lg of spaCy in control.pipelines"
    )
    assert cells["hi", "verbs"]["comparable"] == (
        "no: no tagger: the paper's is stanza, which is not run here"
    )


def test_the_mean_of_the_others_is_that_of_unrounded_shares():
    """Of 1, 1, 1, 1 and 2 it would be 1; Portuguese is none of the paper's languages."""
    shares = {one: Share(1.4, "") for one in ("de", "es", "fr", "hi")}
    assert mean_of_others(shares).caveat == "no tagger for it"
    cell = mean_of_others({**shares, "it": Share(2.0, "by another"), "pt": Share(90.0, "")})
    assert (cell.ours, cell.caveat) == ("2", "by another")


@pytest.mark.parametrize("pipelines", [["de_core"], ["it=it_core"], ["de="], ["de=one", "de=other"]])
def test_a_pipeline_is_of_one_language_of_the_table(tmp_path, pipelines):
    files = (tmp_path / "t.csv", tmp_path / "c.csv")
    given = {"pipelines": pipelines, "threads": 1, "printed": PRINTED / "table3.csv"}
    with pytest.raises(InputError, match="not one pipeline for one language; write, for example, de=NAME"):
        table3_command(*files, corpora=[], languages=["de"], **given)


@pytest.mark.slow
def test_japanese_tokens_have_parts_of_speech_of_their_own(tmp_path, canonical, spacy_python):
    found = table3(spacy_python, tmp_path, canonical("ja"), "ja")
    assert found["verbs"]["ours"] and found["pronouns"]["ours"]
    assert "+sudachidict-core-" in found["verbs"]["signature"]
    for name in ("verbs", "pronouns", "nouns_adjectives"):
        assert found[name]["comparable"].startswith("no: tagged by sudachipy-")
        assert found[name]["comparable"].endswith(", not by ja_core_news_lg")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "malformed"), [("es", 0), ("it", 1)])
def test_real_phrases(tmp_path, real, spacy_python, language, malformed):
    found = table3(spacy_python, tmp_path, real(language), language)
    counts = [row for row in found.values() if row["ours"]]
    assert len(counts) == 4
    for row in counts:
        assert row["difference"] == "0"
        assert f"malformed:{malformed}" in row["signature"]


def test_the_printed_counts_of_table3_are_those_of_the_paper():
    """A second copy of the columns that count, from the paper's text, since no sum is printed."""
    columns = {
        "phrases_unique": (183, 219, 149, 33, 179, 915),
        "phrases_total": (754, 625, 624, 627, 615, 2473),
        "tokens_unique": (123, 217, 118, 34, 167, 619),
        "tokens_total": (1103, 758, 921, 628, 747, 6778),
    }
    printed = read_printed(PRINTED / "table3.csv", "lang", "metric")
    assert {key: int(text) for key, text in printed.items() if key[1] in columns} == {
        (language, name): number
        for name, column in columns.items()
        for language, number in zip(PAPER, column, strict=True)
    }
