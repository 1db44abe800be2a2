"""Scores of one's own are taken as they are, if there is one of each request."""

from pathlib import Path
from typing import Any

import pytest

from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.politeness.measures import measures
from workflow_scripts.politeness.own_scores import own_scores


def take(folder: Path, lines: list[str], **options: Any) -> Path:
    """Of three requests in French."""
    write_lines(folder / "requests.txt", ["Aide-moi.", "Merci !", "Alors ?"])
    write_lines(folder / "mine.txt", lines)
    own_scores(
        folder / "scores",
        files=[folder / "mine.txt"],
        sentences=[folder / "requests.txt"],
        inputs=["target"],
        languages=["fr"],
        **options,
    )
    return folder / "scores"


@pytest.mark.parametrize(
    ("lines", "threshold"),
    [
        # Log odds, labels, and probabilities with what they are compared with.
        (["-1.5", "2e-3", "0"], None),
        (["0", "1", "1"], None),
        (["0.0", "1.0", "0"], None),
        (["0.2", "0.9", "0.51"], 0.5),
        (["0.2", "0.9", "0.51"], 0.0),
        (["0.2", "0.9", "1.01"], None),
    ],
)
def test_scores_are_as_they_were(tmp_path, lines, threshold):
    found = take(tmp_path, lines, threshold=threshold)
    assert sorted(path.name for path in found.iterdir()) == ["signature.txt", "target.fr.txt"]
    assert read_lines(found / "target.fr.txt") == lines


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["1", "0"], r"mine\.txt: 2 lines, but \S+requests\.txt has 3; give a score for every request"),
        (["1", "", "0"], r"mine\.txt:2: '' is not a number"),
        (["polite", "1", "0"], r"mine\.txt:1: 'polite' is not a number"),
        (["1", "nan", "0"], r"mine\.txt:2: 'nan' is not a number"),
        (["0.2", "0.9", "0.51"], r"mine\.txt: all numbers are between 0 and 1.*set threshold: 0\.5 for prob"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(tmp_path, lines, problem):
    with pytest.raises(InputError, match=problem) as told:
        take(tmp_path, lines)
    assert "\n" not in str(told.value) and not (tmp_path / "scores").exists()


def test_the_signature_tells_files_and_thresholds_apart(tmp_path):
    first = read_lines(take(tmp_path, ["0", "1", "1"]) / "signature.txt")
    other = read_lines(take(tmp_path, ["0", "1", "0"]) / "signature.txt")
    assert first != other and first[0].endswith("|threshold:0")
    (half,) = read_lines(take(tmp_path, ["0", "1", "0"], threshold=0.5) / "signature.txt")
    assert half == other[0].replace("threshold:0", "threshold:0.5")


def test_what_is_above_the_threshold_is_polite(tmp_path):
    scores = take(tmp_path, ["0.4", "0.9", "0.51"], threshold=0.5)
    write_lines(tmp_path / "gold.txt", ["-1", "2", "1"])
    measures(
        tmp_path / "t.csv",
        scores=[scores / "target.fr.txt"],
        gold=[tmp_path / "gold.txt"],
        inputs=["target"],
        languages=["fr"],
        seeds=["none"],
        signature=scores / "signature.txt",
        threshold=0.5,
    )
    (row,) = rows_of(tmp_path / "t.csv")
    assert (row["accuracy"], row["auc"], row["seed"]) == ("1.000000", "1.000000", "none")
    assert row["signature"].endswith("|threshold:0.5")
