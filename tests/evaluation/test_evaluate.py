"""The command: its output for a small world, and its messages about bad input."""

import csv
import math
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sacrebleu import corpus_chrf
from sacrebleu.metrics import BLEU

from tests.conftest import METRICS
from tests.manifests import labelled, listed
from tests.papers.conftest import every_leaf_is_as_documented
from workflow_scripts.core.errors import InputError
from workflow_scripts.evaluation.evaluate import evaluate
from workflow_scripts.papers.xformal.table7 import table7

__all__ = ["every_leaf_is_as_documented"]
SENTENCES = 40
RUNS = {"gold": 4, "copy": 1, "rule-based": 1, "same": 1, "better": 1, "unmt": 3}
TEXT = "n preciso pedir pois sei q ela vai vir atras não que virá para isso meu amor hoje"
WORDS = TEXT.split()


@pytest.fixture
def world(tmp_path):
    """Arguments of `evaluate` and the files they name."""
    draw = random.Random(1)
    informal = [" ".join(draw.choices(WORDS, k=draw.randint(5, 12))) + "!!" for _ in range(SENTENCES)]

    def vary(share: float) -> list[str]:
        return [
            " ".join(draw.choice(WORDS) if draw.random() < share else word for word in line.split())
            for line in informal
        ]

    def put(name: str, rows: list) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
        return path

    references = [vary(0.4) for _ in range(4)]
    rules = vary(0.1)
    texts = {
        "gold": references,
        "copy": [informal],
        "rule-based": [rules],
        "same": [rules],
        "better": [vary(0.3)],
        "unmt": [vary(0.6) for _ in range(3)],
    }
    formality = {"gold": 0.5, "copy": -2, "rule-based": -1, "same": -1, "better": 0, "unmt": -1}
    outputs, scores, fluency = [], [], []
    for name, runs in texts.items():
        for run, lines in enumerate(runs):
            # The same scores for the same text, as a regressor would give.
            noise = random.Random(name.replace("same", "rule-based") + str(run))
            outputs.append(put(f"{name}.{run}.txt", lines))
            scores.append(
                put(f"{name}.{run}.formality", [formality[name] + noise.gauss(0, 0.3) for _ in lines])
            )
            fluency.append(
                put(f"{name}.{run}.fluency", [6 - formality[name] + noise.gauss(0, 0.3) for _ in lines])
            )
    regressor = tmp_path / "regressor"
    regressor.mkdir()
    put("regressor/config.json", ["{}"])
    return {
        "scores": tmp_path / "out" / "scores.csv",
        "language": "pt",
        "informal": put("informal.txt", informal),
        "references": [put(f"ref{i}.txt", lines) for i, lines in enumerate(references)],
        "systems": [name for name, count in RUNS.items() for _ in range(count)],
        "names": [f"run{run}" for count in RUNS.values() for run in range(count)],
        "outputs": outputs,
        "formality": scores,
        "fluency": fluency,
        "gold": ["gold"],
        "regressor": regressor,
        "lm": put("lm.binary", ["lm"]),
        "order": 5,
        "baseline": "rule-based",
        "metrics": METRICS,
        "resamples": 200,
        "confidence": 0.95,
        "seed": 1,
    }


def given(world: dict[str, Any]) -> dict[str, Any]:
    """The same with a manifest of the outputs."""
    lists = {"system": "systems", "run": "names", "output": "outputs"}
    path = world["informal"].with_name("runs.csv")
    return listed(path, "runs", world, **lists, formality="formality", fluency="fluency")


def rows(world: dict[str, Any]) -> dict[tuple[str, str], dict[str, str]]:
    """The table that `evaluate` writes, by system and metric."""
    evaluate(**given(world))
    with world["scores"].open(encoding="utf-8", newline="") as stream:
        return {(row["system"], row["metric"]): row for row in csv.DictReader(stream)}


def text(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def numbers(path: Path) -> list[float]:
    return [float(line) for line in text(path)]


def test_values_are_sacrebleus_and_means_over_runs(world):
    table = rows(world)
    informal, references = text(world["informal"]), [text(path) for path in world["references"]]
    place = 0
    for system, runs in RUNS.items():
        outputs = [text(path) for path in world["outputs"][place : place + runs]]
        formality = [numbers(path) for path in world["formality"][place : place + runs]]
        self_bleu = sum(BLEU().corpus_score(output, [informal]).score for output in outputs) / runs
        multi = sum(BLEU().corpus_score(output, references).score for output in outputs) / runs
        assert float(table[system, "self_bleu"]["value"]) == pytest.approx(self_bleu, abs=1e-6)
        if system != "gold":
            assert float(table[system, "multi_bleu"]["value"]) == pytest.approx(multi, abs=1e-6)
        mean = sum(map(sum, formality)) / runs / SENTENCES
        assert float(table[system, "formality"]["value"]) == pytest.approx(mean, abs=1e-6)
        assert (table[system, "formality"]["n"], table[system, "formality"]["runs"]) == ("40", str(runs))
        place += runs


def test_gold_has_no_metric_against_the_rewrites_and_copy_repeats_the_source(world):
    table = rows(world | {"metrics": [*METRICS, "chrf", "self_chrf"]})
    assert not {("gold", "multi_bleu"), ("gold", "chrf")} & table.keys()
    assert table["copy", "self_bleu"]["value"] == table["copy", "self_chrf"]["value"] == "100.000000"
    assert ("gold", "self_chrf") in table
    references = [text(path) for path in world["references"]]
    theirs = corpus_chrf(text(world["informal"]), references).score
    assert float(table["copy", "chrf"]["value"]) == pytest.approx(theirs, abs=1e-6)
    assert table["copy", "chrf"]["p_holm"] and float(table["copy", "chrf"]["ci_low"]) < theirs


def test_units_of_perplexity(world):
    table = rows(world)
    nats, bits, log10 = (
        table["unmt", name] for name in ("perplexity", "perplexity_bits", "perplexity_log10")
    )
    assert float(bits["value"]) == pytest.approx(float(nats["value"]) / math.log(2), abs=1e-5)
    assert float(log10["ci_high"]) == pytest.approx(float(nats["ci_high"]) / math.log(10), abs=1e-5)
    assert nats["p"] == bits["p"] == log10["p"] != ""
    assert "unit:bits/token" in bits["signature"] and "unit:log10/token" in log10["signature"]


def test_a_system_whose_outputs_are_the_same_is_counted_and_named(world, capsys):
    rows(world)
    assert "warning" not in capsys.readouterr().err
    for path, kinds in zip(world["outputs"][-3:], (5, 10, 15), strict=True):
        path.write_text("".join(f"frase {number % kinds}\n" for number in range(SENTENCES)))
    table = rows(world)
    expected = 100 * 10 / len(set(text(world["informal"])))
    assert float(table["unmt", "distinct"]["value"]) == pytest.approx(expected, abs=1e-6)
    assert float(table["copy", "distinct"]["value"]) == 100
    assert (table["unmt", "distinct"]["runs"], table["unmt", "distinct"]["p"]) == ("3", "")
    (warning,) = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert "unmt has 25 different outputs for 100" in warning


def test_the_sets_of_rewrites_are_no_runs_that_are_drawn(world):
    """They are all there are: of sets that differ but not within, every resample has the mean."""
    for place, path in enumerate(world["formality"][: RUNS["gold"]]):
        path.write_text(f"{place}\n" * SENTENCES, encoding="utf-8")
    gold = rows(world)["gold", "formality"]
    assert [float(gold[name]) for name in ("ci_low", "value", "ci_high")] == pytest.approx([1.5] * 3)


def test_paired_tests_against_the_baseline(world):
    table = rows(world)
    for metric in METRICS:
        assert table["rule-based", metric]["p"] == table["rule-based", metric]["p_holm"] == ""
        assert table["same", metric]["p"] == "1.000000"
    for metric in METRICS[:3]:
        assert float(table["better", metric]["p"]) == pytest.approx(1 / 201, abs=1e-6)
        # Five systems are tested; the four that differ clearly get the smallest p there is.
        assert float(table["better", metric]["p_holm"]) == pytest.approx(5 / 201, abs=1e-6)
        assert float(table["gold", metric]["p_holm"]) < 0.05


def test_signatures_name_models_tests_and_counts(world):
    table = rows(world)
    first = table["gold", "formality"]["signature"]
    assert first.startswith("formality|model:") and first.endswith("|bs:200|ar:200|seed:1|n:40|runs:4")
    assert "|order:5|unit:nats/token|" in table["unmt", "perplexity"]["signature"]
    assert table["gold", "self_bleu"]["signature"].startswith(
        "nrefs:1|bs:200|seed:1|case:mixed|eff:no|tok:13a"
    )
    (world["regressor"] / "config.json").rename(world["regressor"] / "other.json")
    second = rows(world)["gold", "formality"]["signature"]
    (world["regressor"] / "other.json").write_text("{ }")
    assert len({first, second, rows(world)["gold", "formality"]["signature"]}) == 3


def test_without_the_baseline_there_are_no_p_values(world, capsys):
    table = rows(world | {"baseline": "rules"})
    assert {row["p"] + row["p_holm"] for row in table.values()} == {""}
    assert "no p-values: the baseline 'rules' is not among the systems" in capsys.readouterr().err


def test_the_baseline_need_not_be_a_row(world):
    """Scored, it has no row in Table 7; the rows have their tests."""
    scores = rows(world)
    target = world["scores"].with_name("table7.csv")
    systems = labelled(target.with_name("systems.csv"), {"better": "B", "unmt": "U"})
    table7(target, scores=[world["scores"]], systems=systems, languages=["pt"], metrics=METRICS)
    with target.open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream)}
    assert list(table) == ["B", "U"]
    for metric in METRICS:
        for name, label in (("better", "B"), ("unmt", "U")):
            tested = float(scores[name, metric]["p_holm"])
            assert float(table[label][f"{metric}_pt_p"]) == pytest.approx(tested, abs=1e-4)


def test_without_gold(world):
    assert ("gold", "multi_bleu") in rows(world | {"gold": []})


def further(world: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The arguments of `evaluate` where further models have scored the outputs."""
    draw = random.Random(3)
    for stage in ("similarity", "zero_shot", "formal", "pseudo_perplexity"):
        low, high = {"similarity": (0, 1), "pseudo_perplexity": (1, 5)}.get(stage, (-2, 2))
        world[stage] = []
        for path in world["outputs"]:
            put = path.with_suffix(f".{stage}")
            put.write_text("".join(f"{draw.uniform(low, high):.4f}\n" for _ in range(SENTENCES)))
            world[stage].append(put)
        (folder / f"model.{stage}").mkdir()
        (folder / f"model.{stage}/config.json").write_text(stage)
    stages = ["formal", "similarity", "zero_shot", "pseudo_perplexity"]
    lists = {"system": "systems", "run": "names", "output": "outputs"}
    kinds = {kind: kind for kind in ("formality", "fluency", *stages)}
    known = listed(folder / "runs.csv", "runs", world, **lists, **kinds)
    return {**known, "scorers": stages, "models": [folder / f"model.{stage}" for stage in stages]}


def test_further_models_give_means_shares_and_signatures(world, tmp_path):
    files = world
    world = further(world, tmp_path)
    evaluate(**{**world, "metrics": ["self_bleu", "formal", "similarity", "pseudo_perplexity", "zero_shot"]})
    with world["scores"].open(encoding="utf-8", newline="") as stream:
        table = {(row["system"], row["metric"]): row for row in csv.DictReader(stream)}
    for name in ("copy", "better"):
        place = files["systems"].index(name)
        means = {
            stage: sum(numbers(files[stage][place])) / SENTENCES
            for stage in ("similarity", "zero_shot", "pseudo_perplexity")
        }
        means["formal"] = 100 * sum(one > 0 for one in numbers(files["formal"][place])) / SENTENCES
        for metric, mean in means.items():
            assert float(table[name, metric]["value"]) == pytest.approx(mean, abs=1e-6), metric
            assert table[name, metric]["signature"].startswith(f"{metric}|model:"), metric
    models = {table["copy", metric]["signature"].split("|")[1] for metric in means}
    assert len(models) == 4
    assert "|per:100|" in table["copy", "formal"]["signature"]
    # GOLD STANDARD has them too, since none reads the rewrites.
    assert all(("gold", metric) in table for metric in means)
    assert table["better", "similarity"]["p"] and not table["rule-based", "similarity"]["p"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"models": []}, "4 scorers but 0 models"),
        ({"scorers": ["formal", "similarity", "zero_shot", "pseudo"]}, "no scorer 'pseudo'; did you mean"),
        ({"scorers": [], "models": []}, "--metrics has zero_shot, but --scorers lacks zero_shot"),
        ({"models": [Path("nowhere")] * 4}, "nowhere: no such model"),
    ],
)
def test_scorers_that_do_not_fit_are_explained(world, tmp_path, change, told):
    world = {**further(world, tmp_path), "metrics": ["zero_shot"], **change}
    with pytest.raises(InputError, match=told):
        evaluate(**world)


def test_a_manifest_has_each_scorer_once_and_those_that_are_asked_for(world, tmp_path):
    world = further(world, tmp_path)
    head, rest = world["runs"].read_text().split("\n", 1)
    for old, new, told in (
        ("zero_shot", "zeroshot", r"runs\.csv:1: no column zero_shot"),
        ("zero_shot,pseudo_perplexity", "zero_shot,zero_shot", r"runs\.csv:1: no column pseudo_perplexity"),
    ):
        world["runs"].write_text(f"{head.replace(old, new)}\n{rest}")
        with pytest.raises(InputError, match=told):
            evaluate(**world)
    world |= {"scorers": None, "models": None}
    with pytest.raises(InputError, match=r"runs\.csv:1: no column 'zero_shot'"):
        evaluate(**world)


def test_a_cosine_beyond_one_is_named(world, tmp_path):
    world = further(world, tmp_path)
    spoil(tmp_path / "copy.0.similarity", score="1.5")
    with pytest.raises(InputError, match=r"copy\.0\.similarity:1: 1.5 is no score for cosine"):
        evaluate(**world)


def shorten(path: Path) -> None:
    path.write_text(
        "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8"
    )


def blank(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(text(path)[2], " ", 1), encoding="utf-8")


def spoil(path: Path, score: str = "nan") -> None:
    path.write_text(f"{score}\n" + path.read_text().split("\n", 1)[1])


@pytest.mark.parametrize(
    ("kind", "damage", "told"),
    [
        ("outputs", shorten, r"copy\.0\.txt: 39 lines where .*informal\.txt has 40"),
        ("outputs", blank, r"copy\.0\.txt:3: empty line"),
        ("references", shorten, r"ref3\.txt: 39 lines where .*informal\.txt has 40"),
        ("formality", shorten, r"copy\.0\.formality: 39 lines where .*copy\.0\.txt has 40"),
        ("formality", partial(spoil, score="1e308"), r"copy\.0\.formality:1: '1e308' is too large"),
        ("fluency", spoil, r"copy\.0\.fluency:1: 'nan' is not a number"),
        ("fluency", partial(spoil, score="1e308"), r"copy\.0\.fluency:1: '1e308' is too large"),
        (
            "fluency",
            partial(spoil, score="701"),
            r"copy\.0\.fluency:1: 701 is no score for perplexity: none is below 0 or above 700",
        ),
        ("fluency", partial(spoil, score="-1"), r"copy\.0\.fluency:1: -1 is no score for perplexity"),
    ],
)
def test_bad_files_are_named(world, kind, damage, told):
    damage(world[kind][3 if kind == "references" else 4])
    with pytest.raises(InputError, match=told):
        evaluate(**given(world))
    assert not world["scores"].exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"gold": ["gol"]}, r"runs\.csv: no system 'gol', which --gold names; did you mean 'gold'"),
        ({"names": ["run0"] * sum(RUNS.values())}, r"runs\.csv: a second run0 of system 'gold'"),
        ({"lm": Path("nowhere.binary")}, "nowhere.binary: no such model"),
        ({"confidence": 95.0}, "confidence between 0 and 1"),
        ({"metrics": ["bleu"]}, "no metric 'bleu'"),
    ],
)
def test_bad_arguments_are_explained(world, change, told):
    with pytest.raises(InputError, match=told):
        evaluate(**given(world | change))


def test_command_line_takes_no_gold_and_runs_as_in_rules(world, module):
    options: list[object] = [world.pop("scores")]
    world = given(world | {"gold": []})
    for name, value in world.items():
        options += [f"--{name}", *(value if isinstance(value, list) else [value])]
    finished = module("evaluation.evaluate", *options)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == ""
    world["runs"].write_text("system,run,output,formality\n")
    finished = module("evaluation.evaluate", *options)
    told = f"{world['runs']}:1: the columns are not system, run, output, formality, fluency"
    assert (finished.returncode, finished.stderr) == (2, f"error: {told}\n")
    options[options.index("--runs") + 1] = "missing.txt"
    finished = module("evaluation.evaluate", *options)
    assert (finished.returncode, finished.stderr) == (2, "error: missing.txt: no such file\n")


def test_what_made_the_outputs_is_in_the_signature(world, tmp_path):
    before = rows(world)
    facts = tmp_path / "prompted.csv"
    facts.write_text("system,signature,empty\ncopy,prompted:m@1|prompt:2,0\n", encoding="utf-8")
    world["made_by"] = [facts]
    after = rows(world)
    assert {key for key in before if before[key] != after[key]} == {key for key in before if key[0] == "copy"}
    for key in before:
        added = "|prompted:m@1|prompt:2" if key[0] == "copy" else ""
        assert after[key]["signature"] == before[key]["signature"] + added
    facts.write_text("system,signature\ncopi,x\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"prompted\.csv:2: no system 'copi'; did you mean 'copy'"):
        rows(world)
