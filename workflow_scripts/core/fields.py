"""Numbers in fields of tables; a field without a valid number is bad input, whoever wrote the table."""

import math
import re
from pathlib import Path

from workflow_scripts.core.errors import InputError

NUMBER = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]+)?(e[+-]?[0-9]{1,3})?", re.IGNORECASE)
WHOLE = re.compile(r"[0-9]{1,15}")
# No score or rating is larger. Sums and squares of such numbers are finite, also in single precision.
LARGEST = 1e15


def number(text: str, path: Path, line: int) -> float:
    """The finite number in a field; InputError, naming the line, for anything else, and above `LARGEST`."""
    if not NUMBER.fullmatch(text) or not math.isfinite(value := float(text)):
        raise InputError(f"{shown(text)} is not a number", path=path, line=line)
    check_size(value, text, path, line)
    return value


def check_size(value: float, text: str, path: Path, line: int) -> None:
    """InputError, naming the line, for a number that is larger than any score."""
    if abs(value) > LARGEST:
        raise InputError(f"{shown(text)} is too large", path=path, line=line, fix="make the file again")


def whole(text: str, path: Path, line: int, least: int = 0) -> int:
    """The integer of at least `least` in a field; InputError, naming the line, for anything else."""
    if not WHOLE.fullmatch(text) or int(text) < least:
        kind = f"a whole number of {least} or more" if least else "a count"
        raise InputError(f"{shown(text)} is not {kind}", path=path, line=line)
    return int(text)


def shown(text: str) -> str:
    """The beginning of a field, quoted, on one line."""
    return ascii(text if len(text) <= 40 else f"{text[:40]}...")
