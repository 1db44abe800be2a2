"""Values as the words of a command, as params of a rule, and as patterns of its wildcards."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workflow_scripts.config.values import Section


def words(values: Mapping[str, Any]) -> list[str]:
    """Values by name as the words of a command, unquoted: `{params.x:q}` in the command quotes them.

    A text or number becomes `--name=value`, so that it may begin with a dash; a list becomes the words after
    its option; a mapping or a section becomes JSON; true becomes an option alone; false and none are omitted.
    """
    found: list[str] = []
    for name, value in values.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, Section):
            value = value.model_dump()
        if value is True:
            found.append(option)
        elif isinstance(value, dict):
            found.append(f"{option}={json.dumps(value)}")
        elif isinstance(value, str | int | float) and value is not False:
            found.append(f"{option}={value}")
        elif value is not None and value is not False:
            found += [option, *map(str, value)]
    return found


def as_options(values: Mapping[str, Any]) -> Callable[[Any], list[str]]:
    """The same as a param: a function, since Snakemake takes braces in plain text for wildcards."""
    found = words(values)
    return lambda wildcards: found


def options(section: Mapping[str, Any], *keys: str) -> Callable[[Any], list[str]]:
    """Some settings of a section as a param."""
    return as_options({key: section[key] for key in keys})


def untracked(value: Any) -> Callable[[Any, Any], Any]:
    """A param whose change reruns nothing because it does not affect the result: a path, a limit, a device.

    Snakemake compares the params of a finished job with the current ones, but ignores results of functions of
    `input` returns, because it compares input itself. `value` may be a function of wildcards.
    """
    return lambda wildcards, input: value(wildcards) if callable(value) else value


def one_of(names: Iterable[str]) -> str:
    """A pattern for a wildcard that is one of some names; without names it matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"
