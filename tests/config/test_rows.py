"""The order of the rows, and the rows that one wants, as the workflow plans them."""

import json
import re
from typing import Any

import pytest
import yaml

from tests.config.conftest import Jobs
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

PAPER = list(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["systems"])
LEAVES = [f"results/{name}.csv" for name in ("table6", "table7", "table8", "table10", "figure3", "figure4")]
TABLE7 = "build/papers/xformal/table7.manifest.csv"
SHEET = "results/human/fr.csv"
TRAINING = {"train_supervised", "train_unsupervised", "train_prior"}


def params(jobs: Jobs, rule: str) -> dict[str, Any]:
    """The params of a rule's jobs, which are the same for what is asked here."""
    return next(job["params"] for job in jobs if job["rule"] == rule)


def trained(jobs: Jobs) -> set[str]:
    """The systems of which some model is trained."""
    rules = TRAINING - {"train_prior"}
    return {path.split("/")[3] for job in jobs if job["rule"] in rules for path in job["output"]}


def given(jobs: Jobs, leaf: str) -> dict[str, list[str]]:
    """The options of a leaf's command."""
    words: dict[str, list[str]] = {}
    for word in params(jobs, leaf)["options"]:
        if word.startswith("--"):
            name, _, value = word.removeprefix("--").partition("=")
            words[name] = last = [value] if value else []
        else:
            last.append(word)
    return words


def listed(jobs: Jobs, manifest: str, column: str) -> list[str]:
    """The values of a manifest's column, each once, in the order of the rows."""
    job = next(job for job in jobs if manifest in job["output"])
    header, *lines = json.loads(job["params"]["rows"])
    return list(dict.fromkeys(line[header.index(column)] for line in lines))


def test_an_overlay_reorders_no_rows(planned, tmp_path):
    """Whatever it adds comes last, in the order given, and what it changes stays where it is."""
    for lang in ("pt", "it", "fr"):
        (tmp_path / f"{lang}.txt").write_text("Bom dia.\n", encoding="utf-8")
    base = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["systems"]
    systems = {
        "mine": {"label": "MINE", "kind": "outputs", "path": f"{tmp_path}/{{lang}}.txt"},
        "other-unmt": {**base["unmt"], "label": "OTHER UNMT"},
        "dlsm": {"label": "DLSM, RELABELLED"},
    }
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(yaml.safe_dump({"systems": systems}, sort_keys=False), encoding="utf-8")
    jobs = planned(["results/table7.csv"], {}, overlay)
    assert listed(jobs, TABLE7, "system") == [*PAPER, "mine", "other-unmt"]
    labels = listed(jobs, TABLE7, "label")
    assert labels.index("DLSM, RELABELLED") < labels.index("UNMT (IN-DOMAIN)") < labels.index("MINE")


def test_without_rows_all_are_shown(planned):
    jobs = planned(LEAVES, {})
    assert listed(jobs, TABLE7, "system") == PAPER
    everywhere = [name for name in PAPER if not name.endswith("in-domain")]
    for lang, names in {"fr": PAPER, "it": everywhere}.items():
        assert listed(jobs, f"build/evaluation/{lang}/scores.manifest.csv", "system") == names
    assert trained(jobs) == set(PAPER) - {"gold", "copy", "rule-based", "round-trip-mt"}


def test_rows_filter_every_leaf_and_order_none(planned):
    """The baseline is scored though it is no row, and a system that a row needs is trained but not shown."""
    jobs = planned([*LEAVES, SHEET], {"rows": ["dlsm", "backtranslate", "gold"]})
    assert listed(jobs, TABLE7, "system") == ["gold", "backtranslate", "dlsm"]
    manifests = "build/papers/xformal/{}.manifest.csv"
    scored = listed(jobs, "build/evaluation/fr/scores.manifest.csv", "system")
    assert scored == ["gold", "rule-based", "backtranslate", "dlsm"]
    assert "--baseline=rule-based" in params(jobs, "evaluate")["tests"]
    assert params(jobs, "evaluate")["gold"] == ["gold"]
    reruns = listed(jobs, "build/evaluation/fr/reruns.manifest.csv", "system")
    assert sorted(reruns) == ["backtranslate", "dlsm"]
    assert listed(jobs, manifests.format("figure4"), "system") == ["backtranslate", "dlsm"]
    assert set(listed(jobs, manifests.format("table6"), "label")) == {"BACKTRANSLATE", "UNMT/DLSM"}
    for name in ("table8", "figure3"):
        labels = {"INFORMAL", "XFORMAL REWRITE", "BACKTRANSLATE", "DLSM"}
        assert set(listed(jobs, manifests.format(name), "label")) == labels
    # Raters judge what both lists name.
    assert params(jobs, "human_tasks")["systems"] == ["backtranslate"]
    assert params(jobs, "human_tasks")["texts"] == ["--gold=gold"]
    assert trained(jobs) == {"translate-train-tag", "backtranslate", "dlsm"}


def test_where_no_row_is_rated_raters_are_not_asked(planned):
    jobs = planned(["results/table7.csv", "results/table10.csv"], {"rows": ["copy", "gold"]})
    assert "human_tasks" not in {job["rule"] for job in jobs}
    assert params(jobs, "table7")["human"] == [] and given(jobs, "table10")["ratings"] == []
    # Where some languages have one, the table of agreement is theirs.
    jobs = planned(
        ["results/table10.csv"],
        {"rows": ["copy", "unmt-in-domain"], "human": {"systems": ["unmt-in-domain"]}},
    )
    assert given(jobs, "table10")["languages"] == ["fr"]


def test_own_outputs_beside_copy_and_rules_train_no_system(snakemake):
    wanted = ["-n", "--forceall", "--config", "rows=[copy, rule-based]", "--", "results/table7.csv"]
    done = snakemake(ROOT, *wanted)
    assert done.returncode == 0, done.stdout + done.stderr
    listed = re.search(r"^job +count\n[- ]+\n(.*?)^total", done.stdout, re.MULTILINE | re.DOTALL)
    assert listed
    rules = {line.split()[0] for line in listed[1].splitlines() if line.strip()}
    assert {"copy", "rule_based", "evaluate", "table7", "train_regressor", "train_lm"} <= rules
    # No text of a system, no model, no decoding.
    assert not rules & (TRAINING | {"translate_gyafc", "learn_text", "decode_supervised", "sample_informal"})
