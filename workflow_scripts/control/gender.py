"""The gender that a translation gives to a person: by articles, and by the endings of nouns.

WinoMT gets the gender of each word from a tagger of spaCy; no genuine tagger of these languages is on a
package registry. This module has short lists instead: articles and demonstratives, and endings that have one
gender. Words of either gender (`artista`) or another ending count by their article alone. An article that is
one word with its noun (`l'avvocata`) is split off at the apostrophe.
"""

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
    """The words and endings that show a gender in a language."""

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


def gender_of(words: Sequence[str], language: str, beside: Sequence[str] = ()) -> str:
    """The gender of most words; of as many of both, that of the first article, and unknown without one.

    `words` are the translations of a noun, `beside` those of the English article before it. Of the latter
    only articles count: fast_align often puts a verb there, whose ending would look like a gender (`ha`).
    """
    own = FORMS[language]
    articles = [article for form in _forms_of(beside) if (article := own.article(form))]
    forms = _forms_of(words)
    counts = Counter([*articles, *map(own.gender, forms)])
    if counts[MALE] != counts[FEMALE]:
        return MALE if counts[MALE] > counts[FEMALE] else FEMALE
    articles += [article for form in forms if (article := own.article(form))]
    return articles[0] if articles else UNKNOWN


def _forms_of(words: Iterable[str]) -> list[str]:
    """In lower case, without punctuation, parted at apostrophes."""
    bare = (word.lower().strip(string.punctuation + "¿¡«»“”") for word in words)
    return [part for word in bare for part in PART.findall(word)]


def entity_words(
    target: Sequence[str], place: int, alignment: Iterable[tuple[int, int]]
) -> tuple[list[str], list[str]]:
    """The translations of the noun at a source position, and of the article before it."""
    pairs = list(alignment)
    noun, article = ([target[there] for here, there in pairs if here == one] for one in (place, place - 1))
    return noun, article


def measures(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Accuracy over all, and F1 of either gender, in per cent; `pairs`: true and found gender.

    As in WinoMT's code, F1 is computed from precision and recall rounded to one decimal; 0 if undefined.
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
