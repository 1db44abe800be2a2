"""The table of checkpoints has all that settings of checkout and documents name, with their commits."""

import re
from textwrap import dedent

import yaml

from tests.conftest import ROOT
from tests.hub import named

ROW = re.compile(r"^\| ([\w.-]+/[\w.-]+) \| ([0-9a-f]{40}) \| ([^|]+) \|", re.M)
INDENTED = re.compile(r"^ {4}\w+:\n(?: {4}.*\n|\n)+", re.M)


def settings_of(text: str) -> object:
    """What YAML has, with comments; None if it is no YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def test_the_table_has_the_checkpoints_of_all_configurations():
    files = [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))]
    texts = [path.read_text(encoding="utf-8") for path in files]
    # Settings that a document shows are indented, or fenced.
    for path in (ROOT / "docs").rglob("*.md"):
        texts += re.findall(r"^```yaml\n(.*?)^```$", path.read_text(encoding="utf-8"), re.M | re.S)
        texts += [dedent(block) for block in INDENTED.findall(path.read_text(encoding="utf-8"))]
    wanted = {found for text in texts for found in named(settings_of(text))}
    text = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    table = {(name, commit): licence for name, commit, licence in ROW.findall(text)}
    assert len(wanted) > 10 and wanted == table.keys()
    assert all(licence.strip() for licence in table.values())
