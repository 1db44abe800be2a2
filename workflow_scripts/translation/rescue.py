"""Command: save what is whole in a damaged translation cache."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, progress
from workflow_scripts.core.temporary import replacing
from workflow_scripts.translation.cache import MODELS, ROWS, TRANSLATIONS, Cache, Identity, digest_of

# Errors of SQLite, and of reading what it quotes of a damaged file.
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
# What comes after all keys.
LAST = (1 << 62, "\U0010ffff")


def rescue(old: Path, new: Path) -> None:
    """Copy every row that SQLite can still read, and that has not changed, into a new cache.

    The damaged file stays as it is; put the new one in its place when no run uses it. A row whose digest is
    wrong is dropped, to be translated again. A file from before rows had digests is read too: of its rows
    nobody can tell whether they have changed.

    :param old: the damaged cache
    :param new: the cache to write
    """
    if not old.is_file():
        raise InputError("no such file", path=old)
    if new.exists():
        raise InputError("is there already", path=new, fix="give another name, or move it away")
    new.parent.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    with TemporaryDirectory(dir=new.parent, prefix=f".{new.name}.") as folder, replacing(new) as part:
        # On a copy, since SQLite writes into a file of which a transaction was not ended.
        copy = Path(folder) / "copy"
        for ending in ("", "-journal"):
            if (place := old.with_name(old.name + ending)).is_file():
                shutil.copyfile(place, copy.with_name(copy.name + ending))
        rows = progress(_whole(copy, counts), f"rescue {old.name}", unit="row")
        for some in chunks(rows, ROWS):
            kept: defaultdict[Identity, dict[str, str]] = defaultdict(dict)
            for identity, source, target in some:
                kept[identity][source] = target
            for identity, translations in kept.items():
                with closing(Cache(part, *identity)) as cache:
                    cache.keep(translations)
        if not counts["whole"]:
            raise InputError("no row of a translation cache can be read in it", path=old)
    print(
        f"{new}: {counts['whole']} translations, {counts['unchecked']} of them without a digest;"
        f" {counts['changed']} rows had changed and were dropped, {counts['breaks']} places could not be read"
    )


def _whole(path: Path, counts: Counter[str]) -> Iterator[tuple[Identity, str, str]]:
    """The identity, source and target of each row that is whole; counts them and what is not."""
    with closing(_opened(path)) as connection:
        columns = _columns(connection)
        models: dict[int, Identity] = {}
        for number, *row in _readable(
            connection, "models", ("id",), ("backend", "model", "direction"), counts
        ):
            backend, model, direction = map(_text, row)
            if backend is not None and model is not None and direction is not None:
                models[number] = backend, model, direction
        names = ("target", "digest") if "digest" in columns else ("target",)
        for number, *row in _readable(connection, "translations", ("model", "source"), names, counts):
            source, target = map(_text, row[:2])
            own = None
            if source is not None and target is not None:
                own = (
                    models.get(number) if len(row) == 2 else _identity(models, number, source, target, row[2])
                )
                if own is not None:
                    counts["whole"] += 1
                    counts["unchecked"] += len(row) == 2
                    yield own, source, target
            counts["changed"] += own is None


def _identity(
    models: dict[int, Identity], number: object, source: str, target: str, digest: object
) -> Identity | None:
    """Whose row this is; where the number of the model has changed, the digest still tells."""
    for identity in (*(models[one] for one in models if one == number), *models.values()):
        if digest_of(identity, source, target) == digest:
            return identity
    return None


def _opened(path: Path) -> sqlite3.Connection:
    """The database, also one that was cut; one that does not tell its tables begins as an empty one does."""
    _count_pages(path)
    connection = _connected(path)
    if not {"model", "source", "target"} <= _columns(connection):
        connection.close()
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
        empty = path.with_name("empty")
        with closing(sqlite3.connect(empty)) as made:
            made.execute(MODELS)
            made.execute(TRANSLATIONS.format("translations"))
            (size,) = made.execute("PRAGMA page_size").fetchone()
        with path.open("r+b") as stream:
            # Where the tables begin, which is the same in all caches.
            stream.write(empty.read_bytes()[:size])
        _count_pages(path)
        connection = _connected(path)
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    # What is no text any more must not end the reading.
    connection.text_factory = bytes
    return connection


def _count_pages(path: Path) -> None:
    """Write the number of pages that are there, without which SQLite reads none, into the head of the file.

    Page size: bytes 16 and 17, of which 1 stands for 65536. Bytes 28 to 31: pages; 32 to 39: free pages,
    which nothing here needs.
    """
    with path.open("r+b") as stream:
        head = stream.read(40)
        size = int.from_bytes(head[16:18], "big")
        if len(head) == 40 and size:
            pages = -(-path.stat().st_size // (65536 if size == 1 else size))
            stream.seek(28)
            stream.write(pages.to_bytes(4, "big") + bytes(8))


def _columns(connection: sqlite3.Connection) -> set[str]:
    try:
        return {_text(row[1]) or "" for row in connection.execute("PRAGMA table_info(translations)")}
    except UNREADABLE:
        return set()


def _readable(
    connection: sqlite3.Connection,
    table: str,
    key: tuple[str, ...],
    further: tuple[str, ...],
    counts: Counter[str],
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table in the order of its key, around what SQLite cannot read.

    Where it fails it goes on at the next place that it can find, and from there back to where it failed.
    """
    size = len(key)
    names = ", ".join((*key, *further))
    marks = ", ".join("?" * size)

    def some(compared: str, order: str, start: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        ordered = ", ".join(f"{name} {order}" for name in key)
        condition = f"WHERE ({', '.join(key)}) {compared} ({marks})"
        yield from connection.execute(f"SELECT {names} FROM {table} {condition} ORDER BY {ordered}", start)

    last: tuple[Any, ...] = (-1, "")[:size]
    while True:
        try:
            for row in some(">", "ASC", last):
                last = _key(row[:size])
                yield row
            return
        except UNREADABLE:
            counts["breaks"] += 1
        begin = last
        for start in _further(last):
            try:
                row = next(some(">=", "ASC", start), ())
            except UNREADABLE:
                continue
            if row and _key(row[:size]) > begin:
                last = _key(row[:size])
                break
        # From there, or from the end of the table, back.
        back = last if last > begin else LAST[:size]
        try:
            for row in some("<=", "DESC", back):
                if not _key(row[:size]) > begin:
                    break
                yield row
        except UNREADABLE:
            pass
        if not last > begin:
            return


def _further(last: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Places after a key, the nearer first: after all texts with the same beginning, then further models."""
    if len(last) > 1:
        text = last[1]
        for end in range(len(text), 0, -1):
            after = ord(text[end - 1]) + 1
            if after < 0x110000:
                # Half characters (surrogates) are no text.
                yield last[0], text[: end - 1] + chr(0xE000 if 0xD800 <= after < 0xE000 else after)
    for power in range(60):
        yield (last[0] + (1 << power), "")[: len(last)]


def _key(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A key to go on from, also where it is not what it was."""
    number = row[0] if isinstance(row[0], int) else -1
    return (number, *(one.decode(errors="ignore") if isinstance(one, bytes) else "" for one in row[1:]))


def _text(value: object) -> str | None:
    """The text of a field, or None if it is none."""
    try:
        return value.decode() if isinstance(value, bytes) else None
    except UnicodeDecodeError:
        return None


if __name__ == "__main__":
    run(rescue)
