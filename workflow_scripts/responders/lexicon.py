"""The words that recurrent dialogue systems read and write, by number, and values to delexicalise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.schema import DOMAINS, INFORMABLE
from workflow_scripts.multiwoz.words import words_of

# The recurrent systems.
Name = Literal["damd", "labes"]
# Padding; a word without an embedding; the first and the last word of a text.
PAD, UNKNOWN = 0, 2
STARTS = {"belief": "<go_b>", "act": "<go_a>", "response": "<go_r>"}
ENDS = {"user": "<eos_u>", "belief": "<eos_b>", "act": "<eos_a>", "response": "<eos_r>"}
# The first line has the order of DAMD's released code, so that its weights fit.
MARKS = (
    *("<pad>", "<go_r>", "<unk>", "<go_b>", "<go_a>", "<eos_u>", "<eos_r>", "<eos_b>", "<eos_a>"),
    *(*(f"[{domain}]" for domain in DOMAINS), *INFORMABLE),
)
# Values that have many wordings, or too little content to be recognised.
NO_VALUES = frozenset(("yes", "no", "none", "free", "dontcare", "not mentioned"))


class Words:
    """Words by number: those of the vocabulary first, then all others that have been read.

    A word outside the vocabulary has a number only so that it can be copied: the first free number when it
    is read.
    """

    def __init__(self, known: Sequence[str]) -> None:
        """`known`: the vocabulary; the first are `MARKS`."""
        self.size = len(known)
        self.names = list(known)
        self._numbers = {word: number for number, word in enumerate(known)}

    @classmethod
    def of(cls, texts: Iterable[str], size: int) -> Words:
        """The marks, then the most frequent words of texts (words in brackets first), `size` in all."""
        counts = Counter(word for text in texts for word in words_of(text))
        for mark in MARKS:
            counts.pop(mark, None)
        order = sorted(counts, key=lambda word: (word[0] != "[", -counts[word], word))
        return cls([*MARKS, *order][: max(size, len(MARKS))])

    @property
    def known(self) -> list[str]:
        """The vocabulary."""
        return self.names[: self.size]

    def number(self, word: str) -> int:
        """The number of a word."""
        if word not in self._numbers:
            self._numbers[word] = len(self.names)
            self.names.append(word)
        return self._numbers[word]

    def numbers(self, text: str, end: str = "") -> list[int]:
        """The numbers of a text's words, and of the end word if there is one."""
        return [self.number(word) for word in (*words_of(text), *([end] if end else []))]

    def text(self, numbers: Iterable[int]) -> str:
        """The words before the first end word or padding."""
        names = []
        for number in numbers:
            if number == PAD or self.names[number] in ENDS.values():
                break
            names.append(self.names[number])
        return " ".join(names)


def value_slots(states: Iterable[State]) -> dict[str, str]:
    """The slot of each value that only one slot has, in any domain; numbers, yes and no are left out."""
    slots: dict[str, set[str]] = {}
    for state in states:
        for values in state.values():
            for slot, value in values.items():
                slots.setdefault(value, set()).add(slot)
    return {
        value: next(iter(names))
        for value, names in sorted(slots.items())
        if len(names) == 1 and value not in NO_VALUES and not value.isdigit() and len(value) > 1
    }


class Delexicaliser:
    """Users' words with `[value_<slot>]` in place of values."""

    def __init__(self, slots: Mapping[str, str]) -> None:
        """`slots`: the slot of each value."""
        self._slots = dict(slots)
        longest = sorted(map(re.escape, slots), key=len, reverse=True)
        self._found = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)") if longest else None

    def __call__(self, text: str) -> str:
        """The text with its values replaced; of overlapping values, only the first and longest."""
        if self._found is None:
            return text
        return self._found.sub(lambda match: f"[value_{self._slots[match[0]]}]", text)


@dataclass(frozen=True)
class Lexicon:
    """The words, values and slots that a recurrent system knows before training."""

    words: Words
    # The slot of each value to delexicalise in users' words, and the slots of states with their domains.
    values: dict[str, str]
    slots: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, texts: Iterable[str], states: Iterable[State], size: int) -> Lexicon:
        """The lexicon of training dialogues; `size`: of the vocabulary."""
        known = list(states)
        slots = {(domain, slot) for state in known for domain, values in state.items() for slot in values}
        return cls(Words.of(texts, size), value_slots(known), tuple(sorted(slots)))

    def facts(self) -> dict[str, Any]:
        """The lexicon as JSON values."""
        return {
            "words": self.words.known,
            "values": self.values,
            "slots": [list(slot) for slot in self.slots],
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Lexicon:
        """The lexicon that `facts` described; KeyError or TypeError for anything else."""
        slots = tuple((str(domain), str(slot)) for domain, slot in facts["slots"])
        return cls(Words(facts["words"]), dict(facts["values"]), slots)
