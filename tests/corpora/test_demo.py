"""The demo world: the same each time, in official layouts, nothing of the tests in training."""

from __future__ import annotations

import gzip
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.corpora.demo_parts import make_demo
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers
from workflow_scripts.corpora.demo.bitext import make_bitext
from workflow_scripts.corpora.demo.make_world import make_world
from workflow_scripts.corpora.demo.situations import load
from workflow_scripts.corpora.demo.world import DEV, TEST, World, fold
from workflow_scripts.corpora.gyafc import read_gyafc
from workflow_scripts.corpora.moses import read_moses
from workflow_scripts.corpora.pt16 import read_pt16
from workflow_scripts.corpora.xformal import read_xformal
from workflow_scripts.corpora.yahoo import read_questions, read_yahoo
from workflow_scripts.filtering.criteria import curator

SITUATIONS = sorted((ROOT / "resources" / "demo" / "situations").glob("*.yaml"))
SIZES = {
    "situations_per_topic": 20,
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
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    make_demo(folder, situations=SITUATIONS, seed=1, **SIZES)
    return folder


@pytest.fixture(scope="module")
def read(world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
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


def test_demo_is_deterministic(tmp_path: Path) -> None:
    sizes = dict.fromkeys(SIZES, 20) | {"situations_per_topic": 2}
    make_demo(tmp_path / "a", situations=SITUATIONS, seed=7, **sizes)
    make_demo(tmp_path / "b", situations=SITUATIONS[::-1], seed=7, **sizes)
    make_demo(tmp_path / "c", situations=SITUATIONS, seed=8, **sizes)
    assert digests(tmp_path / "a") == digests(tmp_path / "b")
    assert digests(tmp_path / "a") != digests(tmp_path / "c")


def test_demo_world_is_read_as_it_was_written(tmp_path: Path) -> None:
    situations = [situation for path in SITUATIONS for situation in load([path])[:2]]
    world = World(situations, 3, {DEV: {True: 5, False: 5}, TEST: {True: 5, False: 5}})
    world.say(TEST, (world.pools[TEST][0], "formal", 0), "it", world.random("x"))
    world.write(tmp_path / "world.json")
    again = World.read(tmp_path / "world.json")
    again.write(tmp_path / "again.json")
    assert digest(tmp_path / "again.json") == digest(tmp_path / "world.json")
    damaged = bytearray((tmp_path / "world.json").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "again.json").write_bytes(damaged)
    with pytest.raises(InputError, match="damaged"):
        World.read(tmp_path / "again.json")
    for split, pool in world.pools.items():
        assert [list(c.sentences("fr")) for c in again.pools[split]] == [
            list(c.sentences("fr")) for c in pool
        ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"seed": 1, "situations": [{}], "pools": {}, "said": {}}'])
def test_demo_world_that_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "world.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no demo world") as error:
        World.read(path)
    assert str(path) in str(error.value)


def test_demo_has_no_bitext_of_another_language(tmp_path: Path) -> None:
    sizes = {"situations_per_topic": 2, "gyafc_dev": 4, "gyafc_test": 4, "xformal": 4}
    make_world(tmp_path / "world.json", situations=SITUATIONS, seed=1, **sizes)
    with pytest.raises(InputError, match="no 'de'; it has pt, it, fr"):
        make_bitext(tmp_path / "en-de.txt.zip", world=tmp_path / "world.json", code="de", bitext=10)


def test_demo_tests_are_not_trained_on(read: Path) -> None:
    for language in ("en", "pt", "it", "fr"):
        names = {
            "en": ["gyafc/train.*", "pt16/train.sentences.txt", "pt16/test.sentences.txt", "*/*/en.txt.gz"],
        }.get(language, [f"*/{language}/{language}.txt.gz", f"yahoo*/{language}/answers.txt.gz"])
        held = {
            "en": ["gyafc/dev.*", "gyafc/test.*"],
        }.get(language, [f"xformal/{language}/*"])
        training = {fold(line) for name in names for path in read.glob(name) for line in read_lines(path)}
        tests = {fold(line) for name in held for path in read.glob(name) for line in read_lines(path)}
        assert len(training) > 2000
        assert len(tests) > 400
        assert not training & tests
        # Nor is a test sentence a part of a longer answer.
        together = "\n".join(training)
        assert not [sentence for sentence in tests if f" {sentence} " in together]


def test_demo_dev_and_test_differ(read: Path) -> None:
    dev, test = (
        {fold(line) for path in read.glob(f"gyafc/{split}.*") for line in read_lines(path)}
        for split in ("dev", "test")
    )
    assert dev
    assert not dev & test


def test_demo_sizes(read: Path, world: Path) -> None:
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


def test_demo_rewrites_are_of_their_sentence(world: Path) -> None:
    """The four formal wordings of one situation, in an order that changes from line to line."""
    folder = world / "XFORMAL" / "xformal_eval" / "fr"
    known: dict[tuple[str, ...], int] = {}
    for situation in load(SITUATIONS):
        for combination in situation.combinations():
            wordings = [combination.say("formal", i, "fr") for i in range(4)]
            known[tuple(sorted(wordings))] = 1
            known |= {(text,): i for i, text in enumerate(wordings)}
    rows = list(zip(*(read_lines(folder / f"formal.ref{i}") for i in range(4)), strict=True))
    assert all(tuple(sorted(row)) in known for row in rows)
    assert len({tuple(known[text,] for text in row) for row in rows}) > 10


def test_demo_ratings_are_spread(read: Path) -> None:
    scores = read_numbers(read / "pt16" / "train.scores.txt")
    assert min(scores) <= -2.4
    assert max(scores) >= 2.4
    for low in range(-3, 3):
        assert sum(low <= score <= low + 1 for score in scores) > 20


def test_demo_subtitles_give_filters_work(read: Path) -> None:
    english = read_lines(read / "opensubtitles" / "pt" / "en.txt.gz")
    other = read_lines(read / "opensubtitles" / "pt" / "pt.txt.gz")
    pairs = list(zip(english, other, strict=True))
    assert SIZES["subtitles"] - len(set(pairs)) >= 0.02 * SIZES["subtitles"]
    assert sum("http://" in one for one in english) == round(0.015 * SIZES["subtitles"])
    assert any("?" in two for two in other)
    assert any("Ã" in two for two in other)
    assert any(two.replace(" ", "").isdigit() for two in other)
    assert any(one == two for one, two in pairs)


def test_demo_sides_have_noise_of_their_own(read: Path) -> None:
    """Doubled letters, for one, are not always on both sides of a pair."""
    sides = [
        [any(3 * c in line.lower() for c in "aeio") for line in read_lines(read / "bitext" / "it" / name)]
        for name in ("en.txt.gz", "it.txt.gz")
    ]
    both = Counter(zip(*sides, strict=True))
    assert both[True, False] > 20
    assert both[False, True] > 20


def test_demo_yahoo_is_cut_within_a_character(world: Path) -> None:
    parts = [gzip.decompress(path.read_bytes()) for path in sorted((world / "yahoo").iterdir())]
    with pytest.raises(UnicodeDecodeError):
        parts[1].decode("utf-8")
    text = b"".join(parts).decode("utf-8")
    assert "&lt;br /&gt;&#xa;" in text
    assert "<maincat>Amour et relations</maincat>" in text


def test_demo_french_answers_are_of_both_registers_and_one_domain(read: Path, world: Path) -> None:
    reason = curator(5, 25)
    found = read_lines(read / "yahoo-fr" / "fr" / "answers.txt.gz")
    kept = {fold(line) for line in found if not reason(line)}
    formal, entertaining = set(), set()
    for situation in load(SITUATIONS):
        for combination in situation.combinations():
            formal |= {fold(combination.say("formal", wording, "fr")) for wording in range(4)}
            if situation.entertainment:
                entertaining |= {fold(text) for text in combination.sentences("fr")}
    # Little is of no use, and there is about as much of each register.
    assert len(kept) > 0.6 * len(found)
    assert 0.4 < len(kept & formal) / len(kept) < 0.6
    assert not kept & entertaining
    questions = list(read_questions([world / "yahoo-fr" / "FrenchAnswers.xml.gz"]))
    assert len(questions) == SIZES["questions_fr"]
    assert {(one.language, one.category) for one in questions} == {("fr", "Amour et relations")}


def test_demo_zips_are_like_those_of_opus(world: Path) -> None:
    with zipfile.ZipFile(world / "opus/OpenSubtitles/v2018/moses/en-pt_br.txt.zip") as file:
        assert file.namelist() == [
            "OpenSubtitles.en-pt_br.en",
            "OpenSubtitles.en-pt_br.pt_br",
            "README",
            "LICENSE",
        ]


def test_demo_asks_for_more_than_there_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="bitext in pt: 1000000 sentences are asked for"):
        make_demo(tmp_path, situations=SITUATIONS, seed=1, **(SMALL | {"bitext": 1_000_000}))
    with pytest.raises(InputError, match="at most half may be held out"):
        make_demo(tmp_path, situations=SITUATIONS, seed=1, **(SMALL | {"xformal": 100_000}))


def test_demo_leak_is_found() -> None:
    situations = load(SITUATIONS)
    world = World(situations, 1, {DEV: {True: 5, False: 5}, TEST: {True: 5, False: 5}})
    saying = (world.pools[TEST][0], "formal", 0)
    world.say(TEST, saying, "it", world.random("x"))
    world.check()
    world.say("train", saying, "it", world.random("x"))
    with pytest.raises(ValueError, match="1 sentences are in test and in train"):
        world.check()


def test_demo_leak_is_found_by_the_part_that_leaks(tmp_path: Path) -> None:
    """A part is checked against what the dev and test sets of other parts say."""
    path = tmp_path / "world.json"
    sizes = {"situations_per_topic": 2, "gyafc_dev": 10, "gyafc_test": 10, "xformal": 10}
    make_world(path, situations=SITUATIONS, seed=1, **sizes)
    make_bitext(tmp_path / "en-fr.txt.zip", world=path, code="fr", bitext=100)
    world = World.read(path)
    world.pools["train"] += world.pools["test"]
    world.write(path)
    pool = World.read(path).sayings("train", "informal", "formal")
    with pytest.raises(ValueError, match="sentences are in test and in train"):
        make_bitext(tmp_path / "en-fr.txt.zip", world=path, code="fr", bitext=len(pool))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.pop("question"), "keys are not"),
        (lambda row: row["formal"].pop(), "not 4 formal wordings"),
        (lambda row: row["informal"][0].update(fr="avec {nobody}"), "slot 'nobody'"),
        (lambda row: row["informal"][0].update(fr=1999), "not a text"),
        (lambda row: row["slots"].update(extra=[{"en": "x"}]), "filler"),
    ],
)
def test_demo_situation_with_a_mistake(tmp_path: Path, change, message: str) -> None:
    rows = yaml.safe_load(SITUATIONS[0].read_text(encoding="utf-8"))[:2]
    change(rows[1])
    path = tmp_path / "broken.yaml"
    path.write_text(yaml.safe_dump(rows, allow_unicode=True), encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load([path])
    assert str(rows[1]["id"]) in str(error.value)
    assert str(path) in str(error.value)
