"""The listed sources of a leaf are the ones that Snakemake would read for it."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.workflow.dag import ask
from tests.workflow.scales import CONFIGURATIONS
from workflow_scripts.corpora.sources.registry import Entry, find, load

pytestmark = pytest.mark.slow

REGISTRY = load(ROOT / "resources/sources.csv")
with (ROOT / "resources/leaves.csv").open(encoding="utf-8", newline="") as _stream:
    # The corpora of a leaf at the paper's scale.
    CORPORA = {_row["leaf"]: _row["corpora"] for _row in csv.DictReader(_stream)}
FILES = {f"results/{leaf}.csv": leaf for leaf in CORPORA}
# Rules that bring a source; what they read is no source.
DEMO = ("gyafc", "xformal", "ratings", "subtitles", "bitext", "yahoo", "yahoo_fr")
BRING = {*(f"demo_{part}" for part in DEMO), "download", "download_files", "check_licensed"}
PLACES: dict[str, Entry] = {}
for _row in REGISTRY:
    PLACES[
        {
            "generated": f"build/corpora/demo/{_row.path}",
            "open": f"build/corpora/downloads/{_row.path}",
            "on request": f"build/corpora/licensed/{_row.id}.txt",
        }[_row.access]
    ] = _row


def behind(target: str, made: dict[str, dict[str, Any]]) -> set[str]:
    """The addresses of the sources that a file is made of."""
    seen: set[str] = set()
    todo = [target]
    while todo:
        path = todo.pop()
        # A folder is made as a whole.
        maker = next((made[p] for p in (path, *map(str, Path(path).parents)) if p in made), None)
        if path not in seen and maker and maker["rule"] not in BRING:
            todo += maker["input"]
        seen.add(path)
    return addresses(PLACES[path] for path in PLACES if path in seen)


def addresses(rows: Iterable[Entry]) -> set[str]:
    """Two entries of one file are one source."""
    return {f"{row.access} {row.path}" for row in rows}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_sources_of_leaves(name, jobs_at):
    made = {path: job for job in jobs_at(name) for path in job["output"]}
    # Leaves without a rule yet are not listed.
    expected = {leaf: behind(path, made) for path, leaf in FILES.items() if path in made}
    assert {"table6", "table7", "pt16", "tydip/table1", "cocoa-mt/m-acc"} <= set(expected)
    rule = made["results/sources.csv"]
    pairs = dict(item.split("=") for item in rule["params"]["used"])
    names = {leaf: ids.split(",") if ids else [] for leaf, ids in pairs.items()}
    found = {leaf: addresses(find(REGISTRY, name) for name in ids) for leaf, ids in names.items()}
    assert found == expected
    brought = addresses(PLACES[path] for path in rule["input"] if path in PLACES)
    assert brought == set().union(*expected.values())
    if name == "paper":
        corpora = {
            leaf: " ".join(sorted({find(REGISTRY, name).corpus for name in ids}))
            for leaf, ids in names.items()
        }
        assert {leaf: CORPORA[leaf] for leaf in names} == corpora, "resources/leaves.csv: corpora"


def test_only_the_papers_of_the_report_are_listed(project):
    job = next(job for job in ask(project, {}, [], ["results/sources.csv"]) if job["rule"] == "used_sources")
    used = " ".join(job["params"]["used"])
    assert "table7=" in used and "tydip" not in used
    assert not any(path.startswith("build/corpora/downloads/") for path in job["input"])


def test_sources_are_looked_for_where_the_settings_say(project, snakemake):
    for folder, name, text in (("there", "pt16/data/email", "no"), ("mine", "L26/answers.xml", "<a/>")):
        (project / folder / name).parent.mkdir(parents=True)
        (project / folder / name).write_text(text)
    (project / "mine.yaml").write_text("mirror: there\nlicensed: mine\n")
    done = snakemake(
        project, "--cores", 1, "--quiet", "all", "--configfile", "config.yaml", "mine.yaml", "--", "sources"
    )
    assert done.returncode == 0, done.stderr
    states = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "mirror: damaged" in states["pt16-email"] and "missing" in states["pt16-news"]
    assert "present" in states["yahoo-fr"] and "missing" in states["yahoo"]
    assert "there/pt16/data/email: damaged" in done.stderr
