"""A small database and dialogues about it, in which every case can be checked by hand."""

import json
from pathlib import Path
from typing import Any

from workflow_scripts.multiwoz.data import Dialogue, Goal, Turn
from workflow_scripts.multiwoz.database import Database, load_database

# Two Italian places in the centre, one of them cheap; an Indian one in the north.
RESTAURANTS = [
    {"id": "1", "name": "The Old Oven", "area": "centre", "food": "italian", "pricerange": "cheap"},
    {"id": "2", "name": "plum & pepper", "area": "centre", "food": "italian", "pricerange": "?"},
    {"id": "3", "name": "kettle", "area": "north", "food": "indian and nepalese", "pricerange": "cheap"},
]
TRAINS = [
    {"trainID": f"TR{n}", "departure": "otterby", "destination": "king's vale", "day": "monday", **times}
    for n, times in enumerate(
        (
            {"leaveAt": "08:00", "arriveBy": "09:00"},
            {"leaveAt": "10:00", "arriveBy": "11:00"},
            {"leaveAt": "23:50", "arriveBy": "24:20"},
        )
    )
]


def database(folder: Path) -> Database:
    """The database as the reader reads it."""
    for domain, rows in (("restaurant", RESTAURANTS), ("train", TRAINS)):
        (folder / f"{domain}_db.json").write_text(json.dumps(rows), encoding="utf-8")
    return load_database(*sorted(folder.glob("*_db.json")))


def turn(system: str = "", state: Any = None, booked: tuple[str, ...] = ()) -> Turn:
    """A turn of the test set."""
    return Turn("u", system, state or {}, frozenset(booked), (), ())


def dialogue(goal: dict[str, tuple[dict[str, str], tuple[str, ...]]], *turns: Turn) -> Dialogue:
    """A dialogue of the test set."""
    goals = {domain: Goal(*parts) for domain, parts in goal.items()}
    return Dialogue("d1", tuple(goal), goals, turns)
