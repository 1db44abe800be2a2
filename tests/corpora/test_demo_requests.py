"""The demo world's requests, in the layout of TyDiP."""

from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines
from workflow_scripts.corpora.demo.lexicons import lexicons
from workflow_scripts.corpora.demo.requests import requests
from workflow_scripts.corpora.demo.talk import talk
from workflow_scripts.politeness.corpus import binary_file, parts, read_requests, requests_file
from workflow_scripts.politeness.quartiles import quartiles

TEXTS = ROOT / "resources/demo/requests.yaml"
LANGUAGES = ["en", "hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "TyDiP"
    requests(folder, texts=TEXTS, seed=1, train=60, test=40)
    return folder


def test_the_reader_of_the_released_data_reads_them(corpus):
    for language in LANGUAGES:
        for part in parts(language):
            found = read_requests(requests_file(corpus, language, part))
            assert len(found) == {"train": 60, "test": 40}[part]
            assert all(request.text.endswith("?") for request in found)


def test_the_binary_parts_are_those_of_the_quartile_rule(corpus):
    for language in LANGUAGES:
        whole = {part: read_requests(requests_file(corpus, language, part)) for part in parts(language)}
        bounds = quartiles([one.score for part in whole.values() for one in part])
        for part, scored in whole.items():
            outer = [one for one in scored if bounds.side(one.score)]
            assert read_requests(binary_file(corpus, language, part)) == outer
            # As in the released data: the sides of the quartiles are those of 0.
            assert all((one.score > 0) == (bounds.side(one.score) > 0) for one in outer)


def test_no_request_twice(corpus):
    for language in LANGUAGES:
        texts = [
            one.text
            for part in parts(language)
            for one in read_requests(requests_file(corpus, language, part))
        ]
        assert len(set(texts)) == len(texts)


def test_the_same_arguments_give_the_same_bytes(corpus, tmp_path):
    requests(tmp_path / "again", texts=TEXTS, seed=1, train=60, test=40)
    files = sorted(path.relative_to(corpus) for path in corpus.rglob("*.csv"))
    assert len(files) == 2 * 11
    assert [digest(corpus / file) for file in files] == [digest(tmp_path / "again" / file) for file in files]
    requests(tmp_path / "other", texts=TEXTS, seed=2, train=60, test=40)
    assert digest(corpus / files[0]) != digest(tmp_path / "other" / files[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda texts: texts["fr"].pop("asks"), "fr: 'asks' does not have the expected form"),
        (lambda texts: texts["fr"]["opens"].pop("rude"), "fr: 'opens' does not have the expected form"),
        (lambda texts: texts["fr"]["says"].append(3), "fr: 'says' has no lists of texts"),
        (lambda texts: texts.update(fr="?"), "fr: 'opens' does not have the expected form"),
        (lambda texts: texts["fr"].update(says=["a"]), "36 different requests, but 40 are asked for"),
    ],
)
def test_a_mistake_in_the_texts(tmp_path, change, message):
    texts = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    change(texts)
    (tmp_path / "texts.yaml").write_text(
        yaml.safe_dump({"fr": texts["fr"]}, allow_unicode=True), encoding="utf-8"
    )
    with pytest.raises(InputError, match=message):
        requests(tmp_path / "out", texts=tmp_path / "texts.yaml", seed=1, train=60, test=40)
    assert not (tmp_path / "out").exists()


WORDS = {"strategies": {"Thanks": ["thanks", "thank"]}, "lexicons": {"fr": {"thanks": ["merci"]}}}
SAID = {
    "opens": {"polite": ["a"], "rude": ["b"]},
    "says": ["c", "d"],
    "asks": {"polite": ["?"], "rude": ["!?"]},
}


def test_a_lexicon_and_its_bitext(tmp_path):
    """A word without a translation is not found; pairs end with the shorter list."""
    french = {**SAID, "says": ["e"], "asks": {"polite": [" ?"], "rude": [" !?"]}}
    write_yaml(tmp_path / "texts.yaml", {"en": SAID, "fr": french})
    write_yaml(tmp_path / "words.yaml", WORDS)
    lexicons(tmp_path / "out", texts=tmp_path / "texts.yaml", words=tmp_path / "words.yaml")
    lines = ["0,1,2", "Strategy - Thanks,,", "thanks,\"[('merci', 1)]\",True", "thank,[],False"]
    assert read_lines(tmp_path / "out/strategies/fr.csv") == lines
    assert read_lines(tmp_path / "out/bitext/fr.en.txt") == ["a c?", "a c!?", "b c?", "b c!?"]
    assert read_lines(tmp_path / "out/bitext/fr.txt") == ["a e ?", "a e !?", "b e ?", "b e !?"]


@pytest.mark.parametrize(
    ("words", "texts", "problem"),
    [
        ({"lexicons": {"Fr": {}}}, {}, "'a language is not a code in lower case'"),
        ({"lexicons": {"français": {}}}, {}, "'a language is not a code in lower case'"),
        ({"lexicons": {1: {}}}, {}, "'a language is not a code in lower case'"),
        ({"lexicons": {"fr": {"merci": []}}}, {}, "\"'merci'\""),
        ({"lexicons": {"fr": {"thanks": "merci"}}}, {}, "'no list of texts'"),
        ({"lexicons": {"fr": {"thanks": [" "]}}}, {}, "'no list of texts'"),
        ({"strategies": {"Thanks": [3]}}, {}, "'no list of texts'"),
        ({"strategies": None}, {}, "\"'NoneType' object has no attribute 'values'\""),
        ({"lexicons": {"de": {}}}, {}, "\"'de'\""),
        ({}, {"says": 3}, "'no list of texts'"),
        ({}, {"asks": {"polite": ["?"]}}, "\"'rude'\""),
        ({"lexicons": {"fr": {"x" * 60: []}}}, {}, f'"\'{"x" * 59}"'),
    ],
)
def test_a_mistake_in_the_lexicons(tmp_path, words, texts, problem):
    write_yaml(tmp_path / "texts.yaml", {"en": {**SAID, **texts}, "fr": SAID})
    write_yaml(tmp_path / "words.yaml", {**WORDS, **words})
    with pytest.raises(InputError) as error:
        lexicons(tmp_path / "out", texts=tmp_path / "texts.yaml", words=tmp_path / "words.yaml")
    told = (
        f"{tmp_path}/words.yaml: not of the expected form: {problem}; compare it with {tmp_path}/texts.yaml"
    )
    assert str(error.value) == told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ({"fr": SAID}, "no texts in en"),
        ({"en": SAID}, "no texts in fr"),
        ({"en": SAID, "fr": {**SAID, "says": 3}}, "fr: not of the expected form"),
        ({"en": SAID, "fr": {**SAID, "opens": {"polite": []}}}, "fr: not of the expected form"),
        ([], "not a mapping of languages"),
    ],
)
def test_a_mistake_in_the_texts_of_talk_pages(tmp_path, texts, problem):
    write_yaml(tmp_path / "texts.yaml", texts)
    with pytest.raises(InputError, match=rf"^{tmp_path}/texts\.yaml: {problem}$"):
        talk(tmp_path / "out", texts=tmp_path / "texts.yaml", languages=["fr"], pages=1, seed=1)


def write_yaml(path: Path, content) -> None:
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
