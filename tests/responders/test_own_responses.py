"""Responses of one's own are taken as they are, if they fit the dialogues."""

import json
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.outputs import Output, read_outputs
from workflow_scripts.responders.own_responses import own_responses

TURN = {"user": "u", "system": "Take it .", "state": {}, "booked": [], "acts": [], "spans": []}
KNOWN = {"id": "d1", "services": ["restaurant"], "goal": {}, "turns": [TURN, TURN]}


def take(folder: Path, content: object) -> Path:
    (folder / "known.jsonl").write_text(json.dumps(KNOWN) + "\n", encoding="utf-8")
    (folder / "mine.json").write_text(json.dumps(content), encoding="utf-8")
    own_responses(folder / "taken.json", responses=folder / "mine.json", dialogues=folder / "known.jsonl")
    return folder / "taken.json"


def test_nothing_is_lost(tmp_path):
    said = [
        {
            "response": "Préférez [value_name] ?",
            "state": {"taxi": {"leave": "17:15"}},
            "active_domains": ["Taxi"],
        },
        {"response": ""},
    ]
    found = read_outputs(take(tmp_path, {"D1.json": said}), read_dialogues(tmp_path / "known.jsonl"))
    first = Output("Préférez [value_name] ?", {"taxi": {"leave": "17:15"}}, ("taxi",))
    assert found == {"d1": [first, Output("")]}


def test_what_does_not_fit_is_named_and_nothing_is_written(tmp_path):
    with pytest.raises(InputError, match=r"mine.json: dialogue 'd1': 1 turns instead of 2"):
        take(tmp_path, {"d1": [{"response": "a"}]})
    assert not (tmp_path / "taken.json").exists()
