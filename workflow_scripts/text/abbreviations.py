"""Lists of a language's abbreviations and their expansions."""

from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines


def read_abbreviations(path: Path) -> dict[str, str]:
    """Read abbreviation, tab, expansion; keys lower-cased. InputError names a bad or a repeated line."""
    known: dict[str, str] = {}
    for number, line in enumerate(lines(path), 1):
        fields = line.split("\t")
        if len(fields) != 2 or not all(field.strip() for field in fields):
            raise InputError("not an abbreviation, a tab and its expansion", path=path, line=number)
        short = fields[0].strip().lower()
        if short in known:
            raise InputError(f"'{short}' occurs twice", path=path, line=number, fix="keep one")
        known[short] = fields[1].strip()
    return known
