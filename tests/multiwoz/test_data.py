"""Files of dialogues: an error in the layout is one line, also on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.multiwoz.data import read_dialogues

TURN: dict[str, Any] = {"user": "u", "system": "at 1", "state": {}, "booked": [], "acts": [], "spans": []}
WHOLE: dict[str, Any] = {"id": "a", "services": [], "goal": {}, "turns": [TURN]}


def put(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": 1}, "1 is not a text"),
        ({"turns": []}, "no turn"),
        ({"turns": {}}, "{} is not a list"),
        ({"goal": {"hotel": {"informable": {}}}}, "no 'requestable'"),
        ({"goal": {"hotel": {"informable": {"area": 1}, "requestable": []}}}, "1 is not a text"),
        ({"turns": [{**TURN, "user": None}]}, "None is not a text"),
        ({"turns": [{**TURN, "state": {"hotel": {"area": []}}}]}, r"\[\] is not a text"),
        ({"turns": [{**TURN, "acts": [["hotel", "inform"]]}]}, "not enough values"),
        ({"turns": [{**TURN, "spans": [["phone", 3, 5]]}]}, "a span that is not in its text"),
        ({"turns": [{**TURN, "spans": [["phone", 3, 3]]}]}, "a span that is not in its text"),
        ({"turns": [{**TURN, "spans": [["phone", True, 3]]}]}, "True is not a place in a text"),
    ],
)
def test_a_dialogue_that_is_none_is_named(tmp_path, changes, problem):
    path = put(tmp_path / "d.jsonl", WHOLE, {**WHOLE, "id": "b", **changes})
    with pytest.raises(InputError, match=rf"d\.jsonl:2: not a dialogue \({problem}"):
        read_dialogues(path)


def test_ids_and_files(tmp_path):
    with pytest.raises(InputError, match=r"d\.jsonl:2: a second dialogue 'a'"):
        read_dialogues(put(tmp_path / "d.jsonl", WHOLE, WHOLE))
    with pytest.raises(InputError, match="no dialogue"):
        read_dialogues(put(tmp_path / "d.jsonl"))
    spans = {"turns": [{**TURN, "spans": [["phone", 3, 4]]}]}
    assert read_dialogues(put(tmp_path / "d.jsonl", {**WHOLE, **spans}))[0].turns[0].spans == (
        ("phone", 3, 4),
    )


def test_bad_input_is_one_line_and_exit_code_2(tmp_path, module):
    path = put(tmp_path / "d.jsonl", {"id": "a"})
    outs = tmp_path / "scores.csv", tmp_path / "verdicts.csv"
    done = module("dialogue.evaluate", *outs, "--dialogues", path, "--databases", tmp_path / "hotel_db.json")
    assert done.returncode == 2 and not any(out.exists() for out in outs)
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1 and "d.jsonl:1" in done.stderr
