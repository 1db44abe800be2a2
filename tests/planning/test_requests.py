"""What requests to language models may cost, before anything runs."""

from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.planning.test_amounts import amounts_of, declared, job
from workflow_scripts.planning.rates import read_rates
from workflow_scripts.planning.requests import ASKED, requests_of
from workflow_scripts.planning.volumes import read_volumes
from workflow_scripts.prompting.causal import Causal
from workflow_scripts.prompting.endpoint import Endpoint
from workflow_scripts.prompting.gguf import Gguf

SERVICE = {"kind": "endpoint", "name": "m", "max_tokens": 30}


@pytest.fixture
def settings():
    found: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    found["prompting"] |= {"max_cost": 1.0, "prices": {"m": {"input": 2.0, "output": 8.0}}}
    return found


def asked(step: str, template: object, source: str, **wildcards: str) -> dict[str, Any]:
    return job(step, [str(template), "build/dev.txt", source], ["out"], **wildcards)


def asks(step: str) -> bool:
    return declared().get(step.partition(" (")[0], {}).get("counts") in ASKED


def test_every_step_with_the_guessed_rate_of_a_model_asks_one():
    rates = (ROOT / "resources/rates.csv").read_text(encoding="utf-8").splitlines()
    guessed = [
        line.partition(",")[0] for line in rates if ": as asked" in line or "a second for an answer" in line
    ]
    assert len(guessed) == 16 and all(map(asks, guessed))


@pytest.mark.parametrize("backend", [Endpoint, Gguf, Causal])
def test_jobs_assume_the_rates_of_plans(backend):
    rates = [
        rate
        for step, rate in read_rates(ROOT / "resources/rates.csv").items()
        if asks(step) and step.endswith(f"({backend.name})")
    ]
    assert len(rates) > 3
    for rate in rates:
        assert 1 / rate.per_second == pytest.approx(backend.seconds, rel=0.01)
        assert rate.gpu_times == getattr(backend, "gpu_times", 0)


def test_more_answers_at_a_time_take_less(settings, tmp_path):
    (template := tmp_path / "formal.txt").write_text("x")
    settings["systems"]["llm"] = {"examples": 0, "model": SERVICE}
    rates = read_rates(ROOT / "resources/rates.csv")
    for parallel, seconds in ((1, 321), (16, 21)):
        settings["prompting"]["parallel"] = parallel
        found = amounts_of(settings)
        found.texts.lines["build/source.txt"] = 320
        amount = found.of(asked("prompted (endpoint)", template, "build/source.txt", system="llm"))
        assert rates["prompted (endpoint)"].seconds(amount, gpu=False) == seconds


def test_the_bound_is_the_jobs_own(settings, tmp_path):
    """A token a byte, 64 for a chat's format, and whole answers."""
    (template := tmp_path / "formal.txt").write_text("x" * 500)
    settings["systems"]["llm"] = {"examples": 4, "model": SERVICE}
    found = amounts_of(settings)
    found.texts.lines |= {"build/dev.txt": 900, "build/source.txt": 50}
    amount = found.of(asked("prompted (endpoint)", template, "build/source.txt", system="llm", lang="fr"))
    given = 50 * (500 + 4 * 170 + 70 + 64)
    # Four at a time.
    assert (amount.units, amount.requests, amount.tokens) == (50 / 4, 50, given + 50 * 30)
    assert amount.dollars == pytest.approx((2 * given + 8 * 50 * 30) / 1e6)
    assert amount.assumed == ("at most so many dollars",)


def test_what_a_job_would_refuse_is_told(settings, tmp_path):
    (template := tmp_path / "formal.txt").write_text("x" * 500)
    settings["systems"]["llm"] = system = {"examples": 0, "model": SERVICE}
    given = asked("prompted (endpoint)", template, "build/source.txt", system="llm")
    dollars = requests_of(settings, given, 1000).dollars
    assert dollars == pytest.approx((2 * 634 + 8 * 30) / 1000)
    settings["prompting"]["max_cost"] = 0.99 * dollars
    assert requests_of(settings, given, 1000).assumed[-1] == "above prompting.max_cost"
    settings["prompting"]["prices"]["m"] = {"input": 0, "output": 0}
    assert requests_of(settings, given, 1000).assumed == ()
    settings["prompting"]["prices"] = {}
    assert requests_of(settings, given, 1000).assumed == ("no price of m",)
    # On the user's machine; its file is no template.
    (model := tmp_path / "llm.gguf").write_text("y" * 9000)
    system["model"] = {"kind": "gguf", "name": str(model), "max_tokens": 30}
    local = requests_of(settings, {**given, "input": [str(model), *given["input"]]}, 10)
    assert (local.tokens, local.dollars, local.assumed) == (10 * 664, 0.0, ())


def test_every_section_has_requests(settings, tmp_path):
    for name, size in (("one", 300), ("two", 500)):
        (tmp_path / name).write_text("x" * size)
    settings["politeness"]["prompted"] = {"llm": {"model": SERVICE, "sample": 5}}
    for section in ("control", "dialogue", "style"):
        settings[section]["systems"]["llm"] = {"examples": 2, "model": SERVICE}
    found = amounts_of(settings)
    found.texts.lines["build/source.txt"] = 50
    one = tmp_path / "one"
    amount = found.of(asked("controlled (endpoint)", one, "build/source.txt", system="llm"))
    assert (amount.requests, amount.tokens) == (50, 50 * (300 + 2 * 170 + 70 + 64 + 30))
    texts = [
        "build/politeness/requests/hi.test.sentences.txt",
        "build/politeness/requests/fr.test.scores.txt",
    ]
    amount = found.of(job("asked (endpoint)", [str(one), *texts], ["s"], classifier="llm"))
    assert (amount.requests, amount.tokens) == (5, 5 * (300 + 350 + 64 + 30))
    volumes = read_volumes(ROOT / "resources/volumes.csv", settings)
    turns = {part: volumes["multiwoz", "demo", part].lines for part in ("train", "test")}
    for part, of in (("tested", "test"), ("rest", "train"), ("drawn", "train")):
        amount = found.of(asked("rewritten (endpoint)", one, "build/x.txt", rewriter="llm", part=part))
        assert 4 * amount.units == amount.requests == turns[of] > 0
    both = job("answered (endpoint)", [str(one), str(tmp_path / "two")], ["s"], system="llm", users="polite")
    amount = found.of(both)
    # A template for states and one for responses, each at every turn.
    assert amount.requests == 2 * turns["test"]
    assert amount.tokens == amount.requests * (400 + 2 * 700 + 2000 + 64 + 30)


def test_a_judge_is_asked_for_every_output(settings, tmp_path):
    (template := tmp_path / "meaning.txt").write_text("x" * 300)
    settings["evaluation"]["judge"] = {"model": SERVICE}
    found = amounts_of(settings)
    outputs = [f"build/transfer/fr/{name}/run0.txt" for name in ("copy", "rule-based")]
    informal = "build/corpora/xformal/fr/informal.txt"
    found.texts.lines |= dict.fromkeys([*outputs, informal], 100)
    given = job("judge (endpoint)", [str(template), informal, *outputs], ["out"], scorer="judge_meaning")
    amount = found.of(given)
    assert (4 * amount.units, amount.requests, amount.tokens) == (200, 200, 200 * (300 + 70 + 64 + 30))
    assert amount.dollars > 0
    # A rated sentence is its own source.
    found.texts.lines[rated := "build/corpora/pt16/test.sentences.txt"] = 50
    given = job(
        "judge (endpoint)", [rated, rated, str(template)], ["out"], scorer="judge_formality", lang="en"
    )
    amount = found.of(given)
    assert (4 * amount.units, amount.requests) == (50, 50) and amount.dollars > 0
