"""The command: whose ratings count, correlations by hand, and its messages about bad input."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu import sentence_bleu, sentence_chrf
from scipy import stats

from tests.evaluation.test_evaluate import SENTENCES, further, given, numbers, text, world
from tests.papers.conftest import every_leaf_is_as_documented
from tests.statistics.test_metrics import FURTHER, JUDGED
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.evaluation.agreement import agreement
from workflow_scripts.papers.xformal.metric_agreement import metric_agreement
from workflow_scripts.statistics.metrics import METRICS, OF_OUTPUTS

__all__ = ["every_leaf_is_as_documented", "world"]
SYSTEMS = ["rule-based", "better", "unmt"]
LINES = range(1, SENTENCES, 2)


def rating(system: str, line: int) -> float:
    return SYSTEMS.index(system) + (line * 7 % 11) / 5


@pytest.fixture
def arguments(world, tmp_path):
    """Arguments of `agreement`: the outputs of three systems for every second sentence are rated."""
    kept = given(world)
    for name in ("scores", "gold", "baseline", "metrics"):
        del kept[name]
    rows = [
        (task, system, line, f"{rating(system, line):.6f}", 5)
        for task in ("formality", "fluency", "meaning")
        for system in SYSTEMS
        for line in LINES
    ]
    ratings = put(tmp_path / "ratings.csv", OF_OUTPUTS, rows)
    return {**kept, "ratings": ratings, "systems": SYSTEMS}


def made(folder: Path, arguments: dict[str, Any], **changes: Any) -> dict[tuple[str, str], dict[str, str]]:
    agreement(folder / "agreement.csv", **{**arguments, **changes})
    return {(row["task"], row["metric"]): row for row in rows_of(folder / "agreement.csv")}


@pytest.mark.slow
def test_correlations_are_those_of_the_rated_outputs(arguments, world, tmp_path):
    found = made(tmp_path, arguments, simulated=True)
    # Without those of models that did not score the outputs.
    assert {metric for _, metric in found} == METRICS.keys() - {*FURTHER, *JUDGED}
    assert [*dict.fromkeys(task for task, _ in found)] == ["meaning", "formality", "fluency"]
    # The first run of each system is the rated one.
    first = {name: world["systems"].index(name) for name in SYSTEMS}
    outputs = {name: text(world["outputs"][place]) for name, place in first.items()}
    references = [text(path) for path in world["references"]]
    informal = text(world["informal"])
    keys = [(name, line - 1) for name in SYSTEMS for line in LINES]
    people = [rating(name, line + 1) for name, line in keys]
    each = {
        "multi_bleu": [
            sentence_bleu(outputs[name][line], [one[line] for one in references]).score for name, line in keys
        ],
        "self_chrf": [sentence_chrf(outputs[name][line], [informal[line]]).score for name, line in keys],
        "formality": [numbers(world["formality"][first[name]])[line] for name, line in keys],
        "perplexity": [-numbers(world["fluency"][first[name]])[line] for name, line in keys],
    }
    for metric, values in each.items():
        row = found["formality", metric]
        # BLEU of different sentences can be the same but for the last digit.
        expected = stats.spearmanr(people, np.round(values, 9)).statistic
        assert float(row["spearman"]) == pytest.approx(expected, abs=1e-6)
        assert float(row["spearman_low"]) < expected < float(row["spearman_high"])
        assert (row["language"], row["texts"], row["systems"]) == ("pt", "outputs", "3")
        assert row["n"] == str(3 * len(LINES))
    means = [
        np.mean([each["formality"][i] for i, key in enumerate(keys) if key[0] == name]) for name in SYSTEMS
    ]
    expected = stats.kendalltau(range(3), means).statistic
    assert float(found["formality", "formality"]["kendall"]) == pytest.approx(expected, abs=1e-6)
    signature = found["formality", "formality"]["signature"]
    assert signature.startswith(
        "simulated raters|task:formality|rated:20|bs:200|ar:200|seed:1|formality|model:"
    )


@pytest.mark.slow
def test_each_metric_is_tested_against_the_one_in_the_raters_column(arguments, tmp_path):
    found = made(tmp_path, arguments)
    for task, shown in (("meaning", "self_bleu"), ("formality", "formality"), ("fluency", "perplexity")):
        own = {metric: row for (of, metric), row in found.items() if of == task}
        assert [metric for metric, row in own.items() if not row["p"]] == [shown]
        tested = [(float(row["p"]), float(row["p_holm"])) for row in own.values() if row["p"]]
        least, adjusted = min(tested)
        assert all(0 < p <= holm <= 1 for p, holm in tested)
        assert adjusted == pytest.approx(min(1, len(tested) * least), abs=1e-5)


@pytest.mark.slow
def test_models_that_scored_the_outputs_join(arguments, world, tmp_path):
    more = further(world, tmp_path)
    found = made(tmp_path, {**arguments, **{name: more[name] for name in ("runs", "scorers", "models")}})
    assert {metric for _, metric in found} == METRICS.keys() - set(JUDGED)
    people = [rating(name, line) for name in SYSTEMS for line in LINES]
    # Of the classifier its logit, of which many outputs do not have the same.
    for metric, sign in (("formal", 1), ("pseudo_perplexity", -1)):
        places = [world["systems"].index(name) for name in SYSTEMS]
        values = [numbers(world[metric][place])[line - 1] for place in places for line in LINES]
        expected = sign * stats.spearmanr(people, values).statistic
        assert float(found["formality", metric]["spearman"]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_ratings_of_other_rows_do_not_count(arguments, tmp_path):
    before = made(tmp_path, arguments)
    rows = [[*row.values()] for row in rows_of(arguments["ratings"])]
    more = [("formality", name, line, "-3.000000", 5) for name in ("gold", "copy") for line in LINES]
    assert made(tmp_path, arguments, ratings=put(tmp_path / "more.csv", OF_OUTPUTS, [*rows, *more])) == before


@pytest.mark.slow
def test_the_leaf_has_the_labels_and_rounds(arguments, tmp_path):
    found = made(tmp_path, arguments)
    metric_agreement(tmp_path / "leaf.csv", agreements=[tmp_path / "agreement.csv"])
    leaf = {(row["rated"], row["metric"]): row for row in rows_of(tmp_path / "leaf.csv")}
    assert len(leaf) == len(found) and [*leaf][:2] == [("meaning", "self-BLEU"), ("meaning", "formality")]
    row, full = leaf["fluency", "perplexity"], found["fluency", "perplexity"]
    assert row["spearman"] == f"{float(full['spearman']):.2f}" and row["p_holm"] == ""
    assert row["signature"] == full["signature"] and row["language"] == "pt"
    metric_agreement(tmp_path / "leaf.csv")
    assert rows_of(tmp_path / "leaf.csv") == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("formalty,better,1,2.0,5", "ratings.csv:2: no task 'formalty'; did you mean 'formality'?"),
        ("formality,better,41,2.0,5", "ratings.csv:2: a rating of line 41 of 40 sentences"),
        ("formality,better,0,2.0,5", "ratings.csv:2: '0' is not a whole number of 1 or more"),
        ("formality,better,1,good,5", "ratings.csv:2: 'good' is not a number"),
        ("fluency,unmt,1,1,5\nfluency,unmt,01,2,5", "ratings.csv:3: a second rating of unmt, sentence 1"),
    ],
)
def test_bad_ratings_are_named(arguments, tmp_path, line, told):
    arguments["ratings"].write_text(f"{','.join(OF_OUTPUTS)}\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        agreement(tmp_path / "agreement.csv", **arguments)
    assert told in str(error.value) and not (tmp_path / "agreement.csv").exists()


def test_a_ranking_agrees_with_the_order_for_each_sentence(arguments, world, tmp_path):
    """Sentences differ in how formal any output is, which a ranking does not tell."""
    first = {name: world["systems"].index(name) for name in SYSTEMS}
    for place, name in enumerate(SYSTEMS):
        scores = [place + 10.0 * (line % 3) for line in range(SENTENCES)]
        world["formality"][first[name]].write_text(
            "".join(f"{score}\n" for score in scores), encoding="utf-8"
        )
    rows = [("ranking", name, line, place + 1, 5) for place, name in enumerate(SYSTEMS) for line in LINES]
    found = made(tmp_path, arguments, ratings=put(tmp_path / "ranking.csv", OF_OUTPUTS, rows))
    row = found["ranking", "formality"]
    assert float(row["spearman"]) == float(row["kendall"]) == 1
    assert [metric for (_, metric), own in found.items() if not own["p"]] == ["multi_bleu"]
    assert "|of each output:eff:yes" in found["ranking", "multi_bleu"]["signature"]


def test_without_sentences_there_is_nothing_to_evaluate(arguments, tmp_path):
    arguments["informal"].write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"informal\.txt: no sentence to evaluate on"):
        agreement(tmp_path / "agreement.csv", **arguments)


def test_a_system_without_outputs_is_named(arguments, tmp_path):
    with pytest.raises(InputError, match="no system 'beter', which --systems names; did you mean 'better'"):
        agreement(tmp_path / "agreement.csv", **{**arguments, "systems": ["beter"]})


@pytest.mark.slow
def test_a_leaf_of_other_names_is_refused(arguments, tmp_path):
    made(tmp_path, arguments)
    path = tmp_path / "agreement.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("self_chrf", "self_chr"), encoding="utf-8")
    with pytest.raises(InputError, match=r"agreement.csv:7: no metric 'self_chr'; did you mean 'self_chrf'"):
        metric_agreement(tmp_path / "leaf.csv", agreements=[path])
