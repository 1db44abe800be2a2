"""Text to pieces and back."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines
from workflow_scripts.text import moses
from workflow_scripts.text.pipeline import Pipeline

from .corpus import LINES

SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much])
LETTERS = "aeiourstlnmdABST\u00e9\u00e7\u00e3\u00dfñ\u0130"
WORD = st.text(LETTERS, min_size=1, max_size=6) | st.sampled_from(
    ["10", "3,5", "U.S.", "\U0001f600", "well-made", "<2formal>", "e.g.", "&amp;", "New", "l'ami", "don't"]
)
MARK = st.sampled_from(["", "", "", ",", "...", ":", "!", "?", ".", ")", " -", '"', "'", " (", " $"])
SENTENCE = st.lists(st.tuples(WORD, MARK).map("".join), max_size=8).map(" ".join)


def canonical(text: str, language: str) -> bool:
    """Whether normalising changes nothing, and joining undoes splitting."""
    (same,) = moses.normalise([text], language)
    (back,) = moses.detokenise(moses.tokenise([text], language), language)
    return text == same == back


@pytest.mark.slow
@SHARED
@given(SENTENCE, st.sampled_from(sorted(LINES)))
def test_canonical_text_comes_back_but_for_case(pipeline, text, language):
    # English: after a small s the quote is taken for a possessive's, after a large one for an opening one.
    assume(canonical(text, language) and "s' " not in text)
    (back,) = pipeline.decode(pipeline.encode([text], language), language)
    assert back.lower() == text.lower()
    (again,) = pipeline.decode(pipeline.encode([back], language), language)
    assert again == back


@pytest.mark.slow
@SHARED
@given(SENTENCE, st.sampled_from(sorted(LINES)))
def test_canonical_text_in_a_known_case_comes_back(pipeline, text, language):
    assume(canonical(text, language))
    (tokens,) = moses.tokenise([text], language)
    assume(moses.detruecase([tokens]) == [tokens])  # sentences start with a capital
    best, known = pipeline.truecasers[language].best, pipeline.truecasers[language].known
    assume(all(token in known or token.lower() not in best for token in tokens.split(" ")))
    assert pipeline.decode(pipeline.encode([text], language), language) == [text]


@pytest.mark.parametrize("language", sorted(LINES))
def test_the_training_text_comes_back(pipeline, language):
    lines = LINES[language]
    expected = [line.replace("is: the", "is: The") for line in lines]  # Moses starts a sentence after a colon
    assert pipeline.decode(pipeline.encode(lines, language), language) == expected


@SHARED
@given(st.text(max_size=60), st.sampled_from(sorted(LINES)))
def test_any_text_gives_clean_pieces(pipeline, text, language):
    (pieces,) = pipeline.encode([text], language)
    # A piece file holds them: neither white space nor a tag.
    assert " ".join(pieces).split() == pieces
    assert not pipeline.subwords.control.intersection(pieces)
    assert pipeline.subwords.decode([pieces]) == pipeline.tokens([text], language)
    (back,) = pipeline.decode([pieces], language)
    assert back == " ".join(back.split())


@pytest.mark.slow
def test_real_text_is_stable_after_two_rounds(pipeline, mirror):
    names = {"en": "por-eng.eng", "pt": "por-eng.por", "it": "ita-eng.ita", "fr": "fra-eng.fra"}
    for language, name in names.items():
        lines = read_lines(mirror / "tatoeba/data/tatoeba/v1" / f"tatoeba.{name}")
        once = pipeline.decode(pipeline.encode(lines, language), language)
        twice = pipeline.decode(pipeline.encode(once, language), language)
        assert pipeline.decode(pipeline.encode(twice, language), language) == twice
        assert sum(a == b for a, b in zip(once, twice, strict=True)) >= 0.99 * len(lines)


def test_model_folder(text_model, pipeline):
    assert sorted(path.name for path in text_model.iterdir()) == [
        "subwords.model",
        *(f"truecase.{language}.txt" for language in sorted(LINES)),
        "vocabulary.txt",
    ]
    assert read_lines(text_model / "vocabulary.txt") == pipeline.vocabulary
    assert pipeline.tags == ["<2formal>", "<2informal>"]
    assert pipeline.languages == sorted(LINES)
    assert pipeline.digest == digest(text_model / "vocabulary.txt")


def test_unknown_language_and_tag(pipeline):
    with pytest.raises(InputError, match=r"no language 'ptt'; did you mean 'pt'\?"):
        pipeline.encode(["x"], "ptt")
    with pytest.raises(InputError, match="no language 'de'"):
        pipeline.decode([["x"]], "de")
    with pytest.raises(InputError, match=r"no tag '<2frmal>'; did you mean '<2formal>'\?"):
        pipeline.check_tag("<2frmal>")
    with pytest.raises(InputError, match="no tag '<s>'"):
        pipeline.check_tag("<s>")


def test_files_that_do_not_belong_together(text_model, tmp_path):
    with pytest.raises(InputError, match=r"subwords\.model: no such file"):
        Pipeline.load(tmp_path)
    (tmp_path / "subwords.model").write_bytes((text_model / "subwords.model").read_bytes())
    (tmp_path / "vocabulary.txt").write_text("<pad>\n")
    with pytest.raises(InputError, match="does not list the pieces"):
        Pipeline.load(tmp_path)
    (tmp_path / "subwords.model").write_bytes(b"nonsense")
    with pytest.raises(InputError, match="not a sentencepiece model"):
        Pipeline.load(tmp_path)
