"""The languages that the workflow knows: the rows of `resources/languages.csv`."""

import re
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError

TABLE = Path(__file__).parents[2] / "resources" / "languages.csv"
# The columns that rules and leaves read.
COLUMNS = (
    *("code", "name", "label", "demo", "xformal_names", "tatoeba", "ntrex", "diabla", "nllb", "domains"),
    *("punkt", "yahoo_language", "yahoo_category"),
)

# For languages beyond these: their names in the open corpora of generic translators (CoCoA-MT's German).
GENERIC_TABLE = TABLE.parent / "generic.csv"
GENERIC_COLUMNS = ("code", "tatoeba", "ntrex", "diabla", "bcontrast")


def languages(path: Path = TABLE, columns: Sequence[str] = COLUMNS) -> dict[str, dict[str, str]]:
    """The table of languages: code -> the whole row, in the order of the file.

    Raises InputError, naming the line, for a file without one of `columns`, a row with another number of
    fields than the first line, and an invalid or repeated code.
    """
    found: dict[str, dict[str, str]] = {}
    for number, row in read_rows(path, columns):
        if not re.fullmatch(r"[a-z]{2,3}", row["code"]):
            raise InputError(
                f"'{row['code']}' is not a language code",
                path=path,
                line=number,
                fix="write 2 or 3 letters a-z",
            )
        if row["code"] in found:
            raise InputError(f"a second row of language '{row['code']}'", path=path, line=number)
        found[row["code"]] = row
    return found
