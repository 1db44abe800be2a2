"""Ratings joined with the key: numbers per system and sentence."""

from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.human.scales import LETTERS, RANKING
from workflow_scripts.human.sheets import Entry, Rating

# task -> system -> sentence -> the numbers that its raters gave
Judgments = dict[str, dict[str, dict[int, list[float]]]]


def places(value: str) -> dict[str, int]:
    """The rank of each letter in a ranking, 1 for the best."""
    return {letter: place for place, letter in enumerate(value, 1)}


def judgments(ratings: Sequence[Rating], key: Sequence[Entry], path: Path | None = None) -> Judgments:
    """The numbers of each task, system and sentence.

    A ranking gives the best the highest number: of five systems the first gets 5 and the last 1. Systems with
    the same text share the mean of their places, so that the mean over the systems of a sentence is always
    the same, 3 for five systems. A sentence for which all wrote the same counts so without any rating.
    InputError, naming `path`, the file of the key, for ratings of items that are not in it.
    """
    given: dict[str, list[str]] = {}
    tasks = {entry.item: entry.task for entry in key}
    for rating in ratings:
        task = tasks.get(rating.item)
        if task is None:
            raise InputError(f"ratings of item '{rating.item}', which the key does not know", path=path)
        if rating.task != task:
            raise InputError(
                f"item '{rating.item}' is rated for {rating.task}, and the key has it for {task}", path=path
            )
        given.setdefault(rating.item, []).append(rating.value)
    result: Judgments = {}
    groups: dict[str, dict[str, list[Entry]]] = {}
    for entry in key:
        if entry.task == RANKING.name:
            groups.setdefault(entry.item, {}).setdefault(entry.option, []).append(entry)
        else:
            numbers = [float(value) for value in given.get(entry.item, [])]
            _put(result, entry, numbers)
    for item, options in groups.items():
        orders = given.get(item, [])
        if len(options) == 1:
            orders = [LETTERS[0]]
        size = sum(map(len, options.values()))
        for order in orders:
            if set(order) != options.keys():
                raise InputError(
                    f"item '{item}' is ranked as {order}, and the key has {''.join(sorted(options))}",
                    path=path,
                )
            start = 0
            for letter in order:
                entries = options[letter]
                # The mean of the places that they share, counted from the other end.
                number = size - start - (len(entries) - 1) / 2
                start += len(entries)
                for entry in entries:
                    _put(result, entry, [number])
    return result


def _put(result: Judgments, entry: Entry, numbers: list[float]) -> None:
    if numbers:
        sentences = result.setdefault(entry.task, {}).setdefault(entry.system, {})
        sentences.setdefault(entry.sentence, []).extend(numbers)
