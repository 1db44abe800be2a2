"""Outputs of language models: greedy despite a checkpoint's recommendations, without special tokens."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.config.pretrained import Course
from workflow_scripts.core.errors import InputError
from workflow_scripts.language_models.model import LanguageModel, load
from workflow_scripts.language_models.scratch import from_scratch
from workflow_scripts.language_models.texts import ENDS, Example, pieces
from workflow_scripts.language_models.training import LanguageModelTraining
from workflow_scripts.seq2seq.device import prepare

TEXTS = ["please find me a cheap hotel in the north", "get me a hotel , now", "is there a train"]
# As `facebook/bart-large` has them, and more.
ADVICE = {
    "forced_bos_token_id": 0,
    "forced_eos_token_id": 2,
    "no_repeat_ngram_size": 3,
    "num_beams": 4,
    "early_stopping": True,
    "repetition_penalty": 3.0,
    "min_length": 9,
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A tiny BART of random weights whose tokenizer has `<s>` and `</s>`, as bart-large's."""
    from transformers import PreTrainedTokenizerFast

    where = prepare("cpu", "float32", 1)
    sizes: dict[str, Any] = {"vocabulary_size": 300, "layers": 1, "hidden": 16, "heads": 2, "dropout": 0.0}
    known = ["<s>", "</s>", *pieces([])]
    made = from_scratch("encoder_decoder", TEXTS, known, where, **sizes, seed=1, bart=True)
    made.tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made.tokenizer.backend_tokenizer,
        **{"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"},
    )
    folder = tmp_path_factory.mktemp("bart") / "model"
    folder.mkdir()
    made.save(folder)
    return folder


def advised(plain: Path, folder: Path) -> Path:
    """The same checkpoint with a configuration that recommends how to search."""
    import shutil

    shutil.copytree(plain, folder)
    known = json.loads((folder / "generation_config.json").read_text())
    tokens = load(plain, "encoder_decoder", prepare("cpu", "float32", 1)).tokenizer
    first = {
        "forced_bos_token_id": tokens.convert_tokens_to_ids("<s>"),
        "forced_eos_token_id": tokens.convert_tokens_to_ids("</s>"),
    }
    (folder / "generation_config.json").write_text(json.dumps({**known, **ADVICE, **first}))
    return folder


def written(folder: Path, limit: int = 12) -> list[str]:
    model: LanguageModel = load(folder, "encoder_decoder", prepare("cpu", "float32", 1))
    for one in model.models:
        one.eval()
    return model.write("response", TEXTS, ENDS["response"], limit, longest=40, batch_size=2)


def test_what_a_checkpoint_recommends_is_not_followed(plain, tmp_path):
    found = written(plain)
    assert any(found)
    assert written(advised(plain, tmp_path / "advised")) == found
    assert not any("<s>" in text or "</s>" in text for text in found)


def test_of_a_long_prompt_the_end_is_read(plain, monkeypatch):
    model = load(plain, "encoder_decoder", prepare("cpu", "float32", 1))
    read: list[list[int]] = []
    monkeypatch.setattr(model, "_written", lambda _, rows, *rest: read.extend(rows) or rows)
    end = model.ids(["get me a hotel , now"])
    for longest in (len(end[0]), 999):
        model.write("response", [" ".join(TEXTS[:2])], ENDS["response"], 4, longest=longest, batch_size=1)
    assert read == [*end, *model.ids([" ".join(TEXTS[:2])])] and len(read[1]) > len(read[0])


def test_special_tokens_go_and_marks_of_the_format_stay(plain):
    model = load(plain, "encoder_decoder", prepare("cpu", "float32", 1))
    (tokens,) = model.ids(["<s> a hotel <sos_b> [value_name] <unk> here </s> <pad> <eos_r> and more"])
    assert model._text(tokens, ENDS["response"]) == "a hotel <sos_b> [value_name] here"
    # A tokenizer may call a format's marks special too.
    model.tokenizer.add_special_tokens({"additional_special_tokens": ["<sos_b>"]})
    assert model._text(tokens, ENDS["response"]) == "a hotel <sos_b> [value_name] here"


def test_a_token_that_the_model_does_not_know_is_one_line(plain):
    model = load(plain, "encoder_decoder", prepare("cpu", "float32", 1))
    model.tokenizer.add_tokens(["hotels"])
    rows = model.models[0].get_input_embeddings().num_embeddings
    assert model.ids(["please find"]) and model.ids([]) == []
    with pytest.raises(
        InputError, match=f"the tokenizer has a token {rows}, but the model knows {rows} tokens"
    ):
        model.ids(["please find", "hotels"])


def test_special_tokens_that_the_model_does_not_know_are_one_line(plain, tmp_path):
    folder = tmp_path / "other"
    shutil.copytree(plain, folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "pad_token": "another"}))
    with pytest.raises(InputError, match=r"other: the tokenizer has a token \d+, but the model knows"):
        load(folder, "encoder_decoder", prepare("cpu", "float32", 1))
    # As BART for summaries, whose mask has no embedding, and nothing reads it.
    (folder / "tokenizer_config.json").write_text(json.dumps({**settings, "mask_token": "another"}))
    assert load(folder, "encoder_decoder", prepare("cpu", "float32", 1)).ids(["please"])


@pytest.mark.parametrize("kind", ["causal", "encoder_decoder"])
def test_of_a_long_dialogue_a_causal_model_learns_the_end(kind):
    where = prepare("cpu", "float32", 1)
    sizes: dict[str, Any] = {"vocabulary_size": 300, "layers": 1, "hidden": 16, "heads": 2, "dropout": 0.0}
    bart = {"bart": True} if kind == "encoder_decoder" else {}
    model = from_scratch(kind, TEXTS, pieces([]), where, **sizes, seed=1, **bart)
    text = "train " * 1100 + "hotel"
    (ids,) = model.ids([text], target=True)
    assert model.positions == 1024 < len(ids)
    course = Course(
        learning_rate=0.001,
        warmup_updates=0,
        decay="none",
        batch_size=1,
        accumulate=1,
        epochs=1,
        max_updates=1,
        gradient_clip=1.0,
    )
    training = LanguageModelTraining(model, [Example("response", "", text)], course, 1)
    assert training.targets == [ids[-1024:] if kind == "causal" else ids]
