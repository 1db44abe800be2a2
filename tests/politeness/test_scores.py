"""Scores of requests from their single ratings: of dumps, and of the Stanford Politeness Corpus."""

import math
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.demo.stanford import stanford as demo_stanford
from workflow_scripts.encoders.classes import write_label
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.train import train
from workflow_scripts.politeness.agreement import agreement, read_agreement
from workflow_scripts.politeness.corpus import binary_file, read_requests, requests_file
from workflow_scripts.politeness.hits import hits
from workflow_scripts.politeness.original import original, read_original
from workflow_scripts.politeness.quartiles import quartiles
from workflow_scripts.politeness.raters_accuracy import raters_accuracy, read_accuracies
from workflow_scripts.politeness.ratings import (
    RATINGS,
    Judgment,
    ratings,
    read_judgments,
    write_judgments,
)
from workflow_scripts.politeness.requests import requests
from workflow_scripts.politeness.scores import mean_scores, scores
from workflow_scripts.politeness.stanford import Rated, read_stanford

LINES = [f"Page {number}. Vois-tu ?" for number in range(8)]
# Of the lines by three raters; nobody finds the third line valid, one does not find the fourth so.
VALUES = {
    "WORKERana": ["3", "2.5", "invalid", "1", "0", "-1", "-2", "-3"],
    "WORKERben": ["2", "2", "invalid", "invalid", "1", "0", "-1", "-1"],
    "WORKEReva": ["1", "3", "invalid", "0", "0", "0", "-3", "-2"],
}
OPTIONS = {"english": 2, "target": 4, "page": 3, "seed": 1}


def judged(rated: list[Rated]) -> list[Judgment]:
    """The ratings of Stanford's raters as those of a sheet."""
    return [
        Judgment("en", 1, place, worker, float(value))
        for place, one in enumerate(rated, 1)
        for worker, value in zip(one.workers, one.ratings, strict=True)
    ]


@pytest.fixture
def sent(corpus):
    """A folder with requests of a dump, their sheet and what its raters sent, checked."""
    folder = corpus.parent
    write_lines(folder / "lines.txt", LINES)
    hits(folder / "sheets", corpus=corpus, languages=["fr"], requests=[folder / "lines.txt"], **OPTIONS)
    for name, values in VALUES.items():
        rows = []
        for row in rows_of(folder / "sheets/fr.csv"):
            code, line, hit = row["item"].split("-")
            value = values[int(line) - 1] if code == "fr" else str(int(line) - 2)
            rows.append((name, row["item"], "politeness", value, hit))
        put(folder / f"sent/fr-{name}.csv", RATINGS, rows)
    ratings(folder / "checked", sheets=[folder / "sheets/fr.csv"], folder=folder / "sent")
    return folder


def arguments(folder: Path) -> dict[str, object]:
    """What `scores` is given of that folder."""
    return {
        "corpus": folder / "tydip",
        "sheets": [folder / "sheets/fr.csv"],
        "ratings": [folder / "checked/fr.csv"],
        "numbered": [folder / "numbered/fr.csv"],
    }


@pytest.fixture
def scored(sent):
    """The same folder with the scores."""
    scores(sent / "rated", **arguments(sent))  # type: ignore[arg-type]
    return sent


def test_scores_are_means_of_z_in_tydips_layout(scored):
    z: dict[int, list[float]] = {}
    for values in VALUES.values():
        valid = {place: float(value) for place, value in enumerate(values) if value != "invalid"}
        mean, deviation = statistics.fmean(valid.values()), statistics.pstdev(valid.values())
        for place, value in valid.items():
            z.setdefault(place, []).append((value - mean) / deviation)
    expected = {LINES[place]: statistics.fmean(own) for place, own in sorted(z.items())}
    found = read_requests(requests_file(scored / "rated", "fr"))
    # In the order of the lines, and without the one that nobody found valid.
    assert [one.text for one in found] == list(expected) and len(found) == 7
    assert [one.score for one in found] == pytest.approx(list(expected.values()))
    bounds = quartiles([one.score for one in found])
    outer = [one for one in found if bounds.side(one.score)]
    assert read_requests(binary_file(scored / "rated", "fr")) == outer and 0 < len(outer) < 7
    for part in ("train", "test"):
        for file in (requests_file, binary_file):
            there = file(scored / "tydip", "en", part)
            assert read_requests(file(scored / "rated", "en", part)) == read_requests(there)


def test_requests_with_the_same_score_count_each_for_the_quartiles(sent):
    values = [3, 3, 3, 3, 3, 0, -1, -2]
    path = sent / "checked/fr.csv"
    alike = [
        replace(one, value=float(values[one.place - 1])) if one.language == "fr" else one
        for one in read_judgments(path)
    ]
    write_judgments(path, alike)
    scores(sent / "rated", **arguments(sent))  # type: ignore[arg-type]
    # The lower quartile of the ratings is -0.25; of the four different ones it would be -1.25.
    outer = [one.text for one in read_requests(binary_file(sent / "rated", "fr"))]
    assert outer == [text for text, value in zip(LINES, values, strict=True) if value]


def test_whatever_reads_tydip_reads_it(scored):
    """Classifiers are trained on it, raters' agreement and accuracy are computed of it."""
    requests(scored / "lines", corpus=scored / "rated", languages=["fr"])
    sentences, targets = (scored / f"lines/fr.test.{kind}.txt" for kind in ("sentences", "scores"))
    polite = [float(line) > 0 for line in read_lines(targets)]
    assert set(polite) == {True, False}
    write_lines(scored / "labels.txt", map(write_label, polite))
    encoder(scored / "encoder", kind="ngrams", shortest=1, longest=2, min_sentences=1, penalty=1.0)
    train(
        scored / "encoder",
        scored / "model",
        sentences=sentences,
        scores=scored / "labels.txt",
        objective="classes",
        checkpoints=scored / "states",
        device="cpu",
        precision="float32",
        threads=1,
        seed=1,
        batch_size=2,
        max_length=16,
        epochs=1,
        learning_rate=0.1,
    )
    assert list((scored / "model").iterdir())
    rows = [
        ("Wikipedia", place, one.text, 1, 9, 5, 7, 20 + place, *"abcde", one.score)
        for place, one in enumerate(read_requests(requests_file(scored / "tydip", "en")))
    ]
    columns = ("Community", "Id", "Request", *(f"Score{n}" for n in range(1, 6)))
    columns += (*(f"TurkId{n}" for n in range(1, 6)), "Normalized Score")
    stanford = put(scored / "stanford.csv", columns, rows)
    shown = {"ratings": [scored / "numbered/fr.csv"], "languages": ["fr"], "stanford": stanford}
    rated = scored / "rated"
    raters_accuracy(scored / "accuracy.csv", corpus=rated, simulations=3, seed=1, **shown)  # type: ignore[arg-type]
    # The fourth line has two ratings only, which is too few for two others.
    outer = {one.text for one in read_requests(binary_file(rated, "fr"))} - {LINES[3]}
    assert read_accuracies(scored / "accuracy.csv")["fr", 2][0] == len(outer)
    agreement(scored / "agreement.csv", seed=1, **shown)  # type: ignore[arg-type]
    assert all(found[0] > 0 for found in read_agreement(scored / "agreement.csv")["fr", "target"])
    original(scored / "original.csv", corpus=rated, **shown)  # type: ignore[arg-type]
    assert read_original(scored / "original.csv")["fr", "aggregate"]


def test_ratings_keep_what_was_judged_and_no_name(scored):
    """Requests with a score are numbered anew; those of English ones stay, and raters are numbers."""
    before, after = (read_judgments(scored / name / "fr.csv") for name in ("checked", "numbered"))
    kept = [line for line in range(1, 9) if line != 3]
    told = [
        (one.language, one.hit, one.rater, kept.index(one.place) + 1 if one.language == "fr" else one.place)
        for one in before
        if one.language == "en" or one.place in kept
    ]
    assert [(one.language, one.hit, one.rater, one.place) for one in after] == told
    assert sum(math.isnan(one.value) for one in after) == 1
    written = [path for path in (scored / "rated").rglob("*.csv")] + [scored / "numbered/fr.csv"]
    assert len(written) == 7
    assert not any("WORKER" in path.read_text(encoding="utf-8") for path in written)


def test_what_has_no_score_is_named(sent, module):
    given_ones = read_judgments(sent / "checked/fr.csv")

    def refused(judgments: list[Judgment]) -> str:
        write_judgments(sent / "checked/fr.csv", judgments)
        words = [word for name, value in arguments(sent).items() for word in (f"--{name}", value)]
        flat = [one for word in words for one in (word if isinstance(word, list) else [word])]
        done = module("politeness.scores", sent / "rated", *flat)
        assert done.returncode == 2 and not (sent / "rated").exists() and not (sent / "numbered").exists()
        assert "WORKER" not in done.stderr
        return done.stderr

    other = Judgment("fr", 1, 99, 1, 0.0)
    assert "fr.csv: request 99 in 'fr' is not on" in refused([*given_ones, other])
    alike = [Judgment(one.language, one.hit, one.place, one.rater, 1.0) for one in given_ones]
    assert "fr.csv: all requests in 'fr' have the same score" in refused(alike)
    with pytest.raises(InputError, match="1 sheets, 2 files of ratings, 1 to write"):
        scores(sent / "rated", **arguments(sent) | {"ratings": [Path("a"), Path("b")]})  # type: ignore[arg-type]


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 4), st.integers(1, 3), st.sampled_from([-3.0, -0.5, 0.0, 1.0, 2.5, math.nan])
        ),
        unique_by=lambda one: one[:2],
    )
)
def test_scores_do_not_depend_on_order_or_a_raters_scale(found):
    first = mean_scores(Judgment("fr", 1, *one) for one in found)
    turned = mean_scores(Judgment("fr", 1, *one) for one in reversed(found))
    # A rater with half the range, a point higher.
    moved = mean_scores(
        Judgment("fr", 1, place, rater, value / 2 + 1 if rater == 2 else value)
        for place, rater, value in found
    )
    assert list(first) == sorted({place for place, _, value in found if not math.isnan(value)})
    assert first == pytest.approx(turned) and first == pytest.approx(moved)


def test_the_scores_of_stanfords_ratings_are_those_that_stand_there(corpus, tmp_path):
    demo_stanford(tmp_path / "s.csv", corpus=corpus, workers=6, requests=3, seed=1)
    rated = read_stanford(tmp_path / "s.csv")
    found = mean_scores(judged(rated))
    assert list(found.values()) == pytest.approx([one.score for one in rated], abs=1e-8)


def test_the_scores_of_stanfords_ratings_are_the_released_ones(mirror):
    rated = read_stanford(mirror / "stanford-politeness/wikipedia.annotated.csv")
    found = mean_scores(judged(rated))
    gaps = [abs(found[place] - one.score) for place, one in enumerate(rated, 1)]
    # Three rows have other scores than their ratings make.
    assert len(gaps) == 4353 and sum(gap > 1e-9 for gap in gaps) == 3
