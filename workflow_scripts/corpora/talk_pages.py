"""Command: requests on the user talk pages of a Wikipedia, from its dump (TyDiP, Section 2).

Dumps are `pages-meta-current.xml.bz2`, gigabytes of XML. They are read as a stream, in constant memory.
"""

import bz2
import json
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, reading, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.corpora.wikitext import paragraphs
from workflow_scripts.corpora.xml_stream import CHUNK, Document, Reader
from workflow_scripts.text.light_nltk import light_nltk

USER_TALK = "3"
DUMP = Document(
    item="a page",
    largest=1 << 23,  # Wikipedia's limit for a page is 2 MiB
    deepest=100,
    known_as="a dump of a Wikipedia",
    where="",
    fix="get it again: a truncated dump is XML without its end",
)
# Size of a part of the job: small enough for any memory, and to repeat after a kill.
PART_PAGES, PART_CHARACTERS = 2000, 1 << 24
# Marks that end a sentence in the scripts of TyDiP's languages.
SENTENCE_ENDS = (".", "?", "!", "।", "？", "！", "。")
QUESTION = ("?", "？")


def talk_pages(out: Path, *, dump: Path, checkpoints: Path | None = None) -> None:
    """Write the requests of all user talk pages: two successive sentences of which the second is a question.

    Both sentences are in the same paragraph. Punkt without a trained model splits sentences (the paper:
    Polyglot), `corpora.wikitext` removes markup, and addresses become `<url>`, as in the released data. With
    `checkpoints`, a killed run reads the dump again and resumes after the last 2,000 finished pages.

    Raises InputError for a broken or truncated dump, for XML that is not well-formed, declares entities, or
    has a page over the size limit, and if there is no user talk page.

    :param out: file to write, one request a line
    :param dump: `pages-meta-current.xml.bz2` of one language, or the unpacked XML
    """
    parts = None
    if checkpoints is not None:
        key = key_of("corpora.talk_pages", {}, [dump], "nltk", targets=[out])
        parts = JobParts(checkpoints, key)
    count = 0

    def requests() -> Iterator[str]:
        nonlocal count
        for pages in _parts(dump, parts):
            count += len(pages)
            for line in pages:
                yield from json.loads(line)

    written = write_lines(out, _some(requests(), lambda: count, dump))
    print(f"{count} user talk pages, {written} requests", file=sys.stderr)
    if parts is not None:
        parts.remove()


def _some(requests: Iterator[str], count: Callable[[], int], dump: Path) -> Iterator[str]:
    """Pass requests on; at the end, InputError if there was no page."""
    yield from requests
    if not count():
        fix = "use pages-meta-current, not pages-articles"
        raise InputError("no user talk page (namespace 3) in it", path=dump, fix=fix)


def _parts(dump: Path, parts: JobParts | None) -> Iterator[list[str]]:
    """The requests of each page, as a JSON list, in parts of many pages."""
    split = _splitter()
    waiting: list[str] = []
    size = number = 0
    for text in progress(read_pages(dump), "read talk pages", unit="page"):
        waiting.append(text)
        size += len(text)
        if len(waiting) == PART_PAGES or size > PART_CHARACTERS:
            yield _part(waiting, split, parts, number)
            waiting, size, number = [], 0, number + 1
    if waiting:
        yield _part(waiting, split, parts, number)


def _part(
    texts: list[str], split: Callable[[str], list[str]], parts: JobParts | None, number: int
) -> list[str]:
    pages = parts.read(number, len(texts)) if parts else None
    if pages is None:
        pages = [json.dumps(list(requests_in(text, split)), ensure_ascii=False) for text in texts]
        if parts:
            parts.save(number, pages)
    return pages


def _splitter() -> Callable[[str], list[str]]:
    """Punkt without a model, with sentence ends of other scripts."""
    light_nltk()
    from nltk.tokenize.punkt import PunktLanguageVars, PunktSentenceTokenizer

    class Ends(PunktLanguageVars):
        sent_end_chars = SENTENCE_ENDS

    return PunktSentenceTokenizer(lang_vars=Ends()).tokenize


def requests_in(text: str, split: Callable[[str], list[str]]) -> Iterator[str]:
    """The requests of a page's wikitext, in order; white space becomes single spaces."""
    for paragraph in paragraphs(text):
        sentences = [" ".join(sentence.split()) for sentence in split(paragraph)]
        for first, second in pairwise(filter(None, sentences)):
            if second.endswith(QUESTION):
                yield f"{first} {second}"


def read_pages(dump: Path) -> Iterator[str]:
    """Yield the wikitext of each user talk page in its last revision in the dump."""
    reader = _Reader()
    for chunk in _chunks(dump):
        reader.feed(chunk, dump)
        yield from reader.complete
        reader.complete.clear()
    reader.feed(b"", dump)


def _chunks(dump: Path) -> Iterator[bytes]:
    with reading(dump) as stream:
        if dump.suffix != ".bz2":
            yield from iter(lambda: stream.read(CHUNK), b"")
            return
        unpacked = bz2.BZ2File(stream)
        while True:
            try:
                chunk = unpacked.read(CHUNK)
            except (EOFError, OSError, ValueError) as error:
                raise InputError(f"broken bzip2 ({error})", path=dump, fix="get it again") from None
            if not chunk:
                return
            yield chunk


class _Reader(Reader):
    """Reads the texts of user talk pages; `complete` contains those whose page has ended."""

    def __init__(self) -> None:
        super().__init__(DUMP)
        self.complete: list[str] = []
        self.namespace = self.page = ""

    def opened(self, name: str) -> None:
        if name == "page":
            self.namespace = self.page = ""
            self.held = 0
        elif name in ("ns", "text"):
            # The namespace precedes the revisions: the text of other pages is not kept.
            self.text = [] if name == "ns" or self.namespace == USER_TALK else None

    def closed(self, name: str) -> None:
        if name in ("ns", "text") and self.text is not None:
            text, self.text = "".join(self.text), None
            if name == "ns":
                self.namespace = text.strip()
            else:
                self.page, self.held = text, len(text)
        elif name == "page":
            if self.namespace == USER_TALK:
                self.complete.append(self.page)
            self.held = 0


if __name__ == "__main__":
    run(talk_pages)
