"""The evaluator as a whole: on hand-made outputs, on the real test fold, on published predictions."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.dialogue.test_compare import BAD, GOOD, line
from tests.multiwoz.small import database, dialogue, turn
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
from workflow_scripts.dialogue.evaluate import corpus_bleu, evaluate, references, score
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.multiwoz.outputs import Output, read_outputs

PREDICTIONS = "TUVOUS_MULTIWOZ_PREDICTIONS"
# Inform, Success and BLEU that the authors of the standard evaluator publish for these predictions.
PUBLISHED = {
    "labes": (68.5, 58.1, 18.9),
    "damd": (57.9, 47.6, 16.4),
    "augpt": (76.6, 60.5, 16.8),
    "mintl": (73.7, 65.4, 19.4),
    "ubar": (83.4, 70.3, 17.6),
    "pptod": (83.1, 72.7, 18.2),
}
CENTRE = {"restaurant": {"area": "centre"}}
GOAL = {"restaurant": ({"area": "centre"}, ())}


def test_scores_of_a_small_test_set(tmp_path):
    first = dialogue(GOAL, turn("There is the old oven .", CENTRE))
    second = Dialogue("d2", first.services, first.goal, (turn("Sorry , no .", CENTRE),))
    answers = {
        "d1": [Output("There is [value_name] .", CENTRE)],
        "d2": [Output("Sorry , no .", {})],
    }
    found = score([first, second], answers, database(tmp_path))
    assert (found.inform, found.success) == (50, 50)
    assert found.combined == 50 + found.bleu
    assert found.states == 50
    assert {name: one.inform for name, one in found.verdicts.items()} == {"d1": True, "d2": False}


def test_one_turn_without_a_state_makes_all_states_those_of_the_test_set(tmp_path):
    own = dialogue(GOAL, turn("a", CENTRE), turn("b", CENTRE))
    wrong = Output("[name]", {"restaurant": {"area": "north"}})
    where = database(tmp_path)
    assert score([own], {"d1": [wrong, wrong]}, where).inform == 0
    assert score([own], {"d1": [wrong, Output("[name]")]}, where).inform == 100
    assert score([own], {"d1": [wrong, wrong]}, where, gold_states=True).inform == 100


@pytest.mark.parametrize(
    ("state", "right"),
    [
        ({"restaurant": {"area": "Center", "food": ""}, "taxi": {}}, 100),
        ({"restaurant": {"area": "centre", "food": "thai"}}, 0),
        ({}, 0),
    ],
)
def test_states_are_right_as_a_whole_in_any_spelling(tmp_path, state, right):
    own = dialogue(GOAL, turn("a", CENTRE), turn("a", CENTRE))
    where, known = database(tmp_path), Output("a", CENTRE)
    assert score([own], {"d1": [Output("a", state), Output("a", state)]}, where).states == right
    # They are counted by turns, and a dialogue has two here.
    assert score([own], {"d1": [known, Output("a", state)]}, where).states == (100 + right) / 2


def test_active_domains_that_are_said_count(tmp_path):
    own = dialogue(GOAL, turn("a", CENTRE))
    where = database(tmp_path)
    assert score([own], {"d1": [Output("[name]", CENTRE, ("train",))]}, where).inform == 0
    assert score([own], {"d1": [Output("[name]", CENTRE, ("restaurant",))]}, where).inform == 100
    # A turn may say that it is about none; where it says nothing, its state tells.
    assert score([own], {"d1": [Output("[name]", CENTRE, ())]}, where).inform == 0
    assert score([own], {"d1": [Output("[name]", CENTRE)]}, where).inform == 100


def test_active_domains_count_only_if_all_turns_of_all_dialogues_say_them(tmp_path):
    """As the standard evaluator has it; else all are told from the states."""
    first = dialogue(GOAL, turn("a", CENTRE))
    second = Dialogue("d2", first.services, first.goal, first.turns)
    answers = {"d1": [Output("[name]", CENTRE, ("train",))], "d2": [Output("[name]", CENTRE)]}
    where = database(tmp_path)
    assert score([first, second], answers, where).inform == 100
    answers["d2"] = [Output("[name]", CENTRE, ())]
    assert score([first, second], answers, where).inform == 0


def test_bleu_of_both_evaluators():
    hypotheses, sources = ["a b c d e.", "f g h i j"], ["a b c d e .", "f g h i j"]
    assert corpus_bleu(hypotheses, sources, "standard")[0] == pytest.approx(100)
    assert corpus_bleu(hypotheses, sources, "older")[0] < 95
    # Without four equal words in a row the older one gives nothing, where the standard one smooths.
    assert corpus_bleu(["a b c x"], ["a b c d"], "older")[0] == 0
    assert corpus_bleu(["a b c x"], ["a b c d"], "standard")[0] > 30


def test_the_files_of_the_command(tmp_path, capsys):
    write_lines(tmp_path / "d", [line(name, "please") for name in ("d1", "d2")])
    database(tmp_path)
    given = {"dialogues": tmp_path / "d", "databases": [tmp_path / "restaurant_db.json"]}
    outs = tmp_path / "s.csv", tmp_path / "v.csv"
    known, where = read_dialogues(tmp_path / "d"), load_database(*given["databases"])
    (tmp_path / "o.json").write_text(json.dumps({"d2": [GOOD], "d1": [BAD]}), encoding="utf-8")
    for gold, partial in ((False, False), (True, True)):
        evaluate(*outs, **given, outputs=tmp_path / "o.json", gold_states=gold, partial=partial)
        found = score(known, read_outputs(tmp_path / "o.json", known), where, gold_states=gold)
        facts = f"n:2|mode:standard|states:{'gold' if gold else 'own'}"
        assert read_lines(outs[0]) == [
            *("metric,value,signature", f"inform,50.0,{facts}", f"success,50.0,{facts}"),
            f"bleu,{found.bleu:.1f},{found.signature}",
            f"combined,{50 + found.bleu:.1f},{facts}|{found.signature}",
            *([] if gold else [f"states,50.0,{facts}"]),
        ]
        assert read_lines(outs[1]) == ["dialogue,inform,success", "d1,0,0", "d2,1,1"]
    # The test set's own responses, which tell no phone number here; in the older way.
    evaluate(*outs, **given, mode="older")
    assert read_lines(outs[1])[1:] == ["d1,1,0", "d2,1,0"]
    assert read_lines(outs[0])[1] == "inform,100.0,n:2|mode:older|states:gold"
    assert capsys.readouterr().err == ""
    acts = json.dumps([["restaurant", "recommend", "name", "kettle"]])
    write_lines(tmp_path / "d", [line("d1", "please").replace(acts, "[]")])
    evaluate(*outs, **given)
    assert capsys.readouterr().err.startswith("warning: the test set: 0 of 1 responses")
    (tmp_path / "o.json").write_text(json.dumps({"d1": [BAD]}), encoding="utf-8")
    with pytest.raises(InputError, match="1 dialogues are missing"):
        write_lines(tmp_path / "d", [line(name, "please") for name in ("d1", "d2")])
        evaluate(*outs, **given, outputs=tmp_path / "o.json")
    evaluate(*outs, **given, outputs=tmp_path / "o.json", partial=True)
    assert capsys.readouterr().err.startswith(f"warning: {tmp_path / 'o.json'}: 0 of 1 responses")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([], "not an object of dialogues"),
        ({}, "no dialogue"),
        ({"d9": []}, "dialogue 'd9' is not in the test set"),
        ({"d1": [{"response": ""}], "D1.json": [{"response": ""}]}, "a second dialogue 'D1.json'"),
        ({"d1": []}, "dialogue 'd1': 0 turns instead of 1"),
        ({"d1": [{"state": {}}]}, "turn 1: no text 'response'"),
        ({"d1": [{"response": "", "state": {"hotel": "x"}}]}, "'state' is not domain -> slot -> text"),
        ({"d1": [{"response": "", "active_domains": "hotel"}]}, "'active_domains' is not a list of texts"),
    ],
)
def test_outputs_that_cannot_be_scored_are_named(tmp_path, content, problem):
    (tmp_path / "o.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=problem) as caught:
        read_outputs(tmp_path / "o.json", [dialogue(GOAL, turn("a"))])
    assert "o.json" in str(caught.value) and "\n" not in str(caught.value)


def test_outputs_may_lack_dialogues_if_this_is_said(tmp_path):
    known = [dialogue(GOAL, turn("a", CENTRE), turn("b", CENTRE)), Dialogue("d2", (), {}, (turn("a"),))]
    (tmp_path / "o.json").write_text(json.dumps({"D1.json": [{"response": "[name]", "state": CENTRE}]}))
    with pytest.raises(InputError, match="1 turns instead of 2"):
        read_outputs(tmp_path / "o.json", known)
    found = read_outputs(tmp_path / "o.json", known, partial=True)
    assert list(score(known, found, database(tmp_path)).verdicts) == ["d1"]
    # Only the turns that are there have a reference.
    found |= {"d2": [Output("a")]}
    assert score(known, found, database(tmp_path)).texts == (["NAME", "a"], ["a", "a"])
    (tmp_path / "o.json").write_text(json.dumps({"d2": [{"response": ""}]}))
    with pytest.raises(InputError, match="1 dialogues are missing, first 'd1'"):
        read_outputs(tmp_path / "o.json", known)


@pytest.fixture(scope="session")
def real(mirror, tmp_path_factory):
    """The real test fold, and the databases."""
    out = tmp_path_factory.mktemp("multiwoz") / "test.jsonl"
    read_multiwoz21(mirror / "convlab2/data/multiwoz/test.json.zip", out)
    files = [mirror / f"multiwoz/db/{domain}_db.json" for domain in ("hotel", "restaurant", "train")]
    return read_dialogues(out), load_database(*files, mirror / "convlab2/data/multiwoz/db/attraction_db.json")


@pytest.mark.slow
def test_references_of_the_real_test_fold(real, mirror):
    """Published: 93.7 and 90.9, with the states and spans of 2.2; docs/differences.md says what is known."""
    dialogues, where = real
    assert (len(dialogues), sum(len(one.turns) for one in dialogues)) == (1000, 7372)
    begin = time.process_time()
    found = score(dialogues, references(dialogues), where)
    # It takes 7 seconds where the other core is busy too; more than a minute would be felt in every test.
    assert time.process_time() - begin < 60
    assert (found.inform, found.success, found.bleu) == pytest.approx((92.2, 88.6, 100.0), abs=0.05)
    # The same responses as others have delexicalised them, more thoroughly.
    texts = json.loads((mirror / "hdsa/data/test_reference.json").read_text(encoding="utf-8"))
    others = {name.lower(): [Output(text) for text in turns] for name, turns in texts.items()}
    found = score(dialogues, others, where)
    assert (found.inform, found.success) == pytest.approx((93.1, 91.1), abs=0.05)
    assert found.bleu > 80


@pytest.mark.slow
@pytest.mark.parametrize("system", PUBLISHED)
def test_published_predictions(system, real):
    """Goals are those of 2.1 here, and so are the spans that make the references' placeholders.

    Inform and Success may differ by 0.3, and BLEU by 0.5; docs/differences.md has what is known of both.
    """
    folder = os.environ.get(PREDICTIONS, "")
    if not folder:
        pytest.skip(f"{PREDICTIONS} names no folder with <system>.json of MultiWOZ_Evaluation's predictions")
    dialogues, where = real
    answers = read_outputs(Path(folder) / f"{system}.json", dialogues, partial=True)
    found = score(dialogues, answers, where)
    assert (found.inform, found.success) == pytest.approx(PUBLISHED[system][:2], abs=0.3)
    assert found.bleu == pytest.approx(PUBLISHED[system][2], abs=0.5)
