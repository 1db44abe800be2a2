"""The languages that the workflow knows: the rows of `resources/languages.csv`."""

from __future__ import annotations

import csv
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines

TABLE = Path(__file__).parents[2] / "resources" / "languages.csv"
# The columns that rules and leaves read.
COLUMNS = (
    *("code", "name", "label", "demo", "xformal_names", "tatoeba", "ntrex", "diabla", "nllb", "domains"),
    *("punkt", "yahoo_language", "yahoo_category"),
)


def languages(path: Path = TABLE) -> dict[str, dict[str, str]]:
    """The table of languages: code -> the whole row, in the order of the file.

    Raises InputError, naming the line, for a file without one of `COLUMNS`, a row with another number of
    fields than the first line, and a code that is empty or stands there twice.
    """
    reader = csv.DictReader(lines(path))
    absent = [name for name in COLUMNS if name not in (reader.fieldnames or [])]
    if absent:
        raise InputError(f"no column {', '.join(absent)}", path=path, line=1)
    found: dict[str, dict[str, str]] = {}
    for row in reader:
        if None in row or None in row.values():
            problem = "another number of fields than in the first line"
        elif not row["code"]:
            problem = "a language without a code"
        elif row["code"] in found:
            problem = f"a second row of language '{row['code']}'"
        else:
            found[row["code"]] = row
            continue
        raise InputError(problem, path=path, line=reader.line_num)
    return found
