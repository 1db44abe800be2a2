"""The work of jobs of dialogue systems, by format, size and training."""

from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.planning.test_amounts import job
from workflow_scripts.planning.amounts import Amount, Amounts
from workflow_scripts.planning.dialogues import FORMATS
from workflow_scripts.planning.volumes import read_volumes

TRAIN = "build/corpora/multiwoz/train.jsonl"


@pytest.fixture
def settings():
    found = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    found["dialogue"]["systems"]["mintl"]["training"] |= {"epochs": 3, "max_updates": None}
    return found


def amount_of(settings: dict[str, Any], rule: str, inputs: list[str], **wildcards: str) -> Amount:
    volumes = read_volumes(ROOT / "resources/volumes.csv", settings)
    return Amounts(settings, volumes, {}, {}).of(job(rule, inputs, ["model"], **wildcards))


def test_a_training_counts_passes_turns_and_the_model(settings):
    settings["corpora"]["multiwoz"] = "2.1"
    amount = amount_of(settings, "train_responder", [TRAIN], system="mintl")
    assert amount.step == "train_responder (mintl)"
    # One layer of 64 units, 800 words; a multiplication in training is done again twice.
    size = 12 * 64**2 + 64 * 800
    assert amount.units == pytest.approx(3 * 3 * 7365 * FORMATS["mintl"].learnt * size / 1e9)
    more = amount_of(settings, "train_responder", [TRAIN, "more.jsonl"], system="mintl-augmented")
    # As many updates as without more data.
    assert more.step == amount.step and more.units == pytest.approx(amount.units)


def test_updates_end_a_training_of_whole_dialogues(settings):
    ubar = settings["dialogue"]["systems"]["ubar"]
    ubar["training"] |= {"batch_size": 4, "accumulate": 2, "max_updates": 10}
    amount = amount_of(settings, "train_responder", [TRAIN], system="ubar")
    size = 2 * 12 * 64**2 + 64 * 800
    # Ten times eight dialogues of seven turns.
    assert amount.units == pytest.approx(3 * 80 * 7 * FORMATS["ubar"].learnt * size / 1e9)


def test_answers_count_the_turns_of_their_users(settings):
    settings["corpora"] |= {"multiwoz": "2.1", "impolite": "demo"}
    polite, impolite = (
        amount_of(settings, "respond", [], system="damd", users=users) for users in ("polite", "impolite")
    )
    assert polite.step == "respond (damd)"
    assert polite.units / impolite.units == pytest.approx(7372 / (5.4 * 80))


def test_pretrained_models_and_services_have_steps_of_their_own(settings):
    settings["dialogue"]["systems"]["pptod"]["model"]["kind"] = "hub"
    amount = amount_of(settings, "train_responder", [TRAIN], system="pptod")
    assert amount.step == "train_responder (large)"
    model = {"kind": "transformers", "name": "x", "max_tokens": 1}
    settings["dialogue"]["systems"]["llm"] = {"examples": 4, "model": model}
    asked = amount_of(settings, "answered (endpoint)", [TRAIN], system="llm", users="polite")
    assert asked.unit == "line" and asked.units == pytest.approx(2 * 5.4 * 80)
