"""Command: simulated raters, used if there are no ratings by people."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.knowledge import Known, read_known
from workflow_scripts.human.scales import LETTERS, TASKS
from workflow_scripts.human.sheets import Item, Rating, read_items, read_key, write_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def simulate(
    target: Path,
    *,
    sheet: Path,
    key: Path,
    known: Path,
    raters: int,
    noise: float,
    bias: float,
    spread: float,
    seed: int,
) -> None:
    """Write the ratings of simulated raters, whose names begin with `simulated`.

    The ideal rating of a text follows from the knowledge of the informal sentences' generator, and not from
    any metric: formality from the words and marks of each style, fluency from the adjacent words of some
    wording, meaning from the words for the sentence's content, the order of a ranking from the mean of the
    three (`human.knowledge`). A rating is the ideal plus a bias of the rater (normal, standard deviation
    `bias`), plus an effect of the text on all raters (normal, standard deviation `spread`), plus noise
    (normal, standard deviation `noise`), rounded and cut to the scale. All are in points of the scale; in a
    ranking they are in places.

    Raises InputError for a text of the sheet that is not in the key.

    :param target: CSV to write: rater, item, task, value; every rater rates every item
    :param sheet: the items
    :param key: the systems and sentences of the items
    :param known: JSON lines: the knowledge about each informal sentence
    :param raters: their number
    :param noise: of a single rating
    :param bias: of a rater, the same in all ratings of a task
    :param spread: of a text, the same for all raters
    """
    sentences = {(entry.item, entry.option): entry.sentence for entry in read_key(key)}
    told = read_known(known)
    ideal: dict[str, list[float]] = {}
    items = read_items(sheet)
    for item in items:
        texts = item.options or (item.text,)
        letters = LETTERS[: len(item.options)] or [""]
        if missing := [letter for letter in letters if (item.item, letter) not in sentences]:
            text = " ".join(filter(None, [item.item, missing[0]]))
            raise InputError(f"no text {text} of {sheet}", path=key, fix="make both anew")
        sentence = sentences[item.item, letters[0]]
        if sentence > len(told):
            raise InputError(f"nothing of sentence {sentence}, which the key names", path=known)
        ideal[item.item] = [quality(item.task, told[sentence - 1], text) for text in texts]
    write_ratings(
        target, judged(items, ideal, raters=raters, noise=noise, bias=bias, spread=spread, seed=seed)
    )


def quality(task: str, known: Known, text: str) -> float:
    """The ideal rating of a text, as a share of the scale: 0 is its low end, 1 its high end."""
    shares = {
        "formality": known.formality(text),
        "fluency": known.fluency(text),
        "meaning": known.meaning(text),
    }
    return shares[task] if task in shares else sum(shares.values()) / len(shares)


def judged(
    items: Sequence[Item],
    ideal: Mapping[str, Sequence[float]],
    *,
    raters: int,
    noise: float,
    bias: float,
    spread: float,
    seed: int,
) -> list[Rating]:
    """The ratings of all raters; `ideal`: the shares from `quality`, one per text of each item."""
    ratings = []
    own = {
        item.item: [
            Random(f"{seed} {item.item} {place}").gauss(0, spread) for place in range(len(ideal[item.item]))
        ]
        for item in items
    }
    for number in range(1, raters + 1):
        rater = f"simulated-{number}"
        # An item keeps its rating when others are added or removed.
        shift = {task: Random(f"{seed} {rater} {task}").gauss(0, bias) for task in TASKS}
        for item in items:
            random = Random(f"{seed} {rater} {item.item}")
            shares = ideal[item.item]
            if item.options:
                places = [
                    share * len(shares) + extra + random.gauss(0, noise)
                    for share, extra in zip(shares, own[item.item], strict=True)
                ]
                order = sorted(range(len(places)), key=lambda i: (-places[i], i))
                value = "".join(LETTERS[i] for i in order)
            else:
                task = TASKS[item.task]
                point = task.low + shares[0] * (task.high - task.low) + shift[item.task] + own[item.item][0]
                value = str(min(task.high, max(task.low, round(point + random.gauss(0, noise)))))
            ratings.append(Rating(rater, item.item, item.task, value))
    return ratings


def answers(
    item: Item, right: str, words: Sequence[str], *, raters: int, slips: float, seed: int
) -> list[Rating]:
    """The answers of all raters to one item without an order; `slips`: the probability of another word."""
    others = [word for word in words if word != right]
    found = []
    for number in range(1, raters + 1):
        rater = f"simulated-{number}"
        random = Random(f"{seed} {rater} {item.item}")
        value = random.choice(others) if random.random() < slips else right
        found.append(Rating(rater, item.item, item.task, value))
    return found


if __name__ == "__main__":
    run(simulate)
