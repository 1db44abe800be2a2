"""The similarity of the users of original and rewritten dialogues."""

from pathlib import Path

import pytest
from numpy.linalg import norm

from tests.responders.test_language_models import CPU
from tests.users.test_pairs import put_dialogues
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.similarity import COLUMNS, similarity
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.vectors import vectors

SIZES = {"batch_size": 3, "max_length": 32}


def cosines(path: Path) -> dict[str, float]:
    return {row[0]: float(row[1]) for _, row in read_csv(path, COLUMNS)}


def test_the_same_words_are_alike_and_others_less(tmp_path):
    polite = put_dialogues(tmp_path / "polite", "a", "b", "c")
    rude = put_dialogues(tmp_path / "rude", "b", "c")
    rude.write_text(rude.read_text().replace('"user": "c 1"', '"user": "quick, idiot"'), encoding="utf-8")
    encoder(tmp_path / "e", kind="ngrams", shortest=1, longest=3, min_sentences=2, penalty=1.0)
    given = {"polite": polite, "impolite": rude, "encoder": tmp_path / "e", **SIZES, **CPU}
    similarity(tmp_path / "out", **given)
    found = cosines(tmp_path / "out")
    assert found["b"] == 1.0 and 0 < found["c"] < 0.9
    # By hand: the cosine of two means of vectors, which have other lengths.
    said = ["b 0", "b 1", "c 0", "c 1", "quick, idiot"]
    *_, first, second, other = vectors(tmp_path / "e", said, **SIZES, **CPU).toarray()
    before, after = (first + second) / 2, (first + other) / 2
    assert not 0.95 < norm(before) / norm(after) < 1.05
    assert found["c"] == pytest.approx(before @ after / (norm(before) * norm(after)), abs=1e-6)
    first = (tmp_path / "out").read_bytes()
    similarity(tmp_path / "out", **given)
    assert (tmp_path / "out").read_bytes() == first
    with pytest.raises(InputError, match="'a' is not in"):
        similarity(tmp_path / "out", **{**given, "polite": rude, "impolite": polite})
