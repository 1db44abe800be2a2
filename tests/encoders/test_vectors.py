"""Vectors of texts: means of the last layer, or TF-IDF of n-grams."""

from typing import Any

import numpy as np
import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.vectors import vectors

TEXTS = [
    *("Could I have a train to Ely, please?", "I need a hotel, please.", "Thank you, goodbye."),
    *("A table for two, please.", "May I have the phone number?", "Is it cheap?", "Bye."),
]
OPTIONS: dict[str, Any] = {"batch_size": 3, "device": "cpu", "precision": "float32", "threads": 1}


def test_a_vector_is_the_mean_of_the_last_layer(tmp_path):
    """Alone, without padding, as sentence transformers compute it."""
    import torch

    from workflow_scripts.encoders.model import load_encoder
    from workflow_scripts.seq2seq.device import prepare

    write_lines(tmp_path / "texts", TEXTS)
    sizes = {"vocabulary_size": 60, "layers": 1, "hidden": 8, "heads": 2, "max_length": 32}
    encoder(tmp_path / "e", kind="scratch", texts=[tmp_path / "texts"], **sizes)
    found = vectors(tmp_path / "e", TEXTS, max_length=32, **OPTIONS).toarray()
    cut = vectors(tmp_path / "e", TEXTS, max_length=5, **OPTIONS).toarray()
    model, tokenizer = load_encoder(tmp_path / "e", prepare("cpu", "float32", 1))
    assert not model.training
    for text, *rows in zip(TEXTS, found, cut, strict=True):
        for row, longest in zip(rows, (32, 5), strict=True):
            given = tokenizer(text, truncation=True, max_length=longest, return_tensors="pt")
            with torch.no_grad():
                mean = model(**given).last_hidden_state[0].double().mean(0)
            assert row == pytest.approx((mean / mean.norm()).tolist(), abs=1e-6)
    assert not np.allclose(found, cut)


def test_a_gpu_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
    with pytest.raises(InputError, match="no usable GPU"):
        vectors(tmp_path, TEXTS, max_length=32, **{**OPTIONS, "device": "cuda"})


def test_a_vector_of_ngrams_is_their_tfidf_among_the_texts(tmp_path):
    """However few texts have them."""
    encoder(tmp_path / "e", kind="ngrams", shortest=1, longest=2, min_sentences=9, penalty=1.0)
    found = vectors(tmp_path / "e", ["ab", "b b", "c", ""], max_length=1, **OPTIONS).toarray()
    # Of " ", " a", " b", " c", "a", "ab", "b", "b ", "c" and "c ", in how many of four texts they are.
    names = [" ", " a", " b", " c", "a", "ab", "b", "b ", "c", "c "]
    counts = [
        {" ": 2, " a": 1, "a": 1, "ab": 1, "b": 1, "b ": 1},
        {" ": 4, " b": 2, "b": 2, "b ": 2},
        {" ": 2, " c": 1, "c": 1, "c ": 1},
        {},
    ]
    idf = {name: np.log(5 / (1 + sum(name in one for one in counts))) + 1 for name in names}
    rows = np.array(
        [[(1 + np.log(one[name])) * idf[name] if name in one else 0.0 for name in names] for one in counts]
    )
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    assert found == pytest.approx(rows / np.where(lengths, lengths, 1))
