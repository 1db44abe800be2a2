"""Command: sentences of Yahoo Answers (Webscope L6, and L26 of the same family; Section 3, step 1).

L6 is 12 GB of XML, cut into parts anywhere, even within a character. A corpus may also be one document or
several whole ones, compressed or not. It is read as a stream, in constant memory.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError, about, nearest
from workflow_scripts.core.files import progress, reading, write_lines
from workflow_scripts.corpora.xml_stream import CHUNK, Document, Reader
from workflow_scripts.text.folding import folded

# Real questions have a thousandth of this size and a depth of five; without a limit, one that compresses well
# could use up the memory.
ANSWERS = Document(
    item="a question",
    largest=1 << 22,
    deepest=1000,
    known_as="Yahoo Answers",
    where=" of the document, over all its parts",
    fix="all parts are needed, in their order",
)
PATTERNS = ("*.xml.part*.gz", "*.xml.gz", "*.xml")
# The texts of a question that are kept; `answer_item` occurs once per answer.
FIELDS = frozenset({"bestanswer", "answer_item", "maincat", "qlang", "language"})
# A question is one of these elements (one is nested in the other).
QUESTION = frozenset({"document", "vespaadd"})
# Written so that a long run of spaces after a '<' is looked at once.
LINE_BREAK = re.compile(r"(?:<\s*(?:/\s*)?(?:br|p|div|li|ul|ol)\b[^<>]*>|[\r\n\u2028\u2029])+", re.IGNORECASE)


@dataclass
class Question:
    """The fields kept of one question."""

    category: str = ""
    language: str = ""
    answers: list[str] = field(default_factory=list)
    # The index of the best one among them.
    best: int | None = None


def read_yahoo(
    *parts: Path,
    out: Path,
    counts: Path,
    language: str,
    category: str,
    answers: Literal["all", "best"] = "all",
    punkt: Path | None = None,
) -> None:
    """Write the sentences of answers to a category's questions in one language, in the corpus' order.

    HTML line breaks are removed; since authors write them on purpose, they end a sentence, as Punkt's
    boundaries do. The best answer is one of the answers, or is added. Raises InputError for a broken part,
    for XML that is not well-formed or declares entities, and if no question matches.

    :param parts: the parts in order; a folder stands for the parts in it
    :param out: file to write, one sentence a line
    :param counts: table of counts to write: questions of each language (`language:pt`, most frequent first),
        questions of the language, sentences of all their answers and of the best ones, questions of the
        category, their answers and sentences likewise
    :param category: a main category as the corpus writes it, or ``none`` for all
    :param answers: all answers to a question, or only the best one
    :param punkt: folder of the language's Punkt model; without it, only line breaks separate sentences
    """
    from workflow_scripts.text.sentences import load_splitter

    split = load_splitter(punkt) if punkt else lambda text: [text]
    tally = Counter[str]()
    languages = Counter[str]()
    categories = Counter[str]()

    def sentences() -> Iterator[str]:
        for question in progress(read_questions(_files(parts)), "read Yahoo Answers", unit="question"):
            languages[" ".join(question.language.split()) or "unknown"] += 1
            if question.language != language:
                continue
            tally["questions"] += 1
            categories[question.category] += 1
            wanted = category == "none" or folded(question.category) == folded(category)
            tally["in category"] += wanted
            for index, answer in enumerate(question.answers):
                best = index == question.best
                tally["answers"] += wanted
                for line in LINE_BREAK.split(answer):
                    for sentence in split(line) if line.strip() else ():
                        tally["all sentences"] += 1
                        tally["all best sentences"] += best
                        tally["sentences"] += wanted
                        tally["best sentences"] += wanted and best
                        if wanted and (best or answers == "all"):
                            yield " ".join(sentence.split())

    written = "best sentences" if answers == "best" else "sentences"
    with about(*parts):
        write_lines(out, _some(sentences(), language, category, tally, categories, written))
    frequent = sorted(languages, key=lambda code: (-languages[code], code))
    steps = (
        *("questions", "all sentences", "all best sentences"),
        *("in category", "answers", "sentences", "best sentences"),
    )
    write_counts(
        counts,
        {f"language:{code}": languages[code] for code in frequent} | {step: tally[step] for step in steps},
    )


def _some(
    sentences: Iterator[str],
    language: str,
    category: str,
    tally: Counter[str],
    categories: Counter[str],
    written: str,
) -> Iterator[str]:
    """Pass sentences on; at the end, InputError if `tally` counts none under `written`."""
    yield from sentences
    if not tally["questions"]:
        raise InputError(f"no question in language '{language}'", fix="check the language and the parts")
    if not tally[written]:
        raise InputError(
            f"no answer in language '{language}' and category '{category}'; {nearest(category, categories)}"
        )


def _files(parts: tuple[Path, ...]) -> list[Path]:
    if not parts:
        raise InputError("no part of the corpus is given")
    files = [file for part in parts for file in (parts_of(part) if part.is_dir() else [part])]
    if not files:
        raise InputError(f"no {' or '.join(PATTERNS)} in it", path=parts[0])
    return files


def parts_of(folder: Path) -> list[Path]:
    """The parts of a corpus in its folder, in numeric order: the tenth after the ninth."""
    for pattern in PATTERNS:
        if files := sorted(filter(Path.is_file, folder.glob(pattern)), key=_numbered):
            return files
    return []


def _numbered(path: Path) -> list[tuple[int, str]]:
    """The sort key of a file name: its numbers compare as numbers."""
    return [(int(piece) if piece.isdecimal() else -1, piece) for piece in re.split(r"(\d+)", path.name)]


def read_questions(files: list[Path]) -> Iterator[Question]:
    """Yield the questions of XML documents, which may be cut into files, as soon as each is complete."""
    reader = _Reader()
    for path in files:
        begins = True
        for chunk in _chunks(path):
            # A file after a complete document begins another one, unless it has only white space.
            if begins and reader.ended and chunk.strip():
                reader = _Reader()
            begins = False
            reader.feed(chunk, path)
            yield from reader.complete
            reader.complete.clear()
    reader.feed(b"", files[-1])


def _chunks(path: Path) -> Iterator[bytes]:
    with reading(path) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


class _Reader(Reader):
    """Reads questions; `complete` has those whose element has ended, `ended` says if the document has."""

    def __init__(self) -> None:
        super().__init__(ANSWERS)
        self.within = 0
        self.ended = False
        self.complete: list[Question] = []
        self.fields: list[tuple[str, str]] = []

    def feed(self, chunk: bytes, path: Path) -> None:
        super().feed(chunk, path)
        if self.ended and self.fields:
            place = f"outside a question ({' or '.join(sorted(QUESTION))})"
            raise InputError(f"'{self.fields[0][0]}' stands {place}", path=path)

    def opened(self, name: str) -> None:
        if self.text is not None:
            # Markup within a text is escaped; unescaped markup counts as text too.
            self.keep(f"<{name}>")
            self.within += 1
        elif sys.intern(name) in FIELDS:
            self.text = []
            self.held += len(name)

    def closed(self, name: str) -> None:
        self.ended = not self.depth
        if self.within:
            self.within -= 1
        elif self.text is not None:
            self.fields.append((name, "".join(self.text).strip()))
            self.text = None
        elif name in QUESTION and self.fields:
            self.complete.append(_question(self.fields))
            self.fields = []
            self.held = 0


def _question(fields: list[tuple[str, str]]) -> Question:
    single = dict(fields)
    # Both tags are optional: `qlang` is a code such as pt, `language` one such as pt-br.
    language = single.get("qlang") or single.get("language", "").split("-")[0]
    question = Question(single.get("maincat", ""), language.lower())
    question.answers = [text for name, text in fields if name == "answer_item" and text]
    # The best answer is usually one of these.
    best = single.get("bestanswer", "")
    if best:
        answers = [folded(text) for text in question.answers]
        if folded(best) not in answers:
            question.answers.append(best)
            answers.append(folded(best))
        question.best = answers.index(folded(best))
    return question


if __name__ == "__main__":
    run(read_yahoo)
