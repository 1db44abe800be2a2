"""Matching rules: occurrences of a strategy in a request."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.politeness.corpus import Word
from workflow_scripts.politeness.matching import GAP, RULES, Matcher, Rule, is_word, pieces, tokens

BASE = RULES[0]
BY_NAME = {rule.name: rule for rule in RULES}


def matched(sequence: str, text: str, rule: Rule = BASE, strategy: str = "X") -> bool:
    matcher = Matcher({strategy: [Word("word", ((sequence, 2),), True)]}, rule)
    return strategy in matcher.strategies(text)


@pytest.mark.parametrize(
    ("sequence", "text", "expected"),
    [
        ("toll", "Das ist TOLL, oder?", True),
        ("toll", "Tollhaus", False),
        ("por favor", "Ayuda, por favor.", True),
        ("por favor", "por tu favor", False),
        ("por favor", "por, favor", False),
        ("hola ,", "Hola amigo", True),
        (",", "a, b", False),
        ("¿ _ qué", "Por qué no", True),
        ("a+", "an A+ job", True),
        ("a+", "a job", False),
        ("sehr _ gut", "sehr sehr gut", True),
        ("sehr _ gut", "Sehr, und ganz besonders, gut.", True),
        ("sehr _ gut", "sehr gut", False),
        ("sehr _ gut", "gut und sehr", False),
        ("a _ b _ c", "a x b x c", True),
        ("a _ b _ c", "a x b c", False),
        ("कृपया", "कृपया मदद करें?", True),
        ("कृप", "कृपया", False),
        ("உதவ முடியுமா", "எனக்கு உதவ முடியுமா?", True),
        ("e\u0301te\u0301", "Un \u00c9T\u00c9", True),
        ("m'éclairer", "Pouvez-vous m'éclairer ?", True),
        # A joiner within a word is a part of it, one outside is a mark.
        ("क", "क\u200dष", False),
        ("क", "\u200dक", True),
        ("a _ b b _ c", "a x b b x c", True),
        ("a _ b b _ c", "a x b x b b x c", True),
        ("a _ b b", "a x b", False),
    ],
)
def test_the_rule_of_the_figures(sequence, text, expected):
    assert matched(sequence, text) is expected


def test_start_is_the_first_word():
    for text, expected in (("¿Hola? Sí.", True), ("Pues hola. Hola?", False), ("Pues. Hola?", False)):
        assert matched("hola", text, strategy="Greet_start") is expected
    assert matched("hola", "Pues. Hola?", BY_NAME["sentence"], "Greet_start")
    assert not matched("hola", "Pues, hola?", BY_NAME["sentence"], "Greet_start")
    for rule in (BASE, BY_NAME["sentence"], BY_NAME["substring"]):
        assert matched("hola", "¿Hola? Sí.", rule, "Greet_start")
    assert not matched("hola", "Pues. Hola?", BY_NAME["substring"], "Greet_start")


def test_the_other_rules():
    assert matched("por favor", "por, favor", BY_NAME["bare"])
    assert not matched("toll", "Das ist toll.", BY_NAME["spaces"])
    assert matched("toll.", "Das ist toll.", BY_NAME["spaces"])
    assert matched("toll", "Tollhaus", BY_NAME["substring"])
    assert not matched("haus", "Ein Tollhaus", BY_NAME["substring"], "X_start")
    assert matched("toll _ us", "Tollhaus", BY_NAME["substring"])
    assert not matched("toll _ h", "Tollhaus", BY_NAME["substring"])
    assert matched("toll _ u _ e", "Tollhäuser", BY_NAME["substring"])
    assert not matched("toll _ u _ s", "Tollhäuser", BY_NAME["substring"])
    assert matched("por favor", "¡Por   favor!", BY_NAME["substring"])
    assert not matched("por favor", "por amor", BY_NAME["substring"])
    assert not matched("toll", "?!", BY_NAME["substring"], "X_start")
    assert matched(",", "a, b", BY_NAME["punctuation"])
    assert not matched("sehr _ gut", "sehr sehr gut", BY_NAME["no gaps"])
    assert not matched("hola", "Pues hola", BY_NAME["opening"], "Indirect_(greeting)")
    assert matched("hola", "Pues hola", BASE, "Indirect_(greeting)")
    # The strategies of several lexicon entries are all named, each once.
    many = {"Y": [Word("v", (("eins", 2), ("zwei", 2)), True)], "X": [Word("w", (("eins", 2),), True)]}
    for rule in (BASE, BY_NAME["substring"]):
        assert Matcher(many, rule).strategies("zwei eins zwei") == {"X", "Y"}
        assert Matcher(many, rule).strategies("eins") == {"X", "Y"}
        assert Matcher(many, rule).strategies("zwei") == {"Y"}
    two = {"X": [Word("w", (("eins", 2), ("zwei", 1)), True)]}
    for name in ("first", "twice"):
        matcher = Matcher(two, BY_NAME[name])
        assert matcher.strategies("eins") == {"X"} and matcher.strategies("zwei") == set()


TEXTS = st.lists(
    st.sampled_from(["a", "b", "c", "é", "कृपया", "a'b", ",", ".", "?", "¿", "_", "x1", "\u200d"]),
    min_size=1,
    max_size=8,
).map(" ".join)


@pytest.mark.slow
@settings(max_examples=300)
@given(sequence=TEXTS, before=TEXTS, after=TEXTS)
def test_a_sequence_is_found_in_a_request_that_holds_it(sequence, before, after):
    for rule in RULES:
        if pieces(sequence, rule):
            # With punctuation left out of the sequence, and a word in each gap.
            kept = [p for p in sequence.split() if p == GAP or rule.punctuation or is_word(p)]
            filled = " ".join("wort" if p == GAP else p for p in kept)
            assert matched(sequence, f"{before} {filled} {after}", rule), rule.name


@settings(max_examples=300)
@given(text=st.text(max_size=40))
def test_tokens_lose_no_letter(text):
    composed = unicodedata.normalize("NFC", text).lower()
    letters = [c for c in composed if unicodedata.category(c)[0] in "LMN"]
    for units in ("words", "bare", "spaces", "substring"):
        assert [c for t in tokens(text, units) for c in t if unicodedata.category(c)[0] in "LMN"] == letters
    assert all(tokens(text, "words"))


def reference(sequence: str, text: str) -> bool:
    """The rule of the figures once more, by regular expressions over letters that need no marks."""
    import re

    runs = [
        re.findall(r"\w+|[^\w\s]", " ".join(p for p in run.split() if re.search(r"\w", p)).lower())
        for run in re.split(r"(?:^|(?<= ))_(?= |$)", sequence)
    ]
    patterns = [r" ".join(map(re.escape, run)) for run in runs if run]
    if not patterns:
        return False
    units = " " + " ".join(re.findall(r"\w+|[^\w\s]", text.lower())) + " "
    return re.search(r" (?:\S+ )+".join(patterns).join((r"(?<= )", r"(?= )")), units) is not None


@pytest.mark.slow
@settings(max_examples=500)
@given(
    sequence=st.lists(st.sampled_from(["a", "b", "_", ",", "a+", "c"]), min_size=1, max_size=5).map(" ".join),
    text=st.lists(st.sampled_from(["a", "b", "c", ",", "A+", "x"]), min_size=1, max_size=12).map(" ".join),
)
def test_against_regular_expressions(sequence, text):
    assert matched(sequence, text) is reference(sequence, text)
