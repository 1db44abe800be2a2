"""The effects on simulated raters of the demo world: informal marks and wordings count much, case little."""

import re
from collections import Counter
from dataclasses import replace
from random import Random
from statistics import mean

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.files import read_lines, read_numbers
from workflow_scripts.corpora.demo.bitext import make_bitext
from workflow_scripts.corpora.demo.combinations import INFORMAL_RATINGS, Combination
from workflow_scripts.corpora.demo.make_world import make_world
from workflow_scripts.corpora.demo.noise import (
    ABBREVIATED,
    DOTS,
    INTERJECTED,
    PUNCTUATED,
    REPEATED,
    SHOUTED,
    Typing,
    informal_typing,
)
from workflow_scripts.corpora.demo.ratings import LOWER_CASE, make_ratings, rated_sentence
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, LANGUAGES, load
from workflow_scripts.corpora.demo.world import TRAIN, World
from workflow_scripts.corpora.moses import read_moses
from workflow_scripts.corpora.pt16 import read_pt16
from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.transfer.rules import PaperRules

SITUATIONS = sorted((ROOT / "resources" / "demo" / "situations").glob("*.yaml"))
# What the raters must mind, and the change that makes it.
MARKS = {
    REPEATED: "repeat",
    PUNCTUATED: "punctuate",
    ABBREVIATED: "abbreviate",
    INTERJECTED: "interject",
    SHOUTED: "shout",
}


@pytest.fixture(scope="module")
def world():
    return World(load(SITUATIONS), 1)


@pytest.fixture(scope="module")
def sayings(world):
    return world.draw(TRAIN, 400, "rated", INFORMAL, FORMAL)


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_lowers_the_rating_by_more_than_lower_case_does(world, sayings, mark):
    seen = 0
    for number, saying in enumerate(sayings):
        plain, level = rated_sentence(world, saying, Typing())
        small, lower = rated_sentence(world, saying, Typing(lower=True))
        changed, marked = rated_sentence(world, saying, Typing(changes=(MARKS[mark],), seed=number))
        assert small == plain.lower()
        assert 0 < level - lower < 0.15
        if Typing(changes=(MARKS[mark],), seed=number).apply(plain, "en")[1] == [mark]:
            seen += 1
            assert changed != plain
            assert level - marked > 10 * (level - lower)
    assert seen > 50


def test_marks_add_up(world, sayings):
    for number, saying in enumerate(sayings):
        one = rated_sentence(world, saying, Typing(changes=("repeat",), seed=number))
        both = rated_sentence(world, saying, Typing(changes=("repeat", "interject"), seed=number))
        if one[0] != both[0]:
            assert both[1] < one[1] - 0.3


def test_case_alone_is_no_wording(world, sayings):
    """Where the mildest informal words are those of the nearest formal ones, both are as formal."""
    same = 0
    for combination, _, _ in sayings:
        mildest = tuple(len(part.informal) - 1 for part in combination.parts(world.script))
        informal, formal = (
            rated_sentence(world, (combination, register, wording), Typing())
            for register, wording in ((INFORMAL, mildest), (FORMAL, (0, 0, 0)))
        )
        if letters(informal[0]) == letters(formal[0]):
            same += 1
            assert informal[1] == formal[1]
    assert same > 100


def test_slang_lowers_the_rating_by_more_than_lower_case_does(world):
    """The most informal wording of each situation against its other informal one."""
    some = world.draw(TRAIN, 1, "slang", INFORMAL)[0][0]
    for number in range(len(world.script.situations)):
        combination = replace(some, situation=number, opener=0, tail=0)
        slang, mild = (combination.rating(world.script, INFORMAL, (0, core, 0)) for core in (0, 1))
        assert mild - slang > 4 * LOWER_CASE


def test_a_pronoun_lowers_the_rating_by_more_than_lower_case_does(world):
    """English `ya` stands where other languages have the familiar pronoun, `you` where they are polite."""
    some = world.draw(TRAIN, 1, "pronouns", INFORMAL)[0][0]
    seen = 0
    for number, tail in enumerate(world.script.tails):
        familiar, polite = tail.informal[-1], tail.formal[0]
        if not re.search(r"\bya\b", familiar[0]):
            continue
        seen += 1
        assert "você" in familiar[1] and "senhor" in polite[1] and "you" in polite[0]
        combination = replace(some, opener=0, tail=number)
        last = len(tail.informal) - 1
        with_pronoun = combination.rating(world.script, INFORMAL, (0, 1, last))
        without = replace(combination, tail=0).rating(world.script, INFORMAL, (0, 1, 0))
        assert without - with_pronoun > 4 * LOWER_CASE
    assert seen >= 4


def test_translations_keep_the_marks_of_english_sentences(tmp_path):
    """So that a translator carries them from the rated sentences to those that regressors learn from.

    English is the tidier side: what it lacks is often there in the other language, and gets lost on the way.
    """
    sizes = {"gyafc_dev": 20, "gyafc_test": 20, "xformal": 20}
    make_world(tmp_path / "world.json", situations=SITUATIONS, seed=1, **sizes)
    make_bitext(tmp_path / "it.zip", world=tmp_path / "world.json", code="it", bitext=2000)
    read_moses(tmp_path / "it.zip", tmp_path / "en.txt.gz", tmp_path / "it.txt.gz")
    sides = [
        [line.endswith(("!!", "??")) for line in read_lines(tmp_path / f"{side}.txt.gz")]
        for side in ("en", "it")
    ]
    both = Counter(zip(*sides, strict=True))
    assert both[True, True] > 40
    assert both[True, False] < 0.1 * both[True, True]
    assert both[False, True] > 40


@pytest.mark.slow
def test_ratings_are_those_of_what_raters_look_at(tmp_path):
    """In the file itself: within a register, marks and slang tell the rating, and case hardly does."""
    sizes = {"gyafc_dev": 20, "gyafc_test": 20, "xformal": 20}
    make_world(tmp_path / "world.json", situations=SITUATIONS, seed=1, **sizes)
    make_ratings(tmp_path / "answers", world=tmp_path / "world.json", ratings=1200)
    read_pt16(tmp_path / "answers", tmp_path / "read", held_out=200, seed=1)
    texts = (tmp_path / "read/train.sentences.txt").read_text(encoding="utf-8").splitlines()
    scores = read_numbers(tmp_path / "read/train.scores.txt")
    rows = list(zip(texts, scores, strict=True))
    marked = [score for text, score in rows if "!!" in text or "! !" in text]
    plain = [score for text, score in rows if "!" not in text]
    assert len(marked) > 50
    assert mean(plain) - mean(marked) > 1
    # Case alone: sentences without any capital are of both kinds.
    small = [score for text, score in rows if text == text.lower()]
    assert sum(score > 0.5 for score in small) > 0.15 * len(small)
    capital = [score for text, score in rows if text[0].isupper()]
    assert sum(score < -0.5 for score in capital) > 0.15 * len(capital)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_rules_repair_most_marks_of_informal_sentences(world, language):
    """So that RULE-BASED has fewer marks than COPY, and not only another case."""
    rules = PaperRules(read_abbreviations(ROOT / f"resources/abbreviations/{language}.tsv"))
    random = Random(1)
    marks, left = Counter(), 0
    for saying in world.draw(TRAIN, 400, "repaired", INFORMAL):
        plain = world.plain(saying, language)
        typing = informal_typing(saying[2][1], random)
        text, found = typing.apply(plain, language)
        marks.update(found)
        left += rules(text) != rules(plain)
    assert sum(marks[mark] for mark in (REPEATED, PUNCTUATED, ABBREVIATED, DOTS)) > 0.6 * marks.total()
    assert left < 0.7 * 400


def letters(text: str) -> str:
    """The letters of a text, without case."""
    return "".join(c for c in text.casefold() if c.isalnum())


def test_further_wordings_are_as_formal_as_the_last_that_has_a_rating(world):
    situation = world.script.situations[0]
    more = replace(situation, informal=[*situation.informal, ["so so mild"] * 4])
    script = replace(world.script, situations=[more])
    combination = Combination(0, 0, 0, ())
    ratings = [combination.rating(script, INFORMAL, (0, core, 0)) for core in range(len(more.informal))]
    # Only the situation's part differs between the registers.
    assert len(ratings) == 3 and [ratings[0], ratings[2]] == list(INFORMAL_RATINGS)
