"""Tiny dialogue systems in the files in which AuGPT and PPTOD are released."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from workflow_scripts.language_models.scratch import from_scratch
from workflow_scripts.language_models.texts import END
from workflow_scripts.responders.released import PICKLED
from workflow_scripts.responders.templates import Augpt, PptodReleased
from workflow_scripts.seq2seq.device import prepare


def put_augpt(folder: Path) -> Path:
    """A checkpoint as AuGPT's: a pickle with masks and a head, and a tokenizer that knows no padding."""
    import torch

    where = prepare("cpu", "float32", 1)
    sizes = {"vocabulary_size": 300, "layers": 1, "hidden": 8, "heads": 2, "dropout": 0.0}
    model = from_scratch("causal", ["a b c"], Augpt().pieces([]), where, **sizes, seed=1)  # type: ignore[arg-type]
    folder.mkdir()
    model.save(folder)
    (folder / "model.safetensors").unlink()
    told = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").unlink()
    vocabulary = told["model"]["vocab"]
    marks = [one["content"] for one in told["added_tokens"] if one["content"] not in vocabulary]
    # Their numbers are of another order than the format's.
    added = {mark: len(vocabulary) + number for number, mark in enumerate(reversed(marks))}
    texts = {
        "vocab.json": json.dumps(vocabulary),
        "merges.txt": "\n".join(["#version: 0.2", *map(" ".join, told["model"]["merges"]), ""]),
        "added_tokens.json": json.dumps(added),
        "special_tokens_map.json": json.dumps(dict.fromkeys(["bos_token", "eos_token", "unk_token"], END)),
        "tokenizer_config.json": json.dumps({"model_max_length": 1024}),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    tensors = model.parts["belief"].state_dict()
    more = {"transformer.h.0.attn.masked_bias": torch.tensor(-1e4), "consistency_head.bias": torch.zeros(1)}
    torch.save({**tensors, **more}, folder / PICKLED)
    return folder


def put_pptod(archive: Path) -> dict[str, Any]:
    """Write a small PPTOD into a zip as the authors' one, with `spiece.model` beside it; its tensors."""
    import sentencepiece
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    pieces, text = archive.with_name("spiece"), archive.with_name("text")
    text.write_text("translate dialogue to belief state: hotel people day north [value_name] .\n" * 9)
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(pieces),
        vocab_size=60,
        hard_vocab_limit=False,
        **{"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1},
        minloglevel=2,
    )
    words = pieces.with_suffix(".model")
    size = sentencepiece.SentencePieceProcessor(model_file=str(words)).vocab_size()
    torch.manual_seed(1)
    # Pieces, sentinels, marks.
    config = T5Config(vocab_size=size + 3 + 11, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)
    config.decoder_start_token_id = 0
    return _pack(T5ForConditionalGeneration(config), words, size, archive)


def _pack(model: Any, words: Path, size: int, archive: Path) -> dict[str, Any]:
    """A zip with a folder as PPTOD's: a pickle with tied weights, sentencepiece's words, and marks."""
    import torch

    marks = [*PptodReleased().pieces([]), "<_PAD_>"]
    texts = {
        "added_tokens.json": json.dumps({mark: size + 3 + number for number, mark in enumerate(marks)}),
        "special_tokens_map.json": json.dumps(
            {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
        ),
        "tokenizer_config.json": json.dumps({"tokenizer_class": "T5Tokenizer", "extra_ids": 3}),
        "config.json": model.config.to_json_string(),
    }
    tensors = model.state_dict()
    buffer = io.BytesIO()
    torch.save(tensors, buffer)
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in texts.items():
            file.writestr(f"epoch_9_best_ckpt/{name}", text)
        file.writestr(f"epoch_9_best_ckpt/{PICKLED}", buffer.getvalue())
        file.write(words, "epoch_9_best_ckpt/spiece.model")
        file.writestr("epoch_9_best_ckpt/../../run.py", "no part of a model")
    return tensors
