"""The generic test sets of translators under control, at open scale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Jobs

pytestmark = pytest.mark.slow
TABLE6 = ["results/cocoa-mt/table6.csv"]


def test_generic_test_sets_are_read_where_a_system_translates_them(planned: Callable[..., Jobs]) -> None:
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
