"""Rows that are like another row: they take its settings and change some."""

import copy
from collections.abc import Mapping
from typing import Any

from workflow_scripts.config.secrets import masked
from workflow_scripts.core.errors import InputError, nearest

# The mappings whose values are rows of tables.
PLACES = (
    ("systems",),
    *((section, "systems") for section in ("control", "dialogue", "style")),
    *(("politeness", kind) for kind in ("classifiers", "released", "prompted", "outputs")),
)
LIKE = "like"


def resolved(config: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration whose rows are complete: the settings of the row that `like` names, and their own.

    A section in a row is merged like an overlay; a label is never inherited. Raises InputError for an unknown
    name, and for a row that leads back to itself.
    """
    return _within(config, PLACES, "")


def _within(section: Mapping[str, Any], places: tuple[tuple[str, ...], ...], before: str) -> dict[str, Any]:
    found = dict(section)
    for name in dict.fromkeys(place[0] for place in places):
        deeper = tuple(place[1:] for place in places if place[0] == name and place[1:])
        inner = found.get(name)
        if isinstance(inner, Mapping):
            at = f"{before}{name}"
            found[name] = _within(inner, deeper, f"{at}.") if deeper else _rows(inner, at)
    return found


def _rows(rows: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The rows of one mapping."""
    return {name: _whole(rows, name, place) for name in rows}


def _whole(rows: Mapping[str, Any], name: str, place: str) -> Any:
    chain, row = [name], rows[name]
    while isinstance(row, Mapping) and LIKE in row:
        where, other = masked(f"configuration: {place}.{chain[-1]}.{LIKE}"), row[LIKE]
        if not isinstance(other, str):
            raise InputError(f"{where}: give the name of another row")
        if other not in rows:
            known = [str(one) for one in rows if one != chain[-1]]
            raise InputError(f"{where}: no '{masked(other)}' there; {nearest(other, known)}")
        if other in chain:
            raise InputError(f"{where}: '{other}' is, in the end, like itself")
        chain.append(other)
        row = rows[other]
    if len(chain) == 1 or not isinstance(row, Mapping):
        return row
    found = {key: value for key, value in row.items() if key != "label"}
    for nearer in reversed(chain[:-1]):
        own = {key: value for key, value in rows[nearer].items() if key != LIKE}
        if nearer != name:
            own.pop("label", None)
        found = _merged(found, own)
    return found


def _merged(section: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(dict(section))
    for key, value in own.items():
        inner = found.get(key)
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = _merged(inner, value)
        found[key] = value
    return found
