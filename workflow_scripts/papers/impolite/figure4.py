"""Command: what stands for Figure 4 of Hu et al. (2022), a picture of the annotators' tool."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines

COLUMNS = ("page", "scenario", "text", "dialogues", "utterances")
DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


def figure4(table: Path, *, page: Path) -> None:
    """Write where the page is on which annotators rewrite users' words, and what it asks for.

    A row is a scenario of Table I: how many dialogues are to be rewritten as if the user were so, and how
    many utterances of users they have. Raises InputError for what is no such page.

    :param table: CSV to write: page, scenario (1 to 6), text, dialogues, utterances
    :param page: HTML that human.rewriting wrote
    """
    found = DATA.search("\n".join(read_lines(page)))
    try:
        data: Any = json.loads(found[1]) if found else {}
        told = data["scenarios"]
        turns = {
            name: [len(one["turns"]) for one in data["dialogues"] if str(one["scenario"]) == name]
            for name in told
        }
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not the annotators' page ({error})", path=page, fix="make it again") from None
    name = "/".join(page.parts[-3:])
    rows = [[name, number, text, len(turns[number]), sum(turns[number])] for number, text in told.items()]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(figure4)
