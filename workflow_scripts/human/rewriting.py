"""Command: the page on which annotators rewrite users' words impolitely (Hu et al., 2022, Figure 4)."""

from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import whole
from workflow_scripts.core.files import digest
from workflow_scripts.core.json_files import json_lines
from workflow_scripts.core.pages import write_page
from workflow_scripts.leaves.comparison import Scale

SCENARIOS = ("scenario", "text")


def rewriting(
    page: Path,
    *,
    dialogues: Path,
    scenarios: Path,
    template: Path,
    count: int,
    seed: int,
    scale: Scale,
) -> None:
    """Write one HTML file that needs no network and no server.

    The annotator sees one dialogue after another with one of the scenarios of Table I, and writes an impolite
    version of each of the customer's utterances. Progress stays in the browser; saved files are JSON lines
    that `corpora.impolite` reads, a line for each dialogue with a rewrite. Scenarios alternate over the drawn
    dialogues. Raises InputError for an invalid dialogue, and if there is none.

    :param page: HTML to write
    :param dialogues: JSON lines with `id` and `turns`, each turn with `user` and `system`
    :param scenarios: CSV: scenario (1 to 6), text
    :param template: the page without its dialogues
    :param count: dialogues to draw, or all if there are fewer
    :param scale: at demo scale the page states it
    """
    told = {whole(row[0], scenarios, line, 1): row[1] for line, row in read_keyed(scenarios, SCENARIOS)}
    if not told:
        raise InputError("no scenario", path=scenarios)
    known = [_dialogue(content, dialogues, line) for line, content in json_lines(dialogues)]
    if not known:
        raise InputError("no dialogue", path=dialogues)
    drawn = Random(f"{seed} rewriting").sample(known, min(count, len(known)))
    names = list(told)
    for place, one in enumerate(drawn):
        one["scenario"] = names[place % len(names)]
    data = {"id": digest(dialogues)[:12], "scenarios": told, "dialogues": drawn}
    write_page(page, template, scale=scale, data=data)


def _dialogue(content: Any, path: Path, line: int) -> dict[str, Any]:
    """The part of a dialogue that the page shows; turn ids are MultiWOZ's, which are even for users."""
    try:
        turns = [(one["user"], one["system"]) for one in content["turns"]]
        name = content["id"]
    except (KeyError, TypeError) as error:
        raise InputError(f"not a dialogue ({error})", path=path, line=line, fix="make it again") from None
    if not turns or not all(isinstance(text, str) for text in (name, *chain.from_iterable(turns))):
        raise InputError("not a dialogue (no turn, or no text)", path=path, line=line, fix="make it again")
    return {"id": name, "turns": turns}


if __name__ == "__main__":
    run(rewriting)
