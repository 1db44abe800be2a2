"""Noise of informal typing, and of bitext from the web, with a seeded generator."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

# Interjections before or after a sentence, never capitalised.
BEFORE = {
    "en": ["omg", "lol", "well", "hmm", "ok", "haha", "yeah"],
    "pt": ["nossa", "ah", "putz", "olha", "aff", "eita", "poxa"],
    "it": ["boh", "mah", "oddio", "vabbè", "beh", "uffa", "ehm"],
    "fr": ["bah", "ben", "pff", "euh", "roh", "bon", "oh là là"],
}
AFTER = {
    "en": ["lol", "haha", "xd", ":)"],
    "pt": ["kkk", "rsrs", "né", ":)"],
    "it": ["ahah", "xd", "dai", ":)"],
    "fr": ["mdr", "lol", "quoi", ":)"],
}
SHORT = {
    "en": {"you": "u", "your": "ur", "because": "cuz", "please": "plz", "people": "ppl", "are": "r",
           "really": "rly", "tomorrow": "tmrw", "about": "abt"},
    "pt": {"você": "vc", "que": "q", "porque": "pq", "também": "tb", "muito": "mto", "não": "n",
           "hoje": "hj", "com": "c/", "para": "p/", "tudo": "td",
           "quando": "qdo", "mesmo": "msm", "gente": "gnt"},
    "it": {"perché": "xké", "comunque": "cmq", "non": "nn", "che": "ke", "qualcosa": "qlc", "per": "x",
           "tutto": "tt", "sono": "sn", "questo": "qst", "quando": "qnd"},
    "fr": {"beaucoup": "bcp", "toujours": "tjrs", "pour": "pr", "dans": "ds", "tout": "tt", "parce": "pck",
           "quand": "qd", "vraiment": "vrmt", "jamais": "jms", "que": "ke"},
}  # fmt: skip
# Marks of informal writing. Most sentences have marks that rules can repair.
REPEATED, PUNCTUATED, ABBREVIATED = "repeated letters", "repeated punctuation", "an abbreviation"
DOTS, UNENDED, SHOUTED = "dots at the end", "no full stop", "a word in capitals"
UNACCENTED, INTERJECTED = "no accents", "an interjection"
# New ends of a sentence, and the mark of each.
ENDS = [("", UNENDED), ("...", DOTS), ("!!", PUNCTUATED), ("!!!", PUNCTUATED), ("!!!", PUNCTUATED)]
# How often a wording has no mark: the most informal one seldom, the mildest one more often.
UNMARKED = (0.15, 0.25)
# How often an informal sentence is typed without capitals, and how often another one begins with a capital.
LOWER, CAPITAL = 0.6, 0.6
# How often a formal sentence in talk is an exclamation.
EXCLAIMED = 0.15
# The relative frequency of each change: rules can repair most of them.
SHARES = {"punctuate": 4, "abbreviate": 4, "repeat": 4, "interject": 1, "shout": 1, "drop accents": 1}
# How often the repeated letter is in the last word.
LAST = 0.7
# The number of marks of a sentence that has any.
MARKS = (1, 1, 2, 2, 3)


@dataclass(frozen=True)
class Typing:
    """How a sentence is typed: with no capitals or an initial one, and with which changes."""

    lower: bool = False
    capital: bool = False
    exclaimed: bool = False
    """With an exclamation mark in place of its full stop."""
    changes: tuple[str, ...] = ()
    seed: int = 0
    """Seed of the changes: the same ones for each text, as far as its words allow."""

    def without_changes(self) -> Typing:
        """The same typing without marks."""
        return replace(self, changes=())

    def apply(self, text: str, language: str) -> tuple[str, list[str]]:
        """The typed text, and the marks of informal writing that it has received."""
        if self.lower:
            text = text.lower()
        elif self.capital:
            text = text[0].upper() + text[1:]
        if self.exclaimed and text.endswith("."):
            text = text[:-1] + "!"
        marks = []
        for name in self.changes:
            changed, mark = CHANGES[name](text, language, Random(f"{self.seed} {name}"))
            if changed != text:
                text = changed
                marks.append(mark)
        return text, marks


def informal_typing(wording: int, random: Random) -> Typing:
    """A random typing of an informal wording.

    :param wording: number of the wording, from 0 for the most informal one
    :param random: the random generator
    """
    lower = random.random() < LOWER
    capital = not lower and random.random() < CAPITAL
    if random.random() < UNMARKED[min(wording, len(UNMARKED) - 1)]:
        return Typing(lower, capital)
    return Typing(lower, capital, False, _drawn(random), random.getrandbits(32))


def formal_typing(random: Random, lower: float = 0, marked: float = 0) -> Typing:
    """A random typing of a formal sentence; some are exclamations.

    :param random: the random generator
    :param lower: how often it has no capitals, as careless people write
    :param marked: how often it has a mark of informal writing
    """
    without_capitals, exclaimed = random.random() < lower, random.random() < EXCLAIMED
    changes = _drawn(random)[:1] if random.random() < marked else ()
    return Typing(without_capitals, False, exclaimed, changes, random.getrandbits(32))


def _drawn(random: Random) -> tuple[str, ...]:
    """Random changes, in the order of application: a change of the end comes last."""
    count = random.choice(MARKS)
    drawn: set[str] = set()
    while len(drawn) < count:
        drawn |= set(random.choices(list(SHARES), list(SHARES.values())))
    return tuple(name for name in CHANGES if name in drawn)


def _repeat_letter(text: str, _: str, random: Random) -> tuple[str, str]:
    """Repeat the last letter of a word, mostly the last word, to four times: soooo."""
    words = [m for m in re.finditer(r"[^\W\d_]{3,}(?![\w'’])", text) if m[0][-1] != m[0][-2]]
    if not words:
        return text, REPEATED
    word = words[-1] if random.random() < LAST else random.choice(words)
    return text[: word.end()] + word[0][-1] * 3 + text[word.end() :], REPEATED


def _punctuate(text: str, _: str, random: Random) -> tuple[str, str]:
    """Replace the end by none, several marks or dots; a question gets more question marks."""
    end, mark = random.choice(ENDS)
    if text.endswith("?"):
        return text + "?" * random.randint(1, 2), PUNCTUATED
    return re.sub(r"[\s.!…]+$", "", text) + end, mark


def _change_case(text: str, _: str, random: Random) -> tuple[str, str]:
    """Write one word in CAPITALS."""
    words = list(re.finditer(r"\b[^\W\d_]{4,}\b", text))
    if not words:
        return text, SHOUTED
    word = random.choice(words)
    return text[: word.start()] + word[0].upper() + text[word.end() :], SHOUTED


def _drop_accents(text: str, _: str, random: Random) -> tuple[str, str]:
    """Remove all accents."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return plain, UNACCENTED


def _interject(text: str, language: str, random: Random) -> tuple[str, str]:
    """Add an interjection, before or after."""
    if random.random() < 0.5:
        word = random.choice(BEFORE[language])
        return text if text.lower().startswith(word) else f"{word} {text}", INTERJECTED
    word = random.choice(AFTER[language])
    return text if word in text.lower() else f"{text} {word}", INTERJECTED


def _abbreviate(text: str, language: str, random: Random) -> tuple[str, str]:
    """Abbreviate one or two words."""
    short = SHORT[language]
    for _ in range(random.randint(1, 2)):
        words = [m for m in re.finditer(r"(?<![\w'’])\w+(?![\w'’])", text) if m[0] in short]
        if words:
            word = random.choice(words)
            text = text[: word.start()] + short[word[0]] + text[word.end() :]
    return text, ABBREVIATED


# Each returns the text and the name of its mark; the mark counts if the text has changed.
CHANGES: dict[str, Callable[[str, str, Random], tuple[str, str]]] = {
    "drop accents": _drop_accents,
    "abbreviate": _abbreviate,
    "repeat": _repeat_letter,
    "shout": _change_case,
    "interject": _interject,
    "punctuate": _punctuate,
}


def garble(text: str, random: Random) -> str:
    """Turn a line into the debris of a wrong encoding, a binary file or a table of numbers."""
    kind = random.randrange(3)
    if kind == 0:
        # Twice, so that even a text with one accent is full of it.
        return text.replace("e", "é").encode().decode("latin-1").encode().decode("latin-1")
    if kind == 1:
        return "".join(random.choice("#¤þ§Ø�¬|~^°±{}@=") for _ in range(random.randint(15, 50)))
    return " ".join(str(random.randrange(10 ** random.randint(1, 5))) for _ in range(random.randint(6, 14)))
