"""XML of any size, read chunk by chunk in constant memory: no entities, nothing too large or too deep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from workflow_scripts.core.errors import InputError

# Bytes that are read at a time.
CHUNK = 1 << 16


@dataclass(frozen=True)
class Document:
    """What a kind of document holds, and what its errors say."""

    item: str  # one of its items, which are read whole: "a page"
    largest: int  # characters of an item's texts, and bytes of one piece of markup
    deepest: int  # elements within each other
    known_as: str  # "a dump of a Wikipedia"
    where: str  # which lines an error counts
    fix: str  # of XML that is not well-formed


class _HasDoctype(Exception):
    """A document type, the place where entities are declared that expand without end."""


class Reader:
    """Expat's events become items; a kind of document says in `opened` and `closed` which texts are kept.

    `held` is the number of characters kept of the item that has not ended, `waiting` that of the bytes after
    the last event: of markup that has not ended. `text` takes the text of an element, or is None.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.depth = self.held = self.waiting = 0
        self.text: list[str] | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype

    def opened(self, name: str) -> None:
        """An element begins."""
        raise NotImplementedError

    def closed(self, name: str) -> None:
        """An element has ended; `depth` is that of what is around it."""
        raise NotImplementedError

    def feed(self, chunk: bytes, path: Path) -> None:
        """Read a chunk of a file, or at the document's end nothing; InputError for what cannot be read."""
        document = self.document
        try:
            self.parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            place = f"line {error.lineno}{document.where}"
            raise InputError(
                f"not well-formed XML at {place} ({expat.ErrorString(error.code)})",
                path=path,
                fix=document.fix,
            ) from None
        except (LookupError, ValueError) as error:
            raise InputError(f"declares an encoding that cannot be read ({error})", path=path) from None
        except _HasDoctype:
            problem = f"declares a document type, which {document.known_as} does not"
            raise InputError(problem, path=path, fix="get it again") from None
        self.waiting += len(chunk)
        if max(self.held, self.waiting) > document.largest or self.depth > document.deepest:
            problem = f"{document.item}, or a piece of markup, of more than {document.largest} characters"
            problem += f", or elements over {document.deepest} deep"
            raise InputError(problem, path=path, fix=f"this is not {document.known_as}")

    def keep(self, text: str) -> None:
        """Add to the text of an element that is kept."""
        if self.text is not None:
            self.text.append(text)
            self.held += len(text)

    def _doctype(self, *_: object) -> None:
        raise _HasDoctype

    def _start(self, name: str, _: dict[str, str]) -> None:
        self.depth += 1
        self.waiting = 0
        self.opened(name)

    def _characters(self, text: str) -> None:
        self.waiting = 0
        self.keep(text)

    def _end(self, name: str) -> None:
        self.depth -= 1
        self.waiting = 0
        self.closed(name)
