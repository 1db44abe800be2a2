"""Impolite users whose words a system writes: the jobs, and the information for leaves."""

from typing import Any

import pytest
import yaml

from tests.workflow.dag import ROOT, ask
from workflow_scripts.config import settings
from workflow_scripts.core.errors import InputError

LEAVES = [f"results/impolite/table{number}.csv" for number in (2, 3, 4, 5, 7, 9)]
LEAVES += ["results/impolite/figure3.svg", "build/dialogue/augmentation/impolite.jsonl"]


def jobs_of(changes: dict[str, Any]) -> list[dict[str, Any]]:
    return ask(ROOT, {"corpora": {"impolite": "transfer"}, **changes}, [], LEAVES)


def by_rule(jobs: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {job["rule"]: job for job in jobs}


@pytest.mark.slow
def test_rules_write_the_corpus_and_leaves_say_so():
    found = jobs_of({})
    jobs = by_rule(found)
    corpus = "build/users/corpus/impolite.jsonl"
    assert jobs["made_corpus"]["output"] == [corpus] and corpus in jobs["read_impolite"]["input"]
    assert jobs["drawn_words"]["params"]["sizes"] == ["300", "300"]
    assert jobs["rewrite_by_rules"]["output"] == ["build/users/rules/drawn.txt"]
    # Nobody has written what a transfer could learn.
    assert not {"users_pairs", "train_rewriter", "train_dast", "train_judge", "overlay_users"} & jobs.keys()
    assert jobs["impolite_table5"]["input"] == ["resources/printed/impolite/table5.csv"]
    for leaf in ("table2", "table3", "table4", "table7", "table9", "figure3"):
        assert "--written-by=RULE-BASED" in jobs[f"impolite_{leaf}"]["params"]["options"], leaf
    # More data are the same system's rewrites of training dialogues.
    more = [job for job in found if job["rule"].startswith("train_") and "augmented" in job["output"][0]]
    assert len(more) == 2
    for job in more:
        assert "build/dialogue/augmentation/impolite.jsonl" in job["input"], job["rule"]


@pytest.mark.slow
def test_a_language_model_is_asked_without_examples():
    model = {"kind": "endpoint", "name": "m", "address": "http://127.0.0.1:9/v1"}
    row = {"label": "LLM", "kind": "prompted", "model": model, "examples": 4}
    settled = {"style": {"corpus": {"by": "llm"}, "systems": {"llm": row}}}
    jobs = by_rule(jobs_of({**settled, "prompting": {"prices": {"m": {"input": 1, "output": 1}}}}))
    asked = jobs["rewritten_endpoint"]
    assert asked["output"][0] == "build/users/llm/drawn.txt"
    words = asked["params"]["asked"]
    assert "--examples=0" in words and not any(word.startswith("--informal") for word in words)
    assert not any("learnt" in path for path in asked["input"]) and "rewrite_by_rules" not in jobs


@pytest.mark.parametrize(
    ("by", "problem"),
    [
        ("dast", r"style\.corpus\.by: 'dast' learns from people's rewrites"),
        ("t5", r"style\.corpus\.by: 't5' learns from people's rewrites; give rules or prompted"),
        ("rule", r"style\.corpus\.by: no system 'rule'; did you mean 'rules'"),
    ],
)
def test_who_cannot_write_the_corpus(by, problem):
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["style"]["corpus"]["by"] = by
    with pytest.raises(InputError, match=problem):
        settings.load(config)


def test_dast_has_no_more_pretraining_than_training():
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    config["style"]["systems"]["dast"]["training"].update(epochs=3, pretraining=4)
    with pytest.raises(InputError, match=r"style\.systems\.dast\.training\.pretraining: more than training"):
        settings.load(config)
