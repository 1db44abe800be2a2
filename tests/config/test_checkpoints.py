"""The table of checkpoints has every one that a configuration of the checkout names, with its commit."""

import re

import yaml

from tests.conftest import ROOT
from tests.hub import named

ROW = re.compile(r"^\| ([\w.-]+/[\w.-]+) \| ([0-9a-f]{40}) \| ([^|]+) \|", re.M)


def test_the_table_has_the_checkpoints_of_all_configurations():
    files = [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))]
    wanted = {found for path in files for found in named(yaml.safe_load(path.read_text(encoding="utf-8")))}
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    table = {(name, commit): licence for name, commit, licence in ROW.findall(text)}
    assert len(wanted) > 10 and wanted == table.keys()
    assert all(licence.strip() for licence in table.values())
