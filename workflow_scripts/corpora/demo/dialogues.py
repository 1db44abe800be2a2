"""Command: dialogues of the demo world in MultiWOZ 2.2's official layout, and impolite rewrites."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora.demo import dialogue_texts as texts
from workflow_scripts.corpora.demo.dialogue_acts import Course, Exchange, course

DOMAINS = ("restaurant", "hotel", "train")
FOLDS = ("train", "dev", "test")
RATERS = 2


def make_dialogues(
    out: Path, impolite: Path, *, seed: int, dialogues_train: int, dialogues_dev: int, dialogues_test: int
) -> None:
    """Write a corpus of dialogues about one or two of restaurants, hotels and trains, and impolite rewrites.

    Venues, trains, goals and wordings are drawn at random, so that what is right to say can only be known
    from what the user has said and what the database has. The system does all that is wanted: the corpus's
    own responses have Inform and Success 100. The folder has `data/MultiWOZ_2.2` (schema.json,
    dialog_acts.json, a folder for each fold), `data.json` with goals and bookings in the layout of 2.1, and
    `db`. Rewritten are all test dialogues, and every second one of the other folds; two simulated raters
    differ by chance from how impolite the wording is meant.

    :param out: folder to make
    :param impolite: JSON lines to write, as `corpora.impolite` describes them
    :param seed: of all choices
    :param dialogues_train: number of dialogues to train on
    :param dialogues_dev: number of dialogues for validation
    :param dialogues_test: number of dialogues to test on
    """
    chance = random.Random(f"dialogues {seed}")
    rows = databases(chance)
    sizes = dict(zip(FOLDS, (dialogues_train, dialogues_dev, dialogues_test), strict=True))
    found: dict[str, dict[str, Course]] = {fold: {} for fold in FOLDS}
    number = 0
    for fold, size in sizes.items():
        for _ in range(size):
            number += 1
            domains = chance.sample(DOMAINS, chance.choice((1, 1, 2)))
            name = f"{'SNG' if len(domains) == 1 else 'MUL'}{number:04d}.json"
            found[fold][name] = course(chance, rows, domains)
    everything = {name: one for courses in found.values() for name, one in courses.items()}
    with writing_folder(out) as folder:
        new = folder / "data/MultiWOZ_2.2"
        _write(new / "schema.json", schema())
        _write(new / "dialog_acts.json", {name: _acts(one) for name, one in everything.items()})
        for fold, courses in found.items():
            _write(new / fold / "dialogues_001.json", [_new(name, one) for name, one in courses.items()])
        _write(folder / "data.json", {name: _old(one) for name, one in everything.items()})
        for domain, listed in rows.items():
            _write(folder / f"db/{domain}_db.json", listed)
    chosen = {
        name: one
        for fold, courses in found.items()
        for at, (name, one) in enumerate(courses.items())
        if fold == "test" or at % 2 == 0
    }
    write_lines(impolite, (json.dumps(_rewritten(chance, name, one)) for name, one in chosen.items()))


def databases(chance: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Restaurants, hotels and trains; no two venues share a name, a phone number or an address."""
    rows: dict[str, list[dict[str, Any]]] = {domain: [] for domain in DOMAINS}
    for domain, endings, count in (
        ("restaurant", texts.RESTAURANT_ENDINGS, 60),
        ("hotel", texts.HOTEL_ENDINGS, 30),
    ):
        names = [f"{first} {last}" for first in texts.NAME_BEGINNINGS for last in endings]
        for number, name in enumerate(chance.sample(names, count)):
            letters = f"{chr(97 + number % 26)}{domain[0]}"
            row = {
                "id": str(number),
                "name": name,
                "address": f"{2 * number + (domain == 'hotel') + 1} {chance.choice(texts.STREETS)}",
                "area": chance.choice(texts.AREAS),
                "phone": f"0{('7' if domain == 'hotel' else '5')}{chance.randrange(10**6):06d}{number:03d}",
                "postcode": f"ot{chance.randint(1, 9)}{chance.randint(1, 9)}{letters}",
                "pricerange": chance.choice(texts.PRICES),
            }
            if domain == "restaurant":
                row |= {"food": chance.choice(texts.FOODS), "type": "restaurant"}
            else:
                row |= {
                    "type": chance.choice(texts.TYPES),
                    "stars": str(chance.randint(2, 5)),
                    "parking": chance.choice(("yes", "no")),
                    "internet": chance.choice(("yes", "no")),
                }
            rows[domain].append(row)
    ends = [(texts.HOME, town) for town in texts.TOWNS] + [(town, texts.HOME) for town in texts.TOWNS]
    for departure, destination in ends:
        minute, takes = chance.randrange(60), chance.randint(20, 59)
        price = f"{chance.randint(5, 30)}.{chance.choice(('10', '50', '80'))} pounds"
        for day in texts.DAYS:
            for hour in range(6, 22, 3):
                begin = hour * 60 + minute
                rows["train"].append(
                    {
                        "trainID": f"TR{len(rows['train']):04d}",
                        "departure": departure,
                        "destination": destination,
                        "day": day,
                        "leaveAt": _clock(begin),
                        "arriveBy": _clock(begin + takes),
                        "duration": f"{takes} minutes",
                        "price": price,
                    }
                )
    return rows


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def schema() -> list[dict[str, Any]]:
    """The services and their slots, as MultiWOZ 2.2 describes them."""
    values = {
        **{"area": texts.AREAS, "pricerange": texts.PRICES, "day": texts.DAYS, "bookday": texts.DAYS},
        **{"type": texts.TYPES, "parking": ("no", "yes"), "stars": ("2", "3", "4", "5")},
    }
    services = []
    for domain in DOMAINS:
        names = [*texts.SLOTS[domain], *(f"book{slot}" for slot in texts.BOOKING[domain])]
        slots = [
            {
                "name": f"{domain}-{name}",
                "description": f"{name} of the {domain}",
                "possible_values": list(values.get(name, ())),
                "is_categorical": name in values,
            }
            for name in names
        ]
        services.append(
            {
                "service_name": domain,
                "description": f"find and book a {domain}",
                "slots": slots,
                "intents": [
                    {
                        "name": f"{act}_{domain}",
                        "description": f"{act} a {domain}",
                        "is_transactional": act == "book",
                        "required_slots": [],
                        "optional_slots": {slot["name"]: "dontcare" for slot in slots},
                    }
                    for act in ("find", "book")
                ],
            }
        )
    return services


def _new(name: str, one: Course) -> dict[str, Any]:
    """A dialogue of 2.2."""
    turns: list[dict[str, Any]] = []
    for exchange in one.exchanges:
        frames = [_frame(exchange, domain) for domain in DOMAINS]
        for speaker, text, content in (("USER", exchange.user, frames), ("SYSTEM", exchange.system, [])):
            turns.append(
                {"frames": content, "speaker": speaker, "turn_id": str(len(turns)), "utterance": text}
            )
    return {"dialogue_id": name, "services": sorted(one.goal), "turns": turns}


def _frame(exchange: Exchange, domain: str) -> dict[str, Any]:
    slots = {f"{domain}-{slot}": [text] for slot, text in exchange.state.get(domain, {}).items()}
    book = any(slot.startswith(f"{domain}-book") for slot in slots)
    intent = f"{'book' if book else 'find'}_{domain}" if exchange.active == domain else "NONE"
    asked = [slot for slot in exchange.requested if slot.startswith(f"{domain}-")]
    state = {"active_intent": intent, "requested_slots": asked, "slot_values": slots}
    return {"actions": [], "service": domain, "slots": [], "state": state}


def _acts(one: Course) -> dict[str, Any]:
    """What dialog_acts.json says of a dialogue."""
    found: dict[str, Any] = {}
    for at, exchange in enumerate(one.exchanges):
        found[str(2 * at)] = {"dialog_act": exchange.user_acts, "span_info": []}
        found[str(2 * at + 1)] = {"dialog_act": exchange.system_acts, "span_info": exchange.spans}
    return found


def _old(one: Course) -> dict[str, Any]:
    """A dialogue of 2.1."""
    log: list[dict[str, Any]] = []
    for exchange in one.exchanges:
        metadata = {}
        for domain in DOMAINS:
            slots = exchange.state.get(domain, {})
            book: dict[str, Any] = {s.removeprefix("book"): v for s, v in slots.items() if s[:4] == "book"}
            ref = exchange.booked.get(domain)
            book["booked"] = [{"reference": ref}] if ref else []
            semi = {("leaveAt" if s == "leaveat" else s): v for s, v in slots.items() if s[:4] != "book"}
            metadata[domain] = {"book": book, "semi": semi}
        log.append({"text": exchange.user, "metadata": {}, "dialog_act": exchange.user_acts, "span_info": []})
        log.append(
            {
                "text": exchange.system,
                "metadata": metadata,
                "dialog_act": exchange.system_acts,
                "span_info": [],
            }
        )
    return {"goal": {**one.goal, "message": []}, "log": log}


def _rewritten(chance: random.Random, name: str, one: Course) -> dict[str, Any]:
    """A line of the impolite corpus."""
    turns = []
    for at, exchange in enumerate(one.exchanges):
        scores = {
            "politeness": list(_near(chance, exchange.harshness)),
            "content": list(_near(chance, 5)),
            "fluency": list(_near(chance, 5)),
        }
        turns.append({"turn_id": str(2 * at), "impolite": exchange.impolite, **scores})
    return {"dialogue_id": name, "scenario": chance.randint(1, 6), "turns": turns}


def _near(chance: random.Random, meant: int) -> Iterator[int]:
    """What each rater gives, 1 to 5: what is meant, or one more or less."""
    for _ in range(RATERS):
        yield min(5, max(1, meant + chance.choice((-1, 0, 0, 0, 1))))


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(make_dialogues)
