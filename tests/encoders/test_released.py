"""A classifier with released weights: its positive output, and its scores."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders.released import positive_place, released
from workflow_scripts.encoders.score import score

WORDS = ["please", "now", "page", "edit", "stop", "thanks"]
REQUESTS = ["please edit", "stop now", "thanks", "page edit now please", "unheard of"]
NAMES = {"positive": "polite", "negative": "impolite", "name": "made here"}


def checkpoint(folder: Path, labels: dict[int, str], *, flipped: bool = False) -> Path:
    """A tiny XLM-R with random weights that calls its outputs so; `flipped`: the other way round."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import RobertaProcessing
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaForSequenceClassification

    vocabulary = {word: place for place, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    torch.manual_seed(1)
    model = XLMRobertaForSequenceClassification(
        XLMRobertaConfig(
            **{"vocab_size": len(vocabulary), "hidden_size": 16, "num_hidden_layers": 1},
            **{"num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 34},
            id2label=labels,
            label2id={label: place for place, label in labels.items()},
        )
    )
    # Transformers' own first weights are so small that all logits are nearly alike.
    with torch.no_grad():
        for values in model.parameters():
            values.copy_(torch.randn_like(values) * 0.5)
        for values in model.classifier.out_proj.parameters():
            values.copy_(values.flip(0) if flipped else values)
    model.save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=32,
        **{"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"},
    ).save_pretrained(folder)
    return folder


def scores(model: Path, folder: Path) -> list[float]:
    write_lines(folder / "requests.txt", REQUESTS)
    options: dict[str, Any] = {"batch_size": 8, "max_length": 32, "device": "cpu", "precision": "float32"}
    score(model, sources=[folder / "requests.txt"], targets=[folder / "scores.txt"], threads=1, **options)
    return read_numbers(folder / "scores.txt")


def test_the_polite_output_is_told_by_its_name_in_either_order(tmp_path):
    """Scores are the polite logit minus the other; the same network under other places scores the same."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    second = checkpoint(tmp_path / "second", {0: "impolite", 1: "polite"})
    first = checkpoint(tmp_path / "first", {0: "Polite", 1: "IMPOLITE"}, flipped=True)
    for folder in (first, second):
        released(tmp_path / f"{folder.name}-taken", folder=folder, **NAMES)
    found = [scores(tmp_path / f"{name}-taken", tmp_path) for name in ("first", "second")]
    assert found[0] == found[1] and len(set(found[0])) == len(REQUESTS)
    taken = [digest(tmp_path / f"{name}-taken/model.safetensors") for name in ("first", "second")]
    assert taken[0] == taken[1] == digest(second / "model.safetensors") != digest(first / "model.safetensors")
    model = AutoModelForSequenceClassification.from_pretrained(first).eval()
    tokenizer = AutoTokenizer.from_pretrained(first)
    logits = model(**tokenizer(REQUESTS, padding=True, return_tensors="pt")).logits.detach().numpy()
    assert np.allclose(found[0], logits[:, 0] - logits[:, 1], atol=2e-4)
    config = json.loads((tmp_path / "first-taken/config.json").read_text())
    assert config["id2label"] == {"0": "impolite", "1": "polite"}
    assert config["label2id"] == {"impolite": 0, "polite": 1}
    (signature,) = read_lines(tmp_path / "first-taken/signature.txt")
    assert (
        signature
        == f"released weights:made here@{digest(first / 'model.safetensors')[:12]}|polite: output 0 of 2"
    )


@pytest.mark.parametrize(
    "labels",
    [
        {0: "LABEL_0", 1: "LABEL_1"},
        {0: "polite", 1: "polite"},
        {0: "rude", 1: "polite"},
        {0: "impolite", 1: "neutral", 2: "polite"},
        {0: "impolite", 1: "polite", 2: "neutral"},
        ["impolite", "polite"],
    ],
)
def test_labels_that_do_not_tell_are_refused(tmp_path, module, labels):
    folder = checkpoint(tmp_path / "checkpoint", {0: "impolite", 1: "polite"})
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = labels
    (folder / "config.json").write_text(json.dumps(config))
    options = [f"--{name}={value}" for name, value in NAMES.items()]
    done = module("encoders.released", tmp_path / "out", f"--folder={folder}", *options)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"{folder}/config.json: id2label is " in done.stderr
    assert "which output means polite cannot be told; call the two labels impolite and polite" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_place_that_is_given_goes_before_names(tmp_path):
    """Of checkpoints whose names tell nothing, such as LABEL_0."""
    folder = checkpoint(tmp_path / "plain", {0: "LABEL_0", 1: "LABEL_1"})
    for place in (0, 1):
        released(tmp_path / f"{place}", folder=folder, **NAMES, place=place)
    found = [scores(tmp_path / f"{place}", tmp_path) for place in (0, 1)]
    assert found[0] == pytest.approx([-score for score in found[1]], abs=2e-4) and any(found[0])
    assert read_lines(tmp_path / "0/signature.txt")[0].endswith("|polite: output 0 of 2")
    named = checkpoint(tmp_path / "named", {0: "impolite", 1: "polite"})
    released(tmp_path / "2", folder=named, **NAMES, place=0)
    assert scores(tmp_path / "2", tmp_path) == found[0]
    three = checkpoint(tmp_path / "three", {0: "a", 1: "b", 2: "c"})
    with pytest.raises(InputError, match="three: 3 outputs instead of 2"):
        released(tmp_path / "3", folder=three, **NAMES, place=0)


def test_labels_are_never_assumed(tmp_path):
    """Transformers gives a checkpoint without names LABEL_0 and LABEL_1; here it has none."""
    folder = checkpoint(tmp_path / "checkpoint", {0: "impolite", 1: "polite"})
    config = json.loads((folder / "config.json").read_text())
    del config["id2label"], config["label2id"]
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="id2label is null: which output means polite cannot be told"):
        released(tmp_path / "out", folder=folder, **NAMES)


@pytest.mark.parametrize(
    ("text", "problem"),
    [(None, "no such file; give a folder"), ("{", "not JSON"), ("[]", "id2label is null: which output")],
)
def test_a_configuration_that_is_none(tmp_path, text, problem):
    if text is not None:
        (tmp_path / "config.json").write_text(text)
    with pytest.raises(InputError, match=rf"^{tmp_path}/config\.json: {problem}"):
        positive_place(tmp_path / "config.json", "polite", "impolite")


def test_weights_are_whole_finite_and_taken_in_float32(tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    folder = checkpoint(tmp_path / "checkpoint", {0: "impolite", 1: "polite"})
    weights = {name: value.bfloat16() for name, value in load_file(folder / "model.safetensors").items()}
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "dtype": "bfloat16"}))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    released(tmp_path / "taken", folder=folder, **NAMES)
    found = load_file(tmp_path / "taken/model.safetensors")
    assert {value.dtype for value in found.values()} == {torch.float32}
    weights[min(weights)].view(-1)[0] = float("inf")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=f"^{folder}: weights that are not finite"):
        released(tmp_path / "out", folder=folder, **NAMES)
    # A pickle can run code.
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError, match="cannot load checkpoint"):
        released(tmp_path / "out", folder=folder, **NAMES)
    assert not (tmp_path / "out").exists()


def test_an_encoder_alone_is_no_classifier(tmp_path):
    """Transformers would give it random weights for the last layer."""
    from transformers import XLMRobertaForSequenceClassification

    folder = checkpoint(tmp_path / "checkpoint", {0: "impolite", 1: "polite"})
    model = XLMRobertaForSequenceClassification.from_pretrained(folder)
    kept = (folder / "config.json").read_bytes()
    model.roberta.save_pretrained(folder)
    (folder / "config.json").write_bytes(kept)
    with pytest.raises(InputError, match=r"no weights of classifier\.\S+; it must be a classifier"):
        released(tmp_path / "out", folder=folder, **NAMES)
