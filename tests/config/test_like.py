"""A row that is like another one has that one's settings, and says only what differs."""

import json

import jsonschema
import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config.settings import load
from workflow_scripts.core.errors import InputError


def test_three_lines_are_a_classifier(demo):
    mine = {"label": "MINE", "like": "roberta", "encoder": {"kind": "folder", "path": "models/mine"}}
    demo["politeness"]["classifiers"]["mine"] = mine
    jsonschema.validate(demo, json.loads((ROOT / "config/schema.json").read_text(encoding="utf-8")))
    found = load(demo).model_dump()["politeness"]["classifiers"]
    theirs = found["roberta"]
    own = {"label": "MINE", "encoder": {**theirs["encoder"], "kind": "folder", "path": "models/mine"}}
    assert found["mine"] == {**theirs, **own}
    # What is given is left as it is.
    assert demo["politeness"]["classifiers"]["mine"] == mine


def test_rows_of_every_section_may_be_like_others(demo):
    rows = {
        "systems": ("unmt", {"lm_weight": 0.5}),
        "control": ("cocoa-mt", {"copies": 3}),
        "dialogue": ("ubar", {"training": {"epochs": 7}}),
        "style": ("bart", {"prompt": "Say it rudely: "}),
    }
    for section, (other, own) in rows.items():
        place = demo if section == "systems" else demo[section]
        place["systems"]["mine"] = {"label": "MINE", "like": other, **own}
        # In any order, and over several steps.
        place["systems"] = {"more": {"label": "MORE", "like": "mine"}, **place["systems"]}
    found = load(demo).model_dump()
    for section, (other, own) in rows.items():
        systems = (found if section == "systems" else found[section])["systems"]
        expected = {**systems[other], "label": "MORE", **own}
        if section == "dialogue":
            expected["training"] = {**systems[other]["training"], "epochs": 7}
        assert systems["more"] == expected and systems["more"]["label"] != systems["mine"]["label"]


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ({"label": "MINE", "like": "robert"}, "mine.like: no 'robert' there; did you mean 'roberta'?"),
        ({"label": "MINE", "like": "mine"}, "mine.like: 'mine' is, in the end, like itself"),
        ({"label": "MINE", "like": ["roberta"]}, "mine.like: give the name of another row"),
        ({"like": "roberta"}, "key 'politeness.classifiers.mine.label' is missing"),
        ({"label": "MINE", "like": "roberta", "epoch": 3}, "unknown key 'politeness.classifiers.mine.epoch'"),
    ],
)
def test_what_it_cannot_be_like_is_told(demo, own, problem):
    demo["politeness"]["classifiers"]["mine"] = own
    with pytest.raises(InputError) as told:
        load(demo)
    assert problem in str(told.value) and "\n" not in str(told.value)


def test_an_untrained_row_that_is_like_a_tuned_one_is_told_what_to_write(demo):
    """Each message ends with a setting; with all of them the row is valid."""
    tuned = {"label": "TUNED", "kind": "finetuned", "input": "copy", "model": {"kind": "folder", "path": "x"}}
    mine = {"label": "MINE", "like": "tuned", "training": None}
    demo["systems"] |= {"tuned": {**tuned, "seeds": [1, 2, 3], "lora": {}}, "mine": mine}
    for _ in range(2):
        with pytest.raises(InputError) as told:
            load(demo)
        mine |= yaml.safe_load(str(told.value).rpartition("; give ")[2])
    assert mine.keys() == {"label", "like", "training", "seeds", "lora"}
    row = load(demo).systems["mine"]
    assert (row.seeds, row.lora, row.training) == ([1], None, None)


def test_a_row_whose_name_is_a_number_is_no_bug(demo):
    demo["politeness"]["classifiers"] |= {"mine": {"label": "MINE", "like": "robert"}, 2027: {}}
    with pytest.raises(InputError, match="did you mean 'roberta'"):
        load(demo)
