"""Types of edits: every rule on cases computed by hand, and all of them against plain Python."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rewrites import plain
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.rewrites.abbreviations import Abbreviations
from workflow_scripts.rewrites.edits import TYPES, EditFinder
from workflow_scripts.text.sentences import default_splitter

ROOT = Path(__file__).parents[2]
SPLIT = default_splitter()
KNOWN = {"pls": "please", "gonna": "going to", "bcp": "beaucoup", "vc": "você", "btw": "by the way"}
FIND = EditFinder(SPLIT, Abbreviations(KNOWN))

CASES = [
    # English
    ("i like it", "I like it", {"capitalization"}),
    ("I LOVE it", "I love it", {"lowercase"}),
    ("HELLO you", "Hello you", set()),
    ("The the cat", "The cat", set()),  # `the` is gone, and nothing has its letters
    ("see you !", "see you .", {"punctuation"}),
    ("see you", "see you", {"unchanged"}),
    ("see  you", "see you", set()),
    ("in 2010 maybe", "in MMX maybe", {"punctuation"}),
    ("definately yes", "definitely yes", {"spelling_careful"}),
    ("abc", "abd", {"spelling_careful"}),  # 1/3
    ("ab", "ac", set()),  # 1/2 is not below 1/2
    ("abcde", "abc", {"spelling_careful"}),  # 2/5
    ("abc", "abcde", set()),  # 2/3: of the informal token's length
    ("pls come", "Please come", {"normalization_careful"}),
    ("pls come", "Please come pls", set()),  # the abbreviation is still there
    ("please pls come", "please come", set()),  # the expansion was there before
    ("we are gonna go", "we are going to go", {"normalization_careful"}),
    ("we are gonna go", "we are going back to go", {"paraphrase_careful"}),  # going, back, to
    ("btw he left", "By the way he left", {"normalization_careful"}),
    ("it is late", "It is. Late", {"split_sentences", "capitalization", "punctuation"}),
    ("It is late. I go", "It is late and I go", {"punctuation"}),
    ("sooo good", "so good", {"repetition_careful"}),
    ("SOOO good", "So good", {"repetition_careful"}),
    ("sooo late", "so very tardy", {"repetition_careful"}),  # `so` is explained: two tokens are not
    ("coool man", "cool man", {"spelling_careful"}),  # one letter of a run stays, and `col` is not there
    ("x 1000", "x 10", {"punctuation"}),  # no runs of digits; a distance of 2 is half of 4
    ("he left", "the gentleman departed early", {"paraphrase_careful", "paraphrase_paper"}),
    ("he left", "he departed quite quite", set()),  # two types, a distance of 3
    ("he left me", "she departed without me", {"paraphrase_careful"}),  # three types, a distance of 3
    ("one two three four five", "five four three two one", {"paraphrase_paper"}),
    ("x", "1 2 3 4 5", {"punctuation", "paraphrase_paper"}),  # five tokens, none of letters
    # French, whose apostrophes NLTK leaves whole
    ("bcp de gens y vont", "Beaucoup de gens y vont", {"normalization_careful"}),
    (
        "bcp de gens l'aiment",
        "Beaucoup de gens l'adorent",
        {"normalization_careful", "punctuation", "spelling_careful"},
    ),  # 3/8
    ("C'EST vrai", "c'est vrai", {"lowercase", "punctuation"}),
    ("il etait là", "Il était là", {"capitalization", "spelling_careful"}),
    (
        "suuuper bien",
        "super bien",
        {"repetition_careful", "spelling_careful"},
    ),  # a distance of 2, of 7 letters
    # Portuguese
    ("vc e LEGAL", "Você é legal", {"normalization_careful", "lowercase"}),
    ("eu sei", "Eu sei. Sim", {"capitalization", "punctuation", "split_sentences"}),
]


@pytest.mark.parametrize(("informal", "formal", "expected"), CASES)
def test_edits_of_one_rewrite(informal, formal, expected):
    found = FIND(informal, formal)
    assert tuple(found) == TYPES
    assert {name for name, has in found.items() if has and not name.endswith("_released")} == expected


def test_every_type_has_a_case_with_and_without_it():
    cases = [*(expected for *_, expected in CASES), *(expected for *_, expected in RELEASED)]
    for name in TYPES:
        assert {name in expected for expected in cases} == {True, False}


# What the authors' released program (its repository at commit ab42dd3) finds in these, with this list.
RELEASED: list[tuple[str, str, set[str]]] = [
    ("i like it", "I like it", {"capitalization"}),
    ("I LOVE it", "I love it", {"lowercase"}),
    ("see you", "see you", {"unchanged"}),
    ("in 2010 maybe", "in MMX maybe", {"punctuation"}),
    ("definately yes", "definitely yes", {"spelling_released"}),
    ("abc", "abd", {"spelling_released"}),
    ("abcde", "abc", set()),
    ("abcde", "abcd", {"spelling_released"}),
    ("abcde", "abcdef", {"spelling_released"}),
    ("abcdef", "abcde", {"spelling_released"}),
    ("coool man", "cool man", {"spelling_released"}),
    ("sooo good", "so good", {"repetition_released"}),
    ("SOOO good", "So good", {"repetition_released"}),
    ("banana man", "ban man", {"repetition_released"}),
    ("x 1000", "x 10", {"punctuation", "repetition_released"}),
    ("pls come", "please come", {"normalization_released"}),
    ("pls come", "Please come", set()),
    ("Pls come", "please come", set()),
    ("we are gonna go", "we are going to go", set()),
    ("btw he left", "By the way he left", {"paraphrase_released"}),
    ("pls he left", "please the gentleman departed early", {"normalization_released", "paraphrase_released"}),
    ("pls he left", "please sir departed", {"normalization_released"}),
    ("pls he", "she departed please", {"normalization_released"}),
    ("he left", "he departed quite quite", {"paraphrase_released"}),
    ("he left", "he departed quite quite quite", {"paraphrase_released"}),
    ("THE CAT SAT", "the cat sat", {"spelling_released", "lowercase"}),
    ("the cat sat", "The Cat Sat", {"capitalization", "spelling_released"}),
    ("pls no", "please ! !", {"punctuation", "normalization_released", "split_sentences"}),
    ("bcp de gens l'aiment", "beaucoup de gens l'adorent", {"punctuation", "normalization_released"}),
    ("bcp de gens", "Beaucoup de gens", set()),
    ("vc e LEGAL", "você é legal", {"normalization_released", "lowercase"}),
    ("it is late", "It is. Late", {"capitalization", "punctuation", "split_sentences"}),
    ("suuuper bien", "super bien", {"repetition_released"}),
    ("one two three four five", "five four three two one", set()),
    ("he left me", "she departed without me", {"paraphrase_released"}),
    # The last word is taken for the expansion.
    ("pls now", "please please sir goes", {"normalization_released", "paraphrase_released"}),
]


@pytest.mark.parametrize(("informal", "formal", "expected"), RELEASED)
def test_edits_as_the_released_program_finds_them(informal, formal, expected):
    found = FIND(informal, formal)
    other = {name for name in TYPES if name.endswith(("_careful", "_paper"))}
    assert {name for name, has in found.items() if has} - other == expected


WORDS = [
    *("i", "I", "the", "The", "THE", "so", "soo", "sooo", "good", "GOOD", "god", "pls", "please", "Please"),
    *("gonna", "going", "to", "vc", "você", "C'EST", "c'est", ".", "!", "12"),
]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)


@pytest.mark.slow
@settings(max_examples=200)
@given(SENTENCES, SENTENCES)
def test_edits_equal_those_of_plain_python(informal, formal):
    assert FIND(informal, formal) == plain.edits(informal, formal, SPLIT, plain.expansions(KNOWN), KNOWN)


@pytest.mark.parametrize("text", ["pls", "pls\t", "pls\tplease\tnow"])
def test_a_bad_abbreviation_is_named(text, tmp_path):
    write_lines(tmp_path / "x.tsv", ["u\tyou", text])
    with pytest.raises(InputError, match=r"x\.tsv:2: not an abbreviation"):
        Abbreviations.load(tmp_path / "x.tsv")


@pytest.mark.parametrize("language", ["pt", "it", "fr", "en"])
def test_every_abbreviation_of_the_lists_is_found(language):
    path = ROOT / f"resources/abbreviations/{language}.tsv"
    find = EditFinder(SPLIT, Abbreviations.load(path))
    for line in path.read_text(encoding="utf-8").splitlines():
        short, text = line.split("\t")
        # In the middle, where NLTK does not cut anything off a word.
        assert find(f"bah {short} bah", f"bah {text} bah")["normalization_careful"], short
