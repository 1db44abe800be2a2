"""What is wrong with the kind of a row."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from workflow_scripts.config.files import LOADER
from workflow_scripts.core.errors import nearest

CHECKOUT = Path(__file__).parents[2]


def kind_problem(place: str, row: Any, kinds: Collection[str]) -> str:
    """The problem with a row whose kind is unknown or missing.

    A row that only changes the row of another overlay has no kind, so that overlay is named.

    :param place: the row's place in the configuration, such as `control.systems.none`
    :param row: its settings
    :param kinds: the kinds of rows at this place
    """
    if not isinstance(row, Mapping) or "kind" in row:
        kind = str(row["kind"]) if isinstance(row, Mapping) else ""
        return f"'{place}.kind' is '{kind}'; {nearest(kind, kinds)}"
    if whole := " or ".join(_overlays_with(place)):
        return f"key '{place}.kind' is missing; {whole} has the whole row: give that overlay before this one"
    return f"key '{place}.kind' is missing; {nearest('', kinds)}"


def _overlays_with(place: str) -> Iterator[str]:
    """The checkout's overlays in which the row has a kind."""
    for path in sorted((CHECKOUT / "config").glob("*.yaml")):
        try:
            found = yaml.load(path.read_text(encoding="utf-8"), LOADER)
        except (yaml.YAMLError, UnicodeDecodeError):
            # One's own file, of which this message is not.
            continue
        for name in place.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and "kind" in found:
            yield path.relative_to(CHECKOUT).as_posix()
