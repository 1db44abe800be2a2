"""Readers of MultiWOZ 2.1 and 2.2 and of the impolite corpus, on the demo world and on broken files."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
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
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **SIZES)
    return folder


def dialogues(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_lines(path)]


def read_fold(world: Path, out: Path, fold: Any) -> list[dict[str, Any]]:
    corpus = world / "MultiWOZ"
    read_multiwoz22(corpus / NEW, out, fold=fold, older=corpus / "data.json")
    return dialogues(out)


def test_the_demo_world_is_the_same_each_time(world: Path, tmp_path: Path) -> None:
    for seed in (1, 2):
        make_dialogues(tmp_path / "MultiWOZ", tmp_path / "impolite.jsonl", seed=seed, **SIZES)
        for path in sorted(path for path in (world / "MultiWOZ").rglob("*.json")):
            again = tmp_path / "MultiWOZ" / path.relative_to(world / "MultiWOZ")
            assert (path.read_bytes() == again.read_bytes()) is (seed == 1 or path.name == "schema.json")


def test_both_layouts_say_the_same(world: Path, tmp_path: Path) -> None:
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


def test_a_turn_of_the_demo_world(world: Path, tmp_path: Path) -> None:
    turns = [turn for one in read_fold(world, tmp_path / "new", "train") for turn in one["turns"]]
    for turn in turns:
        for _, start, end in turn["spans"]:
            assert turn["system"][start:end] in [value for *_, value in turn["acts"]]
    booked = [turn for turn in turns if any(slot == "reference" for slot, *_ in turn["spans"])]
    assert booked and all(turn["booked"] for turn in booked)
    assert len({turn["user"] for turn in turns}) > len(turns) / 2


def test_the_files_of_the_demo_world_are_as_multiwoz_has_them(world: Path) -> None:
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


def test_a_dialogue_without_acts_has_no_spans(tmp_path: Path) -> None:
    make_dialogues(tmp_path / "MultiWOZ", tmp_path / "impolite.jsonl", seed=1, **SIZES)
    change(tmp_path / "MultiWOZ" / NEW / "dialog_acts.json", lambda acts: {})
    turns = [turn for one in read_fold(tmp_path, tmp_path / "out", "test") for turn in one["turns"]]
    assert turns and all((turn["acts"], turn["spans"]) == ([], []) for turn in turns)


def test_spans_and_bookings_of_the_older_layout(tmp_path: Path) -> None:
    """A span of several tokens; what is booked has a reference; the slot of a booking is one of its own."""
    text = "Try The Old Oven , please ."
    spans = [
        ["Restaurant-Recommend", "Name", "The Old Oven", 1, 3],
        ["Restaurant-Inform", "Addr", "Oven", 1, 3],
    ]
    book = {"people": "2", "booked": []}
    log: list[dict[str, Any]] = []
    for done in ([], [{"name": "the old oven"}], [{"name": "the old oven", "reference": "X1"}]):
        here = {"restaurant": {"semi": {"name": "the old oven"}, "book": {**book, "booked": done}}}
        log += [{"text": "hello"}, {"text": text, "metadata": here, "span_info": spans}]
    (tmp_path / "data.json").write_text(json.dumps({"D.json": {"goal": {}, "log": log}}))
    read_multiwoz21(tmp_path / "data.json", tmp_path / "out")
    turns = dialogues(tmp_path / "out")[0]["turns"]
    assert [turn["booked"] for turn in turns] == [[], [], ["restaurant"]]
    assert all(turn["spans"] == [["name", 4, 16]] for turn in turns) and text[4:16] == "The Old Oven"
    assert all(turn["state"] == {"restaurant": {"name": "the old oven", "bookpeople": "2"}} for turn in turns)


def test_the_goal_of_who_books_asks_for_a_reference(world: Path, tmp_path: Path) -> None:
    old = json.loads((world / "MultiWOZ/data.json").read_text())
    for one in read_fold(world, tmp_path / "new", "train"):
        goal = next(found["goal"] for name, found in old.items() if name.lower() == f"{one['id']}.json")
        for domain, wanted in one["goal"].items():
            assert ("reference" in wanted["requestable"]) is ("book" in goal[domain])
            assert set(wanted["informable"].values()) == set(goal[domain]["info"].values())


def test_users_are_overlaid(world: Path, tmp_path: Path) -> None:
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
        ("[]", "line 1 is no object"),
        ('{"id": 1, "turns": []}', "line 1, id: 1 is no text"),
        ('{"id": "a", "turns": 1}', "line 1, turns is no list"),
        ('{"id": "a", "turns": [{}]}', "line 1, user: None is no text"),
    ],
)
def test_dialogues_that_cannot_be_rewritten(tmp_path: Path, known: str, problem: str) -> None:
    (tmp_path / "known.jsonl").write_text(known + "\n")
    (tmp_path / "corpus.jsonl").write_text(json.dumps(LINE) + "\n")
    with pytest.raises(InputError, match=problem):
        read_impolite(tmp_path / "corpus.jsonl", tmp_path / "out", dialogues=[tmp_path / "known.jsonl"])


def with_turn(**changes: Any) -> str:
    return json.dumps({**LINE, "turns": [{**LINE["turns"][0], **changes}]})  # type: ignore[index]


def test_ratings_are_optional(tmp_path: Path) -> None:
    row = ["a", "0", "2", "please", "Now!"]
    assert rewritten(tmp_path, json.dumps(LINE)) == [[*row, "", "", ""]]
    assert rewritten(tmp_path, with_turn(**RATED)) == [[*row, "1 2", "5 5", "4 5"]]


def test_a_dialogue_without_a_scenario(tmp_path: Path) -> None:
    line = {name: value for name, value in LINE.items() if name != "scenario"}
    assert rewritten(tmp_path, json.dumps(line))[0][:3] == ["a", "0", ""]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "the line is no object"),
        ('{"scenario": 2}', "dialogue_id: None is no text"),
        (json.dumps({**LINE, "dialogue_id": "B"}), "dialogue_id 'b' is not in MultiWOZ"),
        (json.dumps({**LINE, "scenario": 7}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": [1]}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "scenario": None}), "scenario is not 1 to 6"),
        (json.dumps({**LINE, "turns": []}), "no turn"),
        (json.dumps({**LINE, "turns": [*LINE["turns"], *LINE["turns"]]}), "a second turn_id '0'"),  # type: ignore[misc]
        (with_turn(turn_id="1"), "turn_id '1' is no user's turn of 'a'"),
        (with_turn(turn_id="4"), "turn_id '4' is no user's turn of 'a'"),
        (with_turn(turn_id=0), "turn_id: 0 is no text"),
        (with_turn(impolite=" "), "turn 0: no text"),
        (with_turn(politeness=[1, 2]), "turn 0: not all of politeness, content, fluency"),
        (with_turn(**{**RATED, "fluency": [1]}), "turn 0: fluency is no list of as many ratings"),
        (with_turn(**{**RATED, "fluency": [1, 6]}), "turn 0: fluency is not 1 to 5"),
        (with_turn(**{**RATED, "content": [True, 5]}), "turn 0: content is not 1 to 5"),
        (with_turn(**{**RATED, "content": [[], 5]}), "turn 0: content is not 1 to 5"),
    ],
)
def test_every_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        rewritten(tmp_path, line, json.dumps(LINE), json.dumps(LINE))
    message = str(caught.value)
    assert f"corpus.jsonl: line 1: {problem}" in message.replace("the corpus", "") and "\n" not in message
    assert "line 3: a second dialogue 'a'" in message and not (tmp_path / "out").exists()


def change(path: Path, function: Callable[[Any], Any]) -> None:
    content = json.loads(path.read_text())
    path.write_text(json.dumps(function(content)))


@pytest.mark.parametrize(
    ("file", "function", "problem"),
    [
        (f"{NEW}/test/dialogues_001.json", lambda c: {}, "the file is no list"),
        (f"{NEW}/test/dialogues_001.json", lambda c: [], "no dialogue in it"),
        (f"{NEW}/test/dialogues_001.json", lambda c: [*c, c[0]], "a second dialogue"),
        (
            f"{NEW}/test/dialogues_001.json",
            lambda c: [{**c[0], "turns": c[0]["turns"][:-1]}],
            "an even number",
        ),
        (
            f"{NEW}/test/dialogues_001.json",
            lambda c: [{**c[0], "turns": c[0]["turns"][::-1]}],
            "speakers are not",
        ),
        (f"{NEW}/test/dialogues_001.json", lambda c: [{**c[0], "dialogue_id": "X"}], "no dialogue 'X'"),
        (f"{NEW}/test/dialogues_001.json", lambda c: [{**c[0], "services": 1}], "is no list"),
        (f"{NEW}/dialog_acts.json", lambda c: [], "the file is no object"),
        (f"{NEW}/dialog_acts.json", lambda c: dict.fromkeys(c, 1), "is no object"),
        ("data.json", lambda c: {}, "no dialogue"),
        ("data.json", lambda c: {name: {**one, "log": []} for name, one in c.items()}, "is no list of"),
        ("data.json", lambda c: {name: {**one, "goal": []} for name, one in c.items()}, "goal is no object"),
    ],
)
def test_what_is_not_in_the_layout_is_named(
    tmp_path: Path, file: str, function: Callable, problem: str
) -> None:
    make_dialogues(tmp_path / "MultiWOZ", tmp_path / "impolite.jsonl", seed=1, **SIZES)
    change(tmp_path / "MultiWOZ" / file, function)
    with pytest.raises(InputError, match=problem) as caught:
        read_fold(tmp_path, tmp_path / "out.jsonl", "test")
    assert str(tmp_path) in str(caught.value) and not (tmp_path / "out.jsonl").exists()


def test_a_zip_with_one_file_or_a_data_json(world: Path, tmp_path: Path) -> None:
    text = (world / "MultiWOZ/data.json").read_text()
    for names, problem in (
        (["test.json"], ""),
        (["x/data.json", "ontology.json"], ""),
        (["a.json", "b.json"], "not one JSON file"),
        (["a.txt"], "not one JSON file"),
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


def test_the_real_validation_dialogues(mirror: Path, tmp_path: Path) -> None:
    read_multiwoz21(mirror / "convlab2/data/multiwoz/val.json.zip", tmp_path / "val")
    found = dialogues(tmp_path / "val")
    assert (len(found), sum(len(one["turns"]) for one in found)) == (999, 7365)
    assert not {"hospital", "police"} & {domain for one in found for domain in one["goal"]}
