"""The jobs behind all leaves of all papers, at every scale."""

import json
from functools import cache
from typing import Any

import pytest

from tests.workflow import tiny
from tests.workflow.dag import ROOT, ask
from workflow_scripts.leaves.registry import load, load_papers

# The three scales, an overlay of the second, and settings on which much depends.
CONFIGURATIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "demo": ([], {}),
    "open": (["config/open.yaml"], {}),
    "hub": (["config/open.yaml", "config/hub.yaml"], {}),
    "paper": (
        ["config/paper.yaml"],
        {"human": {"ratings": "people"}, "analysis": {"annotations": "people"}},
    ),
    "mixed": (
        ["config/paper.yaml"],
        {
            "languages": ["it"],
            "corpora": {"opensubtitles": "open", "gyafc": "demo"},
            "translation": {"backend": "nmt"},
            "filtering": {"bicleaner": {"pack": None}},
            # Rows that are files of one's own.
            "style": {"systems": {"mine": {"label": "MINE", "kind": "outputs", "path": "people/fr.csv"}}},
            "politeness": {
                "outputs": {"mine": {"label": "MINE", "path": "people/{lang}.csv", "languages": ["en", "fr"]}}
            },
        },
    ),
}
REPORT = {"report": {"papers": list(load_papers(ROOT / "resources/papers.csv"))}}
TARGETS = [f"results/{leaf.name}.csv" for leaf in load(ROOT / "resources/leaves.csv")]


@pytest.fixture(scope="session")
def jobs_at(tmp_path_factory):
    """The jobs of a configuration, and of changes of it, as `dag.ask` tells them; each is asked for once."""
    project = tmp_path_factory.mktemp("scales")
    tiny.copy_sources(project)
    # What people gave, of the paper's scale.
    (project / "people").mkdir()
    for lang in ("pt", "it", "fr", "en"):
        (project / "people" / f"{lang}.csv").touch()

    @cache
    def told(name: str, changes: str) -> list[dict[str, Any]]:
        files, config = CONFIGURATIONS[name]
        targets = ["results/sources.csv", "results/index.html", *TARGETS]
        return ask(project, config | REPORT | json.loads(changes), files, targets)

    return lambda name, **changes: told(name, json.dumps(changes))
