"""Command: dialogues of the demo world in MultiWOZ 2.2's official layout, and impolite rewrites."""

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
    """Write dialogues about restaurants, hotels and trains (one or two domains each), and impolite rewrites.

    Venues, trains, goals and wordings are drawn at random, so that the right response can only be known from
    the user's words and the database. The system meets every request: the corpus's own responses have Inform
    and Success 100. The folder has `data/MultiWOZ_2.2` (schema.json, dialog_acts.json, a folder for each
    fold), `data.json` with goals and bookings in the layout of 2.1, and `db`. All test dialogues are
    rewritten, and every second dialogue of the other folds; two simulated raters differ at random from the
    intended impoliteness of a wording.

    :param out: folder to make
    :param impolite: JSON lines to write, as `corpora.impolite` describes them
    :param dialogues_train: number of training dialogues
    :param dialogues_dev: number of validation dialogues
    :param dialogues_test: number of test dialogues
    """
    chance = random.Random(f"dialogues {seed}")
    rows = databases(chance)
    sizes = dict(zip(FOLDS, (dialogues_train, dialogues_dev, dialogues_test), strict=True))
    courses_of: dict[str, dict[str, Course]] = {fold: {} for fold in FOLDS}
    number = 0
    for fold, size in sizes.items():
        for _ in range(size):
            number += 1
            domains = chance.sample(DOMAINS, chance.choice((1, 1, 2)))
            name = f"{'SNG' if len(domains) == 1 else 'MUL'}{number:04d}.json"
            courses_of[fold][name] = course(chance, rows, domains)
    all_courses = {name: dialogue for courses in courses_of.values() for name, dialogue in courses.items()}
    with writing_folder(out) as folder:
        new = folder / "data/MultiWOZ_2.2"
        _write(new / "schema.json", schema())
        _write(new / "dialog_acts.json", {name: _acts(dialogue) for name, dialogue in all_courses.items()})
        for fold, courses in courses_of.items():
            _write(new / fold / "dialogues_001.json", [_new(name, item) for name, item in courses.items()])
        _write(folder / "data.json", {name: _old(dialogue) for name, dialogue in all_courses.items()})
        for domain, entries in rows.items():
            _write(folder / f"db/{domain}_db.json", entries)
    chosen = {
        name: dialogue
        for fold, courses in courses_of.items()
        for at, (name, dialogue) in enumerate(courses.items())
        if fold == "test" or at % 2 == 0
    }
    write_lines(
        impolite, (json.dumps(_rewritten(chance, name, dialogue)) for name, dialogue in chosen.items())
    )


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


def _new(name: str, dialogue: Course) -> dict[str, Any]:
    """A dialogue in the layout of MultiWOZ 2.2."""
    turns: list[dict[str, Any]] = []
    for exchange in dialogue.exchanges:
        frames = [_frame(exchange, domain) for domain in DOMAINS]
        for speaker, text, content in (("USER", exchange.user, frames), ("SYSTEM", exchange.system, [])):
            turns.append(
                {"frames": content, "speaker": speaker, "turn_id": str(len(turns)), "utterance": text}
            )
    return {"dialogue_id": name, "services": sorted(dialogue.goal), "turns": turns}


def _frame(exchange: Exchange, domain: str) -> dict[str, Any]:
    slots = {f"{domain}-{slot}": [text] for slot, text in exchange.state.get(domain, {}).items()}
    book = any(slot.startswith(f"{domain}-book") for slot in slots)
    intent = f"{'book' if book else 'find'}_{domain}" if exchange.active == domain else "NONE"
    asked = [slot for slot in exchange.requested if slot.startswith(f"{domain}-")]
    state = {"active_intent": intent, "requested_slots": asked, "slot_values": slots}
    return {"actions": [], "service": domain, "slots": [], "state": state}


def _acts(dialogue: Course) -> dict[str, Any]:
    """The entry of a dialogue in dialog_acts.json."""
    acts: dict[str, Any] = {}
    for at, exchange in enumerate(dialogue.exchanges):
        acts[str(2 * at)] = {"dialog_act": exchange.user_acts, "span_info": []}
        acts[str(2 * at + 1)] = {"dialog_act": exchange.system_acts, "span_info": exchange.spans}
    return acts


def _old(dialogue: Course) -> dict[str, Any]:
    """A dialogue in the layout of MultiWOZ 2.1."""
    log: list[dict[str, Any]] = []
    for exchange in dialogue.exchanges:
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
    return {"goal": {**dialogue.goal, "message": []}, "log": log}


def _rewritten(chance: random.Random, name: str, dialogue: Course) -> dict[str, Any]:
    """A line of the impolite corpus."""
    turns = []
    for at, exchange in enumerate(dialogue.exchanges):
        scores = {
            "politeness": list(_near(chance, exchange.harshness)),
            "content": list(_near(chance, 5)),
            "fluency": list(_near(chance, 5)),
        }
        turns.append({"turn_id": str(2 * at), "impolite": exchange.impolite, **scores})
    return {"dialogue_id": name, "scenario": chance.randint(1, 6), "turns": turns}


def _near(chance: random.Random, intended: int) -> Iterator[int]:
    """Each rater's score, 1 to 5: the intended one, or one more or less."""
    for _ in range(RATERS):
        yield min(5, max(1, intended + chance.choice((-1, 0, 0, 0, 1))))


def _write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(make_dialogues)
