"""Dumps of user talk pages: requests, whole or named; their languages; the demo's dumps."""

import bz2
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.corpora.fuzzing import folder, fuzz, names_place
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.corpora import talk_pages as module_under_test
from workflow_scripts.corpora.demo.talk import talk
from workflow_scripts.corpora.identify import identify
from workflow_scripts.corpora.talk_pages import read_pages, talk_pages
from workflow_scripts.corpora.wikitext import paragraphs
from workflow_scripts.wiring.politeness import TYDIP


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


def test_two_sentences_of_a_paragraph_the_second_a_question(tmp_path):
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
        ("<ref>In</ref>out", "out"),
        ("a<ref>b</ref>c<REF>d</REF>e <b>f</b>", "ace f"),
        ("a<ref name=b/>c<ref>d</ref>e", "ace"),
        ("x</ref>a<ref>b</ref>c", "xac"),
        ("a<nowiki>[[b]]</nowiki><pre>c</pre>d", "ad"),
        ("{| open\nafter", "after"),
        ("! cell\nafter", "after"),
        ("a [[b|c|d]] [[e]]", "a d e"),
        ("[[Datei:A.JPG|mini]][[File:a.png]]text", "text"),
        ("-Yes X – 12:00, 1 May 2010 (UTC)", "-Yes X"),
        ("No — [[User:Ann|Ann]] 9:07, 1 May 2010 (CET)", "No"),
        ("A dash -", "A dash -"),
    ],
)
def test_wikitext_is_taken_off(text, plain):
    assert "|".join(paragraphs(text)) == plain


# A fifth of a second; with squares of the length it would be minutes.
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit", ["{{", "[[", "<ref>", "<!--", "<", "''", "[http://a ", "{|", "[[a|", "}}{{", "12:00 "]
)
def test_no_markup_takes_long(unit):
    list(paragraphs(unit * (200_000 // len(unit))))


def test_a_page_has_the_text_of_its_last_revision_or_none(tmp_path):
    first, second = (f"<revision><text>{text}</text></revision>" for text in ("one", "two &amp; three"))
    pages = (f"<page><ns> 3 </ns>{first}{second}</page>", "<page><ns>3</ns></page>", f"<page>{first}</page>")
    (tmp_path / "d.xml").write_bytes(document(*pages))
    assert list(read_pages(tmp_path / "d.xml")) == ["two & three", ""]


def test_how_many_pages_and_requests_there_are_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(module_under_test, "PART_PAGES", 3)
    found = requests_of(tmp_path, document(*(page(f"It is {n}. Why? And how?") for n in range(7))))
    assert len(found) == 14
    assert "7 user talk pages, 14 requests" in capsys.readouterr().err


def test_parts_end_at_many_pages_or_many_characters(tmp_path, monkeypatch):
    texts = ["Yes, it is here. Or not?"] * 8
    (tmp_path / "d.xml").write_bytes(document(*map(page, texts)))
    saved: list[tuple[int, int]] = []
    save = module_under_test.JobParts.save

    def noted(self, number: int, found: list[str]) -> None:
        saved.append((number, len(found)))
        save(self, number, found)

    monkeypatch.setattr(module_under_test.JobParts, "save", noted)
    # Two pages have no more characters than that, and three have.
    monkeypatch.setattr(module_under_test, "PART_CHARACTERS", 2 * len(texts[0]))
    talk_pages(tmp_path / "out.txt", dump=tmp_path / "d.xml", checkpoints=tmp_path / "parts")
    assert saved == [(0, 3), (1, 3), (2, 2)]
    saved.clear()
    monkeypatch.setattr(module_under_test, "PART_PAGES", 2)
    talk_pages(tmp_path / "out.txt", dump=tmp_path / "d.xml", checkpoints=tmp_path / "parts")
    assert saved == [(0, 2), (1, 2), (2, 2), (3, 2)]


def test_the_key_of_a_dump_tells_what_is_in_it(tmp_path, monkeypatch):
    (tmp_path / "d.xml").write_bytes(document(page("Yes. No?")))
    keys: list[dict] = []
    key_of = module_under_test.key_of
    monkeypatch.setattr(
        module_under_test, "key_of", lambda *given, **more: keys.append(key_of(*given, **more)) or keys[-1]
    )
    talk_pages(tmp_path / "out.txt", dump=tmp_path / "d.xml", checkpoints=tmp_path / "parts")
    (key,) = keys
    assert (key["command"], key["options"]) == ("corpora.talk_pages", {})
    assert key["inputs"] == [digest(tmp_path / "d.xml")] and list(key["versions"]) == ["nltk"]
    assert key["targets"] == [os.path.relpath(tmp_path / "out.txt")]


def test_elements_may_be_as_deep_as_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(module_under_test, "DUMP", replace(module_under_test.DUMP, deepest=5))
    monkeypatch.setattr(module_under_test, "CHUNK", len(b"<a>" * 5))
    (tmp_path / "d.xml").write_bytes(b"<a>" * 5 + b"</a>" * 5)
    with pytest.raises(InputError, match="no user talk page"):
        talk_pages(tmp_path / "out.txt", dump=tmp_path / "d.xml")
    monkeypatch.setattr(module_under_test, "DUMP", replace(module_under_test.DUMP, deepest=4))
    problem = r"a page, or a piece of markup, of more than 8388608 characters, or elements over 4 deep"
    with pytest.raises(
        InputError, match=rf"^{tmp_path}/d\.xml: {problem}; this is not a dump of a Wikipedia$"
    ):
        talk_pages(tmp_path / "out.txt", dump=tmp_path / "d.xml")


@pytest.mark.slow
def test_what_a_dump_cannot_be_is_named(tmp_path):
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


def test_streams_one_behind_the_other_are_one_dump(tmp_path):
    """As pages-meta-current is packed with several threads."""
    data = document(page("Yes. No?"), page("So. Why?"))
    (tmp_path / "d.xml.bz2").write_bytes(bz2.compress(data[:60]) + bz2.compress(data[60:]))
    (tmp_path / "d.xml").write_bytes(data)
    for name in ("d.xml.bz2", "d.xml"):
        talk_pages(tmp_path / "out.txt", dump=tmp_path / name)
        assert read_lines(tmp_path / "out.txt") == ["Yes. No?", "So. Why?"]


def test_a_killed_run_goes_on_after_its_last_part(tmp_path, monkeypatch):
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
    assert not any((tmp_path / "parts").iterdir())


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
def test_fuzz_dumps(data, wrapped, packed):
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
def test_fuzz_wikitext(text):
    for line in paragraphs(text):
        assert line == " ".join(line.split()) and line


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    made = tmp_path_factory.mktemp("talk")
    talk(made, texts=ROOT / "resources/demo/requests.yaml", languages=TYDIP, pages=8, seed=1)
    return made


def test_the_demo_dumps_have_the_requests_of_the_demo(dumps, tmp_path):
    names = sorted(path.name.split("wiki")[0] for path in dumps.iterdir())
    assert names == sorted(TYDIP)
    for name in ("hi", "fr"):
        dump = dumps / f"{name}wiki-pages-meta-current.xml.bz2"
        # Two of eight are no talk pages.
        assert len(list(read_pages(dump))) == 6
        talk_pages(tmp_path / f"{name}.txt", dump=dump)
        found = read_lines(tmp_path / f"{name}.txt")
        assert len(found) > 10 and not any(
            sign in line for line in found for sign in ("[", "{", "User", "UTC", "<!")
        )


@pytest.mark.slow
def test_languages_are_identified_the_same_each_time(dumps, tmp_path):
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


class NoLanguage(Exception):
    """langdetect's own complaint about a text without letters."""


def by_script(text: str) -> str:
    """In the place of langdetect, whose environment not every machine has: the language by the script."""
    if not any(map(str.isalpha, text)):
        raise NoLanguage
    return "ru" if any("\u0400" <= letter < "\u0500" for letter in text) else text.split()[0].lower()


def test_requests_of_a_language_are_kept_and_all_are_counted(tmp_path, monkeypatch, capsys):
    factory = SimpleNamespace(seed=None)
    stand_in = SimpleNamespace(DetectorFactory=factory, LangDetectException=NoLanguage, detect=by_script)
    monkeypatch.setitem(sys.modules, "langdetect", stand_in)
    texts = ["hu a?", "Что?", "12?", "en b?", "Где?", "en c?", "34?", "Как?", "de d?"]
    write_lines(tmp_path / "ru.txt", texts)
    write_lines(tmp_path / "hu.txt", ["hu a?"])
    files = [tmp_path / "ru.txt", tmp_path / "hu.txt"]
    identify(tmp_path / "out", requests=files, languages=["ru", "hu"], seed=7)
    assert factory.seed == 7
    assert read_lines(tmp_path / "out/ru.txt") == ["Что?", "Где?", "Как?"]
    counts = read_counts(tmp_path / "out/ru.counts.tsv")
    # Most frequent first, and by code.
    assert list(counts.items()) == [
        *(("language:ru", 3), ("language:en", 2), ("language:unknown", 2)),
        *(("language:de", 1), ("language:hu", 1)),
    ]
    assert read_lines(tmp_path / "out/hu.txt") == ["hu a?"]
    assert list(read_counts(tmp_path / "out/hu.counts.tsv").items()) == [("language:hu", 1)]
    told = capsys.readouterr().err
    assert "ru: 3 of 9 requests" in told and "hu: 1 of 1 requests" in told
    with pytest.raises(InputError, match="2 files of requests for 1 languages"):
        identify(tmp_path / "no", requests=files, languages=["ru"], seed=7)
    monkeypatch.setitem(sys.modules, "langdetect", None)
    with pytest.raises(
        InputError, match="this environment has no langdetect; use the one that the workflow builds"
    ):
        identify(tmp_path / "no", requests=files, languages=["ru", "hu"], seed=7)
    assert not (tmp_path / "no").exists()


def test_texts_without_a_language_are_refused(tmp_path):
    (tmp_path / "requests.yaml").write_text("# Nothing.\n")
    with pytest.raises(InputError, match=r"requests\.yaml: not a mapping of languages"):
        talk(tmp_path / "talk", texts=tmp_path / "requests.yaml", languages=["hi"], pages=8, seed=1)


def test_memory_does_not_grow_with_the_dump(tmp_path, monkeypatch):
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
