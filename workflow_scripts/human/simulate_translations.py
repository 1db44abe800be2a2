"""Command: simulated raters of translations, used if there are no ratings by people."""

from itertools import chain, pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_parallel
from workflow_scripts.human.marked import Reference, level_of, references, telling, words_of
from workflow_scripts.human.scales import LEVEL, QUALITY
from workflow_scripts.human.sheets import Item, Rating, read_items, read_key, write_ratings
from workflow_scripts.human.simulate import answers, judged


def simulate_translations(
    target: Path,
    *,
    sheet: Path,
    key: Path,
    formal: Path,
    informal: Path,
    known_formal: list[Path] | None = None,
    known_informal: list[Path] | None = None,
    raters: int,
    slips: float,
    noise: float,
    bias: float,
    spread: float,
    seed: int,
) -> None:
    """Write the ratings of simulated raters, whose names begin with `simulated`.

    The ideal rating follows from the phrases that the demo world marks in its references, and not from M-Acc,
    which uses the phrases of a sentence's own references only: the level is that of `human.marked`; a
    translation has the requested level if it shows that level and not the other; its quality is the mean of
    the share of its adjacent words that occur in either reference, and the share of the references' unmarked
    words that it has. For the level and for yes and no a rater gives another answer by chance, equally often
    in all languages; the quality is rated as in `human.simulate`.

    Raises InputError for an item that is not in the key, or a sentence that the references do not have.

    :param target: CSV to write: rater, item, task, value; every rater rates every item
    :param sheet: the items
    :param key: the systems and sentences of the items
    :param formal: the formal references with their markers, parallel to the English sentences
    :param informal: the informal ones
    :param known_formal: further formal references of the language with their markers
    :param known_informal: informal ones
    :param raters: how many there are
    :param slips: probability of another answer
    :param noise: of a single rating of quality, in points of the scale
    :param bias: of a rater
    :param spread: of a text, the same for all raters
    """
    sides = [references(lines) for lines in read_parallel(formal, informal)]
    more = (
        references(chain.from_iterable(map(read_lines, paths or [])))
        for paths in (known_formal, known_informal)
    )
    told = telling(*(own + known for own, known in zip(sides, more, strict=True)))
    sentences = {entry.item: entry.sentence for entry in read_key(key)}
    ratings: list[Rating] = []
    rated: list[Item] = []
    ideal: dict[str, list[float]] = {}
    for item in read_items(sheet):
        if item.item not in sentences:
            raise InputError(f"no item {item.item} of {sheet}", path=key, fix="make both anew")
        if sentences[item.item] > len(sides[0]):
            raise InputError(f"no sentence {sentences[item.item]}, which the key names", path=formal)
        own = (sides[0][sentences[item.item] - 1], sides[1][sentences[item.item] - 1])
        if item.task == QUALITY.name:
            rated.append(item)
            ideal[item.item] = [quality(item.text, *own)]
            continue
        right = level_of(item.text, *own, told)
        if item.task != LEVEL.name:
            right = "yes" if item.task == f"is_{right}" else "no"
        words = LEVEL.words if item.task == LEVEL.name else ("yes", "no")
        ratings += answers(item, right, words, raters=raters, slips=slips, seed=seed)
    ratings += judged(rated, ideal, raters=raters, noise=noise, bias=bias, spread=spread, seed=seed)
    write_ratings(target, ratings)


def quality(text: str, formal: Reference, informal: Reference) -> float:
    """The ideal rating of a translation, from 0 to 1."""
    words = words_of(text)
    pairs = {pair for one in (formal, informal) for pair in pairwise(one.words)}
    content = formal.plain & informal.plain
    found = list(pairwise(words))
    fluency = sum(pair in pairs for pair in found) / len(found) if found else 0.0
    meaning = len(content.intersection(words)) / len(content) if content else 1.0
    return (fluency + meaning) / 2


if __name__ == "__main__":
    run(simulate_translations)
