"""The numbers of lines that each step kept or dropped: the small tables behind Tables 2, 6 and 12.

A table is `step<TAB>count` with a header. A step named `dropped:<reason>` counts removed lines, any other
step the remaining lines, so that tables of parts of a corpus can be added up.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

HEADER = "step\tcount"
COUNT = re.compile("[0-9]{1,18}")


def write_counts(path: Path, counts: Mapping[str, int]) -> None:
    """Write the steps in their order."""
    write_lines(path, [HEADER, *(f"{step}\t{count}" for step, count in counts.items())])


def read_counts(path: Path) -> dict[str, int]:
    """Return the count of every step, in order; InputError names an invalid count or a repeated step."""
    counts: dict[str, int] = {}
    number = 0
    for number, line in enumerate(lines(path), 1):
        if number == 1 and line == HEADER:
            continue
        step, _, count = line.partition("\t")
        if number == 1 or not COUNT.fullmatch(count):
            raise InputError(
                "not a table of counts" if number == 1 else "not a count", path=path, line=number
            )
        if step in counts:
            raise InputError(f"a second count of '{step}'", path=path, line=number)
        counts[step] = int(count)
    if not number:
        raise InputError("not a table of counts", path=path, fix=f"the first line is '{HEADER}'")
    return counts


def add_counts(tables: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add up tables; a step that only later tables have follows the step that precedes it there."""
    order: list[str] = []
    total: dict[str, int] = {}
    for table in tables:
        position = -1
        for step, count in table.items():
            if step not in total:
                total[step] = 0
                order.insert(position + 1 if position >= 0 else len(order), step)
            position = order.index(step)
            total[step] += count
    return {step: total[step] for step in order}
