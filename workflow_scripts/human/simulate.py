"""Command: simulated raters, who stand in where there are no ratings of people."""

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

    What a rater would ideally say of a text follows from what the generator of the informal sentences knows
    of them, and not from any metric: formality from the words and marks of each style, fluency from the
    pairs of words that some wording has, meaning from the words of what the sentence is about, the order of
    a ranking from the mean of the three (`human.knowledge`). A rating is that, plus what is the rater's own
    (normal, standard deviation `bias`), plus what all raters find in the text (normal, standard deviation
    `spread`), plus noise (normal, standard deviation `noise`), rounded and cut to the scale. All are in
    points of the scale; in a ranking they are in places.

    Raises InputError for a text of the sheet that is not in the key.

    :param target: CSV to write: rater, item, task, value; every rater rates every item
    :param sheet: the items
    :param key: whose they are
    :param known: JSON lines: what is known of each informal sentence
    :param raters: how many there are
    :param noise: of a single rating
    :param bias: of a rater, the same in all ratings of a task
    :param spread: of a text, the same for all raters
    :param seed: of all draws
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
    """What one would ideally say of a text, as a share of the scale: 0 is its low end, 1 its high end."""
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
    """The ratings of all raters; `ideal`: the shares of `quality`, one per text of each item."""
    ratings = []
    own = {
        item.item: [
            Random(f"{seed} {item.item} {place}").gauss(0, spread) for place in range(len(ideal[item.item]))
        ]
        for item in items
    }
    for number in range(1, raters + 1):
        rater = f"simulated-{number}"
        # An item keeps its rating when others come or go.
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
    """The answers of all raters to one item without an order; `slips`: how probable another word is."""
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
