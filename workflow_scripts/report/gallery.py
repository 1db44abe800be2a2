"""Command: keep the leaves of a finished run in the gallery of the documents; `make gallery` calls it."""

import csv
import io
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import header_of, read_csv, read_rows
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import writing
from workflow_scripts.core.provenance import ROOT, processor
from workflow_scripts.core.run_records import Made, made, seconds
from workflow_scripts.leaves.registry import Leaf, load
from workflow_scripts.report.beside import beside
from workflow_scripts.report.facts import revision
from workflow_scripts.report.figure import inline
from workflow_scripts.report.kept import (
    ALL,
    ENDINGS,
    TABLE,
    Kept,
    check_sizes,
    file_of,
    files_of,
    read_kept,
    read_plots,
    sizes_of,
    write_kept,
)
from workflow_scripts.report.settings_file import read_settings

# Reasons that a row of the gallery has beside the numbers of cells; the comparison has all.
SHOWN = 4
# The remarks of a comparison on cells that one side lacks, and on the scale, which has a separate column.
LACKING = ("not printed", "not computed", "not in the released data")


def gallery(
    folder: Path,
    *,
    results: Path,
    leaves: Path,
    plots: Path,
    sources: Path,
    only: list[str] | None = None,
) -> None:
    """Copy leaves of a run and draw the plots of the papers' pages; other leaves stay as they are.

    A leaf whose files and date are the kept ones keeps its row, with the commit that made it. Nothing is
    written if a leaf is missing in the run, or if the gallery would become too large.

    :param folder: the gallery
    :param results: the folder `results` of the run, with `settings.json` and `sources.csv`
    :param leaves: CSV: the registry of leaves
    :param plots: CSV: the plots of each paper
    :param sources: CSV: the registry of sources
    :param only: the leaves to renew, by default all
    """
    known = {leaf.name: leaf for leaf in load(leaves)}
    for name in only or []:
        if name not in known:
            raise InputError(f"no leaf '{name}'", path=leaves, fix=nearest(name, known))
    chosen = [known[name] for name in only or known]
    needed = [path for leaf in chosen for path in _needed(leaf, leaves.parent / "printed")]
    if missing := [path for path in needed if not (results / path).is_file()]:
        raise InputError(f"no {', '.join(missing)} in this run", path=results, fix="make them first")
    old = read_kept(folder)
    copies = {leaf.name: _copies(leaf, results) for leaf in chosen}
    new = _rows(chosen, results, sources, old, folder, copies)
    sizes = {name: size for name, size in sizes_of(folder).items() if name != TABLE}
    for leaf in chosen:
        for name in files_of(folder, leaf):
            del sizes[name]
    sizes |= {name: len(data) for files in copies.values() for name, data in files.items()}
    check_sizes(sizes)
    for leaf in chosen:
        for name in set(files_of(folder, leaf)) - copies[leaf.name].keys():
            (folder / name).unlink()
        for name, data in copies[leaf.name].items():
            with writing(folder / name, binary=True) as stream:
                stream.write(data)
    rows = {**{name: row for name, row in old.items() if name in known}, **new}
    write_kept(folder, [rows[name] for name in known if name in rows])
    for name in old.keys() - known.keys():
        for ending in ENDINGS:
            paper, _, stem = name.rpartition("/")
            (folder / (paper or "xformal") / f"{stem}{ending}").unlink(missing_ok=True)
    for plot in read_plots(plots, known):
        comparison = folder / file_of(known[plot.leaf], ".compare.csv")
        if comparison.is_file():
            beside(
                folder / plot.path,
                comparison=comparison,
                form=plot.form,
                where=list(plot.where),
                label=list(plot.label),
                series=plot.series,
                title=plot.title,
                axis=plot.axis,
            )
    check_sizes(sizes_of(folder))


def _needed(leaf: Leaf, printed: Path) -> list[str]:
    """The table of a leaf, and its comparison where the paper prints numbers."""
    return [f"{leaf.name}.csv", *[f"{leaf.name}.compare.csv"] * (printed / leaf.printed).is_file()]


def _rows(
    chosen: Iterable[Leaf],
    results: Path,
    sources: Path,
    old: dict[str, Kept],
    folder: Path,
    copies: dict[str, dict[str, bytes]],
) -> dict[str, Kept]:
    """The rows of leaves that are copied; `copies`: the files of each."""
    scale = read_settings(results / "settings.json").scale
    behind = _sources(results / "sources.csv", sources)
    records = made(results.parent / ".snakemake")
    here = {"commit": revision(ROOT.parent), "processor": processor(), "scale": scale}
    rows = {}
    for leaf in chosen:
        target = f"results/{leaf.name}.csv"
        date, taken = _when(target, results, records)
        row = Kept(
            leaf=leaf.name,
            date=date,
            seconds=taken,
            source="; ".join(behind.get(leaf.name, [])),
            caveats=_caveats(results / f"{leaf.name}.compare.csv", scale),
            **here,
        )
        before = old.get(leaf.name)
        same = before is not None and (before.date, before.scale) == (row.date, row.scale)
        files = copies[leaf.name]
        if before is not None and same and set(files_of(folder, leaf)) == files.keys():
            same = all((folder / name).read_bytes() == data for name, data in files.items())
            row = before if same else row
        rows[leaf.name] = row
    return rows


def _when(target: str, results: Path, records: dict[str, Made]) -> tuple[str, str]:
    """The day on which a leaf was made (UTC), and the seconds of all jobs behind it."""
    record = records.get(target)
    moment = record.end if record else (results.parent / target).stat().st_mtime
    day = datetime.fromtimestamp(moment, UTC).date().isoformat()
    return day, f"{seconds(target, records):.0f}" if record else ""


def _sources(used: Path, registry: Path) -> dict[str, list[str]]:
    """The corpora behind each leaf, with version and licence."""
    corpora = {row["id"]: row["corpus"] for _, row in read_rows(registry, ("id", "corpus"))}
    found: dict[str, dict[str, None]] = {}
    for line, row in read_rows(used, ("leaf", "source", "version", "licence")):
        if row["source"] not in corpora:
            raise InputError(f"unknown source '{row['source']}'", path=used, line=line, fix="make it again")
        told = f"{corpora[row['source']]} {row['version']} ({row['licence']})"
        found.setdefault(row["leaf"], {})[told] = None
    return {leaf: list(names) for leaf, names in found.items()}


def _caveats(comparison: Path, scale: str) -> str:
    """Why cells are not comparable beside the scale, the most frequent reason first."""
    if not comparison.is_file():
        return ""
    reasons: Counter[str] = Counter()
    for _, row in read_rows(comparison, ("ours", "comparable")):
        if row["ours"] and row["comparable"].startswith("no: "):
            why = row["comparable"].removeprefix("no: ")
            first, _, rest = why.partition(", ")
            if first in (scale, *LACKING):
                why = rest
            reasons[why] += bool(why)
    listed = [(why, count) for why, count in reasons.most_common() if count]
    told = [f"{why} ({count} {'cell' if count == 1 else 'cells'})" for why, count in listed[:SHOWN]]
    return "; ".join(told + [f"{len(listed) - SHOWN} further reasons"] * (len(listed) > SHOWN))


def _copies(leaf: Leaf, results: Path) -> dict[str, bytes]:
    """The kept files of a leaf, by their names in the gallery."""
    files = {}
    for ending in ENDINGS:
        path = results / f"{leaf.name}{ending}"
        if not path.is_file() or (ending == ".csv" and leaf.texts == (ALL,)):
            continue
        if ending == ".svg":
            # It has a separate page: only its faults matter here.
            inline(path, leaf.anchor)
        files[file_of(leaf, ending)] = (
            _without(path, leaf.texts) if ending == ".csv" and leaf.texts else path.read_bytes()
        )
    return files


def _without(path: Path, texts: Iterable[str]) -> bytes:
    """A table without some of its columns."""
    header = header_of(path)
    if unknown := [name for name in texts if name not in header]:
        raise InputError(
            f"no column {', '.join(unknown)}", path=path, fix="correct `texts` in resources/leaves.csv"
        )
    places = [place for place, name in enumerate(header) if name not in texts]
    kept = io.StringIO()
    writer = csv.writer(kept, lineterminator="\n")
    writer.writerow([header[place] for place in places])
    writer.writerows([row[place] for place in places] for _, row in read_csv(path, header))
    return kept.getvalue().encode()


if __name__ == "__main__":
    run(gallery)
