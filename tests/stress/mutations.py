"""Seeded damage to files: to bytes, to tables, JSON, archives and weights, to the entry itself."""

import gzip
import io
import json
import os
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.stress.text_mutations import ANY, NUMBERS, TEXT, TEXTS, Mutation, any_text, emptied

VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**400, 1.5, -0.5, "", "x", "\u2028\n", [], [[]], {}, {"x": 1}, float("nan")),
    *(float("inf"), 2**63, [None], "9" * 5000),
)


def table(separator: bytes) -> Mutation:
    """Fields of a table are missing, doubled, exchanged, or hold what does not belong there."""

    def changed(rng: Random, data: bytes) -> bytes:
        """Fields of a table are others."""
        rows = [row.split(separator) for row in data.split(b"\n")]
        at = rng.randrange(len(rows))
        row = rows[at]
        field = rng.randrange(len(row))
        width = len(rows[0])
        match rng.randrange(10):
            case 0:
                rows = [[*row[:field], *row[field + 1 :]] for row in rows]
            case 1:
                rows = [[*row, row[min(field, len(row) - 1)]] for row in rows]
            case 2:
                other = rng.randrange(len(row))
                row[field], row[other] = row[other], row[field]
            case 3 | 4 | 5:
                row[field] = rng.choice(NUMBERS).encode()
            case 6:
                row[field] = rng.choice(TEXTS).encode()
            case 7:
                rows[at] = row[:field]
            case 8:
                column, number = rng.randrange(width), rng.choice(NUMBERS).encode()
                for row in rows[1:]:
                    if column < len(row) and len(row) == width:
                        row[column] = number
            case _:
                rows = [rows[0], *(row for row in rows[1:] if rng.random() < 0.1), [b""]]
        return b"\n".join(separator.join(row) for row in rows)

    return changed


def spreadsheet(separator: bytes) -> Mutation:
    """What programs for tables make of one when they save it."""

    def changed(rng: Random, data: bytes) -> bytes:
        """A spreadsheet has saved the table."""
        rows = [row.split(separator) for row in data.removesuffix(b"\n").split(b"\n")]
        at = rng.randrange(len(rows))
        field = rng.randrange(len(rows[at]))
        join = separator
        match rng.randrange(8):
            case 0:
                # As where a comma is the mark of decimals.
                join = rng.choice((b";", b"\t", b","))
                rows = [[cell.replace(b".", b",") for cell in row] for row in rows]
            case 1:
                rows = [[*row, b"", b""] for row in rows]
            case 2:
                rows += [[b""] * len(rows[0])] * 3
            case 3:
                rows = [[b'"%b"' % cell for cell in row] for row in rows]
            case 4:
                rows[at][field] = rng.choice(
                    (b"1,234.5", b"1.234,5", b"1\xc2\xa0234", b"1'234", b"12:00", b"50%")
                )
            case 5:
                rows[at][field] = rng.choice(
                    (b"=1+1", b"#NAME?", b"#DIV/0!", b"1.2E+09", b"01/02/2026", b"TRUE")
                )
            case 6:
                rows = [[cell + b".0" if cell.isdigit() else cell for cell in row] for row in rows]
            case _:
                # Its author's notes.
                rows.insert(at, [b"Sheet 1", *[b""] * (len(rows[0]) - 1)])
        text = b"".join(join.join(row) + rng.choice((b"\r\n", b"\n")) for row in rows)
        return (b"\xef\xbb\xbf" if rng.random() < 0.5 else b"") + text

    return changed


def json_changed(rng: Random, data: bytes) -> bytes:
    """A value of a JSON text is another, of another type, missing or doubled."""
    tree = json.loads(data)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
            places.append((node, key))
            if isinstance(value, (dict, list)):
                walk(value)

    if isinstance(tree, (dict, list)):
        walk(tree)
    if not places or rng.random() < 0.05:
        return json.dumps(rng.choice(VALUES)).encode()
    node, key = rng.choice(places)
    match rng.randrange(5):
        case 0:
            del node[key]
        case 1 if isinstance(node, dict):
            node[rng.choice(TEXTS)] = node.pop(key)
        case 2:
            text = json.dumps(node[key], ensure_ascii=False)
            return data.replace(
                text.encode(), rng.choice((b"[" * 100_000, b"NaN", b"1e999", b"{" * 9, b"'x'")), 1
            )
        case _:
            node[key] = rng.choice(VALUES)
    return json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def weights_changed(rng: Random, data: bytes) -> bytes:
    """Weights of a safetensors file: another header, shape, type or name; nan, or random bits."""
    (size,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    names = [name for name in header if name != "__metadata__"]
    name = rng.choice(names)
    match rng.randrange(9):
        case 0:
            return struct.pack("<Q", rng.choice((0, 1, size - 1, 2**40, 2**63))) + data[8:]
        case 1:
            header[name]["shape"] = rng.choice(
                ([], [1], [0], [-1], [2**40], [*header[name]["shape"], 1], None)
            )
        case 2:
            header[name]["dtype"] = rng.choice(("F16", "I32", "BOOL", "X", None, "U8"))
        case 3:
            header[rng.choice(("other", "", "\u2028", name + "."))] = header.pop(name)
        case 4:
            del header[name]
        case 5:
            start, end = header[name]["data_offsets"]
            body[start:end] = rng.choice((b"\x00\x00\xc0\x7f", b"\x00\x00\x80\x7f")) * ((end - start) // 4)
        case 6:
            start, end = header[name]["data_offsets"]
            at = start + 4 * rng.randrange(max(1, (end - start) // 4))
            body[at : at + 4] = b"\x00\x00\xc0\x7f"
        case 7:
            header[name]["data_offsets"] = rng.choice(([0, 0], [5, 1], [0, 2**40], None, [-4, 0]))
        case _:
            header["__metadata__"] = rng.choice(({}, {"x": "y"}, 5, None, {"format": 3}))
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(body)


def inside_gzip(inner: Callable[[Random, bytes], bytes]) -> Mutation:
    """A mutation of what is compressed."""

    def changed(rng: Random, data: bytes) -> bytes:
        """What is compressed is another."""
        return gzip.compress(inner(rng, gzip.decompress(data)), 1, mtime=0)

    return changed


def inside_zip(rng: Random, data: bytes) -> bytes:
    """A member of an archive is mutated, missing, renamed or doubled."""
    source = zipfile.ZipFile(io.BytesIO(data))
    names = source.namelist()
    chosen = rng.choice(names)
    target = io.BytesIO()
    action = rng.randrange(6)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            text = source.read(name)
            if name != chosen:
                archive.writestr(name, text)
            elif action == 0:
                continue
            elif action == 1:
                archive.writestr(rng.choice(("../x", "/x", "a\\b", "x", "é", "a" * 300)), text)
            else:
                archive.writestr(name, any_text(rng, text))
    return target.getvalue()


def mutations_of(path: Path, data: bytes) -> tuple[Mutation, ...]:
    """The mutations of bytes that suit a file."""
    if data[:2] == b"\x1f\x8b":
        return (*ANY, *(inside_gzip(change) for change in (*TEXT, table(b"\t"))))
    if data[:4] == b"PK\x03\x04":
        return (*ANY, inside_zip, inside_zip, inside_zip)
    if path.suffix == ".safetensors":
        return (*ANY, *[weights_changed] * 8)
    try:
        data.decode()
    except UnicodeDecodeError:
        return ANY
    if path.suffix == ".json":
        return (*TEXT, *[json_changed] * 12)
    if path.suffix == ".csv":
        return (*TEXT, *[table(b",")] * 12, *[spreadsheet(b",")] * 4)
    if b"\t" in data[:1000] or path.suffix == ".tsv":
        return (*TEXT, *[table(b"\t")] * 12, *[spreadsheet(b"\t")] * 4)
    if data[:40].replace(b".", b"").replace(b"-", b"").split(b"\n")[0].isdigit():
        return (*TEXT, *[table(b"\t")] * 6)
    return TEXT


# What a path is instead of a file. "unreadable" is done by the process that reads (see running.py).
ENTRIES = ("missing", "folder", "loop", "dangling", "unreadable")


def replace(path: Path, entry: str) -> None:
    """Make a path something else than the file that it is."""
    if entry == "unreadable":
        path.chmod(0)
        return
    path.unlink()
    if entry == "folder":
        path.mkdir()
        (path / "x").write_text("x\n")
    elif entry in ("loop", "dangling"):
        os.symlink(path.name if entry == "loop" else "nowhere", path)


def mutate(rng: Random, path: Path) -> str:
    """Damage a file; what was done to it."""
    data = path.read_bytes()
    if rng.random() < 0.06:
        entry = rng.choice(ENTRIES)
        replace(path, entry)
        return entry
    for _ in range(20):
        mutation = rng.choice(mutations_of(path, data))
        try:
            changed = mutation(rng, data)
        except (
            ValueError,
            LookupError,
            TypeError,
            struct.error,
            zipfile.BadZipFile,
            EOFError,
            OSError,
            zlib.error,
        ):
            continue
        if changed != data:
            break
    else:
        mutation, changed = emptied, b""
        if not data:
            changed = b"x"
    # Not in place: another file may be a hard link to it.
    path.unlink()
    path.write_bytes(changed)
    return (mutation.__doc__ or "").strip().splitlines()[0].rstrip(".")


def restore(original: Path, path: Path) -> None:
    """Put back what was there, whatever stands there now."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(original, path)
