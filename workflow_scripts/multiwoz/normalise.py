"""Responses and values of states in one spelling, so that differences in notation do not count."""

import re
from collections.abc import Iterable, Mapping

from workflow_scripts.multiwoz.schema import DONTCARE, placeholder_of, slot_of
from workflow_scripts.text.moses import detokenise, tokenise

BRACKETS = re.compile(r"\[([^\[\]]*)\](?:-?e?s\b)?")
ENDINGS = re.compile(r"(?<!\w)-(?:s|ly)\b")
CLOCK = re.compile(r"(?:after|before|around|at|by)?\s*(\d{1,2})[:.]?(\d{2})?\s*(am|pm|a\.m\.|p\.m\.)?")
# Annotators' spellings of names that contain a number.
NAMES = {"restaurant 2 two": "restaurant two two", "restaurant 1 7": "restaurant one seven"}
NO_MATTER = frozenset(
    ("dontcare", "dont care", "don't care", "do n't care", "do not care", "does not care", "doesn't care")
)
TYPES = {
    "guest house": "guesthouse",
    "swimming pool": "swimmingpool",
    "night club": "nightclub",
    "concert hall": "concerthall",
    "mutliple sports": "multiple sports",
    "sports": "multiple sports",
    "churches": "church",
}
AREAS = {"center": "centre", "city centre": "centre", "city center": "centre"}
FOODS = {"mediteranean": "mediterranean", "portugese": "portuguese", "barbecue": "barbeque"}
YES = {"free": "yes"}
# Placeholders that the metric does not distinguish.
AS_ONE = {
    **{name: "TIME" for name in ("ARRIVE", "LEAVE", "DURATION")},
    **{name: "PLACE" for name in ("DEPARTURE", "DESTINATION")},
    **{name: "PRICE" for name in ("FEE", "PRICERANGE")},
    **{name: "COUNT" for name in ("CHOICE", "PEOPLE", "STARS", "STAY")},
    "CAR": "TYPE",
}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def responses(texts: Iterable[str]) -> list[str]:
    """Delexicalised responses, normalised for comparison.

    They are lower-cased; a placeholder gets its standard name in capitals (a single name for all times,
    places, prices and counts, see `AS_ONE`) without a plural ending after it, and an unknown placeholder is
    removed; isolated `-s` and `-ly` are removed; Moses' tokens are joined again.
    """
    plain = [ENDINGS.sub("", BRACKETS.sub(_named, text.lower())) for text in texts]
    # Many responses are equal, and tokenising takes most of the time.
    once = list(dict.fromkeys(plain))
    joined = dict(zip(once, detokenise(tokenise(once, "en"), "en"), strict=True))
    return [joined[text] for text in plain]


def _named(match: re.Match[str]) -> str:
    name = placeholder_of(match[1])
    return AS_ONE.get(name, name)


def state(slots: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """A state, or the informable slots of a goal, in one spelling; empty values and domains are left out."""
    domains: dict[str, dict[str, str]] = {}
    for domain, values in slots.items():
        filled = {slot_of(slot): value(slot_of(slot), text) for slot, text in values.items() if text.strip()}
        if filled:
            domains[domain.lower()] = filled
    return domains


def value(slot: str, text: str) -> str:
    """A value of a slot in one spelling; `slot` is a name returned by `slot_of`."""
    plain = " ".join(text.lower().replace(" '", "'").split())
    if plain in NO_MATTER:
        return DONTCARE
    if slot in ("arrive", "leave", "time", "booktime"):
        return time(plain)
    if slot == "type":
        plain = TYPES.get(plain, plain)
        single = plain.removesuffix("s")
        return TYPES.get(single, single if not plain.endswith(("ss", "sports")) else plain)
    if slot == "area":
        return AREAS.get(plain, plain)
    if slot == "food":
        return FOODS.get(plain, plain).removesuffix(" food")
    if slot in ("parking", "internet"):
        return YES.get(plain, plain)
    if slot == "stars":
        first = plain.split()[0].split("-")[0] if plain else plain
        return str(NUMBERS.index(first)) if first in NUMBERS else first
    if slot == "name":
        plain = plain.removeprefix("the ").replace("&", "and").replace(" - ", "-")
        return NAMES.get(plain, plain.replace("bed and breakfast", "b and b"))
    return plain


def time(text: str) -> str:
    """A time of day as `hh:mm`; any other text is returned unchanged.

    >>> time("after 5:45 pm")
    '17:45'
    """
    text = re.sub(r"\s*[:,.]\s*(?=\d\d)", ":", text)
    if text == "noon":
        return "12:00"
    if not (match := CLOCK.fullmatch(text)):
        return text
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3] and match[3][0] == "p" and hour < 12:
        hour += 12
    if match[3] and match[3][0] == "a" and hour == 12:
        hour = 0
    return f"{hour:02d}:{minute:02d}"


def minutes(text: str) -> int:
    """Minutes since midnight of `hh:mm`; 0 for any other text."""
    match = re.fullmatch(r"(\d{1,2}):(\d{2})", text)
    return int(match[1]) * 60 + int(match[2]) if match else 0
