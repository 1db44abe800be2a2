"""XML of any size, read chunk by chunk in constant memory: no entities, nothing too large or too deep."""

from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from workflow_scripts.core.errors import InputError

# Bytes to read at a time.
CHUNK = 1 << 16


@dataclass(frozen=True)
class Document:
    """The limits of a kind of document, and words for its errors."""

    item: str  # the unit that is read as a whole: "a page"
    largest: int  # most characters of an item's texts, and bytes of one piece of markup
    deepest: int  # most nested elements
    known_as: str  # "a dump of a Wikipedia"
    where: str  # in which text an error counts lines
    fix: str  # for XML that is not well-formed


class _HasDoctype(Exception):
    """The document declares a type, and so may declare entities that expand without end."""


class Reader:
    """Builds items from Expat's events; subclasses choose in `opened` and `closed` which texts are kept.

    `held` is the number of characters kept of the unfinished item, `waiting` the number of bytes after the
    last event, which are unfinished markup. `text` collects the text of an element, or is None.
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
        """An element has ended; `depth` is that of its parent."""
        raise NotImplementedError

    def feed(self, chunk: bytes, path: Path) -> None:
        """Read a chunk of a file, empty at the document's end; InputError if it cannot be read."""
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
        """Add to the text of an element, if it is kept."""
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
