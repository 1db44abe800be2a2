"""The words that recurrent dialogue systems read and write, by number, and values that lose their wording."""

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
# What is put where there is no word; a word without an embedding; what a text begins and ends with.
PAD, UNKNOWN = 0, 2
STARTS = {"belief": "<go_b>", "act": "<go_a>", "response": "<go_r>"}
ENDS = {"user": "<eos_u>", "belief": "<eos_b>", "act": "<eos_a>", "response": "<eos_r>"}
# The first are in the order of DAMD's released code, so that its weights fit.
MARKS = (
    *("<pad>", "<go_r>", "<unk>", "<go_b>", "<go_a>", "<eos_u>", "<eos_r>", "<eos_b>", "<eos_a>"),
    *(*(f"[{one}]" for one in DOMAINS), *INFORMABLE),
)
# What is said in many ways, or says too little to be a value.
NO_VALUES = frozenset(("yes", "no", "none", "free", "dontcare", "not mentioned"))


class Words:
    """Words by number: those of the vocabulary first, then all others that have been read.

    A word outside the vocabulary has a number only so that it can be copied: it is the first number that is
    free when it is read.
    """

    def __init__(self, known: Sequence[str]) -> None:
        """`known`: the vocabulary; the first are `MARKS`."""
        self.size = len(known)
        self.names = list(known)
        self._numbers = {word: number for number, word in enumerate(known)}

    @classmethod
    def of(cls, texts: Iterable[str], size: int) -> Words:
        """The marks, and the most frequent words of texts, `size` in all; words in brackets first."""
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
        """The numbers of a text's words, and of what ends it."""
        return [self.number(word) for word in (*words_of(text), *([end] if end else []))]

    def text(self, numbers: Iterable[int]) -> str:
        """The words before the first end, if there is one."""
        found = []
        for number in numbers:
            if number == PAD or self.names[number] in ENDS.values():
                break
            found.append(self.names[number])
        return " ".join(found)


def value_slots(states: Iterable[State]) -> dict[str, str]:
    """The slot of each value that only one slot has, in whatever domain; numbers and yes and no have none."""
    slots: dict[str, set[str]] = {}
    for state in states:
        for values in state.values():
            for slot, value in values.items():
                slots.setdefault(value, set()).add(slot)
    return {
        value: next(iter(found))
        for value, found in sorted(slots.items())
        if len(found) == 1 and value not in NO_VALUES and not value.isdigit() and len(value) > 1
    }


class Delexicaliser:
    """Users' words with `[value_<slot>]` in place of values."""

    def __init__(self, slots: Mapping[str, str]) -> None:
        """`slots`: the slot of each value."""
        self._slots = dict(slots)
        longest = sorted(map(re.escape, slots), key=len, reverse=True)
        self._found = re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)") if longest else None

    def __call__(self, text: str) -> str:
        """The text, of two values that overlap the first and longest one replaced."""
        if self._found is None:
            return text
        return self._found.sub(lambda found: f"[value_{self._slots[found[0]]}]", text)


@dataclass(frozen=True)
class Lexicon:
    """What a recurrent system knows of words before it is trained."""

    words: Words
    # The slot of each value that users' words lose, and the slots of states, each with its domain.
    values: dict[str, str]
    slots: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, texts: Iterable[str], states: Iterable[State], size: int) -> Lexicon:
        """What training dialogues have; `size`: of the vocabulary."""
        known = list(states)
        slots = {(domain, slot) for state in known for domain, values in state.items() for slot in values}
        return cls(Words.of(texts, size), value_slots(known), tuple(sorted(slots)))

    def facts(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"words": self.words.known, "values": self.values, "slots": [list(one) for one in self.slots]}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Lexicon:
        """What `facts` gave; KeyError or TypeError for anything else."""
        slots = tuple((str(domain), str(slot)) for domain, slot in facts["slots"])
        return cls(Words(facts["words"]), dict(facts["values"]), slots)
