"""Command: the sheet of a dialogue system's raters and its key (Hu et al., 2022, Section V-B)."""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.human.scales import OF_DIALOGUES, TASKS
from workflow_scripts.human.sheets import Entry, Item, item_name, write_dialogues, write_key

TRANSCRIPTS = (
    *("dialogue", "system", "users", "goal", "text"),
    *("success", "understood", "fitting"),
)


@dataclass(frozen=True)
class Transcript:
    """A dialogue of one system, and the values from which simulated raters start, 0 to 1, by task."""

    dialogue: str
    system: str
    users: str
    goal: str
    text: str
    known: dict[str, float]


def dialogues(sheet: Path, key: Path, *, transcripts: Path, count: int, raters: int, seed: int) -> None:
    """Draw dialogues and write the sheet for raters, which does not name the systems.

    Each drawn dialogue is rated for each system, with its original and with its impolite user. A text that
    several systems wrote is shown once, and its ratings count for each. A batch has the items of a few
    dialogues, task by task in a drawn order.

    :param sheet: CSV to write: item, batch, task, goal, text
    :param key: CSV to write: item, task, sentence (the row of the transcripts, from 1), system, run, option;
        not for raters
    :param transcripts: CSV: dialogue, system, users, goal, text, success, understood, fitting
    :param count: dialogues to draw, or all if there are fewer
    :param raters: a batch has so many dialogues that each rater may have one of their own
    """
    rows = read_transcripts(transcripts)
    names = list(dict.fromkeys(row.dialogue for row in rows))
    if len(names) < count:
        print(f"{transcripts}: only {len(names)} dialogues of {count}", file=sys.stderr)
    drawn = Random(f"{seed} dialogues").sample(names, min(count, len(names)))
    size = max(1, -(-len(drawn) // raters))
    batches = {name: place // size + 1 for place, name in enumerate(drawn)}
    items: dict[str, Item] = {}
    entries: list[Entry] = []
    for line, row in enumerate(rows, 1):
        for task in OF_DIALOGUES if row.dialogue in batches else ():
            name = item_name(seed, task.name, row.dialogue, row.text)
            items[name] = Item(name, batches[row.dialogue], task.name, goal=row.goal, text=row.text)
            entries.append(Entry(name, task.name, line, row.system, 0))
    order = list(TASKS)
    shuffled = Random(f"{seed} dialogues order").sample(list(items.values()), len(items))
    write_dialogues(sheet, sorted(shuffled, key=lambda item: (item.batch, order.index(item.task))))
    write_key(key, entries)


def read_transcripts(path: Path) -> list[Transcript]:
    """The rows of transcripts; InputError for an invalid share, a repeated row, or no row."""
    found: dict[tuple[str, ...], Transcript] = {}
    for line, row in read_csv(path, TRANSCRIPTS):
        shares = [number(field, path, line) for field in row[5:]]
        if not all(0 <= share <= 1 for share in shares):
            raise InputError("a share that is not from 0 to 1", path=path, line=line, fix="make it again")
        if tuple(row[:3]) in found:
            raise InputError(
                f"a second row of {', '.join(row[:3])}", path=path, line=line, fix="make it again"
            )
        known = dict(zip((task.name for task in OF_DIALOGUES), shares, strict=True))
        found[tuple(row[:3])] = Transcript(row[0], row[1], row[2], row[3], row[4], known)
    if not found:
        raise InputError("no transcript", path=path, fix="make it again")
    return list(found.values())


if __name__ == "__main__":
    run(dialogues)
