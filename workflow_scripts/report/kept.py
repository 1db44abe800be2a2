"""The gallery: the files it keeps of each leaf, and whether they match today's leaves.

`leaves.csv` has a row per leaf. `<paper>/<leaf>.csv` is its table without the columns that contain text of
corpora, `<leaf>.compare.csv` its comparison, `<leaf>.svg` its figure; plots are `<paper>/plots/<plot>.svg`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Literal, cast

from workflow_scripts.core.csv_files import header_of, read_keyed, read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.registry import Leaf

TABLE = "leaves.csv"
PLOTS = "plots"
# Of the whole gallery, and of one figure, in bytes.
LARGEST, LARGEST_FIGURE = 5_000_000, 400_000
# In characters: no name of a system, strategy or measure comes near it, most sentences do.
LONGEST_NAME = 60
# The column of a table about how its numbers were computed, of any length.
SIGNATURE = "signature"
ENDINGS = (".csv", ".compare.csv", ".svg")
ALL = "all"
# The text of a plot without a cell to show.
NOTHING = "no number to draw"


@dataclass(frozen=True)
class Kept:
    """A row of the gallery's table."""

    leaf: str
    commit: str
    # Of the end of the leaf's own job (UTC).
    date: str
    processor: str
    # The wall times of all jobs behind the leaf, summed; empty where Snakemake has no record of them.
    seconds: str
    scale: str
    source: str
    # Why cells are not comparable, and how many are not for each reason.
    caveats: str


COLUMNS = tuple(field.name for field in fields(Kept))


@dataclass(frozen=True)
class Plot:
    """A plot of a paper's page: printed against ours, of some cells of a comparison (`report.beside`)."""

    paper: str
    name: str
    leaf: str
    form: Literal["rows", "cells"]
    # Values of keys, such as `metric=bleu`; with `|` several values of one key.
    where: tuple[str, ...]
    # The keys that name a cell in the plot, and the key by whose values colours differ.
    label: tuple[str, ...]
    series: str
    title: str
    axis: str

    @property
    def path(self) -> str:
        """Its file in the gallery."""
        return f"{self.paper}/{PLOTS}/{self.name}.svg"


def read_kept(folder: Path) -> dict[str, Kept]:
    """The rows of a gallery by leaf, none if it has no table yet."""
    path = folder / TABLE
    if not path.exists():
        return {}
    return {row[0]: Kept(*row) for _, row in read_keyed(path, COLUMNS)}


def write_kept(folder: Path, rows: Iterable[Kept]) -> None:
    """Write the table of a gallery."""
    write_csv(folder / TABLE, COLUMNS, [astuple(row) for row in rows])


def read_plots(path: Path, leaves: Mapping[str, Leaf]) -> list[Plot]:
    """The plots of all papers; InputError for a leaf or a form that does not exist."""
    names = tuple(field.name for field in fields(Plot))
    plots = []
    for line, row in read_rows(path, names):
        if row["leaf"] not in leaves:
            raise InputError(f"no leaf '{row['leaf']}'", path=path, line=line)
        if row["form"] not in ("rows", "cells"):
            problem = f"unknown form '{row['form']}'"
            raise InputError(problem, path=path, line=line, fix="known: rows, cells")
        form = cast("Literal['rows', 'cells']", row["form"])
        where, label = tuple(row["where"].split("; ")), tuple(row["label"].split())
        named = (row["paper"], row["name"], row["leaf"])
        plots.append(Plot(*named, form, where, label, row["series"], row["title"], row["axis"]))
    return plots


def file_of(leaf: Leaf, ending: str) -> str:
    """A file of a leaf in the gallery."""
    return f"{leaf.paper}/{leaf.name.rpartition('/')[2]}{ending}"


def files_of(folder: Path, leaf: Leaf) -> list[str]:
    """The existing files of a leaf."""
    return [name for ending in ENDINGS if (folder / (name := file_of(leaf, ending))).is_file()]


def check_sizes(sizes: Mapping[str, int]) -> None:
    """InputError for a figure or a gallery that is too large."""
    wide = [name for name, size in sizes.items() if name.endswith(".svg") and size > LARGEST_FIGURE]
    if wide:
        told = ", ".join(f"{name}: {sizes[name] / 1000:.0f} kB" for name in wide)
        raise InputError(
            f"figures of more than {LARGEST_FIGURE / 1000:.0f} kB: {told}",
            fix="draw fewer points, or text instead of paths",
        )
    if (total := sum(sizes.values())) > LARGEST:
        first = sorted(sizes, key=lambda name: -sizes[name])[:3]
        told = ", ".join(f"{name} {sizes[name] / 1e6:.1f} MB" for name in first)
        limit = f"the gallery would have {total / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f} MB"
        raise InputError(limit, fix=f"the largest files: {told}")


def sizes_of(folder: Path) -> dict[str, int]:
    """The size in bytes of every CSV and SVG of a gallery, by its name below the folder."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".csv", ".svg")
    }


def problems(
    folder: Path, leaves: Sequence[Leaf], plots: Sequence[Plot], printed: Path, *, scale: str = "open"
) -> list[str]:
    """The problems of a gallery, one line each; an empty list if it is valid.

    A paper is kept with all its leaves or not at all; each is of one commit and of the scale `scale`. There
    are no further files. A table has no column that contains text of corpora and no field as long as a
    sentence; a comparison has the keys of today's printed table, and the printed numbers of that table. The
    sizes are below the limits.
    """
    kept = read_kept(folder)
    papers = {leaf.paper for leaf in leaves if leaf.name in kept}
    of_papers = sorted(leaf.name for leaf in leaves if leaf.paper in papers)
    lines = [f"{name}: not kept" for name in of_papers if name not in kept]
    known = {TABLE, *(plot.path for plot in plots)}
    for plot in (plot for plot in plots if plot.paper in papers):
        path = folder / plot.path
        if not path.is_file() or NOTHING in path.read_text(encoding="utf-8"):
            lines.append(f"{plot.path}: not drawn")
    for leaf in leaves:
        if (row := kept.pop(leaf.name, None)) is None:
            continue
        if row.scale != scale:
            lines.append(f"{leaf.name}: of scale {row.scale}, not {scale}")
        if not row.commit or " " in row.commit:
            lines.append(f"{leaf.name}: of no commit ('{row.commit}')")
        lines += _problems_of(folder, leaf, printed)
        known |= set(files_of(folder, leaf))
    lines += [f"{name}: no leaf of this name" for name in kept]
    sizes = sizes_of(folder)
    lines += [f"{name}: of no leaf" for name in sizes if name not in known]
    try:
        check_sizes(sizes)
    except InputError as problem:
        lines.append(str(problem))
    return lines


def _problems_of(folder: Path, leaf: Leaf, printed: Path) -> list[str]:
    """The problems of the files of a leaf."""
    table, comparison, figure = (folder / file_of(leaf, ending) for ending in ENDINGS)
    wanted = {table: leaf.texts != (ALL,), figure: leaf.kind == "figure"}
    wanted[comparison] = (printed / leaf.printed).is_file()
    lines = [
        f"{path.relative_to(folder)}: {'missing' if expected else 'of no leaf'}"
        for path, expected in wanted.items()
        if expected != path.is_file()
    ]
    if lines:
        return lines
    if wanted[table]:
        header = header_of(table)
        lines += [f"{leaf.name}: text of corpora in '{name}'" for name in leaf.texts if name in header]
        lines += [
            f"{leaf.name}: line {line} is as long as a sentence: '{field[:20]}...'"
            for line, row in read_rows(table, ())
            for name, field in row.items()
            if len(field) > LONGEST_NAME and name != SIGNATURE
        ]
    if wanted[comparison]:
        lines += _against(comparison, printed / leaf.printed, leaf)
    return lines


def _against(comparison: Path, printed: Path, leaf: Leaf) -> list[str]:
    """The keys and printed numbers of a comparison that differ from today's printed table."""
    header, theirs = header_of(comparison), header_of(printed)
    if "printed" not in theirs:
        # Texts, of which only checksums are printed.
        return []
    # Beside a key there may be the checksum of a text.
    keys = [name for name in theirs[: theirs.index("printed")] if name != "sha256"]
    if header[: header.index("printed")] != keys:
        return [f"{leaf.name}: compared by other keys than {', '.join(keys)}"]
    now = {
        tuple(row[key] for key in keys): row["printed"] for _, row in read_rows(printed, (*keys, "printed"))
    }
    then = {tuple(row[key] for key in keys): row["printed"] for _, row in read_rows(comparison, keys)}
    return [
        f"{leaf.name}: {', '.join(key)} is printed as '{text}', not '{then[key]}'"
        for key, text in now.items()
        if key in then and then[key] != text
    ] + [f"{leaf.name}: printed, but no longer kept: {', '.join(key)}" for key in now if key not in then]
