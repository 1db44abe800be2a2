"""The registry of papers (`papers.csv`) and of their leaves (`leaves.csv` beside it)."""

import re
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError, nearest

# The required columns; other modules read further columns.
OF_PAPER = ("paper", "label", "scaled", "citation")
OF_LEAF = ("leaf", "paper", "number", "kind", "caption")


@dataclass(frozen=True)
class Paper:
    """A paper whose tables and figures are leaves."""

    name: str
    label: str
    # Whether its numbers depend on the scale of the run; the numbers of other papers come from released data.
    scaled: bool
    citation: str

    @property
    def folder(self) -> str:
        """The name of the paper's target, of its package in `papers` and of its module in `wiring.papers`."""
        return self.name.replace("-", "_")


@dataclass(frozen=True)
class Leaf:
    """A table or figure: its files are `results/<name>.csv`, `.compare.csv` and for a figure `.svg`."""

    name: str
    paper: str
    number: str
    kind: str
    caption: str
    # Whether its numbers depend on the scale of the run; by default as for its paper.
    scaled: bool
    # The columns of its table that contain text from corpora, or `all`: the gallery omits them.
    texts: tuple[str, ...] = ()
    # A sentence that tells the reader what to look at.
    look: str = ""

    @property
    def anchor(self) -> str:
        """The leaf's id on the page and its label in LaTeX."""
        return self.name.replace("/", "-")

    @property
    def printed(self) -> str:
        """The file of the printed numbers, relative to `resources/printed`.

        A variant of a leaf, such as `table11-scratch`, is compared with the same numbers.
        """
        return f"{self.paper}/{self.name.rpartition('/')[2].removesuffix('-scratch')}.csv"


def load_papers(path: Path) -> dict[str, Paper]:
    """Read the papers by name, in the order of the page.

    Raises InputError for a missing column, a name that cannot be used for a folder, a repeated paper, and a
    value of `scaled` that is neither yes nor no.
    """
    papers: dict[str, Paper] = {}
    for number, row in read_rows(path, OF_PAPER):
        name = row["paper"]
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            fix = "use small letters, digits and hyphens"
            raise InputError(f"'{name}' is not a name for a paper", path=path, line=number, fix=fix)
        if name in papers:
            raise InputError(f"a second paper {name}", path=path, line=number)
        if row["scaled"] not in ("yes", "no"):
            raise InputError(f"scaled is '{row['scaled']}', not yes or no", path=path, line=number)
        papers[name] = Paper(name, row["label"], row["scaled"] == "yes", row["citation"])
    return papers


def load(path: Path) -> list[Leaf]:
    """Read the leaves in order, with `papers.csv` from the same folder.

    Raises InputError for a missing column, an unknown paper or kind, and a repeated leaf.
    """
    papers = load_papers(path.with_name("papers.csv"))
    leaves: dict[str, Leaf] = {}
    for number, row in read_rows(path, OF_LEAF):
        if row["paper"] not in papers:
            fix = nearest(row["paper"], papers)
            raise InputError(f"unknown paper '{row['paper']}'", path=path, line=number, fix=fix)
        texts = (row["leaf"], row["paper"], row["number"], row["kind"], row["caption"])
        mark = row.get("scaled", "")
        if mark not in ("", "yes", "no"):
            raise InputError(f"scaled is '{mark}', not yes, no or empty", path=path, line=number)
        scaled = mark == "yes" if mark else papers[row["paper"]].scaled
        leaf = Leaf(*texts, scaled, tuple(row.get("texts", "").split()), row.get("look", ""))
        if leaf.kind not in ("table", "figure"):
            raise InputError(
                f"unknown kind '{leaf.kind}'", path=path, line=number, fix="known: table, figure"
            )
        if leaf.name in leaves:
            raise InputError(f"a second leaf {leaf.name}", path=path, line=number)
        leaves[leaf.name] = leaf
    return list(leaves.values())


def named(path: Path, name: str) -> Leaf:
    """Read one leaf of the registry."""
    leaves = {leaf.name: leaf for leaf in load(path)}
    if name not in leaves:
        raise InputError(f"no leaf '{name}'", path=path, fix=nearest(name, leaves))
    return leaves[name]
