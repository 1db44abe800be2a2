"""The requests of the classifiers, and the measures of their scores."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.encoders.classes import read_labels
from workflow_scripts.politeness.corpus import binary_file, read_requests
from workflow_scripts.politeness.measures import accuracy, auc, measures
from workflow_scripts.politeness.requests import requests

SCORES = some.lists(
    some.tuples(some.floats(-5, 5, width=16), some.booleans()), min_size=2, max_size=40
).filter(lambda rows: len({polite for _, polite in rows}) == 2)


def test_requests_are_the_binary_parts_one_a_line(corpus, tmp_path):
    file = binary_file(corpus, "xx")
    put(file, ("sentence", "score"), [("Bitte  hilf\nmir. Geht\u00a0das?", "1.5e-1"), ("b", "-0.75")])
    requests(tmp_path / "out", corpus=corpus, languages=["xx"])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("en.test.scores.txt", "en.test.sentences.txt", "en.train.labels.txt", "en.train.sentences.txt"),
        *("xx.test.scores.txt", "xx.test.sentences.txt"),
    ]
    assert read_lines(tmp_path / "out/xx.test.sentences.txt") == ["Bitte hilf mir. Geht das?", "b"]
    assert read_numbers(tmp_path / "out/xx.test.scores.txt") == [0.15, -0.75]
    assert len(read_lines(tmp_path / "out/en.train.sentences.txt")) == 2
    assert len(read_labels(tmp_path / "out/en.train.labels.txt")) == 2


def test_the_released_requests(mirror, tmp_path):
    languages = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]
    requests(tmp_path, corpus=mirror / "tydip", languages=languages)
    sizes = {lang: len(read_lines(tmp_path / f"{lang}.test.sentences.txt")) for lang in ["en", *languages]}
    assert sizes == {"en": 251, **dict.fromkeys(languages, 250)}
    found = read_labels(tmp_path / "en.train.labels.txt")
    trained = read_requests(binary_file(mirror / "tydip", "en", "train"))
    assert found == [1 if one.score > 0 else -1 for one in trained]
    assert len(found) == 1927


def measured(folder: Path, scores: list[float], gold: list[float], **options) -> list[dict[str, str]]:
    write_lines(folder / "scores", map(str, scores))
    write_lines(folder / "gold", map(str, gold))
    one = {"inputs": ["target"], "languages": ["fr"], "seeds": [3]}
    measures(folder / "t.csv", scores=[folder / "scores"], gold=[folder / "gold"], **{**one, **options})
    return rows_of(folder / "t.csv")


def test_a_shifted_threshold_hides_skill(tmp_path):
    (row,) = measured(tmp_path, [0.5, 1.0, 2.0, 3.0], [-1.0, -0.1, 0.2, 2.0])
    assert row == {
        **{"input": "target", "lang": "fr", "seed": "3", "n": "4"},
        **{"accuracy": "0.500000", "median_accuracy": "1.000000", "auc": "1.000000"},
        "signature": "",
    }


def test_who_answered_and_what_is_at_the_threshold(tmp_path):
    """A score at the threshold is not above it, nor is a gold score of 0 polite."""
    write_lines(tmp_path / "signature", ["model", "prompt"])
    options = {"signature": tmp_path / "signature", "languages": ["fr"]}
    (row,) = measured(tmp_path, [0.0, 1.0, 2.0], [0.0, 1.0, 1.0], **options)
    assert (row["accuracy"], row["median_accuracy"], row["auc"]) == ("1.000000", "0.666667", "1.000000")
    assert row["signature"] == "model prompt"


@pytest.mark.slow
@given(SCORES)
def test_measures_are_shares_and_do_not_depend_on_the_order(rows):
    for chosen in (rows, rows[::-1]):
        scores, polite = zip(*chosen, strict=True)
        pairs = [(a > b) + 0.5 * (a == b) for a, p in chosen if p for b, q in chosen if not q]
        assert auc(scores, polite) == pytest.approx(sum(pairs) / len(pairs))
        assert accuracy(scores, polite) == sum((s > 0) == p for s, p in rows) / len(rows)
        turned = [not side for side in polite]
        assert auc(scores, turned) == pytest.approx(1 - auc(scores, polite))
    with pytest.raises(ValueError, match="shorter"):
        accuracy([1.0, 2.0], [True])


@pytest.mark.parametrize(
    ("scores", "gold", "options", "message"),
    [
        ([1.0], [1.0, -1.0], {}, "1 scores but 2 requests"),
        ([1.0, 2.0], [1.0, 1.0], {}, "requests of one class only"),
        ([1.0, 2.0], [1.0, -1.0], {"seeds": [1, 2]}, "1 files of scores, but not as many"),
    ],
)
def test_files_that_do_not_match(tmp_path, scores, gold, options, message):
    with pytest.raises(InputError, match=message):
        measured(tmp_path, scores, gold, **options)
    assert not (tmp_path / "t.csv").exists()
