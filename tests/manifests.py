"""Manifests from lists of one length."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workflow_scripts.core.csv_files import write_csv


def labelled(path: Path, labels: Mapping[str, str]) -> Path:
    """A manifest of systems with their labels, as Table 7 and Figure 4 take it."""
    write_csv(path, ("system", "label"), labels.items())
    return path


def listed(path: Path, option: str, options: Mapping[str, Any], **columns: str) -> dict[str, Any]:
    """The options of a command, some of which are lists, with these as one manifest in their place.

    `option`: the manifest's; `columns`: by the columns' names the options that are lists.
    """
    rest = dict(options)
    lists = [list(map(str, rest.pop(name))) for name in columns.values()]
    write_csv(path, list(columns), zip(*lists, strict=True))
    return {**rest, option: path}
