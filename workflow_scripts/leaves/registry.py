"""The registry of leaves: which there are, of which paper, and what they show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError, nearest

# The papers, in the order of the page. The leaves of all but the first are made of released data.
PAPERS = {
    "xformal": (
        "XFORMAL",
        "Briakou et al., “Olá, Bonjour, Salve! XFORMAL: A Benchmark for Multilingual Formality Style"
        " Transfer” (NAACL 2021)",
    ),
    "pt16": (
        "PT16",
        "Pavlick and Tetreault, “An Empirical Analysis of Formality in Online Communication” (TACL 2016)",
    ),
    "tydip": (
        "TyDiP",
        "Srinivasan and Choi, “TyDiP: A Dataset for Politeness Classification in Nine Typologically"
        " Diverse Languages” (Findings of EMNLP 2022)",
    ),
    "cocoa-mt": (
        "CoCoA-MT",
        "Nadejde et al., “CoCoA-MT: A Dataset and Benchmark for Contrastive Controlled MT with Application"
        " to Formality” (Findings of NAACL 2022)",
    ),
}
SCALED = "xformal"
NEEDED = ("leaf", "paper", "number", "kind", "caption")


@dataclass(frozen=True)
class Leaf:
    """A table or figure: its files are `results/<name>.csv`, `.compare.csv` and for a figure `.svg`."""

    name: str
    paper: str
    number: str
    kind: str
    caption: str

    @property
    def anchor(self) -> str:
        """Its id on the page, and its label in LaTeX."""
        return self.name.replace("/", "-")

    @property
    def printed(self) -> str:
        """Where the paper's own numbers stand, below `resources/printed`."""
        return f"{self.paper}/{self.name.rpartition('/')[2]}.csv"

    @property
    def scaled(self) -> bool:
        """Whether its numbers depend on the scale of the run."""
        return self.paper == SCALED


def load(path: Path) -> list[Leaf]:
    """The leaves in their order; further columns of the registry are for others.

    Raises InputError for a missing column, an unknown paper or kind, and a leaf that stands there twice.
    """
    found: dict[str, Leaf] = {}
    for number, row in read_rows(path, NEEDED):
        leaf = Leaf(*(row[name] for name in NEEDED))
        if leaf.paper not in PAPERS:
            raise InputError(
                f"unknown paper '{leaf.paper}'", path=path, line=number, fix=nearest(leaf.paper, PAPERS)
            )
        if leaf.kind not in ("table", "figure"):
            raise InputError(
                f"unknown kind '{leaf.kind}'", path=path, line=number, fix="known: table, figure"
            )
        if leaf.name in found:
            raise InputError(f"a second leaf {leaf.name}", path=path, line=number)
        found[leaf.name] = leaf
    return list(found.values())


def named(path: Path, name: str) -> Leaf:
    """One leaf of the registry."""
    leaves = {leaf.name: leaf for leaf in load(path)}
    if name not in leaves:
        raise InputError(f"no leaf '{name}'", path=path, fix=nearest(name, leaves))
    return leaves[name]
