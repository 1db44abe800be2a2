"""The end of a run's output: the requested tables, and the paths of all results."""

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path

PAGE = "results/index.html"
# More tables than this are not shown, only named.
MOST = 3
GAP = "  "


def ending(targets: Sequence[str], leaves: Sequence[str], width: int | None = None) -> str:
    """The text at the end of a run: its tables if there are few, their files, and the page.

    :param targets: the files that were asked for
    :param leaves: the tables of the registry, in its order
    :param width: columns of the terminal; None: as it says
    """
    asked = [path for path in leaves if path in targets]
    columns = width or shutil.get_terminal_size((100, 24)).columns
    parts = [f"\n{path}\n{shown(Path(path), columns)}" for path in asked[:MOST] if len(asked) <= MOST]
    if len(asked) > MOST:
        parts.append(f"\n{len(asked)} tables are in results/")
    if PAGE in targets:
        parts.append(f"\nThe page, for a browser: {Path(PAGE).resolve()}")
    elif asked:
        parts.append(f"\nAll tables and figures on one page: make {PAGE}, or snakemake --cores 2 {PAGE}")
    return "\n".join(parts)


def shown(table: Path, width: int) -> str:
    """A CSV as columns, in as many blocks as a line of `width` characters needs; p-values are left out.

    The columns that name a row (those before the first column of numbers) begin each block.
    """
    with table.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    kept = [number for number, name in enumerate(header) if not name.endswith("_p")]
    columns = [[header[number], *(row[number] for row in rows)] for number in kept]
    names = next((n for n, column in enumerate(columns) if any(map(_number, column[1:]))), 1)
    fitted = [
        [
            f"{cell:>{max(map(len, column))}}" if n >= names else f"{cell:<{max(map(len, column))}}"
            for cell in column
        ]
        for n, column in enumerate(columns)
    ]
    named, rest = fitted[:names], fitted[names:]
    room = max(1, width - sum(len(column[0]) + len(GAP) for column in named))
    blocks: list[list[list[str]]] = [[]]
    taken = 0
    for column in rest:
        if blocks[-1] and taken + len(column[0]) + len(GAP) > room:
            blocks.append([])
            taken = 0
        blocks[-1].append(column)
        taken += len(column[0]) + len(GAP)
    return "\n\n".join(
        "\n".join(GAP.join(cells).rstrip() for cells in zip(*named, *block, strict=True)) for block in blocks
    )


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
