"""Readers of MultiWOZ 2.1 and 2.2 and of the impolite corpus, on the demo world and on broken files."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora.demo.dialogues import make_dialogues
from workflow_scripts.corpora.impolite import COLUMNS, read_impolite
from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22

SIZES = {"dialogues_train": 12, "dialogues_dev": 2, "dialogues_test": 6}
NEW = "data/MultiWOZ_2.2"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **SIZES)
    return folder


def dialogues(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_lines(path)]


def read_fold(world: Path, out: Path, fold: Any) -> list[dict[str, Any]]:
    corpus = world / "MultiWOZ"
    read_multiwoz22(corpus / NEW, out, fold=fold, older=corpus / "data.json")
    return dialogues(out)


def test_the_demo_world_is_the_same_each_time(world, tmp_path):
    for seed in (1, 2):
        make_dialogues(tmp_path / "MultiWOZ", tmp_path / "impolite.jsonl", seed=seed, **SIZES)
        for path in sorted(path for path in (world / "MultiWOZ").rglob("*.json")):
            again = tmp_path / "MultiWOZ" / path.relative_to(world / "MultiWOZ")
            assert (path.read_bytes() == again.read_bytes()) is (seed == 1 or path.name == "schema.json")


def test_both_layouts_say_the_same(world, tmp_path):
    new = [one for fold in ("train", "dev", "test") for one in read_fold(world, tmp_path / "new", fold)]
    read_multiwoz21(world / "MultiWOZ/data.json", tmp_path / "old")
    old = {one["id"]: one for one in dialogues(tmp_path / "old")}
    assert len(new) == len(old) == sum(SIZES.values())
    for one in new:
        other = old[one["id"]]
        # Spans stand in the newer layout only.
        assert all(turn.pop("spans") == [] for turn in other["turns"])
        assert any([turn.pop("spans") for turn in one["turns"]])
        assert one == other


def test_a_turn_of_the_demo_world(world, tmp_path):
    turns = [turn for one in read_fold(world, tmp_path / "new", "train") for turn in one["turns"]]
    for turn in turns:
        for _, start, end in turn["spans"]:
            assert turn["system"][start:end] in [value for *_, value in turn["acts"]]
    booked = [turn for turn in turns if any(slot == "reference" for slot, *_ in turn["spans"])]
    assert booked and all(turn["booked"] for turn in booked)
    assert len({turn["user"] for turn in turns}) > len(turns) / 2


def test_the_files_of_the_demo_world_are_as_multiwoz_has_them(world):
    corpus = world / "MultiWOZ"
    services = json.loads((corpus / NEW / "schema.json").read_text())
    slots = {slot["name"]: slot for service in services for slot in service["slots"]}
    closed = {name: slot["possible_values"] for name, slot in slots.items() if slot["is_categorical"]}
    assert closed["hotel-bookday"] == closed["restaurant-bookday"] == closed["train-day"]
    assert closed["hotel-parking"] == ["no", "yes"] and "restaurant-food" not in closed
    hotels = json.loads((corpus / "db/hotel_db.json").read_text())
    for row in hotels:
        assert {row["internet"], row["parking"]} <= {"yes", "no"} and row["stars"] in closed["hotel-stars"]
    trains = json.loads((corpus / "db/train_db.json").read_text())
    # A train every three hours from six on.
    assert sorted({row["leaveAt"][:2] for row in trains}) == ["06", "09", "12", "15", "18", "21"]
    new = json.loads((corpus / NEW / "train/dialogues_001.json").read_text())
    intents = set()
    for turn in (turn for one in new for turn in one["turns"] if turn["speaker"] == "USER"):
        for frame in turn["frames"]:
            state, domain = frame["state"], frame["service"]
            books = any("-book" in slot for slot in state["slot_values"])
            if state["active_intent"] != "NONE":
                intents.add(state["active_intent"])
                assert state["active_intent"] == f"{'book' if books else 'find'}_{domain}"
    assert {intent.partition("_")[0] for intent in intents} == {"book", "find"}
    # Only the system's turns of the older layout have a state, and what is said has no placeholder left.
    for one in json.loads((corpus / "data.json").read_text()).values():
        assert {len(turn["metadata"]) for turn in one["log"][::2]} == {0}
        assert {len(turn["metadata"]) for turn in one["log"][1::2]} == {3}
        for turn in one["log"]:
            assert re.fullmatch(r"[^{}]*[.!?]", turn["text"]), turn["text"]


def test_the_goal_of_who_books_asks_for_a_reference(world, tmp_path):
    old = json.loads((world / "MultiWOZ/data.json").read_text())
    for one in read_fold(world, tmp_path / "new", "train"):
        goal = next(found["goal"] for name, found in old.items() if name.lower() == f"{one['id']}.json")
        for domain, wanted in one["goal"].items():
            assert ("reference" in wanted["requestable"]) is ("book" in goal[domain])
            assert set(wanted["informable"].values()) == set(goal[domain]["info"].values())


def test_users_are_overlaid(world, tmp_path):
    files = []
    for fold in ("train", "dev", "test"):
        files.append(tmp_path / f"{fold}.jsonl")
        read_fold(world, files[-1], fold)
    read_impolite(world / "impolite.jsonl", tmp_path / "out", dialogues=files)
    original, rude = (dialogues(tmp_path / f"out/{name}.jsonl") for name in ("original", "impolite"))
    rows = [
        dict(zip(COLUMNS, row, strict=True)) for _, row in read_csv(tmp_path / "out/rewrites.csv", COLUMNS)
    ]
    assert len(original) == len(rude) == 6 + 6 + 1
    by_turn = {(row["dialogue"], int(row["turn"])): row for row in rows}
    for one, other in zip(original, rude, strict=True):
        for number, (turn, rewritten) in enumerate(zip(one["turns"], other["turns"], strict=True)):
            row = by_turn[one["id"], number]
            assert (turn["user"], rewritten["user"]) == (row["original"], row["impolite"])
            assert turn["user"] != rewritten["user"]
            assert {**turn, "user": ""} == {**rewritten, "user": ""}
            # What matters is said by both.
            values = [text for slots in turn["state"].values() for text in slots.values() if len(text) > 3]
            both = turn["user"].lower(), rewritten["user"].lower()
            assert [text in both[0] for text in values] == [text in both[1] for text in values]
            assert len(row["politeness"].split()) == len(row["fluency"].split()) == 2


LINE = {"dialogue_id": "A.json", "scenario": 2, "turns": [{"turn_id": "0", "impolite": "Now!"}]}
RATED = {"politeness": [1, 2], "content": [5, 5], "fluency": [4, 5]}


def rewritten(tmp_path: Path, *lines: str) -> list[list[str]]:
    turns = [{"user": "please"}, {"user": "thanks"}]
    (tmp_path / "known.jsonl").write_text(json.dumps({"id": "a", "turns": turns}) + "\n")
    (tmp_path / "corpus.jsonl").write_text("".join(line + "\n" for line in lines))
    read_impolite(tmp_path / "corpus.jsonl", tmp_path / "out", dialogues=[tmp_path / "known.jsonl"])
    return [row for _, row in read_csv(tmp_path / "out/rewrites.csv", COLUMNS)]


@pytest.mark.parametrize(
    ("known", "problem"),
    [
        ("[]", "line 2 is not an object"),
        ('{"id": 1, "turns": []}', "line 2, id: 1 is not a text"),
        ('{"id": "b", "turns": 1}', "line 2, turns is not a list"),
        ('{"id": "b", "turns": [1]}', "line 2, a turn is not an object"),
        ('{"id": "b", "turns": [{}]}', "line 2, user: None is not a text"),
    ],
)
def test_dialogues_that_cannot_be_rewritten(tmp_path, known, problem):
    (tmp_path / "known.jsonl").write_text('{"id": "a", "turns": []}\n' + known + "\n")
    (tmp_path / "corpus.jsonl").write_text(json.dumps(LINE) + "\n")
    with pytest.raises(InputError) as caught:
        read_impolite(tmp_path / "corpus.jsonl", tmp_path / "out", dialogues=[tmp_path / "known.jsonl"])
    assert str(caught.value) == f"{tmp_path}/known.jsonl: {problem}; get the corpus again"


def with_turn(**changes: Any) -> str:
    return json.dumps({**LINE, "turns": [{**LINE["turns"][0], **changes}]})  # type: ignore[index]


def test_ratings_are_optional(tmp_path):
    row = ["a", "0", "2", "please", "Now!"]
    assert rewritten(tmp_path, json.dumps(LINE)) == [[*row, "", "", ""]]
    assert rewritten(tmp_path, with_turn(**RATED)) == [[*row, "1 2", "5 5", "4 5"]]


def test_rewrites_stand_in_the_order_of_the_turns_and_dialogues_in_that_of_the_corpus(tmp_path):
    """White space is single spaces; what is not rewritten stays."""
    turns = [{"user": f"please {number}", "system": "Yes."} for number in range(3)]
    known = [json.dumps({"id": name, "turns": turns}) + "\n" for name in "abc"]
    (tmp_path / "known.jsonl").write_text("".join(known))
    lines = [
        {"dialogue_id": "B", "turns": [{"turn_id": at, "impolite": f" Now\n {at} "} for at in ("4", "0")]},
        {"dialogue_id": "A.json", "turns": [{"turn_id": "2", "impolite": "é!"}]},
    ]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    read_impolite(tmp_path / "corpus.jsonl", tmp_path / "out", dialogues=[tmp_path / "known.jsonl"])
    assert [row[:5] for _, row in read_csv(tmp_path / "out/rewrites.csv", COLUMNS)] == [
        ["b", "0", "", "please 0", "Now 0"],
        ["b", "2", "", "please 2", "Now 4"],
        ["a", "1", "", "please 1", "é!"],
    ]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("impolite.jsonl", "original.jsonl", "rewrites.csv"),
    ]
    original, rude = (read_lines(tmp_path / f"out/{name}.jsonl") for name in ("original", "impolite"))
    assert [f"{line}\n" for line in original] == [known[1], known[0]]
    said = [[turn["user"] for turn in json.loads(line)["turns"]] for line in rude]
    assert said == [["Now 0", "please 1", "Now 4"], ["please 0", "é!", "please 2"]]


def test_a_corpus_of_many_bad_lines_names_the_first_twenty(tmp_path):
    bad = ["[]"] * 20
    with pytest.raises(InputError) as caught:
        rewritten(tmp_path, *bad)
    listed = "; ".join(f"line {number}: the line is not an object" for number in range(1, 21))
    assert str(caught.value) == f"{tmp_path}/corpus.jsonl: {listed}"
    with pytest.raises(InputError) as caught:
        rewritten(tmp_path, *bad, "[]")
    assert str(caught.value) == f"{tmp_path}/corpus.jsonl: {listed}; and 1 more"
    with pytest.raises(InputError, match=r"corpus\.jsonl: no dialogue$"):
        rewritten(tmp_path)


def test_a_rewrite_that_makes_a_line_too_long_is_refused(tmp_path, monkeypatch):
    rewritten(tmp_path, json.dumps(LINE))
    longest = len((tmp_path / "out/original.jsonl").read_bytes()) - 1
    monkeypatch.setattr("workflow_scripts.corpora.dialogue_layout.LONGEST_LINE", longest)
    with pytest.raises(InputError, match=rf"^{tmp_path}/corpus\.jsonl: dialogue 'a' is too long for a line"):
        rewritten(tmp_path, with_turn(impolite="Hurry up!"))
    monkeypatch.setattr("workflow_scripts.corpora.dialogue_layout.LONGEST_LINE", longest - 1)
    with pytest.raises(InputError, match=rf"^{tmp_path}/corpus\.jsonl: dialogue 'a' is too long for a line"):
        rewritten(tmp_path, json.dumps(LINE))


def test_a_dialogue_without_a_scenario(tmp_path):
    line = {name: value for name, value in LINE.items() if name != "scenario"}
    assert rewritten(tmp_path, json.dumps(line))[0][:3] == ["a", "0", ""]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "the line is not an object"),
        ('{"scenario": 2}', "dialogue_id: None is not a text"),
        (json.dumps({**LINE, "dialogue_id": "B"}), "dialogue_id 'b' is not in MultiWOZ"),
        (json.dumps({**LINE, "scenario": 7}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": 0}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": True}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": 2.0}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": [1]}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": None}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "turns": []}), "no turn"),
        (json.dumps({**LINE, "turns": 1}), "turns is not a list"),
        (json.dumps({**LINE, "turns": [1]}), "a turn is not an object"),
        (with_turn(impolite=1), "turn 0, impolite: 1 is not a text"),
        (with_turn(turn_id="2" * 21), f"turn_id '{'2' * 20}' is not a user's turn of 'a'"),
        (json.dumps({**LINE, "turns": [*LINE["turns"], *LINE["turns"]]}), "a second turn_id '0'"),  # type: ignore[misc]
        (with_turn(turn_id="1"), "turn_id '1' is not a user's turn of 'a'"),
        (with_turn(turn_id="4"), "turn_id '4' is not a user's turn of 'a'"),
        (with_turn(turn_id=0), "turn_id: 0 is not a text"),
        (with_turn(impolite=" "), "turn 0: no text"),
        (with_turn(politeness=[1, 2]), "turn 0: not all of politeness, content, fluency"),
        (with_turn(**{**RATED, "fluency": [1]}), "turn 0: fluency is not a list of one rating"),
        (with_turn(**{**RATED, "politeness": 3}), "turn 0: politeness is not a list of one rating"),
        (with_turn(**{**RATED, "fluency": "45"}), "turn 0: fluency is not a list of one rating"),
        (with_turn(**{name: [] for name in RATED}), "turn 0: politeness is not a list of one rating"),
        (with_turn(**{**RATED, "fluency": [0, 5]}), "turn 0: fluency is not 1 to 5"),
        (with_turn(**{**RATED, "fluency": [1, 6]}), "turn 0: fluency is not 1 to 5"),
        (with_turn(**{**RATED, "content": [True, 5]}), "turn 0: content is not 1 to 5"),
        (with_turn(**{**RATED, "content": [[], 5]}), "turn 0: content is not 1 to 5"),
    ],
)
def test_every_bad_line_is_named(tmp_path, line, problem):
    with pytest.raises(InputError) as caught:
        rewritten(tmp_path, line, json.dumps(LINE), json.dumps(LINE))
    message = str(caught.value)
    assert f"corpus.jsonl: line 1: {problem}" in message.replace("the corpus", "") and "\n" not in message
    assert "line 3: a second dialogue 'a'" in message and not (tmp_path / "out").exists()


def test_a_zip_with_one_file_or_a_data_json(world, tmp_path):
    text = (world / "MultiWOZ/data.json").read_text()
    for names, problem in (
        (["test.json"], ""),
        (["x/data.json", "ontology.json"], ""),
        (["a.json", "b.json"], "not contain exactly one JSON file"),
        (["a.txt"], "not contain exactly one JSON file"),
    ):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
            for name in names:
                file.writestr(name, text)
        if problem:
            with pytest.raises(InputError, match=problem):
                read_multiwoz21(tmp_path / "a.zip", tmp_path / "out")
        else:
            read_multiwoz21(tmp_path / "a.zip", tmp_path / "out")
            assert len(dialogues(tmp_path / "out")) == sum(SIZES.values())


@pytest.mark.slow
def test_the_real_validation_dialogues(mirror, tmp_path):
    read_multiwoz21(mirror / "convlab2/data/multiwoz/val.json.zip", tmp_path / "val")
    found = dialogues(tmp_path / "val")
    assert (len(found), sum(len(one["turns"]) for one in found)) == (999, 7365)
    assert not {"hospital", "police"} & {domain for one in found for domain in one["goal"]}
