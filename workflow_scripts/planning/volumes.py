"""How large the corpora are: `resources/volumes.csv`."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number

COLUMNS = ("corpus", "version", "part", "lines", "kept", "informal", "bytes", "from")


@dataclass(frozen=True)
class Volume:
    """A corpus: its lines, the share that curation keeps, and of these the share that is informal."""

    lines: float
    kept: float
    informal: float


def read_volumes(path: Path, settings: Mapping[str, Any]) -> dict[tuple[str, str, str], Volume]:
    """The sizes by corpus, version and part; `lines` is a number, a setting, or a number times a setting.

    Rows without `lines` have only the bytes of a download. Raises InputError for a missing column, and for
    invalid `lines` and shares.
    """
    volumes = {}
    for line, row in read_rows(path, COLUMNS):
        if not row["lines"]:
            continue
        lines = 1.0
        for word in row["lines"].split():
            lines *= _number_of(word, settings) if word[0].isalpha() else number(word, path, line)
        if math.isnan(lines):
            raise InputError(f"no setting in '{row['lines']}' is a number", path=path, line=line)
        shares = [number(row[name] or "1", path, line) for name in ("kept", "informal")]
        volumes[row["corpus"], row["version"], row["part"]] = Volume(lines, *shares)
    return volumes


def setting(settings: Mapping[str, Any], name: str) -> Any:
    """A part of the settings, such as ``demo.subtitles``; KeyError or TypeError if there is none."""
    return reduce(getitem, name.split("."), settings)


def _number_of(name: str, settings: Mapping[str, Any]) -> float:
    """A number of the settings; NaN if there is none of this name."""
    try:
        value = setting(settings, name)
    except (KeyError, TypeError):
        return math.nan
    return float(value) if isinstance(value, (int, float)) else math.nan


def download_sizes(path: Path, registry: Iterable[Mapping[str, str]]) -> dict[str, float]:
    """Bytes of the downloads by path, the registry's or else those in `path`, and of checkpoints by name."""
    known = {
        (row["corpus"], row["version"], row["part"]): row["bytes"] for _, row in read_rows(path, COLUMNS)
    }
    sizes = {name: float(size) for (name, _, part), size in known.items() if size and not part}
    for row in registry:
        size = row["size"] or known.get((row["corpus"], row["version"], row["part"]), "")
        if row["access"] == "open" and size:
            sizes[row["path"]] = float(size)
    return sizes
