"""The tables of judged rewrites that `judged` writes, one per language."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import shown, whole
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.rewrites.labels import Source

COLUMNS = ("lang", "source", "kind", "name", "count", "rewrites")
EDIT, QUALITY = "edit", "quality"
DECIMALS = 2


@dataclass(frozen=True)
class Share:
    """The number of rewrites judged to have an edit or a quality, and the source: manual or simulated."""

    source: str
    count: int
    rewrites: int
    path: Path

    def cell(self) -> Cell:
        """The share as a cell of a table."""
        facts = signature(self.path, source=self.source, count=self.count, n=self.rewrites)
        return Cell(rounded(self.count / self.rewrites, DECIMALS), facts)


def read_shares(paths: Iterable[Path], kind: str) -> dict[tuple[str, str], Share]:
    """(name, language) -> the share, of one kind, in all files; InputError if a language occurs twice."""
    shares: dict[tuple[str, str], Share] = {}
    for path in paths:
        for number, row in read_csv(path, COLUMNS):
            language, source, of, name, count, rewrites = row
            if source not in get_args(Source):
                known = " or ".join(get_args(Source))
                raise InputError(f"{shown(source)} is not {known}", path=path, line=number)
            if of == kind:
                if (name, language) in shares:
                    raise InputError(f"a second {name} of {language}", path=path, line=number)
                shares[name, language] = Share(
                    source, whole(count, path, number), whole(rewrites, path, number, least=1), path
                )
    return shares


def only_source(shares: Iterable[Share]) -> str:
    """The common source of all shares: a table states only one; InputError if there are several."""
    paths = {share.source: share.path for share in shares}
    if len(paths) > 1:
        sources = " and ".join(f"{source} in {path}" for source, path in sorted(paths.items()))
        raise InputError(f"judgments are {sources}", fix="give judgments of only one kind")
    return next(iter(paths), "manual")
