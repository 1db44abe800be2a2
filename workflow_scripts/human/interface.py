"""The texts of the page for raters: English ones, and a file for another language."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines
from workflow_scripts.human.scales import Task

# The placeholders of a text.
NAME = re.compile(r"\{(\w+)\}")


def english(path: Path) -> dict[str, str]:
    """The texts around the items, by key; InputError for a file with other content."""
    return _texts(_read(path), path)


def translated(path: Path, reference: dict[str, str], tasks: Iterable[Task]) -> dict[str, Any]:
    """The same in another language, and under `tasks` the title, question and labels of each task.

    Labels are parallel to those of the task. Raises InputError, with the key, for a missing or unusable text,
    for other placeholders than in English, and for another number of labels.
    """
    found = _read(path)
    translations = found.pop("tasks", None)
    texts: dict[str, Any] = dict(_texts(found, path))
    _same(texts, reference, path, "")
    for key, text in texts.items():
        if set(NAME.findall(text)) != set(NAME.findall(reference[key])):
            names = ", ".join(NAME.findall(reference[key])) or "nothing"
            raise InputError(f"'{key}' has to be filled in with {names}", path=path)
    known = {task.name: task for task in tasks}
    if not isinstance(translations, dict):
        raise InputError("no key 'tasks'", path=path)
    _same(translations, known, path, "tasks.")
    texts["tasks"] = {
        name: _task(translations[name], task, path, f"tasks.{name}") for name, task in known.items()
    }
    return texts


def _task(given: Any, task: Task, path: Path, place: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise InputError(f"'{place}' has no title, question and labels", path=path)
    _same(given, ("title", "question", "labels"), path, f"{place}.")
    labels = given["labels"]
    _texts({f"{place}.{key}": given[key] for key in ("title", "question")}, path)
    if not isinstance(labels, list) or not all(isinstance(label, str) and label.strip() for label in labels):
        raise InputError(f"'{place}.labels' is not a list of texts", path=path)
    # Between two labels of a scale, values may have none.
    named = [place for place, label in enumerate(task.labels) if label]
    if len(labels) != len(named):
        raise InputError(f"'{place}.labels' has {len(labels)} texts, the scale has {len(named)}", path=path)
    beside = dict(zip(named, labels, strict=True))
    return {**given, "labels": [beside.get(place, "") for place in range(len(task.labels))]}


def _same(given: Iterable[str], wanted: Iterable[str], path: Path, place: str) -> None:
    """InputError with the first missing or unknown key."""
    for key in wanted:
        if key not in given:
            raise InputError(f"no key '{place}{key}'", path=path)
    for key in given:
        if key not in wanted:
            raise InputError(f"unknown key '{place}{key}'", path=path)


def _texts(found: dict[str, Any], path: Path) -> dict[str, str]:
    for key, text in found.items():
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"'{key}' is no text", path=path, fix="put it between quotes")
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load("\n".join(lines(path)))
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"no YAML: {' '.join(str(error).split())}", path=path) from None
    if not isinstance(found, dict):
        raise InputError("no keys with texts", path=path)
    return found


def duration(seconds: int) -> str:
    """Seconds as hours and minutes, in full minutes: `2 h 5 min`, the same in all languages of the page."""
    minutes = max(1, -(-seconds // 60))
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * (hours > 0) + [f"{rest} min"] * (rest > 0))
