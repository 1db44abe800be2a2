"""The demo's CoCoA-MT and its generic bitext: read by the readers of the real ones, and disjoint."""

import re
import zipfile
from pathlib import Path
from random import Random

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.control.winomt import read_entries
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines
from workflow_scripts.corpora.cocoa import DOMAINS, read_texts
from workflow_scripts.corpora.cocoa_release import read
from workflow_scripts.corpora.demo.controlled import make_controlled
from workflow_scripts.corpora.demo.generic import make_generic
from workflow_scripts.corpora.demo.held_out import make_held_out
from workflow_scripts.corpora.demo.occupations import USUAL, read_occupations
from workflow_scripts.corpora.demo.templates import kept_for_test, read_script
from workflow_scripts.corpora.demo.winomt import make_winomt
from workflow_scripts.text.markers import phrases, untagged

TEXTS = ROOT / "resources/demo/controlled.yaml"
CONTENT = ROOT / "resources/demo/situations/content.yaml"
WORK = ROOT / "resources/demo/occupations.yaml"
GIVEN = {"texts": TEXTS, "content": CONTENT, "seed": 1}
LANGUAGES = ("pt", "it", "fr")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    make_controlled(folder / "CoCoA-MT", **GIVEN, controlled_train=30, controlled_test=20)
    for language in LANGUAGES:
        read(folder / "CoCoA-MT", folder / language, language=language)
    for part in ("train", "wmt", "ted"):
        sizes = {"generic_train": 200, "generic_test": 40}
        make_generic(folder / f"{part}.zip", **GIVEN, occupations=WORK, part=part, code="it", **sizes)
    make_winomt(folder / "winomt.txt", texts=WORK, content=CONTENT, seed=1, winomt=60)
    return folder


def pairs(archive: Path) -> tuple[list[str], list[str]]:
    with zipfile.ZipFile(archive) as file:
        names = (f"Generic.en-it.{side}" for side in ("en", "it"))
        one, two = (file.read(name).decode().splitlines() for name in names)
    return one, two


def test_every_segment_is_marked_in_both_styles_and_says_so_nowhere_else(corpus):
    for language in LANGUAGES:
        for split, size in (("train", 60), ("test", 60)):
            kinds = ("formal.annotated", "informal.annotated")
            formal, informal = read_texts(corpus / language, split, kinds)
            assert len(formal) == size
            for one, two in zip(formal, informal, strict=True):
                assert phrases(one) and len(phrases(one)) == len(phrases(two))
                assert untagged(one) != untagged(two)
                # What is not marked is the same, but for the capital of the first word.
                parts = [line.split("[/F]")[-1] for line in (one, two)]
                assert parts[0] == parts[1]


def test_gender_shows_where_the_language_has_it(corpus):
    for language in ("it", "fr"):
        masculine, feminine = read_texts(corpus / language, "train", ("formal", "formal.feminine"))
        differing = sum(one != two for one, two in zip(masculine, feminine, strict=True))
        assert 0 < differing < len(masculine) / 2


def test_no_test_sentence_is_trained_on(corpus):
    tested = set(read_texts(corpus / "it", "test", ("en",))[0])
    tested |= set(pairs(corpus / "wmt.zip")[0]) | set(pairs(corpus / "ted.zip")[0])
    trained = set(read_texts(corpus / "it", "train", ("en",))[0]) | set(pairs(corpus / "train.zip")[0])
    assert len(tested) > 100 and not tested & trained
    for language in LANGUAGES:
        for domain in DOMAINS["test"]:
            name = f"test.{domain}.en.txt"
            assert read_lines(corpus / language / name) == read_lines(corpus / "it" / name)


def test_a_filling_is_kept_for_tests_or_for_training():
    script = read_script(TEXTS, CONTENT, 1)
    for split in ("train", "test"):
        drawn = script.draw(DOMAINS["test"], split, 30, Random(1))
        assert {kept_for_test(sentence, 1) for sentence in drawn} == {split == "test"}


def test_the_generic_bitext_is_mostly_formal(corpus):
    """Forms that only one of both styles has, in sentences of the domains."""
    _, italian = pairs(corpus / "ted.zip")
    assert len(italian) == 40
    informal = sum(
        any(f" {word}" in f" {line.lower()}" for word in ("hai", "sei ", "ti ", "tuo")) for line in italian
    )
    assert informal < 12


def test_pronouns_say_genders_that_translations_show(corpus):
    """In generic text adjectives agree with the pronoun; in WinoMT every sentence has either pronoun."""
    english, italian = pairs(corpus / "train.zip")
    told = [
        (set(re.split(r"\W", one.lower())), two)
        for one, two in zip(english, italian, strict=True)
        if re.search(r"\bs?he\b", one)
    ]
    assert len(told) == 20
    for words, two in told:
        found = [form for form in ("stanco", "stanca", "partito", "partita") if form in two]
        assert not found or found[0].endswith("o" if "he" in words else "a")
    entries = read_entries(corpus / "winomt.txt")
    assert [gender for gender, _, _ in entries] == ["male", "female"] * 30
    for (_, place, one), (_, _, other) in zip(entries[::2], entries[1::2], strict=True):
        assert one.replace(" he ", " she ") == other != one
        assert one.split()[place - 1].lower() == "the"
    assert not {sentence for _, _, sentence in entries} & set(english)


def test_people_mostly_have_the_usual_gender():
    people = read_occupations(WORK, CONTENT, 1)
    women = [texts[0] for texts, feminine in people.people if feminine]
    drawn = people.drawn("train", 2000, Random(1))
    usual = sum(one.feminine == (one.noun in women) for one in drawn)
    assert usual / 2000 == pytest.approx(USUAL, abs=0.04)
    assert len({one.source() for one in drawn}) == 2000
    tested = people.drawn("test", 600, Random(1))
    # Neither pronoun of a tested sentence is trained with.
    forms = {re.sub(r"\bs?he\b", "", one.source()) for one in drawn}
    assert not forms & {re.sub(r"\bs?he\b", "", one.source()) for one in tested}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"children": []}, "not a mapping of"),
        ({"men": []}, "men: no list"),
        ({"men": [["cook", "<o|a>", "<il|la>"]]}, "not a text in each of"),
        ({"men": [["head cook", "o", "il", "le"]]}, "not one word"),
        ({"women": [["cook", "<o|a", "il", "le"]]}, "is not balanced"),
        ({"sentences": [["the {one} and <he|she>"] * 4]}, "not name exactly the two people"),
        (
            {"sentences": [["the {one}, the {other}", "{one}", "{one} {other}", "{one} {other}"]]},
            "other lists",
        ),
        (
            {"sentences": [["the {one} saw the {other}, <he|she> {number}"] * 4], "women": [["x"] * 4]},
            "are asked",
        ),
    ],
)
def test_mistakes_in_occupations_are_told(tmp_path, change, problem):
    texts = yaml.safe_load(WORK.read_text(encoding="utf-8"))
    path = tmp_path / "texts.yaml"
    path.write_text(yaml.safe_dump({**texts, **change}, allow_unicode=True), encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        make_winomt(tmp_path / "out", texts=path, content=CONTENT, seed=1, winomt=10_000)
    assert error.value.path == (None if problem == "are asked" else path)
    assert not (tmp_path / "out").exists()


def test_an_odd_number_of_tested_people_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be halved by gender"):
        make_winomt(tmp_path / "out", texts=WORK, content=CONTENT, seed=1, winomt=3)


def test_the_same_arguments_give_the_same_bytes(corpus, tmp_path):
    make_controlled(tmp_path / "CoCoA-MT", **GIVEN, controlled_train=30, controlled_test=20)
    files = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 25 + 35 + 35
    assert [digest(tmp_path / name) for name in files] == [digest(corpus / name) for name in files]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"radio": []}, "not a mapping of"),
        ({"telephony": []}, "telephony: no list"),
        ({"telephony": [["a {thing}", "b {thing}", "c {thing}"]]}, "not a text in each of"),
        ({"telephony": [["a {thing}", "b", "c {thing}", "d {thing}"]]}, "names other lists"),
        ({"telephony": [["a {nothing}"] * 4]}, "names other lists"),
        ({"telephony": [["a {thing}", "[b {thing}", "c {thing}", "d {thing}"]]}, "is not balanced"),
        ({"telephony": [["a {number}"] * 4]}, "20 sentences are asked for|30 sentences are asked for"),
    ],
)
def test_mistakes_in_the_templates_are_told(tmp_path, change, problem):
    texts = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    path = tmp_path / "texts.yaml"
    path.write_text(yaml.safe_dump({**texts, **change}, allow_unicode=True), encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        make_controlled(
            tmp_path / "out", texts=path, content=CONTENT, seed=1, controlled_train=30, controlled_test=20
        )
    assert error.value.path == (None if "asked" in problem else path)
    assert not (tmp_path / "out").exists()


def test_an_unknown_part_is_refused(tmp_path):
    with pytest.raises(InputError, match="no part 'dev'"):
        sizes = {"generic_train": 1, "generic_test": 1}
        make_generic(tmp_path / "x.zip", **GIVEN, occupations=WORK, part="dev", code="it", **sizes)
    for code in ("en", "de"):
        with pytest.raises(InputError, match=f"no part 'wmt' of 'en-{code}'; parts: train, wmt, ted"):
            make_generic(tmp_path / "x.zip", **GIVEN, occupations=WORK, part="wmt", code=code, **sizes)


def test_held_out_sentences_are_of_templates_of_their_own(tmp_path):
    texts = ROOT / "resources/demo/held_out.yaml"
    make_held_out(tmp_path / "out", texts=texts, content=CONTENT, seed=1, held_out=40)
    known = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    templates = {template[0] for own in known.values() for template in own}
    own = yaml.safe_load(texts.read_text(encoding="utf-8"))
    assert set(own) == {"informal", "formal"}
    assert not templates & {template[0] for mine in own.values() for template in mine}
    for name in own:
        source = read_lines(tmp_path / f"out/{name}.en.txt")
        assert len(set(source)) == 40
        # Some address nobody by a pronoun, and raters do not see them.
        assert 20 < sum("you" in line.lower() for line in source) < 40
        for language in ("pt", "it", "fr"):
            levels = [
                read_lines(tmp_path / f"out/{name}.{language}.{level}.annotated.txt")
                for level in ("formal", "informal")
            ]
            assert all(one != other and "[F]" in one for one, other in zip(*levels, strict=True))
    with pytest.raises(InputError, match="not a mapping of formal, informal"):
        make_held_out(tmp_path / "no", texts=TEXTS, content=CONTENT, seed=1, held_out=40)
