"""How much jobs of TyDiP's classifiers have to do, by their encoders."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.planning.amounts import Amounts
from workflow_scripts.planning.volumes import read_volumes

PARTS = [f"build/politeness/requests/{name}.{{}}.txt" for name in ("en.train", "hi.test", "fr.test")]
REQUESTS = [path.format(kind) for path in PARTS for kind in ("sentences", "scores")]


def job(rule: str, inputs: list[str], outputs: list[str], **wildcards: str) -> dict[str, Any]:
    return {"rule": rule, "input": inputs, "output": outputs, "wildcards": wildcards}


@pytest.fixture
def settings() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def amounts_of(settings: dict[str, Any]) -> Amounts:
    """After the job that writes the requests."""
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    found.of(job("tydip_requests", [], REQUESTS))
    return found


@pytest.mark.parametrize(
    ("encoder", "version", "step", "units"),
    [
        # Two layers of 64 units on the outer quartiles of 240 requests.
        ({}, "demo", "train classifier", 120 * 15 * 2 * 12 * 64**2 * 40 / 1e9),
        # Lines of requests and scores.
        ({"kind": "ngrams"}, "demo", "train classifier (light)", 240),
        # RoBERTa-large on those that were released.
        (
            {"kind": "hub"},
            "dfc6306",
            "train classifier (large)",
            1927 * 15 * 24 * 12 * 1024**2 * 40 * 1.5 / 1e9,
        ),
    ],
)
def test_a_training_counts_epochs_requests_and_the_encoder(
    settings: dict[str, Any], encoder: dict[str, str], version: str, step: str, units: float
) -> None:
    settings["corpora"]["tydip"] = version
    settings["politeness"]["classifiers"]["roberta"]["encoder"] |= encoder
    amount = amounts_of(settings).of(job("train_classifier", REQUESTS[:2], ["m"], classifier="roberta"))
    assert amount.step == step
    assert amount.units == pytest.approx(units)


def test_a_scoring_and_a_sample_that_is_asked_about(settings: dict[str, Any]) -> None:
    found = amounts_of(settings)
    texts = [path.format("sentences") for path in PARTS[1:]]
    amount = found.of(job("score_requests", texts, ["s"], classifier="roberta"))
    assert amount.step == "score classifier"
    assert amount.units == pytest.approx(2 * 40 * 2 * 12 * 64**2 * 40 / 1e9)
    for sample, units in ((None, 80), (12, 24)):
        settings["politeness"]["prompted"] = {"llm": {"sample": sample}}
        gold = [path.format("scores") for path in PARTS[1:]]
        amount = found.of(job("asked_gguf", [*texts, *gold], ["s"], classifier="llm"))
        # Each language's requests, not their scores.
        assert amount.step == "asked_gguf" and amount.units == units
