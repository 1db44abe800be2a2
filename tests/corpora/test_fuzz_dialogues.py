"""Anything into the readers of dialogues: whole dialogues come out, or one line that names the file does."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.fuzzing import FILE, folder, fuzz, names_place, put
from tests.corpora.test_fuzz_open import ANY_JSON
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.impolite import read_impolite
from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22
from workflow_scripts.multiwoz.data import read_dialogues

METADATA = {"hotel": {"semi": {"area": "north"}, "book": {"booked": [{"reference": "X"}]}}}
OLD = {
    "A.json": {
        "goal": {"hotel": {"info": {"area": "north"}, "reqt": ["phone"], "book": {"day": "monday"}}},
        "log": [
            {"text": "hello", "metadata": {}, "dialog_act": {}, "span_info": []},
            {
                "text": "call 1",
                "metadata": METADATA,
                "dialog_act": {"Hotel-Inform": [["Phone", "1"]]},
                "span_info": [["Hotel-Inform", "Phone", "1", 1, 1]],
            },
        ],
    }
}
NEW = [
    {
        "dialogue_id": "A.json",
        "services": ["hotel"],
        "turns": [
            {
                "speaker": "USER",
                "utterance": "hello",
                "frames": [{"state": {"slot_values": {"hotel-area": ["north"]}}}],
            },
            {"speaker": "SYSTEM", "utterance": "call 1", "frames": []},
        ],
    }
]
ACTS = {
    "A.json": {
        "1": {
            "dialog_act": {"Hotel-Inform": [["phone", "1"]]},
            "span_info": [["Hotel-Inform", "phone", "1", 5, 6]],
        }
    }
}
KNOWN = {"id": "a", "turns": [{"user": "please"}]}
LINE = {
    "dialogue_id": "A.json",
    "scenario": 1,
    "turns": [{"turn_id": "0", "impolite": "now", "politeness": [1], "content": [5], "fluency": [5]}],
}


def changed(draw: st.DrawFn, content: Any) -> Any:
    """The content with something else at one place of it, or nowhere."""
    if isinstance(content, (dict, list)) and content and draw(st.integers(0, 5)):
        keys = list(content) if isinstance(content, dict) else range(len(content))
        key = draw(st.sampled_from(list(keys)))
        copy: Any = dict(content) if isinstance(content, dict) else list(content)
        copy[key] = changed(draw, copy[key])
        return copy
    return draw(ANY_JSON | st.just(content))


@st.composite
def near(draw: st.DrawFn, content: Any) -> bytes:
    """A file with one thing changed, or any bytes."""
    if draw(st.integers(0, 5)):
        return json.dumps(changed(draw, content)).encode()
    return draw(FILE)


def check(root: Path, out: Path, read: Any) -> None:
    try:
        read()
    except InputError as error:
        assert names_place(error, root) and not out.exists()
    else:
        found = read_dialogues(out)
        assert found and all(one.turns for one in found)


@fuzz
@given(near(OLD))
def test_fuzz_multiwoz21(data):
    with folder() as root:
        path, out = put(root / "data.json", data), root / "out"
        check(root, out, lambda: read_multiwoz21(path, out))


@fuzz
@given(st.integers(0, 2), st.data())
def test_fuzz_multiwoz22(which, data):
    with folder() as root:
        names = ("test/dialogues_001.json", "dialog_acts.json", "data.json")
        for number, (name, content) in enumerate(zip(names, (NEW, ACTS, OLD), strict=True)):
            plain = json.dumps(content).encode()
            put(root / name, data.draw(near(content)) if number == which else plain)
        out = root / "out"
        check(root, out, lambda: read_multiwoz22(root, out, fold="test", older=root / "data.json"))


@fuzz
@given(st.lists(near(LINE), min_size=1, max_size=2).map(b"\n".join))
def test_fuzz_impolite(data):
    with folder() as root:
        known = put(root / "known.jsonl", json.dumps(KNOWN).encode())
        corpus = put(root / "corpus.jsonl", data)
        try:
            read_impolite(corpus, root / "out", dialogues=[known])
        except InputError as error:
            assert names_place(error, root) and not (root / "out").exists()
        else:
            said = json.loads((root / "out/impolite.jsonl").read_text(encoding="utf-8"))
            wanted = json.loads(data.decode("utf-8-sig"))["turns"][0]["impolite"]
            assert said["turns"][0]["user"] == " ".join(wanted.split())
