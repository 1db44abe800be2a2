"""What docs/clusters.md says of submissions is what the rules and the profile give."""

from __future__ import annotations

import re

import pytest

from .submissions import ROOT, TABLE7, ask, counted

pytestmark = pytest.mark.slow


def test_the_table_of_submissions() -> None:
    found = counted(ask(ROOT, {}, ["config/paper.yaml"], TABLE7))
    text = (ROOT / "docs/clusters.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| after \| (\d+) \| (\d+) \| (\d+) \|$", text, flags=re.MULTILINE)
    assert dict(zip(("jobs", "on nodes", "submissions"), map(int, row), strict=True)) == found
