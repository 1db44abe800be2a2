"""A key that stands in the configuration by mistake is in no message."""

from __future__ import annotations

import pytest

from workflow_scripts.config import settings
from workflow_scripts.core.errors import InputError

KEY = "sk-Zm9ybWFsaXR5-0123456789"
MODEL = {"kind": "endpoint", "name": "m", "address": "https://host/v1", "key": "OPENAI_API_KEY"}


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"address": f"https://user:{KEY}@host/v1"}, "an address has no name, password"),
        ({"address": f"https://host/v1?api-key={KEY}"}, "an address has no name, password"),
        ({"address": f"http://host/{KEY}"}, "only https keeps keys and texts secret"),
        ({"address": [KEY]}, "model.address"),
        ({"key": [KEY]}, "model.key"),
        ({"key": {KEY: 1}}, "model.key"),
        ({"key": KEY}, "model.key is the name of a variable"),
        ({"key": KEY.upper().replace("-", "")}, "model.key is the name of a variable"),
        # What is wrong is the model as a whole.
        ({"kind": "gguf", "address": f"https://host/{KEY}"}, "systems.llm.model"),
        ({"digest": "0" * 64, "address": f"https://host/{KEY}"}, "systems.llm.model"),
    ],
)
def test_what_may_be_a_key_is_not_shown(demo: dict, change: dict, line: str) -> None:
    row = {"label": "LLM", "kind": "prompted", "model": {**MODEL, **change}}
    demo["systems"]["llm"] = row
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    with pytest.raises(InputError) as told:
        settings.load(demo)
    assert line in str(told.value)
    text = str(told.value).lower()
    assert not any(part in text for part in ("zm9y", "0123456789", "sk-"))


@pytest.mark.parametrize("wrong", [[MODEL | {"api_key": KEY}], {"llm": [[{"model": MODEL | {"key": KEY}}]]}])
def test_what_is_no_row_is_not_shown(demo: dict, wrong: object) -> None:
    demo["systems"] = wrong
    with pytest.raises(InputError, match=r"configuration: 'systems[.llm]*': input should be") as told:
        settings.load(demo)
    assert KEY not in str(told.value)


def test_names_of_variables_are_names(demo: dict) -> None:
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    for name in ("OPENAI_API_KEY", "KEY", "MISTRALKEY2", "MY__KEY_"):
        row = {"label": "LLM", "kind": "prompted", "model": {**MODEL, "key": name}}
        settings.load({**demo, "systems": {**demo["systems"], "llm": row}})
