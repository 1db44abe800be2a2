"""The course of one demo dialogue: its goal, its utterances, and their acts."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workflow_scripts.corpora.demo import dialogue_texts as texts

Row = Mapping[str, Any]
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass
class Exchange:
    """A user's turn, polite and impolite, and the system's, with acts, and the state and bookings after."""

    user: str
    impolite: str
    harshness: int
    user_acts: dict[str, list[list[str]]]
    system: str
    system_acts: dict[str, list[list[str]]]
    # [act, slot, value, start, end], in characters.
    spans: list[list[Any]]
    requested: list[str]
    active: str
    state: dict[str, dict[str, str]] = field(default_factory=dict)
    booked: dict[str, str] = field(default_factory=dict)


@dataclass
class Course:
    """A dialogue with its goal, in MultiWOZ's layout."""

    goal: dict[str, Any]
    exchanges: list[Exchange]


def course(chance: random.Random, rows: Mapping[str, Sequence[Row]], domains: Sequence[str]) -> Course:
    """A dialogue about some domains in order, in which the system meets all of its user's requests."""
    state: dict[str, dict[str, str]] = {}
    booked: dict[str, str] = {}
    goal: dict[str, Any] = {}
    exchanges: list[Exchange] = []
    for domain in domains:
        for exchange in _visit(chance, rows[domain], domain, goal, state, booked):
            exchange.state = {name: dict(slots) for name, slots in state.items()}
            exchange.booked = dict(booked)
            exchanges.append(exchange)
    last = _exchange(chance, "end", "", domains[-1], {}, "bye", {}, [])
    last.state, last.booked = exchanges[-1].state, exchanges[-1].booked
    return Course(goal, [*exchanges, last])


def _visit(
    chance: random.Random,
    rows: Sequence[Row],
    domain: str,
    goal: dict[str, Any],
    state: dict[str, dict[str, str]],
    booked: dict[str, str],
) -> Any:
    """The exchanges about one domain; iterating over them updates `goal`, `state` and `booked`."""
    row = chance.choice(rows)
    slots = list(texts.SLOTS[domain])
    if domain != "train":
        slots = chance.sample(slots, chance.choice((2, 3)))
    info = {slot: row["leaveAt" if slot == "leaveat" else slot] for slot in slots}
    wanted = [] if domain == "train" else chance.sample(texts.REQUESTS[domain], chance.choice((0, 1, 2)))
    to_book = not wanted or chance.random() < 0.6
    goal[domain] = {
        "info": {("leaveAt" if s == "leaveat" else s): v for s, v in info.items()},
        "fail_info": {},
    }
    if wanted:
        goal[domain]["reqt"] = wanted
    first = slots[: max(1, len(slots) - chance.choice((1, 2)))]
    rest = slots[len(first) :]
    state[domain] = {slot: info[slot] for slot in first}
    told = {slot: info[slot] for slot in first}
    wish = " ".join([_one(chance, domain, ""), *(_one(chance, domain, slot) for slot in first)])
    asked = {"pricerange": "price range", "leaveat": "time"}.get(rest[0], rest[0])
    count = sum(all(_fits(other, slot, text) for slot, text in told.items()) for other in rows)
    acts = {
        f"{domain.title()}-Inform": [["choice", str(count)]],
        f"{domain.title()}-Request": [[rest[0], "?"]],
    }
    yield _exchange(chance, "find", wish, domain, told, "narrow", acts, [], asked=asked)
    state[domain] = {**state[domain], **{slot: info[slot] for slot in rest}}
    more = {slot: info[slot] for slot in rest}
    wish = " and ".join(_one(chance, domain, slot) for slot in rest)
    if domain == "train":
        offer = [["trainid", row["trainID"]], ["leaveat", row["leaveAt"]], ["arriveby", row["arriveBy"]]]
        yield _exchange(chance, "more", wish, domain, more, "train", {"Train-OfferBook": offer}, [])
    else:
        offer = [["name", row["name"]], ["area", row["area"]]]
        yield _exchange(
            chance, "more", wish, domain, more, "offer", {f"{domain.title()}-Recommend": offer}, []
        )
    if wanted:
        wish = " and ".join(texts.ASK[slot] for slot in wanted)
        acts = {f"{domain.title()}-Inform": [[slot, row[slot]] for slot in wanted]}
        yield _exchange(chance, "tell", wish, domain, {}, "inform", acts, wanted)
    if to_book:
        choices = {
            "people": str(chance.randint(1, 8)),
            "day": chance.choice(texts.DAYS),
            "time": f"{chance.randint(11, 20)}:{chance.choice(('00', '15', '30', '45'))}",
            "stay": str(chance.randint(1, 5)),
        }
        book = {slot: choices[slot] for slot in texts.BOOKING[domain]}
        goal[domain]["book"] = book
        state[domain] = {**state[domain], **{f"book{slot}": text for slot, text in book.items()}}
        booked[domain] = "".join(chance.choice(LETTERS) for _ in range(8))
        act = "Train-OfferBooked" if domain == "train" else "Booking-Book"
        wish = chance.choice(texts.BOOK[domain])
        told = {f"book{slot}": text for slot, text in book.items()}
        yield _exchange(chance, "do", wish, domain, told, "booked", {act: [["ref", booked[domain]]]}, ["ref"])


def _one(chance: random.Random, domain: str, slot: str) -> str:
    return chance.choice(texts.WANTS[domain, slot])


def _fits(row: Row, slot: str, text: str) -> bool:
    return row["leaveAt"] >= text if slot == "leaveat" else row[slot] == text


def _exchange(
    chance: random.Random,
    manner: str,
    wish: str,
    domain: str,
    told: dict[str, str],
    answer: str,
    acts: dict[str, list[list[str]]],
    requested: list[str],
    asked: str = "",
) -> Exchange:
    """An exchange in which the user expresses `wish` in a `manner` and gets an `answer`."""
    request = wish.format(**{slot.removeprefix("book"): text for slot, text in told.items()})
    rude, harshness = chance.choice(texts.IMPOLITE[manner])
    user_act = {f"{domain.title()}-Inform": [list(pair) for pair in told.items()]} if told else {}
    if requested and answer == "inform":
        user_act = {f"{domain.title()}-Request": [[slot, "?"] for slot in requested]}
    template = chance.choice(texts.ANSWERS[answer]).replace("{asked}", asked)
    if answer == "inform":
        values = " and ".join(f"{texts.ASK[slot]} is {{{slot}}}" for slot in requested)
        template = template.replace("It is {value}", "{value}").replace("{value}", values)
    text, spans = _filled(template[:1].upper() + template[1:], acts)
    return Exchange(
        _sentence(chance.choice(texts.POLITE[manner]).format(wish=request)),
        _sentence(rude.format(wish=request)),
        harshness,
        user_act,
        text,
        acts or {"general-bye": []},
        spans,
        [f"{domain}-{slot}" for slot in requested],
        domain,
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _filled(template: str, acts: Mapping[str, list[list[str]]]) -> tuple[str, list[list[Any]]]:
    """A text with the values of acts filled in, and their spans."""
    values = {slot: (act, value) for act, pairs in acts.items() for slot, value in pairs}
    text, spans = "", []
    for part in re.split(r"(\{\w+\})", template):
        if part[:1] == "{":
            act, value = values[part[1:-1]]
            spans.append([act, part[1:-1], value, len(text), len(text) + len(value)])
            part = value
        text += part
    return text, spans
