"""Systems on polite and impolite users: sets, intervals, paired tests, and responses that do not fit."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.multiwoz.small import RESTAURANTS
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.dialogue.compare import MANIFEST, NONE, compare
from workflow_scripts.dialogue.evaluate import METRICS, evaluate, score
from workflow_scripts.dialogue.sets import sets
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.multiwoz.outputs import read_outputs
from workflow_scripts.statistics.resampling import flipped_sums, run_weights

STATE = {"restaurant": {"area": "north"}}
GOOD = {"response": "there is [name] for you , it has a [phone] of its own", "state": STATE}
BAD = {"response": "no", "state": {}}
# It finds the place, but does not tell what the goal asks for.
NAMED = {"response": "there is [name] for you", "state": STATE}


def line(name: str, user: str) -> str:
    turn = {"user": user, "system": "there is kettle for you , it has a phone of its own", "state": STATE}
    turn |= {"booked": [], "acts": [["restaurant", "recommend", "name", "kettle"]], "spans": []}
    goal = {"restaurant": {"informable": {"area": "north"}, "requestable": ["phone"]}}
    return json.dumps({"id": name, "services": ["restaurant"], "goal": goal, "turns": [turn]})


@pytest.fixture
def world(tmp_path):
    """Sixteen test dialogues, all rewritten; one of the training set was too."""
    names = [f"d{number}" for number in range(16)]
    write_lines(tmp_path / "test", [line(name, "please") for name in names])
    write_lines(tmp_path / "train", [line("t", "please")])
    write_lines(tmp_path / "original", [line(name, "please") for name in ("t", *reversed(names))])
    write_lines(tmp_path / "rewritten", [line(name, "now") for name in ("t", *reversed(names))])
    (tmp_path / "restaurant_db.json").write_text(json.dumps(RESTAURANTS), encoding="utf-8")
    polite, impolite = tmp_path / "polite.jsonl", tmp_path / "impolite.jsonl"
    given = {"test": tmp_path / "test", "folds": [tmp_path / "test"]}
    sets(polite, impolite, **given, original=tmp_path / "original", rewritten=tmp_path / "rewritten")
    return {
        "polite": polite,
        "impolite": impolite,
        "test": tmp_path / "test",
        "databases": [tmp_path / "restaurant_db.json"],
        "resamples": 500,
        "confidence": 0.95,
        "seed": 1,
    }


def put(path: Path, good: int, rest: dict[str, Any] = BAD) -> Path:
    answers = {f"d{number}": [GOOD if number < good else rest] for number in range(16)}
    path.write_text(json.dumps(answers), encoding="utf-8")
    return path


def table(folder: Path, world: dict[str, Any], *rows: tuple[object, ...]) -> dict[tuple[str, str, str], dict]:
    write_csv(folder / "systems.csv", MANIFEST, rows)
    compare(folder / "scores.csv", systems=folder / "systems.csv", **world)
    found = read_rows(folder / "scores.csv", ("system", "dialogues", "metric"))
    return {(row["system"], row["dialogues"], row["metric"]): row for _, row in found}


def test_sets_have_the_dialogues_of_the_chosen_folds(tmp_path, world):
    assert read_lines(world["polite"]) == read_lines(world["test"])
    ids = [one.id for one in read_dialogues(world["impolite"])]
    assert ids == [f"d{number}" for number in reversed(range(16))]
    outs = tmp_path / "p", tmp_path / "i"
    rest = {"original": tmp_path / "original", "rewritten": tmp_path / "rewritten"}
    sets(*outs, test=world["test"], folds=[tmp_path / "train"], **rest)
    assert [one.id for one in read_dialogues(outs[1])] == ["t"]
    assert [one.id for one in read_dialogues(outs[0])] == [*(f"d{n}" for n in range(16)), "t"]
    with pytest.raises(InputError, match="no dialogue of the chosen folds"):
        sets(
            *outs,
            test=world["test"],
            folds=[tmp_path / "train"],
            original=world["test"],
            rewritten=world["test"],
        )
    with pytest.raises(InputError, match="does not have the same dialogues as"):
        sets(
            *outs,
            test=world["test"],
            folds=[world["test"]],
            original=world["test"],
            rewritten=tmp_path / "rewritten",
        )


def test_values_are_those_of_the_evaluator_and_lie_in_their_intervals(tmp_path, world):
    files = put(tmp_path / "a.json", 16), put(tmp_path / "b.json", 6)
    found = table(tmp_path, world, ("mine", "-", *files))
    known = read_dialogues(world["impolite"])
    scores = score(known, read_outputs(files[1], known), load_database(*world["databases"]))
    assert scores.inform == scores.success == pytest.approx(37.5)
    for metric in METRICS:
        row = found["mine", "impolite", metric]
        assert float(row["value"]) == pytest.approx(getattr(scores, metric), abs=1e-5)
        assert float(row["ci_low"]) <= float(row["value"]) <= float(row["ci_high"])
        assert float(row["ci_low"]) < float(row["ci_high"])
        assert found["mine", "test", metric]["value"] == found["mine", "original", metric]["value"]
        # Ten of sixteen dialogues, in the same direction.
        assert "|trainings:1|" in row["signature"]
        assert row["against"] == "mine original" and 0.001 < float(row["p"]) < 0.02
        assert row["p_holm"] == row["p"] and found["mine", "original", metric]["p"] == ""


def test_responses_without_states_are_judged_by_those_of_the_test_set(tmp_path, world):
    """One turn without a state is enough; of a system with trainings of either kind both are named."""
    told = put(tmp_path / "told.json", 16)
    untold = put(tmp_path / "untold.json", 15, {"response": GOOD["response"]})
    files = {"own": [told], "gold": [untold], "own+gold": [told, untold]}
    rows = [(name, "-", file, NONE) for name, of in files.items() for file in of]
    found = table(tmp_path, world, *rows)
    assert {name: found[name, "test", "success"]["states"] for name in files} == {
        name: name for name in files
    }


def test_a_system_with_more_data_is_tested_against_the_one_without(tmp_path, world):
    whole, half = put(tmp_path / "a.json", 16), put(tmp_path / "b.json", 6)
    rows = ("mine", "-", whole, half), ("more", "mine", whole, half), ("best", "mine", whole, whole)
    found = table(tmp_path, world, *rows)
    assert found["more", "impolite", "inform"]["against"] == "mine impolite"
    assert float(found["more", "impolite", "success"]["p"]) == 1
    best = found["best", "impolite", "inform"]
    assert float(best["p"]) < 0.02 and float(best["p_holm"]) == pytest.approx(3 * float(best["p"]), rel=0.5)


def test_success_is_tested_against_the_others_success(tmp_path, world):
    """Not against Inform, which is full for both users."""
    whole, half = put(tmp_path / "a.json", 16), put(tmp_path / "b.json", 6, NAMED)
    found = table(tmp_path, world, ("same", "-", half, half), ("lower", "-", whole, half))
    for name, low, high in (("same", 1, 1), ("lower", 0.001, 0.02)):
        inform, success = (found[name, "impolite", metric] for metric in ("inform", "success"))
        assert (float(inform["value"]), float(success["value"])) == (100, 37.5)
        assert float(inform["p"]) == 1 and low <= float(success["p"]) <= high


def test_responses_that_do_not_fit_are_named(tmp_path, world):
    whole, short = put(tmp_path / "a.json", 16), tmp_path / "b.json"
    short.write_text(json.dumps({"d1": [GOOD]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"b\.json: 15 dialogues are missing, first 'd0'"):
        table(tmp_path, world, ("mine", "-", whole, short))
    with pytest.raises(InputError, match=rf"rewritten: dialogue 't' is not in {world['polite']}"):
        table(tmp_path, {**world, "impolite": tmp_path / "rewritten"}, ("mine", "-", whole, whole))
    world["polite"].write_text(line("d0", "please") + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="dialogue 'd1' is not in"):
        table(tmp_path, world, ("mine", "-", whole, whole))


def test_responses_without_placeholders_are_told(tmp_path, world, capsys):
    """Whoever writes values where the metric wants placeholders has a Success of 0."""
    told = "warning: mine, {}: 0 of 16 responses have a placeholder such as [value_phone]"
    files = put(tmp_path / "a.json", 1), put(tmp_path / "b.json", 0)
    found = table(tmp_path, world, ("mine", "-", *files))
    shown = capsys.readouterr().err
    assert told.format("impolite") in shown and shown.count("warning: ") == 1
    assert "|placeholders:0 of 16 responses" in found["mine", "impolite", "success"]["signature"]
    assert "placeholders" not in found["mine", "test", "success"]["signature"]
    written = {"dialogues": world["test"], "databases": world["databases"], "outputs": files[1]}
    evaluate(tmp_path / "s.csv", tmp_path / "v.csv", **written)
    assert f"warning: {files[1]}: 0 of 16 responses have a placeholder" in capsys.readouterr().err
    evaluate(tmp_path / "s.csv", tmp_path / "v.csv", **written | {"outputs": files[0]})
    assert capsys.readouterr().err == ""


def test_several_trainings_are_a_mean_and_are_drawn_with_the_dialogues(tmp_path, world):
    """With polite users the second training answers as well as the first, with impolite ones never."""
    whole, none = put(tmp_path / "a.json", 16), put(tmp_path / "b.json", 0)
    again = put(tmp_path / "c.json", 16)
    found = table(tmp_path, world, ("mine", "-", whole, whole), ("mine", "-", again, none))
    known, database = read_dialogues(world["impolite"]), load_database(*world["databases"])
    good, bad = (score(known, read_outputs(file, known), database).combined for file in (whole, none))
    # The share of the second training in each resample; dialogues are all alike.
    share = run_weights("mine", 2, 500, 1, fixed=False)[:, 1]
    assert set(share) == {0, 0.5, 1}
    signs = flipped_sums(np.eye(16), 500, 1).mean(axis=1)
    # What exchanging users makes of the mean; then how far the drawn trainings are from both.
    drawn = -100 * share * signs + (50 - 100 * share)
    expected = {
        "inform": (100, 0, (np.sum(np.abs(drawn) >= 50) + 1) / 501),
        "combined": (good, bad, (np.sum(np.abs(share - share.mean()) >= 0.5) + 1) / 501),
    }
    for metric, (high, low, p) in expected.items():
        row, polite = (found["mine", dialogues, metric] for dialogues in ("impolite", "original"))
        numbers = [f"{one:.6f}" for one in ((high + low) / 2, low, high, p, p)]
        assert [row[key] for key in ("value", "ci_low", "ci_high", "p", "p_holm")] == numbers
        assert [polite[key] for key in ("value", "ci_low", "ci_high")] == [f"{high:.6f}"] * 3
        assert row["n"] == "16" and row["signature"].startswith("n:16|trainings:2|states:own|resamples:500|")


@pytest.mark.parametrize("other", [("mine", "base", "a.json", "b.json"), ("mine", "-", "a.json", NONE)])
def test_trainings_that_differ_in_base_or_users_are_refused(tmp_path, world, other):
    files = put(tmp_path / "a.json", 16), put(tmp_path / "c.json", 6)
    with pytest.raises(InputError, match="the trainings of 'mine' do not have the same base, or responses"):
        table(tmp_path, world, ("mine", "-", *files), other)
