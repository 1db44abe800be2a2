"""Command: simulated raters, who stand in where there are no ratings of people."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.human.scales import LETTERS, TASKS
from workflow_scripts.human.sheets import Entry, Item, Rating, read_items, read_key, write_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Share of the fluency scale that a text keeps: all of it up to 1.5 nats per token, none from 9 on.
EASIEST, HARDEST = 1.5, 9.0


def simulate(
    target: Path,
    *,
    sheet: Path,
    key: Path,
    formality: Path,
    fluency: Path,
    raters: int,
    noise: float,
    bias: float,
    seed: int,
) -> None:
    """Write the ratings of simulated raters, whose names begin with `simulated`.

    What a rater would ideally say of a text follows from automatic scores: formality from the regressor,
    fluency from the language model, meaning from the similarity of the letters of both texts, the order of a
    ranking from the mean of the three. A rating is that, plus what is the rater's own (normal, standard
    deviation `bias`), plus noise (normal, standard deviation `noise`), rounded and cut to the scale. Both are
    in points of the scale; in a ranking they are in places. So the ratings say nothing about the texts that
    the scores do not say: they show that what comes after them works.

    Raises InputError for a text of the sheet that is not in the key.

    :param target: CSV to write: rater, item, task, value; every rater rates every item
    :param sheet: the items
    :param key: whose they are
    :param formality: folder with the regressor's sentence scores, <system>/run<run>.txt
    :param fluency: folder with negative log-likelihoods per token in nats, in the same layout
    :param raters: how many there are
    :param noise: of a single rating
    :param bias: of a rater, the same in all ratings of a task
    :param seed: of all draws
    """
    # Who wrote the same has the same scores: the first one's will do.
    who = {(entry.item, entry.option): entry for entry in reversed(read_key(key))}
    known: dict[Path, list[float]] = {}
    ideal: dict[str, list[float]] = {}
    items = read_items(sheet)
    for item in items:
        texts = item.options or (item.text,)
        letters = LETTERS[: len(item.options)] or [""]
        if missing := [letter for letter in letters if (item.item, letter) not in who]:
            text = " ".join(filter(None, [item.item, missing[0]]))
            raise InputError(f"no text {text} of {sheet}", path=key, fix="make both anew")
        entries = [who[item.item, letter] for letter in letters]
        ideal[item.item] = [
            quality(item, _score(formality, entry, known), _score(fluency, entry, known), text)
            for entry, text in zip(entries, texts, strict=True)
        ]
    write_ratings(target, judged(items, ideal, raters=raters, noise=noise, bias=bias, seed=seed))


def quality(item: Item, formality: float, fluency: float, text: str) -> float:
    """What one would ideally say of a text, as a share of the scale: 0 is its low end, 1 its high end."""
    from rapidfuzz.distance import Levenshtein

    shares = {
        "formality": _within((formality + 3) / 6),
        "fluency": _within((HARDEST - fluency) / (HARDEST - EASIEST)),
        "meaning": Levenshtein.normalized_similarity(item.informal, text),
    }
    return shares[item.task] if item.task in shares else sum(shares.values()) / len(shares)


def judged(
    items: Sequence[Item],
    ideal: Mapping[str, Sequence[float]],
    *,
    raters: int,
    noise: float,
    bias: float,
    seed: int,
) -> list[Rating]:
    """The ratings of all raters; `ideal`: the shares of `quality`, one per text of each item."""
    ratings = []
    for number in range(1, raters + 1):
        rater = f"simulated-{number}"
        # An item keeps its rating when others come or go.
        shift = {task: Random(f"{seed} {rater} {task}").gauss(0, bias) for task in TASKS}
        for item in items:
            random = Random(f"{seed} {rater} {item.item}")
            shares = ideal[item.item]
            if item.options:
                places = [share * len(shares) + random.gauss(0, noise) for share in shares]
                order = sorted(range(len(places)), key=lambda i: (-places[i], i))
                value = "".join(LETTERS[i] for i in order)
            else:
                task = TASKS[item.task]
                point = task.low + shares[0] * (task.high - task.low) + shift[item.task]
                value = str(min(task.high, max(task.low, round(point + random.gauss(0, noise)))))
            ratings.append(Rating(rater, item.item, item.task, value))
    return ratings


def _score(folder: Path, entry: Entry, known: dict[Path, list[float]]) -> float:
    """The score of a sentence of the key; `known` holds the files that were read."""
    path = folder / entry.system / f"run{entry.run}.txt"
    if path not in known:
        known[path] = read_numbers(path)
    if entry.sentence > len(known[path]):
        raise InputError(f"no score of sentence {entry.sentence}, which the key names", path=path)
    return known[path][entry.sentence - 1]


def _within(share: float) -> float:
    return min(1.0, max(0.0, share))


if __name__ == "__main__":
    run(simulate)
