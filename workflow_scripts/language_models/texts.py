"""The texts that language models learn and write, of two tasks, and the marks in them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from workflow_scripts.multiwoz.schema import DOMAINS

# Which of the model's decoders writes: MinTL has one for beliefs and one for responses.
Task = Literal["belief", "response"]
# The mark that ends a text of each task.
ENDS: dict[Task, str] = {"belief": "<eos_b>", "response": "<eos_r>"}
PARTS = ("u", "b", "db", "a", "r", "context")
# The value of a slot that is removed.
GONE = "<none>"
# How much the database has, and whether something is booked.
NO_DATABASE = "[db_nores]"
FOUND = (*(f"[db_{bucket}]" for bucket in range(4)), NO_DATABASE)
BOOKED, NOT_BOOKED, NO_BOOKING = "[book_ok]", "[book_fail]", "[book_nores]"
BOOKINGS = (BOOKED, NOT_BOOKED, NO_BOOKING)
BRACKETS = re.compile(r"\[\w+\]")
# AuGPT's marks: the beginning and end of a belief, the end of the database, and the end of a response, as in
# its released code.
BEGIN, END_OF_BELIEF, COUNTED, END = "=>", "<|eob|>", "<|eokb|>", "<|endoftext|>"


@dataclass(frozen=True)
class Example:
    """A text that a model reads, and the text it learns to write next; a causal model learns both."""

    task: Task
    source: str
    target: str


def marks() -> list[str]:
    """The marks of all formats, each of them one piece of the vocabulary."""
    ends = [f"<{side}_{part}>" for part in PARTS for side in ("sos", "eos")]
    pairs = [start_of(found, booking) for found in FOUND for booking in BOOKINGS]
    return [*ends, *FOUND, *BOOKINGS, *pairs, *(f"[{domain}]" for domain in DOMAINS), GONE]


def start_of(found: str, booking: str) -> str:
    """MinTL's first token of a response: what the database has, and whether something is booked."""
    return f"{found[:-1]}+{booking[1:]}"


def pieces(texts: Iterable[str]) -> list[str]:
    """The marks of all formats, and the bracketed names in some texts."""
    names = sorted({name for text in texts for name in BRACKETS.findall(text)})
    return list(dict.fromkeys([*marks(), *names]))
