"""The demo world: the same each time, in official layouts, nothing of the tests in training."""

import gzip
import json
import re
import unicodedata
import zipfile
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean

import pytest
from sacrebleu.metrics import BLEU

from tests.conftest import ROOT
from tests.corpora.demo_parts import make_demo
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers
from workflow_scripts.corpora.demo.bitext import make_bitext
from workflow_scripts.corpora.demo.known import make_known
from workflow_scripts.corpora.demo.make_world import make_world
from workflow_scripts.corpora.demo.rewrites import xformal_combinations
from workflow_scripts.corpora.demo.situations import LANGUAGES, load
from workflow_scripts.corpora.demo.world import DEV, TEST, World
from workflow_scripts.corpora.gyafc import read_gyafc
from workflow_scripts.corpora.moses import read_moses
from workflow_scripts.corpora.pt16 import read_pt16
from workflow_scripts.corpora.xformal import FILES, read_xformal
from workflow_scripts.corpora.yahoo import read_questions, read_yahoo
from workflow_scripts.filtering.criteria import curator
from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.text.folding import folded
from workflow_scripts.transfer.rules import PaperRules

SITUATIONS = sorted((ROOT / "resources" / "demo" / "situations").glob("*.yaml"))
SIZES = {
    "gyafc_train": 2400,
    "gyafc_dev": 120,
    "gyafc_test": 120,
    "xformal": 120,
    "ratings": 1500,
    "subtitles": 3000,
    "bitext": 3000,
    "questions": 600,
    "questions_fr": 500,
}
SMALL = dict.fromkeys(SIZES, 60)


def digests(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): digest(path) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    make_demo(folder, situations=SITUATIONS, seed=1, **SIZES)
    return folder


@pytest.fixture(scope="module")
def read(world, tmp_path_factory):
    """The demo world through the readers of the real corpora."""
    out = tmp_path_factory.mktemp("canonical")
    read_gyafc(world / "GYAFC_Corpus", out / "gyafc")
    read_pt16(world / "pt16" / "answers", out / "pt16", held_out=200, seed=1)
    for language, code in (("pt", "pt_br"), ("it", "it"), ("fr", "fr")):
        read_xformal(world / "XFORMAL", out / "xformal" / language, language=language)
        for corpus, path in (
            ("opensubtitles", f"OpenSubtitles/v2018/moses/en-{code}.txt.zip"),
            ("bitext", f"Demo/v1/moses/en-{language}.txt.zip"),
        ):
            folder = out / corpus / language
            read_moses(world / "opus" / path, folder / "en.txt.gz", folder / f"{language}.txt.gz")
        read_yahoo(
            world / "yahoo",
            out=out / "yahoo" / language / "answers.txt.gz",
            counts=out / "yahoo" / language / "counts.tsv",
            language=language,
            category="none",
        )
    read_yahoo(
        world / "yahoo-fr",
        out=out / "yahoo-fr" / "fr" / "answers.txt.gz",
        counts=out / "yahoo-fr" / "fr" / "counts.tsv",
        language="fr",
        category="none",
    )
    return out


def test_demo_is_deterministic(tmp_path):
    sizes = dict.fromkeys(SIZES, 20)
    make_demo(tmp_path / "a", situations=SITUATIONS, seed=7, **sizes)
    make_demo(tmp_path / "b", situations=SITUATIONS[::-1], seed=7, **sizes)
    make_demo(tmp_path / "c", situations=SITUATIONS, seed=8, **sizes)
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    assert digests(tmp_path / "a") != digests(tmp_path / "c")


def test_demo_world_is_read_as_it_was_written(tmp_path):
    world = World(load(SITUATIONS), 3)
    combination = world.combination(TEST, world.topics(), world.random("x"))
    world.say(TEST, (combination, "formal", (0, 0, 0)), "it", world.random("x"))
    world.write(tmp_path / "world.json")
    again = World.read(tmp_path / "world.json")
    again.write(tmp_path / "again.json")
    assert digest(tmp_path / "again.json") == digest(tmp_path / "world.json")
    damaged = bytearray((tmp_path / "world.json").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "again.json").write_bytes(damaged)
    with pytest.raises(InputError, match="damaged"):
        World.read(tmp_path / "again.json")
    for split in ("train", DEV, TEST):
        assert World.read(tmp_path / "world.json").draw(split, 20, "x", "formal") == world.draw(
            split, 20, "x", "formal"
        )


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"seed": 1, "situations": [{}], "pools": {}, "said": {}}'])
def test_demo_world_that_is_none(tmp_path, text):
    path = tmp_path / "world.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a demo world") as error:
        World.read(path)
    assert str(path) in str(error.value)


def test_demo_has_no_bitext_of_another_language(tmp_path):
    sizes = {"gyafc_dev": 4, "gyafc_test": 4, "xformal": 4}
    make_world(tmp_path / "world.json", situations=SITUATIONS, seed=1, **sizes)
    with pytest.raises(InputError, match="no 'de'; it has pt, it, fr"):
        make_bitext(tmp_path / "en-de.txt.zip", world=tmp_path / "world.json", code="de", bitext=10)


@pytest.mark.slow
def test_demo_tests_are_not_trained_on(read):
    for language in ("en", "pt", "it", "fr"):
        names = {
            "en": ["gyafc/train.*", "pt16/train.sentences.txt", "pt16/test.sentences.txt", "*/*/en.txt.gz"],
        }.get(language, [f"*/{language}/{language}.txt.gz", f"yahoo*/{language}/answers.txt.gz"])
        held = {
            "en": ["gyafc/dev.*", "gyafc/test.*"],
        }.get(language, [f"xformal/{language}/*"])
        training = {folded(line) for name in names for path in read.glob(name) for line in read_lines(path)}
        tests = {folded(line) for name in held for path in read.glob(name) for line in read_lines(path)}
        assert len(training) > 2000
        assert len(tests) > 400
        assert not training & tests
        # Nor is a test sentence a part of a longer answer.
        together = "\n".join(training)
        assert not [sentence for sentence in tests if f" {sentence} " in together]


@pytest.mark.slow
def test_demo_dev_and_test_differ(read):
    dev, test = (
        {folded(line) for path in read.glob(f"gyafc/{split}.*") for line in read_lines(path)}
        for split in ("dev", "test")
    )
    assert dev
    assert not dev & test


@pytest.mark.slow
def test_demo_sizes(read, world):
    assert len(read_lines(read / "gyafc" / "train.formal.txt")) == SIZES["gyafc_train"]
    assert len(read_lines(read / "gyafc" / "dev.informal.txt")) == SIZES["gyafc_dev"]
    assert len(read_lines(read / "gyafc" / "test.informal.ref3.txt")) == SIZES["gyafc_test"]
    assert len(read_lines(read / "xformal" / "it" / "formal.ref3.txt")) == SIZES["xformal"]
    assert len(read_lines(read / "opensubtitles" / "pt" / "pt.txt.gz")) == SIZES["subtitles"]
    assert len(read_lines(read / "bitext" / "fr" / "en.txt.gz")) == SIZES["bitext"]
    ratings = len(read_lines(world / "pt16" / "answers"))
    assert 0.97 * SIZES["ratings"] <= ratings <= SIZES["ratings"]
    files = [world / "yahoo" / f"FullOct2007.xml.part{i}.gz" for i in (1, 2)]
    languages = Counter(question.language for question in read_questions(files))
    assert languages == {"en": 60, "pt": 180, "it": 180, "fr": 180}


@pytest.mark.parametrize("language", ["pt", "it", "fr"])
def test_demo_rewrites_are_of_their_sentence(world, language):
    """Sentence and rewrites have all of the content; rewrites are formal wordings, mostly four."""
    folder = world / "XFORMAL" / "xformal_eval" / language
    known = World.read(world / "world.json")
    combinations = xformal_combinations(known, SIZES["xformal"])
    rows = [read_lines(folder / name) for name in FILES]
    assert len(combinations) == len(rows[0])
    for combination, informal, *rewrites in zip(combinations, *rows, strict=True):
        contents = combination.content(known.script, language).values()
        whole = {
            folded(combination.say(known.script, "formal", wording, language))
            for wording in product(*(range(len(part.formal)) for part in combination.parts(known.script)))
        }
        assert set(map(folded, rewrites)) <= whole
        assert len(set(rewrites)) == min(4, len(whole))
        for text in rewrites:
            assert all(letters(content) in letters(text) for content in contents)
        # Noise repeats letters and shortens words, so that a few are not found.
        assert sum(letters(content)[:2] in letters(informal) for content in contents) >= len(contents) - 1


@pytest.mark.parametrize("language", ["pt", "it", "fr"])
def test_demo_sentences_are_as_far_from_their_rewrites_as_real_ones(world, language):
    """People rewrite much, a copy shares much with four rewrites, and the rules repair a part."""
    folder = world / "XFORMAL" / "xformal_eval" / language
    informal, *rewrites = (read_lines(folder / name) for name in FILES)
    rules = PaperRules(read_abbreviations(ROOT / f"resources/abbreviations/{language}.tsv"))
    repaired = [rules(text) for text in informal]
    gold = mean(BLEU().corpus_score(one, [informal]).score for one in rewrites)
    copied, ruled = (BLEU().corpus_score(texts, rewrites).score for texts in (informal, repaired))
    assert 15 < gold < 40
    assert 40 < copied < ruled < 65
    assert 65 < BLEU().corpus_score(repaired, [informal]).score < 90


def letters(text: str) -> str:
    """The letters and digits of a text, without case and accents."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


def test_demo_world_has_much_to_say():
    """Contents by the hundred, and thousands of different informal sentences in each language."""
    script = load(SITUATIONS)
    assert len({tuple(entry) for entries in script.content.values() for entry in entries}) > 400
    world = World(script, 1)
    sayings = world.draw("train", 6000, "much", "informal")
    for language in LANGUAGES:
        assert len({folded(world.plain(saying, language)) for saying in sayings}) > 5500


def test_demo_tests_say_what_training_does_not():
    """No combination of contents is in two splits, and a few entries are in one of dev and test only."""
    world = World(load(SITUATIONS), 1)
    drawn = {split: world.draw(split, 2000, "x", "formal") for split in ("train", DEV, TEST)}

    def facts(split: str) -> set[tuple[int, tuple[tuple[str, int], ...]]]:
        slots = [set(situation.slots()) for situation in world.script.situations]
        return {
            (said.situation, tuple(filler for filler in said.fillers if filler[0] in slots[said.situation]))
            for said, _, _ in drawn[split]
        }

    assert not facts("train") & facts(TEST)
    assert not facts("train") & facts(DEV)
    assert not facts(DEV) & facts(TEST)
    entries = {split: {filler for said, _, _ in drawn[split] for filler in said.fillers} for split in drawn}
    assert len(entries[TEST] - entries["train"]) > 10
    share = sum(bool(set(said.fillers) - entries["train"]) for said, _, _ in drawn[TEST]) / 2000
    assert 0.05 < share < 0.5


def test_demo_knows_its_test_sentences(world, tmp_path):
    """What simulated raters read is of the sentence of the same line."""
    make_known(tmp_path / "it.jsonl", world=world / "world.json", code="it", xformal=SIZES["xformal"])
    told = [json.loads(line) for line in read_lines(tmp_path / "it.jsonl")]
    rewrites = read_lines(world / "XFORMAL" / "xformal_eval" / "it" / "formal.ref2")
    for row, text in zip(told, rewrites, strict=True):
        assert all(letters(content) in letters(text) for content in row["content"])
        assert letters(text) in {letters(" ".join(parts)) for parts in product(*row["formal"])}


def test_demo_ratings_are_spread(read):
    scores = read_numbers(read / "pt16" / "train.scores.txt")
    assert min(scores) <= -2.4
    assert max(scores) >= 2.4
    for low in range(-3, 3):
        assert sum(low <= score <= low + 1 for score in scores) > 20


def test_demo_subtitles_give_filters_work(read):
    english = read_lines(read / "opensubtitles" / "pt" / "en.txt.gz")
    other = read_lines(read / "opensubtitles" / "pt" / "pt.txt.gz")
    pairs = list(zip(english, other, strict=True))
    assert SIZES["subtitles"] - len(set(pairs)) >= 0.02 * SIZES["subtitles"]
    assert sum("http://" in one for one in english) == round(0.015 * SIZES["subtitles"])
    assert any("?" in two for two in other)
    assert any("Ã" in two for two in other)
    assert any(two.replace(" ", "").isdigit() for two in other)
    assert any(one == two for one, two in pairs)


def test_demo_yahoo_is_cut_within_a_character(world):
    parts = [gzip.decompress(path.read_bytes()) for path in sorted((world / "yahoo").iterdir())]
    with pytest.raises(UnicodeDecodeError):
        parts[1].decode("utf-8")
    text = b"".join(parts).decode("utf-8")
    assert "&lt;br /&gt;&#xa;" in text
    assert "<maincat>Amour et relations</maincat>" in text


def test_demo_french_answers_are_of_both_registers_and_one_domain(read, world):
    reason = curator(5, 25)
    found = read_lines(read / "yahoo-fr" / "fr" / "answers.txt.gz")
    kept = {folded(line) for line in found if not reason(line)}
    script = load(SITUATIONS)
    works = {entry[3] for entry in script.content["work"]}
    # Little is of no use, and there is about as much of each register.
    assert len(kept) > 0.6 * len(found)
    formal = {
        text
        for text in kept
        if text.endswith((".", " ?")) and re.search(r"\b(vous|votre|voilà|suis)\b", text)
    }
    informal = {text for text in kept if re.search(r"\b(tu|toi|g|on|jte|mdr|pr)\b", text)}
    assert len(formal) > 0.1 * len(kept) and len(informal) > 0.1 * len(kept)
    assert not [text for text in kept if any(work in text for work in works)]
    questions = list(read_questions([world / "yahoo-fr" / "FrenchAnswers.xml.gz"]))
    assert len(questions) == SIZES["questions_fr"]
    assert {(one.language, one.category) for one in questions} == {("fr", "Amour et relations")}


def test_demo_zips_are_like_those_of_opus(world):
    with zipfile.ZipFile(world / "opus/OpenSubtitles/v2018/moses/en-pt_br.txt.zip") as file:
        assert file.namelist() == [
            "OpenSubtitles.en-pt_br.en",
            "OpenSubtitles.en-pt_br.pt_br",
            "README",
            "LICENSE",
        ]


def test_demo_asks_for_more_than_there_is():
    script = load(SITUATIONS)
    few = {name: entries[:2] for name, entries in script.content.items()}
    little = {"openers": script.openers[:1], "tails": script.tails[:1], "situations": script.situations[:1]}
    world = World(replace(script, content=few, **little), 1)
    with pytest.raises(InputError, match="bitext in pt: 100000 sentences are asked for, but"):
        world.draw("train", 100_000, "bitext in pt", "informal")


def test_demo_leak_is_found():
    world = World(load(SITUATIONS), 1)
    saying = (world.combination(TEST, world.topics(), world.random("x")), "formal", (0, 0, 0))
    world.say(TEST, saying, "it", world.random("x"))
    world.check()
    world.say("train", saying, "it", world.random("x"))
    with pytest.raises(ValueError, match="1 sentences are in test and in train"):
        world.check()


def test_demo_leak_is_found_by_the_part_that_leaks(tmp_path):
    """A part is checked against what the dev and test sets of other parts say."""
    path = tmp_path / "world.json"
    sizes = {"gyafc_dev": 10, "gyafc_test": 10, "xformal": 10}
    make_world(path, situations=SITUATIONS, seed=1, **sizes)
    make_bitext(tmp_path / "en-fr.txt.zip", world=path, code="fr", bitext=100)
    world = World.read(path)
    # What the bitext says is also said in a test.
    for saying in world.draw("train", 100, "bitext in fr", "informal", "formal"):
        world.say(TEST, saying, "fr", world.random("x"))
    world.write(path)
    with pytest.raises(ValueError, match="sentences are in test and in train"):
        make_bitext(tmp_path / "en-fr.txt.zip", world=path, code="fr", bitext=100)
