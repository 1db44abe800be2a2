"""Seeded damage to bytes and to lines of text.

A mutation takes a generator of random numbers and what a file holds, and returns what it is to hold. It
returns its argument, or raises an error, where it has nothing to do.
"""

from collections.abc import Callable
from random import Random

Mutation = Callable[[Random, bytes], bytes]
NUMBERS = (
    *("nan", "NaN", "inf", "-inf", "1e999", "-1", "-0", "0", "1e308", "9" * 5000, "1_0", "٣", "0x10", "1.5"),
    *("-99999999999999999999", "4294967296", "1e-400", "", " ", "true", "None"),
)
TEXTS = (
    *(
        "\x00",
        "\r",
        "\u2028",
        "\x85",
        "\x0b",
        "\ufeff",
        "\ud7ff",
        "\u202e",
        "\u0301",
        "=1+1",
        "-x",
        "a,b",
        '"',
        "'",
    ),
    *(
        "<script>alert(1)</script>",
        "$\\frac{",
        "{x}",
        "{{7*7}}",
        "%s",
        "../../x",
        "/",
        "\\",
        "$(touch X)",
        "é" * 300,
    ),
)
BYTES = (
    b"\xff",
    b"\xc3",
    b"\x00",
    b"\r",
    b"\x1a",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x80\xa8",
    b"\n\n",
)


def flipped(rng: Random, data: bytes) -> bytes:
    """One to eight bits are others."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def overwritten(rng: Random, data: bytes) -> bytes:
    """Some bytes in a row are random."""
    start = rng.randrange(len(data))
    noise = rng.randbytes(rng.choice((1, 4, 64)))
    return data[:start] + noise + data[start + len(noise) :]


def truncated(rng: Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: rng.randrange(len(data))]


def emptied(rng: Random, data: bytes) -> bytes:
    """Nothing is there."""
    return b""


def cut(rng: Random, data: bytes) -> bytes:
    """A part in the middle is missing."""
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.choice((1, 7, 100)) :]


def twice(rng: Random, data: bytes) -> bytes:
    """The whole file follows itself, or something else does."""
    return data + (data if rng.random() < 0.5 else rng.randbytes(20))


def inserted(rng: Random, data: bytes) -> bytes:
    """Bytes that are no text, or no line, are between the others."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.choice(BYTES) + data[start:]


def encoded(rng: Random, data: bytes) -> bytes:
    """The text is in another encoding."""
    return data.decode().encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-7", "cp500")))


def latin(rng: Random, data: bytes) -> bytes:
    """A line has a character in Latin-1."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + "é".encode("latin1") + data[start:]


def marked(rng: Random, data: bytes) -> bytes:
    """A byte order mark stands before the text."""
    return b"\xef\xbb\xbf" + data


def crlf(rng: Random, data: bytes) -> bytes:
    """Lines end otherwise."""
    return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\r", b"\x0b")))


def unended(rng: Random, data: bytes) -> bytes:
    """The last line has no end, or there is another, empty one."""
    return data.removesuffix(b"\n") if rng.random() < 0.5 else data + b"\n"


def lines_changed(rng: Random, data: bytes) -> bytes:
    """A line is doubled, missing, emptied, blank, very long, moved, or another text."""
    rows = data.split(b"\n")
    at = rng.randrange(len(rows))
    match rng.randrange(8):
        case 0:
            rows.insert(at, rows[at])
        case 1:
            del rows[at]
        case 2:
            rows[at] = b""
        case 3:
            rows[at] = rng.choice((b" ", b"\t", b"\xc2\xa0", b"\x0c"))
        case 4:
            rows[at] = rng.choice((b"x", b"x ", b"(", b'"', "é".encode())) * rng.choice((70_000, 3_000_000))
        case 5:
            rows[at] = rng.choice(TEXTS).encode()
        case 6:
            rows[at] += rng.choice(TEXTS).encode()
        case _:
            rng.shuffle(rows)
    return b"\n".join(rows)


def any_text(rng: Random, data: bytes) -> bytes:
    """One of the mutations of text."""
    return rng.choice(TEXT)(rng, data)


TEXT: tuple[Mutation, ...] = (
    *(flipped, truncated, emptied, inserted, encoded, latin, marked, crlf, unended),
    *(lines_changed, lines_changed, lines_changed),
)
ANY: tuple[Mutation, ...] = (flipped, overwritten, truncated, emptied, cut, twice)
