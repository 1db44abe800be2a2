"""MultiWOZ 2.1 and 2.2 on one dialogue of each: all that is read of it, and each place that may be wrong."""

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora import multiwoz21
from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22

AGAIN = "get the corpus again"
TEXT = "Try The Old Oven , now ."
# What is no domain, or is empty, stands before what is read.
METADATA = {
    "general": 3,
    "hotel": {"semi": {"Name": "none", "area": "not mentioned"}, "book": {"people": "", "booked": []}},
    "restaurant": {
        "semi": {"Food": "thai", "area": ""},
        "book": {"People": "2", "booked": [{"name": "the old oven"}, {"reference": "R1"}]},
    },
    "taxi": {"semi": {"leaveAt": "10:00"}},
    "train": {"book": {"booked": [{"reference": ""}]}},
}
GOAL = {
    "message": ["Find a table."],
    "police": {},
    "restaurant": {"info": {"Food": "thai"}, "reqt": ["Phone"], "book": {"people": "2"}},
    "taxi": {"info": {"leaveAt": "10:00"}, "book": {}},
    "hospital": {"reqt": ["address"]},
}
SPANS_21 = [
    ["Restaurant-Inform", "Name", "The Old Oven", 1, 9],
    ["Restaurant-Inform", "Name", "The Old Oven", -1, 3],
    ["Restaurant-Inform", "Name", "The Old Oven", "1", 3],
    ["Restaurant-Inform", "Name", "", 3, 1],
    ["Restaurant-Inform", "Name", None, 1, 3],
    ["Restaurant-Inform", "Name", "the old oven", 1, 3],
    ["Restaurant-Inform", "Open", "Try", 0, 0],
    ["Restaurant-Inform", "Food", ".", 6, 6],
]
SYSTEM_21 = {
    "text": TEXT,
    "metadata": METADATA,
    "dialog_act": {"general-greet": [], "Restaurant-Inform-Now": [["Addr", "1 Mill Lane"], ["Food", "Thai"]]},
    "span_info": SPANS_21,
}
OLD = {
    "PMUL1.json": {
        "goal": GOAL,
        "log": [
            {"text": "Hello", "metadata": {}},
            SYSTEM_21,
            {"text": "Bye", "metadata": {}},
            {"text": "Goodbye", "metadata": {}},
        ],
    }
}
READ_GOAL = {
    "restaurant": {"informable": {"food": "thai"}, "requestable": ["phone", "reference"]},
    "taxi": {"informable": {"leaveat": "10:00"}, "requestable": []},
    "hospital": {"informable": {}, "requestable": ["address"]},
}
ACTS = [
    ["restaurant", "inform-now", "address", "1 Mill Lane"],
    ["restaurant", "inform-now", "food", "Thai"],
]
LAST = {"user": "Bye", "system": "Goodbye", "state": {}, "booked": [], "acts": [], "spans": []}

SLOTS_22 = {"restaurant-food": ["thai", "Thai"], "restaurant-area": [], "taxi-leaveat": ["10:00"]}
NEW = [
    {
        "dialogue_id": "PMUL1.json",
        "services": ["taxi", "restaurant"],
        "turns": [
            {
                "speaker": "USER",
                "utterance": "Hello",
                "frames": [{}, {"state": {}}, {"state": {"slot_values": SLOTS_22}}],
            },
            {"speaker": "SYSTEM", "utterance": TEXT},
            {"speaker": "USER", "utterance": "Bye", "frames": []},
            {"speaker": "SYSTEM", "utterance": "Goodbye"},
        ],
    }
]
SPANS_22 = [
    ["Restaurant-Inform", "Name", "x", 0, len(TEXT) + 1],
    ["Restaurant-Inform", "Name", "x", -1, 3],
    ["Restaurant-Inform", "Name", "x", 4, 4],
    ["Restaurant-Inform", "Name", "x", False, 4],
    ["Restaurant-Inform", "Name", "x", 0, True],
    ["Restaurant-Inform", "Name", "x", "0", 4],
    ["Restaurant-Inform", "Name", "x", 4, 16],
    ["Restaurant-Inform", "Open", "x", 0, len(TEXT)],
]
NOTED = {"PMUL1.json": {"1": {"dialog_act": SYSTEM_21["dialog_act"], "span_info": SPANS_22}, "3": {}}}


def changed(content: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place."""
    found = copy.deepcopy(content)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


def dialogues(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_lines(path)]


def read_21(folder: Path, content: Any) -> list[dict[str, Any]]:
    (folder / "data.json").write_text(json.dumps(content))
    read_multiwoz21(folder / "data.json", folder / "out")
    return dialogues(folder / "out")


def read_22(folder: Path, new: Any = NEW, acts: Any = NOTED, old: Any = OLD) -> list[dict[str, Any]]:
    (folder / "test").mkdir()
    for name, content in (("test/dialogues_001", new), ("dialog_acts", acts), ("data", old)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    read_multiwoz22(folder, folder / "out", fold="test", older=folder / "data.json")
    return dialogues(folder / "out")


def test_all_of_a_dialogue_of_21(tmp_path):
    first = {
        "user": "Hello",
        "system": TEXT,
        "state": {"restaurant": {"food": "thai", "bookpeople": "2"}, "taxi": {"leaveat": "10:00"}},
        "booked": ["restaurant"],
        "acts": ACTS,
        "spans": [["name", 4, 16], ["openhours", 0, 3], ["food", 23, 24]],
    }
    expected = {"id": "pmul1", "services": ["hospital", "restaurant", "taxi"], "goal": READ_GOAL}
    assert read_21(tmp_path, OLD) == [{**expected, "turns": [first, LAST]}]
    # What stands in a state only is a service too.
    (found,) = read_21(tmp_path, changed(OLD, ("PMUL1.json", "goal"), {}))
    assert found["services"] == ["restaurant", "taxi"] and found["goal"] == {}


def test_all_of_a_dialogue_of_22(tmp_path):
    first = {
        "user": "Hello",
        "system": TEXT,
        "state": {"restaurant": {"food": "thai"}, "taxi": {"leaveat": "10:00"}},
        "booked": ["restaurant"],
        "acts": ACTS,
        "spans": [["name", 4, 16], ["openhours", 0, len(TEXT)]],
    }
    expected = {"id": "pmul1", "services": ["restaurant", "taxi"], "goal": READ_GOAL}
    assert read_22(tmp_path) == [{**expected, "turns": [first, LAST]}]


def test_files_of_a_fold_are_read_in_their_order(tmp_path):
    read_22(tmp_path)
    later = changed(NEW, (0, "dialogue_id"), "A.json")
    (tmp_path / "test/dialogues_002.json").write_text(json.dumps(later))
    (tmp_path / "test/other.json").write_text("?")
    (tmp_path / "data.json").write_text(json.dumps({**OLD, "a.json": OLD["PMUL1.json"]}))
    read_multiwoz22(tmp_path, tmp_path / "out", fold="test", older=tmp_path / "data.json")
    found = dialogues(tmp_path / "out")
    assert [one["id"] for one in found] == ["pmul1", "a"]
    # No acts are noted of the second.
    assert [(turn["acts"], turn["spans"]) for turn in found[1]["turns"]] == [([], [])] * 2


D = "PMUL1.json"
SYSTEM = (D, "log", 1)
HERE = "dialogue 'PMUL1.json'"
TURN = f"{HERE}, turn 1"
IN_STATE = f"{TURN}, metadata of restaurant"
# Where something is wrong in the older layout, and what is said of it.
WRONG_21: list[tuple[tuple[Any, ...], Any, str]] = [
    ((D,), 1, f"{HERE} is not an object"),
    ((D, "log"), {}, f"{HERE}, log is not a list"),
    ((D, "log"), [], f"{HERE}: 0 turns, but an even number is needed"),
    ((D, "log"), [{}], f"{HERE}: 1 turns, but an even number is needed"),
    ((D, "log", 0), 1, f"{TURN} is not an object"),
    ((D, "log", 0, "text"), 1, f"{TURN}: 1 is not a text"),
    ((D, "log", 2, "text"), None, f"{HERE}, turn 3: None is not a text"),
    (SYSTEM, 1, f"{TURN} is not an object"),
    ((*SYSTEM, "text"), 1, f"{TURN}: 1 is not a text"),
    ((*SYSTEM, "metadata"), 1, f"{TURN}, metadata is not an object"),
    ((*SYSTEM, "metadata", "restaurant"), 1, f"{IN_STATE} is not an object"),
    ((*SYSTEM, "metadata", "restaurant", "semi"), 1, f"{IN_STATE} is not an object"),
    ((*SYSTEM, "metadata", "restaurant", "semi", "Food"), 1, f"{IN_STATE}, food: 1 is not a text"),
    ((*SYSTEM, "metadata", "restaurant", "book"), 1, f"{IN_STATE} is not an object"),
    ((*SYSTEM, "metadata", "restaurant", "book", "People"), 1, f"{IN_STATE}, bookpeople: 1 is not a text"),
    ((*SYSTEM, "metadata", "restaurant", "book", "booked"), 1, f"{IN_STATE} is not a list"),
    ((*SYSTEM, "metadata", "restaurant", "book", "booked"), [1], f"{IN_STATE} is not an object"),
    ((*SYSTEM, "dialog_act"), 1, f"{TURN}, dialog_act is not an object"),
    ((*SYSTEM, "dialog_act", "general-greet"), 1, f"{TURN}, general-greet is not a list"),
    ((*SYSTEM, "dialog_act", "general-greet"), [1], f"{TURN} is not a list of 2"),
    ((*SYSTEM, "dialog_act", "general-greet"), [["a"]], f"{TURN} is not a list of 2"),
    ((*SYSTEM, "dialog_act", "general-greet"), [["a", 1]], f"{TURN}, general-greet: 1 is not a text"),
    ((*SYSTEM, "span_info"), 1, f"{TURN}, span_info is not a list"),
    ((*SYSTEM, "span_info"), [1], f"{TURN}, span_info is not a list of 5"),
    ((*SYSTEM, "span_info"), [["A", 1, "Try", 0, 0]], f"{TURN}, A: 1 is not a text"),
    ((D, "goal"), 1, f"{HERE}, goal is not an object"),
    ((D, "goal", "restaurant"), 1, f"{HERE}, goal, restaurant is not an object"),
    ((D, "goal", "restaurant", "info"), 1, f"{HERE}, goal, restaurant is not an object"),
    ((D, "goal", "restaurant", "info", "Food"), 1, f"{HERE}, goal, restaurant, Food: 1 is not a text"),
    ((D, "goal", "restaurant", "reqt"), 1, f"{HERE}, goal, restaurant is not a list"),
    ((D, "goal", "restaurant", "reqt"), [1], f"{HERE}, goal, restaurant: 1 is not a text"),
]


@pytest.mark.parametrize(("place", "value", "problem"), WRONG_21)
def test_what_is_wrong_in_21_is_named(tmp_path, place, value, problem):
    with pytest.raises(InputError) as caught:
        read_21(tmp_path, changed(OLD, place, value))
    assert str(caught.value) == f"{tmp_path}/data.json: {problem}; {AGAIN}"


TURNS = (0, "turns")
AT, AFTER = f"{HERE}, turn 0", f"{HERE}, turn 1"
WRONG_22: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("new", (0,), 1, "a dialogue is not an object"),
    ("new", (0, "dialogue_id"), 1, "a dialogue_id: 1 is not a text"),
    ("new", (0, "services"), 1, f"{HERE} is not a list"),
    ("new", (0, "services"), [1], f"{HERE}, services: 1 is not a text"),
    ("new", TURNS, 1, f"{HERE}, turns is not a list"),
    ("new", TURNS, NEW[0]["turns"][:3], f"{HERE}: 3 turns, but an even number is needed"),  # type: ignore[index]
    ("new", (*TURNS, 0), 1, f"{AT} is not an object"),
    ("new", (*TURNS, 1), 1, f"{AT} is not an object"),
    ("new", (*TURNS, 0, "speaker"), "SYSTEM", f"{AT}: the speakers are not USER and SYSTEM"),
    ("new", (*TURNS, 1, "speaker"), "USER", f"{AT}: the speakers are not USER and SYSTEM"),
    ("new", (*TURNS, 0, "frames"), 1, f"{AT}, frames is not a list"),
    ("new", (*TURNS, 0, "frames"), [1], f"{AT} is not an object"),
    ("new", (*TURNS, 0, "frames", 1, "state"), 1, f"{AT}, state is not an object"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values"), 1, f"{AT}, slot_values is not an object"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values", "food"), [], f"{AT}: unknown slot 'food'"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values", "taxi-"), [], f"{AT}: unknown slot 'taxi-'"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values", "x-y"), [], f"{AT}: unknown slot 'x-y'"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values", "bus-a"), 1, f"{AT}, bus-a is not a list"),
    ("new", (*TURNS, 0, "frames", 2, "state", "slot_values", "bus-a"), [1], f"{AT}, bus-a: 1 is not a text"),
    ("new", (*TURNS, 0, "utterance"), 1, f"{AT}, utterance: 1 is not a text"),
    ("new", (*TURNS, 1, "utterance"), 1, f"{AT}, utterance of the system: 1 is not a text"),
    ("new", (*TURNS, 2, "utterance"), 1, f"{HERE}, turn 2, utterance: 1 is not a text"),
    ("acts", (D,), 1, f"{HERE} is not an object"),
    ("acts", (D, "1"), 1, f"{AFTER} is not an object"),
    ("acts", (D, "1", "dialog_act"), 1, f"{AFTER}, dialog_act is not an object"),
    ("acts", (D, "1", "span_info"), 1, f"{AFTER}, span_info is not a list"),
    ("acts", (D, "1", "span_info"), [[]], f"{AFTER}, span_info is not a list of 5"),
    ("acts", (D, "1", "span_info"), [["A", 1, "x", 0, 1]], f"{AFTER}: 1 is not a text"),
    ("old", (D,), 1, f"{HERE} is not an object"),
    ("old", (D, "log"), [{}], f"{HERE}, log is not a list of 4"),
    ("old", SYSTEM, 1, f"{AFTER} is not an object"),
    ("old", (*SYSTEM, "metadata"), 1, f"{AFTER}, metadata is not an object"),
    ("old", (D, "goal"), 1, f"{HERE}, goal is not an object"),
]
FILES_22 = {"new": "test/dialogues_001.json", "acts": "dialog_acts.json", "old": "data.json"}


@pytest.mark.parametrize(("file", "place", "value", "problem"), WRONG_22)
def test_what_is_wrong_in_22_is_named(tmp_path, file, place, value, problem):
    content = {"new": NEW, "acts": NOTED, "old": OLD}
    with pytest.raises(InputError) as caught:
        read_22(tmp_path, **{**content, file: changed(content[file], place, value)})
    assert str(caught.value) == f"{tmp_path}/{FILES_22[file]}: {problem}; {AGAIN}"


@pytest.mark.parametrize("file", FILES_22)
def test_a_file_of_another_kind_is_named(tmp_path, file):
    kind = "a list" if file == "new" else "an object"
    with pytest.raises(InputError) as caught:
        read_22(tmp_path, **{file: 1})
    assert str(caught.value) == f"{tmp_path}/{FILES_22[file]}: the file is not {kind}; {AGAIN}"
    (tmp_path / FILES_22[file]).write_text("{")
    with pytest.raises(InputError) as caught:
        read_multiwoz22(tmp_path, tmp_path / "out", fold="test", older=tmp_path / "data.json")
    assert str(caught.value).startswith(f"{tmp_path}/{FILES_22[file]}:1: not JSON")
    assert str(caught.value).endswith(f"; {AGAIN}")


def test_a_dialogue_that_the_older_version_lacks_is_named(tmp_path):
    with pytest.raises(InputError) as caught:
        read_22(tmp_path, old={"X.json": OLD["PMUL1.json"]})
    fix = "goals and bookings come from it; use a complete data.json"
    assert str(caught.value) == f"{tmp_path}/data.json: no {HERE}; {fix}"


@pytest.mark.parametrize(
    ("new", "problem"),
    [([], "test: no dialogue in it"), ([*NEW, *NEW], "test: a second dialogue 'pmul1'")],
)
def test_a_fold_has_each_dialogue_once(tmp_path, new, problem):
    with pytest.raises(InputError) as caught:
        read_22(tmp_path, new=new)
    assert str(caught.value) == f"{tmp_path}/{problem}; {AGAIN}"


def packed(folder: Path, **members: str) -> Path:
    with zipfile.ZipFile(folder / "a.zip", "w") as file:
        for name, text in members.items():
            file.writestr(name, text)
    return folder / "a.zip"


def test_a_zip_of_the_largest_size_is_read_whole(tmp_path, monkeypatch):
    text = json.dumps(OLD)
    archive = packed(tmp_path, **{"x/y/ontology.json": "?", "x/y/data.json": text, "README": "?"})
    monkeypatch.setattr(multiwoz21, "LARGEST", len(text))
    read_multiwoz21(archive, tmp_path / "out")
    assert [one["id"] for one in dialogues(tmp_path / "out")] == ["pmul1"]
    monkeypatch.setattr(multiwoz21, "LARGEST", len(text) - 1)
    with pytest.raises(InputError, match=rf"a\.zip: a file of more than {len(text) - 1} bytes in it"):
        read_multiwoz21(archive, tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "a.zip: the file is not an object; get the corpus again"),
        ("{}", "a.zip: no dialogue in it; get the corpus again"),
        ("{", "a.zip/b.json:1: not JSON .*; get the corpus again"),
    ],
)
def test_what_a_zip_holds_is_named(tmp_path, text, problem):
    with pytest.raises(InputError, match=f"^{tmp_path}/{problem}$"):
        read_multiwoz21(packed(tmp_path, **{"b.json": text}), tmp_path / "out")
    archive = tmp_path / "a.zip"
    archive.write_bytes(archive.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"a\.zip: broken zip \("):
        read_multiwoz21(archive, tmp_path / "out")
    with pytest.raises(InputError, match=r"none\.zip: no such file"):
        read_multiwoz21(tmp_path / "none.zip", tmp_path / "out")


def test_a_dialogue_longer_than_any_line_is_refused(tmp_path, monkeypatch):
    """Bytes count, not characters; a line of exactly the limit is read."""
    content = changed(OLD, (D, "log", 0, "text"), "é")
    size = len(json.dumps(read_21(tmp_path, content)[0], ensure_ascii=False).encode())
    for limit in (size, size - 1):
        monkeypatch.setattr("workflow_scripts.corpora.dialogue_layout.LONGEST_LINE", limit)
        if limit == size:
            assert len(read_21(tmp_path, content)) == 1
        else:
            with pytest.raises(InputError, match=r"data\.json: dialogue 'pmul1' is too long for a line"):
                read_21(tmp_path, content)
