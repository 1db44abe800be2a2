"""The gender that a translation gives to a person: by articles, and by the endings of nouns.

WinoMT asks a tagger of spaCy's for the gender of each word; no genuine one of these languages is on a package
registry. What stands here are short lists: articles and demonstratives, and endings that have one gender.
Words of either gender (`artista`) or another ending count by their article alone. An article that is
one word with its noun (`l'avvocata`) is parted from it at the apostrophe.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

MALE, FEMALE, UNKNOWN = "male", "female", "unknown"
Language = Literal["es", "fr", "it"]
# After an apostrophe a new word begins: `un'` is feminine in Italian.
PART = re.compile(r"[^'’]+['’]?")


class Forms(NamedTuple):
    """What shows a gender in a language."""

    male: frozenset[str]
    """Articles and demonstratives."""
    female: frozenset[str]
    endings: tuple[tuple[str, str], ...]
    """The first one that fits counts."""

    def article(self, form: str) -> str | None:
        """The gender of an article, None for another word."""
        return MALE if form in self.male else FEMALE if form in self.female else None

    def gender(self, form: str) -> str:
        """The gender of a word in lower case."""
        ending = next((gender for ending, gender in self.endings if form.endswith(ending)), UNKNOWN)
        return self.article(form) or ending


def _forms(male: str, female: str, *endings: tuple[str, str]) -> Forms:
    found = tuple((ending, gender) for text, gender in endings for ending in text.split())
    return Forms(frozenset(male.split()), frozenset(female.split()), found)


FORMS: dict[str, Forms] = {
    "es": _forms(
        "el un al del lo los unos este ese aquel",
        "la una las unas esta esa aquella",
        *(("ista", UNKNOWN), ("ora triz a", FEMALE), ("or o ón", MALE)),
    ),
    "fr": _forms(
        "le un au du ce cet",
        "la une cette",
        *(("euse trice esse ière ère ienne enne ée ate ante ente onne", FEMALE), ("aire iste", UNKNOWN)),
        *(("eur ier er ien en é at ant ent on", MALE),),
    ),
    "it": _forms(
        "il lo un uno i gli al allo del dello dal dallo sul sullo questo quel quello",
        "la una un' le alla della dalla sulla questa quella",
        *(("ista", UNKNOWN), ("trice essa a", FEMALE), ("tore iere o", MALE)),
    ),
}


def gender_of(words: Sequence[str], language: str) -> str:
    """The gender of most words; of as many of both, that of the first article, and unknown without one."""
    own = FORMS[language]
    bare = (word.lower().strip(string.punctuation + "¿¡«»“”") for word in words)
    forms = [part for word in bare for part in PART.findall(word)]
    found = [gender for form in forms if (gender := own.gender(form)) != UNKNOWN]
    counts = Counter(found)
    if counts[MALE] != counts[FEMALE]:
        return MALE if counts[MALE] > counts[FEMALE] else FEMALE
    return next((article for form in forms if (article := own.article(form))), UNKNOWN)


def entity_words(target: Sequence[str], place: int, alignment: Iterable[tuple[int, int]]) -> list[str]:
    """The translations of the noun at a place of the source, and of the article before it."""
    return [target[there] for here, there in alignment if here in (place - 1, place)]


def measures(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Accuracy over all, and F1 of either gender, in per cent; `pairs`: true and found gender.

    As in WinoMT's code F1 is of precision and recall that are rounded to one decimal; 0 where there is none.
    """
    found = {"accuracy": 100 * sum(one == two for one, two in pairs) / len(pairs)}
    for gender in (FEMALE, MALE):
        right = sum(one == two == gender for one, two in pairs)
        shares = [
            round(100 * right / total, 1) if (total := sum(pair[side] == gender for pair in pairs)) else 0.0
            for side in (1, 0)
        ]
        found[f"f1_{gender}"] = 2 * shares[0] * shares[1] / sum(shares) if right else 0.0
    return found
