"""The leaves of Hu et al. (2022) that the rewritten turns give."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tables import lists_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.corpora.impolite import COLUMNS
from workflow_scripts.figures.bars import Panel, Series, grouped_bars
from workflow_scripts.figures.look import styled
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.figure2 import BINS, figure2
from workflow_scripts.papers.impolite.table4 import table4, top_words

PRINTED = ROOT / "resources/printed/impolite"
LISTED = ROOT / "resources/stop_words.txt"
STOP_WORDS = frozenset(read_lines(LISTED))


def put_rewrites(path: Path, *turns: tuple[str, str, str, str]) -> Path:
    """Turns as (dialogue, original, impolite, politeness)."""
    numbered = [
        [name, at, 1, old, new, rated, rated, rated] for at, (name, old, new, rated) in enumerate(turns)
    ]
    write_csv(path, COLUMNS, numbered)
    return path


def test_top_words():
    texts = ["Please, I'd need a train. Do n't you?", "TRAIN to the north, please! Train 7", "a cheap one"]
    assert top_words(texts, STOP_WORDS) == [
        *(("train", 3), ("please", 2), ("need", 1)),
        *(("north", 1), ("cheap", 1), ("one", 1)),
    ]


def test_words_beside_the_printed_ranks(tmp_path):
    rewrites = put_rewrites(tmp_path / "r.csv", ("a", "thank you, thank you please", "Hurry up", ""))
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table4(*outs, stop_words=LISTED, rewrites=rewrites, printed=PRINTED / "table4.csv", scale="paper")
    assert lists_of(outs[0])[1:] == [["1", "thank", "2", "hurry", "1"]]
    compared = {(row[0], row[1]): row[2:5] for row in lists_of(outs[1])}
    assert compared["Original Dialogues", "thank"] == ["3", "1", "-2"]
    assert compared["Original Dialogues", "please"] == ["2", "2", "0"]
    assert compared["Rewritten Dialogues", "hurry"] == ["10", "1", "-9"]
    assert compared["Rewritten Dialogues", "find"] == ["1", "", ""]
    lines = {(row[0], row[1]): row[5:] for row in lists_of(outs[1])}
    # Two words of the users, thank and please, and one of their rewrites.
    unnamed = "no: the stop words are not named"
    assert lines["Original Dialogues", "thank"] == [unnamed, signature(rewrites, words=2)]
    assert lines["Original Dialogues", "need"] == [
        *("no: no word of our texts, or a stop word of ours", signature(rewrites, words=2))
    ]
    assert lines["Rewritten Dialogues", "hurry"] == [unnamed, signature(rewrites, words=1)]
    given = {"stop_words": LISTED, "rewrites": rewrites, "printed": PRINTED / "table4.csv"}
    table4(*outs, **given, scale="paper", written_by="RULES")
    lines = {(row[0], row[1]): row[5] for row in lists_of(outs[1])}
    assert lines["Original Dialogues", "thank"] == unnamed
    assert lines["Rewritten Dialogues", "hurry"] == f"no: impolite words by RULES, {unnamed[4:]}"


def test_without_a_corpus_there_are_no_words(tmp_path):
    outs = tmp_path / "t.csv", tmp_path / "c.csv"
    table4(*outs, stop_words=LISTED, printed=PRINTED / "table4.csv", scale="paper")
    assert len(lists_of(outs[0])) == 1
    assert {row[-2] for row in lists_of(outs[1])[1:]} == {"no: the corpus is not public"}


def test_the_printed_words_are_twenty_each_and_no_stop_words():
    printed = read_printed(PRINTED / "table4.csv", "data", "word")
    assert sorted(int(rank) for rank in printed.values()) == sorted([*range(1, 21)] * 2)
    assert not STOP_WORDS & {word for _, word in printed}


def test_names_of_bins_do_not_touch():
    with styled():
        panels = [Panel("any", [Series("dialogues", [1] * len(BINS))])]
        drawn = grouped_bars(panels, bins=BINS, columns=1, label="score", share="share")
        drawn.draw_without_rendering()
        names = [name.get_window_extent() for name in drawn.axes[0].get_xticklabels()]
    assert all(left.x1 < right.x0 for left, right in pairwise(names))


def test_dialogues_by_their_mean_rating(tmp_path):
    turns = [("a", "o", "i", "1 2"), ("a", "o", "i", "3"), ("b", "o", "i", "5 5"), ("c", "o", "i", "")]
    rewrites = put_rewrites(tmp_path / "r.csv", *turns)
    figure2(tmp_path / "f.svg", tmp_path / "t.csv", rewrites=rewrites, simulated=True)
    rows = lists_of(tmp_path / "t.csv")
    assert [row for row in rows[1:] if row[2] != "0"] == [
        ["2", "2.5", "1", "50.0"],
        ["4.5", "5", "1", "50.0"],
        ["1", "2.5", "1", "50.0"],
    ]
    texts = [*ElementTree.parse(tmp_path / "f.svg").getroot().itertext()]
    # The means of the two dialogues are 2.25 and 5.
    assert {"politeness score (simulated raters)", "Impolite Dialogue Corpus: mean 3.62"} < {*texts}
    assert "1 of 2 dialogues are below 2.5." in texts


def test_without_ratings_nothing_is_drawn(tmp_path):
    figure2(tmp_path / "f.svg", tmp_path / "t.csv")
    assert {tuple(row[2:]) for row in lists_of(tmp_path / "t.csv")[1:]} == {("0", "")}
    texts = [*ElementTree.parse(tmp_path / "f.svg").getroot().itertext()]
    assert {"There are no ratings.", "politeness score", "Impolite Dialogue Corpus: no ratings"} < {*texts}


def test_a_rating_beyond_the_scale_is_told(tmp_path):
    rewrites = put_rewrites(tmp_path / "r.csv", ("a", "o", "i", "2 9"))
    with pytest.raises(InputError, match=r"r.csv:2: ratings that are not 1 to 5"):
        figure2(tmp_path / "f.svg", tmp_path / "t.csv", rewrites=rewrites)
