"""The rows in the pages of an SQLite file, even of one in which SQLite can no longer find them.

SQLite finds rows by following references from the first page; behind a damaged page it finds none. Here each
page is read by itself, as https://www.sqlite.org/fileformat2.html describes it. Rows are not checked: a
damaged page may give rows that nobody wrote.
"""

import mmap
from collections.abc import Iterator

Value = int | float | str | bytes | None
# Kinds of pages with rows: inner nodes and leaves of an index (or of a table without row numbers), and leaves
# of a table.
INDEX_WITHIN, INDEX_END, TABLE_END = 2, 10, 13
SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
DEFAULT_PAGE = 4096
# Longer rows are invalid.
LONGEST = 1 << 24


class _NoRowError(ValueError):
    """There is no row at this place."""


def records(data: bytes | mmap.mmap) -> Iterator[tuple[int | None, list[Value]]]:
    """The number (None if it has none) and the values of every readable row."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    if size not in {1 << power for power in range(9, 17)}:
        size = DEFAULT_PAGE
    for start in range(0, len(data), size):
        # The first page begins with the file header.
        head = start + (100 if start == 0 else 0)
        kind = data[head] if head < len(data) else 0
        if kind not in (INDEX_WITHIN, INDEX_END, TABLE_END):
            continue
        first = head + (12 if kind == INDEX_WITHIN else 8)
        for cell in range(int.from_bytes(data[head + 3 : head + 5], "big")):
            place = int.from_bytes(data[first + 2 * cell : first + 2 * cell + 2], "big")
            if not place or place >= size:
                continue
            try:
                yield _cell(data, start + place, kind, size)
            except (_NoRowError, IndexError, UnicodeDecodeError):
                continue


def _cell(data: bytes | mmap.mmap, place: int, kind: int, size: int) -> tuple[int | None, list[Value]]:
    """The row that begins at a place of a page."""
    if kind == INDEX_WITHIN:
        place += 4
    length, place = _number(data, place)
    row: int | None = None
    if kind == TABLE_END:
        row, place = _number(data, place)
    if length > LONGEST:
        raise _NoRowError
    # How much of a long row is in the page itself.
    most = size - 35 if kind == TABLE_END else (size - 12) * 64 // 255 - 23
    least = (size - 12) * 32 // 255 - 23
    here = length
    if length > most:
        here = least + (length - least) % (size - 4)
        if here > most:
            here = least
    parts = [data[place : place + here]]
    missing = length - here
    following = place + here
    while missing:
        page = int.from_bytes(data[following : following + 4], "big")
        if not 1 < page <= -(-len(data) // size):
            raise _NoRowError
        following = (page - 1) * size
        parts.append(data[following + 4 : following + 4 + min(missing, size - 4)])
        missing -= min(missing, size - 4)
    payload = b"".join(parts)
    if len(payload) != length:
        raise _NoRowError
    return row, _values(payload)


def _values(payload: bytes) -> list[Value]:
    """The values of a row, which stores their types first and then the values."""
    end, place = _number(payload, 0)
    kinds = []
    while place < end:
        kind, place = _number(payload, place)
        kinds.append(kind)
    # Types 10 and 11 never occur in a file.
    if place != end or {10, 11} & set(kinds):
        raise _NoRowError
    values: list[Value] = []
    for kind in kinds:
        size = SIZES.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        part = payload[place : place + size]
        if len(part) != size:
            raise _NoRowError
        place += size
        if kind in SIZES:
            values.append(int.from_bytes(part, "big", signed=True))
        elif kind >= 12:
            values.append(part.decode() if kind % 2 else bytes(part))
        else:
            values.append({8: 0, 9: 1}.get(kind))
    return values


def _number(data: bytes | mmap.mmap, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, seven bits in each except the ninth, and the place after it."""
    number = 0
    for _ in range(8):
        byte = data[place]
        place += 1
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place
    return number << 8 | data[place], place + 1
