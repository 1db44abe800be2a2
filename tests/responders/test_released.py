"""Weights that others have released: a pickle of tensors is read, one that would run code is not."""

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.responders.released_files import put_augpt, put_pptod
from workflow_scripts.core.errors import InputError
from workflow_scripts.language_models.model import load
from workflow_scripts.language_models.texts import END
from workflow_scripts.responders.released import PICKLED, released
from workflow_scripts.responders.sessions import Exchange, Session
from workflow_scripts.responders.templates import PptodReleased
from workflow_scripts.seq2seq.device import prepare


class Runs:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("ran",)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A checkpoint as AuGPT's, which the hub has."""
    folder = put_augpt(tmp_path / "hub")

    def snapshot(checkpoint: str, revision: str, target: Path, *, allowed: Any, fix: str) -> None:
        for path in folder.iterdir():
            if path.name in allowed:
                (target / path.name).write_bytes(path.read_bytes())

    monkeypatch.setattr("workflow_scripts.responders.released.snapshot", snapshot)
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """A small PPTOD in a zip as the authors' one, and its tensors."""
    path = tmp_path_factory.mktemp("pptod") / "pptod.zip"
    return path, put_pptod(path)


@pytest.mark.slow
def test_weights_come_out_of_an_archive(archive, tmp_path):
    import sentencepiece
    import torch

    path, tensors = archive
    released(tmp_path / "model", archive=path, template="pptod_released")
    names = {one.name for one in (tmp_path / "model").iterdir()}
    assert "model.safetensors" in names and PICKLED not in names and "run.py" not in names
    found = load(tmp_path / "model", "encoder_decoder", prepare("cpu", "float32", 1))
    for name, value in found.parts["belief"].state_dict().items():
        assert torch.equal(value, tensors[name]), name
    model = found.parts["belief"]
    session = Session([], "a hotel , please", {}, "[db_3]")
    form = PptodReleased()
    (prompt,) = found.ids([form.belief_prompt(session)])
    marks = found.tokenizer.convert_tokens_to_ids(["<sos_context>", "<sos_u>", "<eos_u>", "<eos_context>"])
    assert [token for token in prompt if token in marks] == marks
    assert found.tokenizer.unk_token_id not in marks and len(found.tokenizer) == model.config.vocab_size
    text = "translate hotel people north [value_name]"
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(path.parent / "spiece.model"))
    assert found.ids([text]) == [pieces.encode(text)]
    # The decoder begins with the mark, not with padding.
    given = [0]
    forward = model.forward

    def watched(*some: Any, **more: Any) -> Any:
        given.append(more["decoder_input_ids"][0, 0].item())
        return forward(*some, **more)

    model.forward = watched
    found.write("belief", ["hotel"], "<eos_b>", 1, longest=9, batch_size=1, begin=form.begins["belief"])
    assert given[-1] == found.tokenizer.convert_tokens_to_ids("<sos_b>")


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["cut", "text", "two"])
def test_an_archive_that_is_none_is_one_line(archive, tmp_path, damage):
    content, bad = archive[0].read_bytes(), tmp_path / "bad.zip"
    bad.write_bytes({"cut": content[: len(content) // 2], "text": b"no zip", "two": content}[damage])
    if damage == "two":
        with zipfile.ZipFile(bad, "a") as file:
            file.writestr("other/config.json", "{}")
    with pytest.raises(InputError, match="2 folders" if damage == "two" else "not a complete zip"):
        released(tmp_path / "model", archive=bad, template="pptod_released")
    assert not (tmp_path / "model").exists()


def test_it_speaks_as_damd_does():
    form, area = PptodReleased(), {"hotel": {"area": "north"}}
    written = "[hotel] people 2 day monday area north [train] day friday leave 08:00 people 3"
    assert form.belief_of(Session([], ""), written) == {
        "hotel": {"bookpeople": "2", "bookday": "monday", "area": "north"},
        "train": {"day": "friday", "leaveat": "08:00", "bookpeople": "3"},
    }
    said = Exchange("a hotel, please", area, "[db_1]", "", "", "[value_name] , [value_post] .", "kettle")
    session = Session([said], "its phone?", area, "[db_1]", "[book_ok]")
    assert form.response_prompt(session) == (
        "translate dialogue to system response: <sos_context> <sos_u> a hotel , please <eos_u>"
        " <sos_r> [value_name] , [value_postcode] . <eos_r> <sos_u> its phone ? <eos_u> <eos_context>"
        " <sos_db> [db_1] <eos_db>"
    )
    assert form.answer_of("[value_phone] .") == ("", "[value_phone] .")


def take(folder: Path) -> None:
    released(folder, checkpoint="a/b", revision="0" * 40, template="augpt")


@pytest.mark.slow
def test_weights_come_without_the_pickle(hub, tmp_path):
    import torch
    from safetensors import safe_open

    take(tmp_path / "model")
    assert not (tmp_path / "model" / PICKLED).exists()
    with safe_open(tmp_path / "model/model.safetensors", "pt") as file:
        assert file.metadata() == {"format": "pt"}
    found = load(tmp_path / "model", "causal", prepare("cpu", "float32", 1))
    theirs = torch.load(hub / PICKLED, weights_only=True)
    for name, value in found.parts["belief"].state_dict().items():
        assert torch.equal(value, theirs[name]), name
    assert found.pad is not None and len(found.ids(["=>", "<|eob|>", END])) == 3
    assert all(len(ids) == 1 for ids in found.ids(["=>", "<|eob|>", "<|eokb|>", END]))
    numbers = json.loads((hub / "added_tokens.json").read_text(encoding="utf-8"))
    assert {mark: found.tokenizer.convert_tokens_to_ids(mark) for mark in numbers} == numbers
    assert found.write("belief", ["a b"], "<|eob|>", 3, longest=9, batch_size=1)


def test_a_pickle_that_runs_code_is_refused(hub, tmp_path):
    import torch

    for name in ("config.json", "vocab.json"):
        content = (hub / name).read_bytes()
        (hub / name).write_bytes(content[:-9])
        with pytest.raises(InputError, match="cannot load checkpoint 'a/b'"):
            take(tmp_path / "model")
        (hub / name).write_bytes(content)
    torch.save({"a": Runs()}, hub / PICKLED)
    with pytest.raises(InputError, match="cannot load checkpoint 'a/b'"):
        take(tmp_path / "model")
    assert not (tmp_path / "ran").exists() and not (tmp_path / "model").exists()
    (hub / PICKLED).unlink()
    with pytest.raises(InputError, match=r"neither model\.safetensors nor"):
        take(tmp_path / "model")
