"""Checkpoints with code in them: it is never run, whichever module reads them."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.seq2seq.checkpoints import read_config, read_model, read_tokenizer, unpickle

PLACE = "workflow_scripts/seq2seq/checkpoints.py"
CODE = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\nclass Own: pass\n"
OWN = {"AutoConfig": "own.Own", "AutoModel": "own.Own", "AutoTokenizer": ["own.Own", None]}


@pytest.mark.slow
def test_every_checkpoint_is_read_without_its_code():
    calls = {
        (path.relative_to(ROOT).as_posix(), call.lineno): call
        for path in sorted((ROOT / "workflow_scripts").rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".from_pretrained")
    }
    assert len(calls) >= 3 and {path for path, _ in calls} == {PLACE}
    for place, call in calls.items():
        said = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert said.get("trust_remote_code") == "False", place


def model(folder: Path) -> Any:
    from transformers import AutoModel

    return read_model(AutoModel, folder)


def copied(folder: Path) -> None:
    encoder(folder / "copy", kind="folder", path=folder)


@pytest.fixture
def checkpoint(tmp_path):
    """A small BERT beside which code lies."""
    (tmp_path / "texts.txt").write_text("a b\na b c\n")
    sizes = {"vocabulary_size": 20, "layers": 1, "hidden": 4, "heads": 1, "max_length": 8}
    encoder(tmp_path / "bert", kind="scratch", texts=[tmp_path / "texts.txt"], **sizes)
    (tmp_path / "bert/own.py").write_text(CODE)
    return tmp_path / "bert"


@pytest.mark.parametrize("read", [model, read_config, read_tokenizer, copied])
# What transformers has itself it would read without a word, as if the checkpoint were one of these.
@pytest.mark.parametrize("kind", ["bert", "own"])
def test_a_checkpoint_that_needs_code_is_refused(checkpoint, read, kind):
    read(checkpoint)
    file = "tokenizer_config.json" if read is read_tokenizer else "config.json"
    given = json.loads((checkpoint / file).read_text())
    changed = {**given, "auto_map": OWN} | ({"model_type": kind} if file == "config.json" else {})
    (checkpoint / file).write_text(json.dumps(changed))
    with pytest.raises(InputError) as told:
        read(checkpoint)
    problem = "this checkpoint needs code of its own (auto_map), which is never run; take one whose model"
    assert str(told.value).startswith(f"{checkpoint}: {problem}") and len(str(told.value).splitlines()) == 1
    assert not (checkpoint / "ran").exists()


@pytest.mark.parametrize("read", [model, read_config, copied])
def test_a_checkpoint_with_an_adapter_is_refused(checkpoint, read):
    """With peft beside it, transformers would read the adapter, and another model if there is no own one."""
    read(checkpoint)
    (checkpoint / "adapter_config.json").write_text('{"base_model_name_or_path": "some/model"}')
    with pytest.raises(InputError, match=r"bert: this checkpoint is, or has, an adapter \(adapter_config"):
        read(checkpoint)


@pytest.mark.parametrize(
    ("kind", "name", "marks", "code"),
    [
        ("mt5", "spiece", {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}, ""),
        ("mbart", "sentencepiece.bpe", {}, "fr_XX"),
    ],
)
def test_a_tokenizer_that_is_only_sentencepieces_file_is_read(tmp_path, kind, name, marks, code):
    """As those of mT5 and mBART-50 on the hub; transformers needs protobuf for it."""
    import sentencepiece

    texts = ["c'est trop bien", "bonjour à tous", "où êtes-vous"] * 30
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_prefix=str(tmp_path / name),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
        **marks,
    )
    (tmp_path / f"{name}.vocab").unlink()
    told = {"mt5": "T5Tokenizer", "mbart": "MBart50Tokenizer"}[kind]
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind, "tokenizer_class": told}))
    ends = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "tokenizer_class": told}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(ends))
    tokenizer = read_tokenizer(tmp_path, local_files_only=True)
    ids = tokenizer(f"{code}c'est bien</s>", add_special_tokens=False)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids)[-1] == "</s>" and tokenizer.unk_token_id not in ids
    if code:
        assert ids[0] == tokenizer.get_vocab()[code]
    assert tokenizer.decode(ids, skip_special_tokens=True).strip() == "c'est bien"


def test_pickled_weights_are_replaced_by_safetensors(tmp_path):
    import torch
    from safetensors.torch import load_file

    tied = torch.arange(6.0).view(2, 3)
    told = {"shared.weight": tied, "head.weight": tied, "h.0.attn.bias": torch.ones(2)}
    torch.save(told, tmp_path / "pytorch_model.bin")
    unpickle(tmp_path, "some/model")
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]
    found = load_file(tmp_path / "model.safetensors")
    assert found.keys() == {"shared.weight", "head.weight"}
    assert all(torch.equal(tensor, tied) for tensor in found.values())
