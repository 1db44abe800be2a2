"""Checks of every leaf that a test has written."""

import csv

import pytest

from tests.papers.documented import check_leaves

# What a field holds if a number or a fact was forgotten.
FORGOTTEN = ("None", "nan")


@pytest.fixture(autouse=True)
def every_number_says_where_it_comes_from(tmp_path):
    """Whatever a test wants of a leaf: its numbers have a signature, and no field lacks a fact."""
    yield
    for path in tmp_path.rglob("*.csv"):
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = list(csv.DictReader(stream))
        if not rows or not {"ours", "comparable", "signature"} <= rows[0].keys():
            continue
        for row in rows:
            assert row["signature"] or not row["ours"], f"{path}: {row}"
            facts = [fact.rpartition(":")[2] for fact in row["signature"].split("|")]
            assert not set(FORGOTTEN) & {*facts, *row.values()}, f"{path}: {row}"


@pytest.fixture(autouse=True)
def every_leaf_is_as_documented(request, monkeypatch):
    """Whatever a test wants of a leaf: its columns are documented, and its differences and scale said."""
    check_leaves(request.module, monkeypatch)
