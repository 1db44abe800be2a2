"""Command: the task sheet of a language and its key (XFORMAL, Section 5.4)."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.human.scales import LETTERS, RANKING, TASKS
from workflow_scripts.human.sheets import Entry, Item, item_name, write_items, write_key


@dataclass(frozen=True)
class _Sentence:
    """A drawn sentence and its texts to be rated."""

    line: int
    batch: int
    informal: str
    rewrite: str
    # text -> the systems that wrote it, with their runs
    rated: dict[str, list[tuple[str, int]]]
    compared: dict[str, list[tuple[str, int]]]
    ranked: dict[str, list[tuple[str, int]]]


def tasks(
    sheet: Path,
    key: Path,
    *,
    language: str,
    informal: Path,
    references: list[Path],
    systems: list[str],
    outputs: list[Path],
    gold: str | None = None,
    copy: str | None = None,
    sentences: int,
    batch_sentences: int,
    seed: int,
) -> None:
    """Draw sentences and write the sheet for raters, which does not name the systems.

    Formality and fluency are rated for the informal sentence, a human rewrite (drawn from the reference sets)
    and every output; meaning for the informal sentence beside each of the others; the ranking shows the
    informal sentence, the rewrite, and all outputs to be ordered. A text that several systems wrote for a
    sentence is shown once, and its rating counts for each of them. If all systems wrote the same text there
    is nothing to rank: the ranking is in the key alone, and the systems share all places.

    An item's name is a keyed hash of its content: it does not reveal the system, stays when other items are
    added or removed, and changes with its text. The items of a batch are in a drawn order, task by task; so
    are the options of a ranking.

    :param sheet: CSV to write: item, batch, task, informal, rewrite, text, option_a, option_b, ...
    :param key: CSV to write: item, task, sentence (its line), system, run, option; not for raters
    :param informal: the informal sentences
    :param references: the sets of human rewrites
    :param systems: the names of the rated systems
    :param outputs: one file for each of them
    :param gold: the name under which the human rewrites are rated; without it they are only shown
    :param copy: the name under which the informal sentences are rated; without it they are only shown
    :param sentences: the number of drawn sentences
    :param batch_sentences: the number of sentences in a batch, which a rater does in one session
    """
    names = [*systems, *filter(None, (gold, copy))]
    if len(systems) != len(outputs) or len(set(names)) < len(names):
        raise InputError("every system needs a name of its own and one file of outputs")
    if len(systems) > len(LETTERS):
        raise InputError(f"a ranking has at most {len(LETTERS)} options", fix="rate fewer systems")
    texts = read_parallel(informal, *references, *outputs, filled=True)
    source, rewrites, written = texts[0], texts[1 : 1 + len(references)], texts[1 + len(references) :]
    if not source or not rewrites:
        raise InputError("no sentences, or no rewrites", path=informal)
    if len(source) < sentences:
        print(f"{informal}: only {len(source)} sentences of {sentences}", file=sys.stderr)
    drawn = Random(f"{seed} {language}").sample(range(len(source)), min(sentences, len(source)))
    items: list[Item] = []
    entries: list[Entry] = []
    for place, index in enumerate(drawn):
        chosen = Random(f"{seed} {language} {index}").randrange(len(rewrites))
        out = _grouped([(text[index], name, 0) for name, text in zip(systems, written, strict=True)])
        human = [(rewrites[chosen][index], gold, chosen)] if gold else []
        own = [(source[index], copy, 0)] if copy else []
        others = [*human, *((text, *who) for text, writers in out.items() for who in writers)]
        sentence = _Sentence(
            line=index + 1,
            batch=place // batch_sentences + 1,
            informal=source[index],
            rewrite=rewrites[chosen][index],
            rated=_grouped([*own, *others]),
            compared=_grouped(others),
            ranked=out if len(systems) > 1 else {},
        )
        for item, mine in _items(sentence, language, seed):
            entries += mine
            if item.task != RANKING.name or len(item.options) > 1:
                items.append(item)
    if len({item.item for item in items}) < len(items):
        raise ValueError("two items have the same name: use a longer hash")
    order = list(TASKS)
    shuffled = Random(f"{seed} {language} order").sample(items, len(items))
    write_items(sheet, sorted(shuffled, key=lambda item: (item.batch, order.index(item.task))))
    write_key(key, sorted(entries, key=lambda entry: (entry.sentence, order.index(entry.task))))


def _grouped(texts: Sequence[tuple[str, str, int]]) -> dict[str, list[tuple[str, int]]]:
    """Each distinct text once, with all systems that wrote it."""
    writers: dict[str, list[tuple[str, int]]] = {}
    for text, system, run_number in texts:
        writers.setdefault(text, []).append((system, run_number))
    return writers


def _items(sentence: _Sentence, language: str, seed: int) -> Iterator[tuple[Item, list[Entry]]]:
    """The items of a sentence, each with its lines of the key."""
    place = (language, str(sentence.line))
    for task, texts in (
        ("formality", sentence.rated),
        ("fluency", sentence.rated),
        ("meaning", sentence.compared),
    ):
        for text, writers in texts.items():
            shown = sentence.informal if task == "meaning" else ""
            name = item_name(seed, task, *place, shown, text)
            item = Item(name, sentence.batch, task, informal=shown, text=text)
            yield item, [Entry(name, task, sentence.line, *writer) for writer in writers]
    if sentence.ranked:
        options = sorted(sentence.ranked)
        name = item_name(seed, RANKING.name, *place, sentence.informal, sentence.rewrite, *options)
        Random(f"{seed} {name}").shuffle(options)
        item = Item(
            name,
            sentence.batch,
            RANKING.name,
            informal=sentence.informal,
            rewrite=sentence.rewrite,
            options=tuple(options),
        )
        yield (
            item,
            [
                Entry(name, RANKING.name, sentence.line, *writer, letter)
                for letter, text in zip(LETTERS, options, strict=False)
                for writer in sentence.ranked[text]
            ],
        )


if __name__ == "__main__":
    run(tasks)
