"""Properties of every rule of the workflow, as Snakemake reads them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.submissions import profile
from tests.commands import Command, command, parser
from tests.conftest import ROOT
from tests.wiring.conftest import Wired
from tests.workflow import forks
from workflow_scripts.core.provenance import code_of
from workflow_scripts.core.rule_defaults import AMOUNTS
from workflow_scripts.planning.amounts import WORDS
from workflow_scripts.planning.counts import LINES
from workflow_scripts.planning.rates import read_rates
from workflow_scripts.progress.jobs import seconds_of
from workflow_scripts.wiring.requirements import Requirements

SCALES = [["config.yaml"], ["config.yaml", "config/open.yaml"], ["config.yaml", "config/paper.yaml"]]
# What people read, and environments of tools, stand outside `build`.
BESIDE = {
    "corpora": ("results/sources.csv",),
    "evaluation": ("results/changes.csv",),
    "fluency": (".venvs/",),
    "human": ("results/human/",),
    "politeness": ("results/politeness/",),
    "report": ("results/",),
    "tools": (".venvs/",),
}
# The rules of this file belong to the papers whose leaves they make.
LEAVES = "rules/papers/leaves.smk"
# A file or a param by its name, as a whole word.
NAMED = re.compile(r"\{(input|output|params)\.(\w+):q\}")


def ask(files: list[str]) -> list[dict[str, Any]]:
    """The rules at one scale."""
    done = forks.run(ROOT, [json.dumps(files)], module="tests.rules")
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def scales():
    """The rules of each scale."""
    return [ask(files) for files in SCALES]


@pytest.fixture(scope="module")
def rules(scales):
    """The rules of all scales: some exist at one of them only."""
    found = {(rule["name"], rule["file"]): rule for rules in scales for rule in rules}
    assert {"demo_world", "read_cocoa_train", "table7", "table2", "tydip_table3"} <= {
        name for name, _ in found
    }
    return list(found.values())


def places(rule: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The stage or paper of a rule, and where it may write."""
    if rule["file"] == LEAVES:
        paper = rule["log"][0].split("/")[1]
        assert (ROOT / f"workflow_scripts/wiring/papers/{paper}.py").exists(), rule
        return paper, ("results/",)
    if rule["file"].startswith("rules/papers/"):
        paper = Path(rule["file"]).stem
        return paper, (f"build/papers/{paper}/", "results/")
    # A file, or a folder of files, is called like the stage that its rules belong to.
    stage = Path(rule["file"]).parts[1].removesuffix(".smk")
    return stage, (f"build/{stage}/", *BESIDE.get(stage, ()))


def test_a_stage_writes_below_its_own_folder_only(rules):
    wrong = []
    for rule in rules:
        if rule["file"] == "Snakefile":
            assert not rule["output"], rule
            continue
        stage, allowed = places(rule)
        wrong += [f"{rule['name']}: {path}" for path in rule["output"] if not path.startswith(allowed)]
        wrong += [f"{rule['name']}: {path}" for path in rule["log"] if not path.startswith(f"logs/{stage}/")]
        if rule["benchmark"] and not rule["benchmark"].startswith(f"build/benchmarks/{stage}/"):
            wrong.append(f"{rule['name']}: {rule['benchmark']}")
    assert wrong == []


def test_the_translation_backend_is_tried_on_raw_subtitles(rules):
    """Appendix B: what the filters of the training data keep would flatter it."""
    (rule,) = (rule for rule in rules if rule["name"] == "sample_sanity")
    assert rule["input"] == [
        f"build/corpora/opensubtitles/{{lang}}/{side}.txt.gz" for side in ("en", "{lang}")
    ]


def test_every_job_has_a_log_of_its_own_and_every_rule_a_docstring(rules):
    making = [rule for rule in rules if rule["output"]]
    assert [rule["name"] for rule in making if len(rule["log"]) != 1] == []
    assert [rule["name"] for rule in rules if not rule["docstring"]] == []
    for kind in ("log", "benchmark"):
        # With the values of wildcards in it, no two rules can mean one file.
        paths = [re.sub(r"\{(\w+)[^}]*\}", r"{\1}", str(rule[kind])) for rule in making if rule[kind]]
        repeated = {path for path in paths if paths.count(path) > 1}
        assert repeated == set()


def test_a_log_is_named_after_its_rule_and_the_wildcards_of_its_output(rules):
    """Unless the rule names one; a rule that inherits from another has a log of its own."""
    logs = {rule["name"]: re.sub(r"\{(\w+)[^}]*\}", r"{\1}", "".join(rule["log"])) for rule in rules}
    expected = {
        "demo_world": "logs/corpora/demo_world.log",
        "train_supervised": "logs/transfer/train_supervised.{lang}.{system}.{seed}.log",
        "own_dev_pairs": "logs/transfer/own_dev_pairs.{lang}.{system}.log",
        # Each wildcard once, in the order of the output; the second of these may be empty.
        "sample_in_domain": "logs/filtering/sample_in_domain.{lang}.{style}.log",
        "pretrained_model": "logs/transfer/pretrained_model.{system}{ending}.log",
        # Without an output, of a paper, and by the rule of all papers' leaves.
        "sources": "logs/corpora/sources.log",
        "table7_compare": "logs/xformal/table7_compare.log",
        "cocoa_mt_table5_labels": "logs/cocoa_mt/table5-labels.log",
    }
    assert {name: logs[name] for name in expected} == expected


def test_every_command_has_the_environment_and_every_job_a_benchmark_beside_its_log(rules):
    """No rule says so (`give_defaults`)."""
    running = [rule for rule in rules if rule["log"]]
    assert {rule["conda"] for rule in running} == {str(ROOT / "envs/main.yaml")}
    for rule in running:
        # The values of wildcards stand in one of them only, where a rule has its own.
        log, benchmark = (
            re.sub(r"\{(\w+)[^}]*\}", r"{\1}", path) for path in (rule["log"][0], rule["benchmark"])
        )
        expected = (
            log.replace("logs/", "build/benchmarks/", 1).replace(".log", ".tsv") if rule["output"] else ""
        )
        assert benchmark == expected, rule["name"]


def test_every_job_that_uses_torch_asks_for_a_gpu_and_its_memory(rules):
    torch = [rule for rule in rules if "torch" in rule["params"] or rule["name"].startswith("translate_")]
    trainings = {"train_nmt", "train_supervised", "train_prior", "train_unsupervised", "train_regressor"}
    assert trainings <= {rule["name"] for rule in torch}
    assert [rule["name"] for rule in torch if not {"gpu", "mem_mb"} <= set(rule["resources"])] == []


def test_a_sample_of_a_corpus_asks_for_its_memory(rules):
    """Its line numbers are permuted in memory; on the head of a cluster they would take that of others."""
    samples = {rule["name"]: rule for rule in rules if "filtering.sample " in (rule["shell"] or "")}
    assert {"sample_formal", "sample_sanity", "sample_generic"} <= set(samples)
    assert [name for name, rule in samples.items() if "mem_mb" not in rule["resources"]] == []
    assert [name for name, rule in samples.items() if rule["local"]] == []


def test_rules_that_fetch_checkpoints_are_local(rules):
    """Nodes of a cluster often have no network. A rule that inherits from a local one must say so itself."""
    fetching = {
        rule["name"]: rule["local"] for rule in rules if rule["amounts"].get("weights") == "checkpoint"
    }
    assert len(fetching) > 8 and [name for name, local in fetching.items() if not local] == []


def test_the_keys_of_every_rule_that_asks_an_endpoint_are_checked(rules):
    stages: Any = [None] * 4
    requirements = Requirements(None, Wired({}), (), *stages)
    asking = {rule["name"] for rule in rules if rule["name"].endswith("_endpoint")}
    assert requirements.asked.keys() == asking


def test_every_word_of_a_command_is_quoted(rules):
    """By `:q`, and by nothing else: inside quotes it would end them."""
    texts = {rule["name"]: rule["shell"] for rule in rules if rule["shell"]}
    assert len(texts) > 100
    for name, text in texts.items():
        assert re.findall(r"\{[^{}]*(?<!:q)\}", text) == [], name
        assert not any("{" in quoted for quoted in re.findall(r"'[^']*'|\"[^\"]*\"", text)), name


def commands(rules: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Command]]:
    """The rules that call a module, each with its command."""
    found = []
    for rule in rules:
        if rule["shell"]:
            # Where several rules share a command, its module is a param.
            text = rule["shell"].replace("{params.command:q}", rule["values"].get("command", ""))
            found.append((rule, command(text)))
    assert len(found) > 300
    return found


def test_the_code_that_a_rule_tracks_is_that_of_the_module_that_it_calls(rules):
    wrong = {
        rule["name"] for rule, call in commands(rules) if rule["values"].get("code") != code_of(call.module)
    }
    # An environment is named after its lock file; the states of sources are said at every call, not kept.
    assert wrong == {"tool_venv", "sources"}


def given(rule: dict[str, Any], call: Command) -> list[tuple[str, str, str]]:
    """What each parameter is given: its name, and the kind and name of a file or a param."""
    known = parser(call.module).positional
    words = list(call.words)
    # Params after them are options.
    while words and (last := NAMED.fullmatch(words[-1])) and last[1] == "params" and last[2] not in known:
        words.pop()
    if words in (["{input:q}"], ["{output:q}"]):
        kind = words[0][1:-3]
        words = [f"{{{kind}.{name}:q}}" for name in rule["names"][kind]]
    if len(words) != len(known):
        # One word is several files: those with the name of a parameter are in the order of these.
        words = [word for word in words if (named := NAMED.fullmatch(word)) and named[2] in known]
        known = [name for name in known if any(f".{name}:" in word for word in words)]
    pairs = list(zip(known, words, strict=True))
    for name, values in call.options.items():
        # Further params are options too.
        pairs += [(name, one) for n, one in enumerate(values) if not n or not one.startswith("{params.")]
    return [(name, *match.groups()) for name, word in pairs if (match := NAMED.fullmatch(word))]


# A text in both languages is read in both directions.
BOTH_WAYS = {("nmt_bitext", "sources", "target")}


def test_what_has_the_name_of_a_parameter_is_given_for_it(rules):
    """And what no parameter has the name of may be given for any."""
    wrong = []
    for rule, call in commands(rules):
        known = {*parser(call.module).positional, *parser(call.module).options}
        names = {**rule["names"], "params": rule["params"]}
        pairs = given(rule, call)
        # What is written may have the name of what is read.
        fitting = {name for name, kind, other in pairs if name == other and kind != "output"}
        for name, kind, other in pairs:
            meant = known if kind == "input" else known - fitting
            if name in (other, f"{other}s") or (rule["name"], name, other) in BOTH_WAYS:
                continue
            if name in names[kind] or other in meant:
                wrong.append(f"{rule['name']}: {name} is {kind}.{other}")
    assert wrong == []


def test_regressors_learn_values_and_classifiers_classes(rules):
    objectives = {
        rule["name"]: ("regressor" in rule["names"]["output"], call.options["objective"][0])
        for rule, call in commands(rules)
        if call.module == "encoders.train"
    }
    assert len(objectives) > 4
    wrong = {
        name
        for name, (regressor, objective) in objectives.items()
        if objective != ("values" if regressor else "classes")
    }
    assert wrong == set()


def test_the_seconds_of_a_run_are_those_of_rules(rules):
    """From which the time left is estimated (workflow_scripts/progress)."""
    seconds = seconds_of(ROOT / "resources/seconds.csv")
    assert "train_supervised" in seconds
    assert set(seconds) - {rule["name"] for rule in rules} == set()


def test_every_rule_that_asks_for_resources_has_a_rate_in_the_unit_in_which_it_counts(rules):
    """What a plan is made from: only a rule that asks for none is taken for a short one."""
    units: dict[str, set[str]] = {}
    for step, rate in read_rates(ROOT / "resources/rates.csv").items():
        units.setdefault(step.partition(" (")[0], set()).add(rate.unit)
    asking = [
        rule for rule in rules if rule["shell"] and {"gpu", "mem_mb", "runtime"} & set(rule["resources"])
    ]
    # Rules that only some settings have are not among them.
    assert len(asking) > 50
    for rule in asking:
        step = rule["amounts"].get("step", rule["name"]).partition(" (")[0]
        assert step in units, rule["name"]
        # Any other word can count a small network in lines.
        assert "counts" in rule["amounts"] or units[step] == {LINES}, rule["name"]
    for kind, words in WORDS.items():
        said = {rule["amounts"][kind] for rule in rules if kind in rule["amounts"]}
        # Lines are counted without a word.
        assert said == set(words) - ({"lines"} if kind == "counts" else set())
    # A word among a job's resources would keep it out of groups with jobs that have another one.
    assert not any(set(AMOUNTS) & set(rule["resources"]) for rule in rules)


def test_the_profile_for_slurm_names_rules_that_exist(rules):
    names = {rule["name"] for rule in rules}
    settings = profile()
    groups = dict(item.split("=") for item in settings["groups"])
    sizes = dict(item.split("=") for item in settings["group-components"])
    assert groups.keys() <= names and set(groups.values()) == sizes.keys()
    # What stands there to be switched on counts too.
    text = (ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8")
    switched_off = re.findall(r"^ *# (?:- (\w+)=|  (\w+): \{)", text, flags=re.MULTILINE)
    assert len(switched_off) > 5 and {one or other for one, other in switched_off} <= names | {"on_a_gpu"}


def test_every_rule_that_can_use_a_gpu_gets_what_the_profile_says(scales, tmp_path):
    # Commands that take the device; translations do where a model of this machine is the backend.
    for rules, translating in zip(scales, (True, False, False), strict=True):
        asking = {rule["name"] for rule in rules if "device" in rule["params"]}
        asking = {name for name in asking if not name.endswith(("_endpoint", "_gguf"))}
        translations = {rule["name"] for rule in rules if rule["name"].startswith("translate_")}
        found = {rule["name"]: rule["gres"] for rule in rules if rule["gres"]}
        assert found.keys() == asking | (translations if translating else set())
        # A rule's own entry goes before.
        assert {name for name, gres in found.items() if "gpu:2" in gres} == {"train_regressor"}
    (tmp_path / "cpu.yaml").write_text("device: cpu\n")
    on_processors = ask(["config.yaml", str(tmp_path / "cpu.yaml")])
    assert {rule["name"] for rule in on_processors if rule["gres"]} == {"train_regressor"}


def test_what_the_profile_asks_for_more_than_once_is_no_limit():
    settings = profile()
    # An array waits for ever where not all of its jobs are chosen at once.
    assert settings["jobs"] == settings["resources"]["gpu"]
    # A run lifts the default one (`lift_rate_of_jobs`).
    assert "max-jobs-per-timespan" not in settings
    assert settings["slurm-array-jobs"] == "all" and settings["retries"] >= 1


def test_no_rule_asks_for_more_than_a_day():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "rules").rglob("*.smk")]
    # All resources of `on_a_gpu` grow so (tests/wiring/test_resources.py).
    pattern = r'^(?!.*on_a_gpu).*\bruntime(?:=|": )(.*?)(?:,$|, "gpu")'
    times = [time for text in texts for time in re.findall(pattern, text, flags=re.MULTILINE)]
    assert len(times) > 20
    assert [time for time in times if not re.fullmatch(r"growing\((\w+), DAY\)", time)] == []
