"""Dumps of user talk pages: requests, whole or named; their languages; the demo's dumps."""

from __future__ import annotations

import bz2
import os
import subprocess
import tracemalloc
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.corpora.fuzzing import folder, fuzz, names_place
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora import talk_pages as module_under_test
from workflow_scripts.corpora.demo.talk import talk
from workflow_scripts.corpora.talk_pages import read_pages, talk_pages
from workflow_scripts.corpora.wikitext import paragraphs


def page(text: str, space: int = 3) -> str:
    return (
        f"<page><title>T</title><ns>{space}</ns><id>1</id><revision><id>2</id>"
        f"<text xml:space='preserve'>{escape(text)}</text></revision></page>"
    )


def document(*pages: str) -> bytes:
    return f"<mediawiki xml:lang='xx'><siteinfo/>{''.join(pages)}</mediawiki>".encode()


def requests_of(path: Path, data: bytes) -> list[str]:
    dump = path / "xxwiki-pages-meta-current.xml.bz2"
    dump.write_bytes(bz2.compress(data))
    talk_pages(path / "out.txt", dump=dump)
    return read_lines(path / "out.txt")


def test_two_sentences_of_a_paragraph_the_second_a_question(tmp_path: Path) -> None:
    text = (
        "== Is it? Yes? ==\n"
        "Thanks for the [[Sofia|city]] page. I like it. Could you look at [http://a.b/c this] again? Bye.\n"
        "Alone?\n"
        ":Two in a row. Why? And why? --[[User:Ann|Ann]] ([[User talk:Ann|talk]]) 12:00, 1 May 2010 (UTC)\n"
    )
    found = requests_of(tmp_path, document(page(text), page("Not here. Is it?", 1), page(text), page("")))
    assert (
        found
        == [
            "I like it. Could you look at <url> this again?",
            "Two in a row. Why?",
            "Why? And why?",
        ]
        * 2
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("{{a|{{b}}}}Text {{c}} here", "Text here"),
        ("{| class=x\n|-\n| cell. Why?\n|}\nafter", "after"),
        ("a<!-- no - -- way -->b", "a b"),
        ("open <!-- for ever", "open"),
        ("x<ref name=a>In. Why?</ref>y <ref name=b/>z", "xy z"),
        ("a <ref>never closed", "a never closed"),
        ("one<br>two", "one|two"),
        ("[[File:A b.jpg|thumb|A [[b|c]]]] text", "text"),
        ("see http://x.y/z?a=b. and [https://x.y]", "see <url> and <url>"),
        ("''it'' is '''bold''' &amp; <b>so</b>", "it is bold & so"),
        ("::* in a list", "in a list"),
        ("हिन्दी में। ठीक है?", "हिन्दी में। ठीक है?"),
        ("Hello. ~~~~", "Hello."),
        ("123 !!!", ""),
    ],
)
def test_wikitext_is_taken_off(text: str, plain: str) -> None:
    assert "|".join(paragraphs(text)) == plain


# A fifth of a second; with squares of the length it would be minutes.
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit", ["{{", "[[", "<ref>", "<!--", "<", "''", "[http://a ", "{|", "[[a|", "}}{{", "12:00 "]
)
def test_no_markup_takes_long(unit: str) -> None:
    list(paragraphs(unit * (200_000 // len(unit))))


def test_what_a_dump_cannot_be_is_named(tmp_path: Path) -> None:
    whole = document(page("Yes. No?"))
    dump = tmp_path / "dump.xml.bz2"

    def refused(data: bytes, problem: str) -> None:
        dump.write_bytes(data)
        with pytest.raises(InputError, match=problem) as error:
            talk_pages(tmp_path / "out.txt", dump=dump)
        assert str(error.value).startswith(str(dump)) and "\n" not in str(error.value)
        assert not (tmp_path / "out.txt").exists()

    refused(bz2.compress(whole)[:-9], "broken bzip2")
    refused(bz2.compress(whole[:-12]), "not well-formed XML at line 1")
    refused(whole, "broken bzip2")
    refused(bz2.compress(document(page("Yes. No?", 0))), "no user talk page")
    laughs = b"<!DOCTYPE m [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><mediawiki>&b;</mediawiki>"
    refused(bz2.compress(laughs), "declares a document type")
    refused(bz2.compress(b"<a>" * 500), "elements over 100 deep")
    # A bomb: 9 MB of one page, in a few hundred bytes.
    refused(bz2.compress(document(page("a" * 9_000_000))), "a page, or a piece of markup")
    refused(bz2.compress(b"<mediawiki " + b"a" * 9_000_000), "a page, or a piece of markup|not well-formed")


def test_streams_one_behind_the_other_are_one_dump(tmp_path: Path) -> None:
    """As pages-meta-current is packed with several threads."""
    data = document(page("Yes. No?"), page("So. Why?"))
    (tmp_path / "d.xml.bz2").write_bytes(bz2.compress(data[:60]) + bz2.compress(data[60:]))
    (tmp_path / "d.xml").write_bytes(data)
    for name in ("d.xml.bz2", "d.xml"):
        talk_pages(tmp_path / "out.txt", dump=tmp_path / name)
        assert read_lines(tmp_path / "out.txt") == ["Yes. No?", "So. Why?"]


def test_a_killed_run_goes_on_after_its_last_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = document(*(page(f"Number {n} is here. Why {n}?") for n in range(10)))
    (tmp_path / "d.xml").write_bytes(data)
    monkeypatch.setattr(module_under_test, "PART_PAGES", 3)
    real, seen = module_under_test.requests_in, []

    def counted(text: str, split):
        if len(seen) == 7 and "killed" not in seen:
            seen.append("killed")
            raise KeyboardInterrupt
        seen.append(text)
        return real(text, split)

    monkeypatch.setattr(module_under_test, "requests_in", counted)
    options = {"dump": tmp_path / "d.xml", "checkpoints": tmp_path / "parts"}
    with pytest.raises(KeyboardInterrupt):
        talk_pages(tmp_path / "out.txt", **options)
    assert not (tmp_path / "out.txt").exists()
    talk_pages(tmp_path / "out.txt", **options)
    assert read_lines(tmp_path / "out.txt") == [f"Number {n} is here. Why {n}?" for n in range(10)]
    # Seven pages before, of which six were whole parts; then the other four.
    assert len(seen) == 7 + 1 + 4
    assert not (tmp_path / "parts").exists()


@fuzz
@given(
    st.binary(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                "<page>",
                "</page>",
                "<ns>3</ns>",
                "<ns>1</ns>",
                "<text>",
                "</text>",
                "Yes. No?",
                "{{",
                "]]",
                "&amp;",
                "&x;",
                "<",
                "é",
                "\n",
                "\0",
            ]
        ),
        max_size=20,
    ).map(lambda pieces: "".join(pieces).encode()),
    st.booleans(),
    st.booleans(),
)
def test_fuzz_dumps(data: bytes, wrapped: bool, packed: bool) -> None:
    with folder() as root:
        dump = root / ("d.xml.bz2" if packed else "d.xml")
        whole = b"<mediawiki>" + data + b"</mediawiki>" if wrapped else data
        dump.write_bytes(bz2.compress(whole) if packed and wrapped else whole)
        try:
            talk_pages(root / "out", dump=dump)
        except InputError as error:
            assert names_place(error, root) and not (root / "out").exists()
        else:
            assert len(list(read_pages(dump))) > 0
            assert all(line.endswith("?") for line in read_lines(root / "out"))


@fuzz
@given(st.text(alphabet="[]{}|<>!-'=:/ab.?\n~ é", max_size=60))
def test_fuzz_wikitext(text: str) -> None:
    for line in paragraphs(text):
        assert line == " ".join(line.split()) and line


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("talk")
    talk(made, texts=ROOT / "resources/demo/requests.yaml", pages=8, seed=1)
    return made


def test_the_demo_dumps_have_the_requests_of_the_demo(dumps: Path, tmp_path: Path) -> None:
    names = sorted(path.name.split("wiki")[0] for path in dumps.iterdir())
    assert names == sorted(["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"])
    for name in ("hi", "fr"):
        dump = dumps / f"{name}wiki-pages-meta-current.xml.bz2"
        # Two of eight are no talk pages.
        assert len(list(read_pages(dump))) == 6
        talk_pages(tmp_path / f"{name}.txt", dump=dump)
        found = read_lines(tmp_path / f"{name}.txt")
        assert len(found) > 10 and not any(
            sign in line for line in found for sign in ("[", "{", "User", "UTC", "<!")
        )


def test_languages_are_identified_the_same_each_time(dumps: Path, tmp_path: Path) -> None:
    venv = os.environ.get("TUVOUS_LANGDETECT")
    if not venv:
        pytest.skip("needs langdetect's environment: snakemake tydip makes it")
    talk_pages(tmp_path / "ru.txt", dump=dumps / "ruwiki-pages-meta-current.xml.bz2")
    write_lines(tmp_path / "hu.txt", ["12 34?", "Could you please have a look at the page about the river?"])
    for run in ("one", "two"):
        words = ["-m", "workflow_scripts.corpora.identify", tmp_path / run, "--seed", 1]
        words += ["--requests", tmp_path / "ru.txt", tmp_path / "hu.txt", "--languages", "ru", "hu"]
        done = subprocess.run(
            [f"{venv}/bin/python", *map(str, words)], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    counts = read_counts(tmp_path / "one/ru.counts.tsv")
    assert next(iter(counts)) == "language:ru" and sum(counts.values()) == len(
        read_lines(tmp_path / "ru.txt")
    )
    assert read_counts(tmp_path / "one/hu.counts.tsv") == {"language:en": 1, "language:unknown": 1}
    for name in ("ru.txt", "ru.counts.tsv", "hu.txt"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_texts_without_a_language_are_refused(tmp_path: Path) -> None:
    (tmp_path / "requests.yaml").write_text("# Nothing.\n")
    with pytest.raises(InputError, match=r"requests\.yaml: not a mapping of languages"):
        talk(tmp_path / "talk", texts=tmp_path / "requests.yaml", pages=8, seed=1)


def test_memory_does_not_grow_with_the_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_under_test, "PART_PAGES", 10)
    monkeypatch.setattr(module_under_test, "CHUNK", 1 << 12)
    # What it imports at first is no part of it.
    requests_of(tmp_path, document(page("One. Two?")))
    peaks = []
    for count in (40, 320):
        texts = (
            f"Thanks for page {number}, I like it. Could you look again? " * 3 for number in range(count)
        )
        dump = tmp_path / f"{count}wiki-pages-meta-current.xml.bz2"
        dump.write_bytes(bz2.compress(document(*map(page, texts))))
        tracemalloc.start()
        talk_pages(tmp_path / "out.txt", dump=dump)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
