"""Moses rules: equal to sacremoses where they should be, and the deliberate differences."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacremoses import (
    MosesDetokenizer,
    MosesDetruecaser,
    MosesPunctNormalizer,
    MosesTokenizer,
    MosesTruecaser,
)

from workflow_scripts.core.errors import InputError
from workflow_scripts.text import moses
from workflow_scripts.text.moses import Truecaser

from .corpus import LINES

LANGUAGES = sorted(LINES)
HARD = [
    "Mr. Smith (of U.S.A.) paid 3,000.50... isn't it?? yes!!",
    "po' di tutto: l'ora 10:30 e.g. ecc. no. 5 - nr. cinq",
    "http://www.x.org/a?b=c <b>x</b> & | [1] {2} ~ \u201cquoted\u201d \u00ab fr \u00bb",
    "well-known 'tis o' dogs' n'a \u00e9t\u00e9 .' ",
    "a\u00a0b\tc\u2028d \u200b \U0001f600 \u4e2d\u6587 ... . .. ,,",
    "",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_equal_sacremoses(language):
    lines = HARD + [line for some in LINES.values() for line in some]
    reference = MosesTokenizer(lang=language)
    expected = [" ".join(reference.tokenize(x, aggressive_dash_splits=True, escape=False)) for x in lines]
    assert moses.tokenise(lines, language) == expected
    back = MosesDetokenizer(lang=language)
    assert moses.detokenise(expected, language) == [
        back.detokenize(x.split(), unescape=False) for x in expected
    ]


@given(st.text(max_size=40), st.sampled_from(LANGUAGES))
def test_any_text_tokenises_as_in_sacremoses(text, language):
    reference = MosesTokenizer(lang=language).tokenize(text, aggressive_dash_splits=True, escape=False)
    assert moses.tokenise([text], language) == [" ".join(reference)]


@given(
    st.text(max_size=40)
    | st.text("a1B .,!?'-_\"`():;%\u00a0\u00ba\u2019\u2026\u00ab\u00bb\u2013", max_size=20),
    st.sampled_from(LANGUAGES),
)
@example("a  b", "pt")
@example("a''b", "pt")
@example(" a ", "pt")
def test_any_text_normalises_as_in_sacremoses(text, language):
    assert moses.normalise([text], language) == [MosesPunctNormalizer(lang=language).normalize(text)]


def test_nothing_is_escaped():
    assert moses.tokenise(["a & b | [c] <d> \"e\" 'f'"], "pt") == ["a & b | [ c ] < d > \" e \" ' f '"]
    assert moses.detokenise(["R & D &amp; x"], "en") == ["R & D &amp; x"]


def test_hyphens_split_and_join():
    assert moses.tokenise(["escreva-me 10-20 - fim"], "pt") == ["escreva @-@ me 10 @-@ 20 - fim"]
    assert moses.detokenise(["escreva @-@ me 10 @-@ 20 - fim"], "pt") == ["escreva-me 10-20 - fim"]


def test_normalise_by_language():
    assert moses.normalise(["\u00abSalut\u00bb\u00a0: 1\u00a0000\u00a0%"], "fr") == ['"Salut": 1,000%']
    assert moses.normalise(["1\u00a0000 \u2026 \u201ca\u201d"], "pt") == ['1.000 ... "a"']


@pytest.fixture(scope="module")
def tokens():
    """English lines of tokens with words in several cases."""
    return [
        *moses.tokenise(LINES["en"], "en"),
        "I saw the WHO and the who , The Who .",
        '" Hello " said Apple , an apple , an Apple and an Apple',
    ]


def test_truecase_equals_sacremoses(tokens, tmp_path):
    reference = MosesTruecaser()
    reference.train([line.split() for line in tokens])
    ours = Truecaser.train(tokens)
    ours.save(tmp_path / "ours.txt")
    loaded = MosesTruecaser(load_from=str(tmp_path / "ours.txt"))
    lines = [*tokens, "THE CAT , Mary and APPLE saw it . the dog ! dogS ( new york ) : who"]
    expected = [loaded.truecase(line, return_str=True, use_known=True) for line in lines]
    assert ours.truecase(lines) == expected
    assert Truecaser.load(tmp_path / "ours.txt").truecase(lines) == expected
    counts = {word: dict(forms) for word, forms in reference.model["casing"].items()}
    assert ours.counts == counts


@given(st.lists(st.sampled_from([*"abAB.:(\"'?!", "Ab", "a.", "\u00e9t\u00e9", "@-@"]), min_size=1))
def test_detruecase_equals_sacremoses(words):
    text = " ".join(words)
    assert moses.detruecase([text]) == [MosesDetruecaser().detruecase(text, return_str=True)]


def test_detruecase_keeps_letters_without_a_single_capital():
    assert moses.detruecase(["\u00dfa \ufb01n", "\ufb01n"]) == ["\u00dfa \ufb01n", "\ufb01n"]


def test_truecaser_file_does_not_depend_on_order(tokens, tmp_path):
    Truecaser.train(tokens).save(tmp_path / "a.txt")
    Truecaser.train(tokens[::-1]).save(tmp_path / "b.txt")
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()
    assert "Apple (3/4) apple (1)\n" in (tmp_path / "a.txt").read_text()


def test_broken_truecaser_file_names_the_line(tmp_path):
    (tmp_path / "t.txt").write_text("a (1/1)\nb (x/1)\n")
    with pytest.raises(InputError, match=r"t\.txt:2: not an entry"):
        Truecaser.load(tmp_path / "t.txt")


def test_a_text_model_without_a_truecaser_is_named(tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path}: no truecaser of any language in this folder"):
        Truecaser.all_of(tmp_path)
