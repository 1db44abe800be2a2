"""Command: the sheet of a language's translations and its key (CoCoA-MT, Sections 3 and 6.3)."""

import re
import sys
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import Entry, Item, item_name, write_key, write_translations

# Pronouns of the second person.
ADDRESSED = re.compile(r"\b(you|your|yours|yourself|yourselves)\b", re.IGNORECASE)


def translations(
    sheet: Path,
    key: Path,
    *,
    language: str,
    source: Path,
    systems: list[str],
    outputs: list[Path],
    others: list[Path] | None = None,
    tasks: list[str],
    addressed: bool = False,
    sentences: int,
    batch_sentences: int,
    seed: int,
) -> None:
    """Draw sentences and write the sheet for raters, which does not name the systems.

    Each task is rated for each system's translation of a drawn sentence. A text that several systems wrote is
    shown once, and its ratings count for each. The items of a batch are in a drawn order, task by task.
    Raises InputError for an unknown task, files that are not parallel, or not one file per system.

    :param sheet: CSV to write: item, batch, task, source, text
    :param key: CSV to write: item, task, sentence (its line), system, run, option; not for raters
    :param source: the English sentences
    :param systems: names of the systems
    :param outputs: their translations, parallel to the sentences
    :param others: translations at another level: every second drawn sentence is taken from these
    :param tasks: of `human.scales`
    :param addressed: draw only sentences with a pronoun of the second person (Section 6.3)
    :param sentences: the number of drawn sentences, or all if there are fewer
    :param batch_sentences: the number of sentences in a batch
    """
    if unknown := [task for task in tasks if task not in TASKS]:
        raise InputError(f"no task '{unknown[0]}'", fix=f"known: {', '.join(TASKS)}")
    others = others or outputs
    if len(systems) != len(outputs) or len(systems) != len(others):
        raise InputError(f"{len(systems)} systems, {len(outputs)} and {len(others)} files of translations")
    lines, *texts = read_parallel(source, *outputs, *others, filled=True)
    asked = [place for place, line in enumerate(lines) if not addressed or ADDRESSED.search(line)]
    if len(asked) < sentences:
        print(f"{source}: only {len(asked)} sentences of {sentences}", file=sys.stderr)
    drawn = Random(f"{seed} {language}").sample(asked, min(sentences, len(asked)))
    items: dict[str, Item] = {}
    entries: list[Entry] = []
    for number, place in enumerate(drawn):
        batch, first = number // batch_sentences + 1, len(systems) * (number % 2)
        for system, written in zip(systems, texts[first : first + len(systems)], strict=True):
            for task in tasks:
                shown = (lines[place], written[place])
                name = item_name(seed, task, language, str(place + 1), *shown)
                items[name] = Item(name, batch, task, source=shown[0], text=shown[1])
                entries.append(Entry(name, task, place + 1, system, 0))
    shuffled = Random(f"{seed} {language} order").sample(list(items.values()), len(items))
    order = list(TASKS)
    write_translations(sheet, sorted(shuffled, key=lambda item: (item.batch, order.index(item.task))))
    write_key(key, sorted(entries, key=lambda entry: (entry.sentence, order.index(entry.task))))


if __name__ == "__main__":
    run(translations)
