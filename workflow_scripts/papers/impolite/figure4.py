"""Command: Figure 4 of Hu et al. (2022) as a table, the annotation tool interface."""

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
    """Write the path of the annotators' page, on which they rewrite users' words, and its scenarios.

    A row is a role-playing scenario of Table I, with the number of dialogues to rewrite for it and of their
    user utterances. Raises InputError for a file that is not such a page.

    :param table: CSV to write: page, scenario (1 to 6), text, dialogues, utterances
    :param page: HTML that human.rewriting wrote
    """
    match = DATA.search("\n".join(read_lines(page)))
    try:
        data: Any = json.loads(match[1]) if match else {}
        scenarios = data["scenarios"]
        turns = {
            name: [
                len(dialogue["turns"]) for dialogue in data["dialogues"] if str(dialogue["scenario"]) == name
            ]
            for name in scenarios
        }
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"not the annotators' page ({error})", path=page, fix="make it again") from None
    name = "/".join(page.parts[-3:])
    rows = [
        [name, number, text, len(turns[number]), sum(turns[number])] for number, text in scenarios.items()
    ]
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(figure4)
