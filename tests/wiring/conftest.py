"""The wiring at demo scale, with other settings, and without Snakemake."""

import copy
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config import settings
from workflow_scripts.config.languages import GENERIC_COLUMNS, GENERIC_TABLE, languages
from workflow_scripts.corpora.sources.registry import load
from workflow_scripts.wiring.run import Run
from workflow_scripts.wiring.subjects import Subjects

TORCH = ["--precision=auto", "--threads=1"]
DEMO = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def merged(config: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    for key, value in more.items():
        inner = isinstance(value, dict) and isinstance(config.get(key), dict)
        config[key] = merged(config[key], value) if inner else value
    return config


class Job(dict):
    """Wildcards, by name and as attributes."""

    __getattr__ = dict.__getitem__


class Wired(Subjects):
    """Every subject of one run."""

    def __init__(self, overlay: dict[str, Any]) -> None:
        checked = settings.load(merged(copy.deepcopy(DEMO), {"device": "cpu", **overlay}))
        registry = load(ROOT / "resources/sources.csv")
        tables = languages(), languages(GENERIC_TABLE, GENERIC_COLUMNS)
        super().__init__(Run(checked, registry, *tables, makes=lambda path: path.startswith("build/")))


@pytest.fixture(scope="session")
def wired():
    return lambda **overlay: Wired(overlay)


@pytest.fixture(scope="session")
def demo():
    """What no test changes."""
    return Wired({})
