"""Lexicons of strategies: words, links, and induction from them."""

import os
import subprocess
import unicodedata
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.corpora.fuzzing import FILE, folder, fuzz, names_place, put, raw_lines
from tests.politeness.conftest import REQUESTS
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.demo.lexicons import lexicons
from workflow_scripts.politeness import align
from workflow_scripts.politeness.corpus import Word, read_lexicon
from workflow_scripts.politeness.drawn import drawn
from workflow_scripts.politeness.induce import count_sequences, induce, sequence
from workflow_scripts.politeness.links import Aligned, cut, read_aligned, write_aligned
from workflow_scripts.politeness.matching import GAP
from workflow_scripts.politeness.strategies import strategies

SMALL = {
    "requests.yaml": "".join(
        f"{lang}:\n  opens: {{polite: [A b.], rude: [C.]}}\n  says: [D e, F]\n"
        "  asks: {polite: [g?], rude: [h?]}\n"
        for lang in ("en", "fr")
    ),
    "lexicons.yaml": "strategies:\n  Please: [b, 'no x']\nlexicons:\n  fr: {b: [e, a b]}\n",
}
DAMAGE = ["", "x", ":", "[", "]", "{", "}", ",", "3", "~", "\n", "\n  ", "'", "#", "&a ", "*a", "\0"]
TOKEN = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=4)


def test_words_keep_their_apostrophes_and_lose_their_marks():
    assert cut("S'il vous plaît, penses-tu ?") == ["s'il", "vous", "plaît", ",", "penses-tu", "?"]
    assert cut("«Hi»... A+ _") == ["«", "hi", "»", ".", ".", ".", "a", "+", "_"]
    assert cut(" \u00a0 ") == []
    assert cut("E\u0301 ... x") == ["é", ".", ".", ".", "x"]


@given(st.text(max_size=30))
def test_cutting_loses_nothing_but_spaces(text):
    words = cut(text)
    assert "".join(words) == "".join(unicodedata.normalize("NFC", text).lower().split())
    assert all(word and not any(map(str.isspace, word)) for word in words)


@st.composite
def aligned_pairs(draw: st.DrawFn) -> Aligned:
    english, other = (draw(st.lists(TOKEN, min_size=1, max_size=6)) for _ in range(2))
    link = st.tuples(st.integers(0, len(english) - 1), st.integers(0, len(other) - 1))
    return Aligned(english, other, draw(st.lists(link, unique=True, max_size=8)))


@pytest.mark.slow
@given(pairs=st.lists(aligned_pairs(), max_size=4))
def test_aligned_pairs_come_back_as_they_were(tmp_path_factory, pairs):
    path = tmp_path_factory.getbasetemp() / "aligned.tsv"
    write_aligned(path, pairs)
    assert list(read_aligned(path)) == pairs


@given(pair=aligned_pairs())
def test_a_sequence_has_the_linked_words_in_their_order(pair):
    """Each occurrence is counted once; gaps stand only between words, never side by side."""
    words = [word for word in dict.fromkeys(pair.english) if cut(word) == [word]]
    for word, found in count_sequences([pair], words).items():
        places = [at for at, one in enumerate(pair.english) if one == word]
        linked = [{two for one, two in pair.links if one == at} for at in places]
        assert found.total() == sum(map(bool, linked))
        assert set(found) == {sequence(pair.other, one) for one in linked if one}
    for places in ({two for _, two in pair.links}, set(range(len(pair.other)))):
        marked = sequence(["word"] * len(pair.other), places).split()
        assert marked.count("word") == len(places)
        jumps = [two - one > 1 for one, two in zip(sorted(places), sorted(places)[1:], strict=False)]
        assert marked.count(GAP) == sum(jumps)
        assert marked[:1] != [GAP] and marked[-1:] != [GAP]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("a\tb", "separated by tabs"),
        ("a b\tc\t0-1", "not a link"),
        ("a b\tc\t2-0", "not a link"),
        ("a\tb\t0", "not a link"),
        ("a\tb\t-1-0", "not a link"),
        ("a\tb\t0-²", "not a link"),
        ("\tb\t0-0", "not a link"),
        ("a\tb\t0-1", "not a link"),
        ("a\tb\t0-000000000", "not a link"),
    ],
)
def test_a_line_that_is_no_aligned_pair(line, problem, tmp_path):
    write_lines(tmp_path / "xx.tsv", ["a\tb\t0-0", line])
    with pytest.raises(InputError, match=problem) as caught:
        list(read_aligned(tmp_path / "xx.tsv"))
    assert caught.value.line == 2


LINES = st.sampled_from(["a b\tc d\t0-1 1-0\n", "a\tb\t\n", "\t", "0-0", " ", "-", "9" * 5000]).map(
    str.encode
)


@fuzz
@given(st.lists(LINES | FILE, max_size=6).map(b"".join))
def test_fuzz_aligned_pairs(data):
    """Any bytes: links of words that are there, or a message that names the file."""
    with folder() as root:
        try:
            found = list(read_aligned(put(root / "xx.tsv", data)))
        except InputError as error:
            assert names_place(error, root)
        else:
            assert len(found) == len(raw_lines(data))
            for pair in found:
                assert all(0 <= x < len(pair.english) and 0 <= y < len(pair.other) for x, y in pair.links)
                count_sequences([pair], ["a", "word", "a b"])


@fuzz
@given(st.integers(0, 10**9))
def test_fuzz_the_demos_lexicons(seed):
    """Damaged texts: lexicons that the reader of released ones may read, or a message with the file."""
    random = Random(seed)
    with folder() as root:
        for name in ("requests.yaml", "lexicons.yaml"):
            text = SMALL[name]
            if random.random() < 0.7:
                start = random.randrange(len(text))
                bit = random.choice(DAMAGE)
                text = text[:start] + bit + text[start + random.randrange(4) :]
            put(root / name, text.encode())
        try:
            lexicons(root / "out", texts=root / "requests.yaml", words=root / "lexicons.yaml")
        except InputError as error:
            assert names_place(error, root) and not (root / "out").exists()
        else:
            for path in (root / "out/strategies").glob("*.csv"):
                try:
                    read_lexicon(path)
                except InputError as error:
                    assert names_place(error, root)


def test_a_lexicon_by_hand(corpus, tmp_path):
    """English words are those of the corpus; of equally frequent sequences the first one comes first."""
    pairs = [
        ("please help", "hilf bitte", [(0, 1), (1, 0)]),
        ("a great day , please", "ein sehr , guter tag", [(1, 1), (1, 3), (4, 4)]),
        ("Great".lower(), "gut", [(0, 0)]),
        ("great", "toll", [(0, 0)]),
        ("great", "toll", [(0, 0)]),
        ("nice", "nett", []),
    ]
    write_aligned(
        tmp_path / "xx.tsv", (Aligned(one.split(), two.split(), links) for one, two, links in pairs)
    )
    induce(tmp_path / "out", aligned=[tmp_path / "xx.tsv"], corpus=corpus, languages=["xx"], sequences=2)
    found = read_lexicon(tmp_path / "out/strategies/xx.csv")
    please = Word("please", (("bitte", 1), ("tag", 1)), True)
    assert found["Please"] == found["Please_start"] == [please]
    # It occurs once more, and is cut off; what is not aligned occurs all the same.
    assert found["Deference"] == [
        Word("great", (("toll", 2), ("sehr _ guter", 1)), True),
        Word("nice", (), True),
    ]
    assert found["HASNEGATIVE"] == [Word("a+", (), False), Word("bad", (), False)]
    # Requests are looked at with these lexicons, not with the corpus' own.
    strategies(
        tmp_path / "t.csv", corpus=corpus, languages=["xx"], lexicons=tmp_path / "out", first_rule=True
    )
    rows = [line.split(",") for line in read_lines(tmp_path / "t.csv")[1:]]
    assert {row[0] for row in rows} == {"words"}
    assert {row[2]: row[6] for row in rows} == {
        **{"Please": "3", "Please_start": "1"},
        **{"Deference": "1", "HASNEGATIVE": "0"},
    }


def test_a_phrase_has_the_words_of_all_its_words():
    pair = Aligned(["in", "my", "view", "in"], ["meiner", "ansicht", "nach"], [(0, 2), (1, 0), (2, 1)])
    assert count_sequences([pair], ["in my view", "view", "in our view"]) == {
        "in my view": {"meiner ansicht nach": 1},
        "view": {"ansicht": 1},
    }


LINKS = [[(0, 0), (1, 1)], [(0, 1), (1, 0), (2, 2)]]


def test_every_bitext_is_aligned_for_itself(tmp_path, monkeypatch, capsys):
    """What the aligner is asked, and what becomes of its links, here written by hand."""
    asked = []

    def links_of(pairs: list) -> list:
        asked.append(pairs)
        return LINKS[: len(pairs)]

    monkeypatch.setattr(align, "links_of", links_of)
    monkeypatch.setattr(align, "aligner_signature", lambda: "systran-align-3.0.0")
    for name, texts in (
        ("en", ["Thank you", "Big dogs!", " "]),
        ("fr", ["Merci bien", "Chiens gros !", "x"]),
    ):
        write_lines(tmp_path / name, texts)
    sides = {"english": [tmp_path / "en"] * 2, "others": [tmp_path / "fr"] * 2, "languages": ["fr", "xx"]}
    align.align(tmp_path / "out", **sides)
    pairs = [(["thank", "you"], ["merci", "bien"]), (["big", "dogs", "!"], ["chiens", "gros", "!"])]
    assert asked == [pairs, pairs]
    for name in ("fr", "xx"):
        assert list(read_aligned(tmp_path / f"out/{name}.tsv")) == [
            Aligned(*pair, links) for pair, links in zip(pairs, LINKS, strict=True)
        ]
    assert read_lines(tmp_path / "out/aligner.txt") == ["systran-align-3.0.0"]
    told = capsys.readouterr().err
    assert "fr: 2 pairs\n" in told and "xx: 2 pairs\n" in told
    write_lines(tmp_path / "en", ["", "", ""])
    with pytest.raises(InputError, match=r"en: no pair of sentences"):
        align.align(tmp_path / "no", **sides)
    for name in sides:
        with pytest.raises(InputError, match=r"\d and \d sides of \d bitexts"):
            align.align(tmp_path / "no", **{**sides, name: sides[name][:1]})
    assert not (tmp_path / "no").exists()


def test_requests_that_are_not_annotated_are_drawn(corpus, tmp_path):
    texts = [REQUESTS[0][0], "Neu  eins.", "Neu zwei.", "Neu eins.", "Neu drei.", "Neu vier."]
    write_lines(tmp_path / "requests", texts)
    options = {"requests": tmp_path / "requests", "corpus": corpus, "language": "xx", "seed": 1}
    every = ["Neu eins.", "Neu zwei.", "Neu drei.", "Neu vier."]
    for size in (4, 9):
        drawn(tmp_path / "out", **options, size=size)
        assert read_lines(tmp_path / "out") == every
    drawn(tmp_path / "out", **options, size=2)
    # The draw is the same one in any later version, and of the language.
    assert read_lines(tmp_path / "out") == ["Neu eins.", "Neu drei."]
    write_lines(tmp_path / "requests", [f" {texts[0]}"])
    with pytest.raises(InputError, match="requests: no request that is not annotated"):
        drawn(tmp_path / "out", **options, size=2)


def demo(out: Path) -> Path:
    words = ROOT / "resources/demo"
    lexicons(out, texts=words / "requests.yaml", words=words / "lexicons.yaml")
    return out


def test_the_demos_lexicons_stand_in_its_bitext(tmp_path):
    made = demo(tmp_path / "demo")
    for path in sorted((made / "strategies").glob("*.csv")):
        sides = [read_lines(made / f"bitext/{path.stem}{side}.txt") for side in (".en", "")]
        assert len(sides[0]) == len(sides[1]) == 144
        english, other = (" ".join(" ".join(cut(line)) for line in side).split(" ") for side in sides)
        for word in (word for words in read_lexicon(path).values() for word in words):
            for text, _ in word.sequences:
                assert word.english in english, (path.stem, word)
                assert f" {' '.join(cut(text))} " in f" {' '.join(other)} ", (path.stem, word)


@pytest.mark.slow
def test_the_demo_is_aligned(tmp_path):
    """Thanks and greetings vary from request to request: fast_align finds them, the same ones each time."""
    tool = os.environ.get("TUVOUS_ALIGN")
    if not tool:
        pytest.skip("needs fast_align in an environment of its own: snakemake tydip makes it")
    made = demo(tmp_path / "demo")
    for out in ("one", "two"):
        words = [f"{tool}/bin/python", "-m", "workflow_scripts.politeness.align", tmp_path / out]
        words += ["--english", made / "bitext/fr.en.txt", "--others", made / "bitext/fr.txt"]
        done = subprocess.run(
            list(map(str, [*words, "--languages", "fr"])),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "one/fr.tsv").read_bytes() == (tmp_path / "two/fr.tsv").read_bytes()
    assert read_lines(tmp_path / "one/aligner.txt")[0].startswith("systran-align-")
    counts = count_sequences(read_aligned(tmp_path / "one/fr.tsv"), ["thanks", "hi"])
    assert [counts[word].most_common(1)[0][0] for word in ("thanks", "hi")] == ["merci", "bonjour"]
