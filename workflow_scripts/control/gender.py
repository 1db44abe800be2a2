"""The gender that a Spanish translation gives to a person: by articles, and by the endings of nouns.

WinoMT asks a tagger of spaCy's for the gender of each word; no genuine Spanish one is on a package registry.
What stands here is a short list: the forms of articles and demonstratives, and endings that have one gender.
Words of either gender (`artista`) or another ending count by their article alone.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Sequence

MALE, FEMALE, UNKNOWN = "male", "female", "unknown"
ARTICLES = {
    **dict.fromkeys(("el", "un", "al", "del", "lo", "los", "unos", "este", "ese", "aquel"), MALE),
    **dict.fromkeys(("la", "una", "las", "unas", "esta", "esa", "aquella"), FEMALE),
}
# The first one that fits; nothing is said of the ending `ista`.
ENDINGS = (
    ("ista", UNKNOWN),
    ("ora", FEMALE),
    ("triz", FEMALE),
    ("a", FEMALE),
    ("or", MALE),
    ("o", MALE),
    ("ón", MALE),
)


def gender_of(words: Sequence[str]) -> str:
    """The gender of most words; of as many of both, that of the first article, and unknown without one."""
    forms = [word.lower().strip(string.punctuation + "¿¡") for word in words]
    found = [gender for form in forms if (gender := _gender(form)) != UNKNOWN]
    counts = Counter(found)
    if counts[MALE] != counts[FEMALE]:
        return MALE if counts[MALE] > counts[FEMALE] else FEMALE
    return next((ARTICLES[form] for form in forms if form in ARTICLES), UNKNOWN)


def _gender(form: str) -> str:
    if form in ARTICLES:
        return ARTICLES[form]
    return next((gender for ending, gender in ENDINGS if form.endswith(ending)), UNKNOWN)


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
