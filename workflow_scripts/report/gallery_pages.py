"""The site's pages of the gallery: Markdown that `docs/conf.py` puts below the papers' own words.

Only the standard library is imported, since the environment of the site has no other.
"""

from collections.abc import Mapping, Sequence
from html import escape, unescape
from pathlib import Path

from workflow_scripts.core.csv_files import header_of, read_rows
from workflow_scripts.leaves.registry import Leaf, Paper
from workflow_scripts.report.figure import title
from workflow_scripts.report.kept import ALL, ENDINGS, Kept, Plot, file_of

EMPTY = "The gallery keeps no result of this paper yet: `make gallery` computes and copies them.\n"
# The last columns of a comparison; the keys come before them.
HEADS = ("printed", "ours", "difference", "comparable")


def overview(
    folder: Path, papers: Mapping[str, Paper], leaves: Sequence[Leaf], kept: Mapping[str, Kept]
) -> str:
    """A table with a row per paper: how many leaves are kept, and how many cells are compared."""
    lines = ["| paper | leaves | scale | printed cells | ours too | comparable | the same |"]
    lines.append("|---|---|---|---|---|---|---|")
    for paper in papers.values():
        own = [leaf for leaf in leaves if leaf.paper == paper.name]
        rows = [kept[leaf.name] for leaf in own if leaf.name in kept]
        cells = [cell for leaf in own if leaf.name in kept for cell in _cells(folder, leaf)]
        both = [cell for cell in cells if cell["printed"] and cell["ours"]]
        comparable = [cell for cell in both if cell["comparable"] == "yes"]
        numbers = (
            f"[{paper.label}]({paper.name}.md)",
            f"{len(rows)} of {len(own)}",
            ", ".join(sorted({row.scale for row in rows})) or "–",
            str(sum(bool(cell["printed"]) for cell in cells)),
            *(str(len(group)) for group in (both, comparable, list(filter(_same, comparable)))),
        )
        lines.append(f"| {' | '.join(numbers)} |")
    return "```{table}\n:class: comparison\n\n" + "\n".join(lines) + "\n```\n"


def page(
    folder: Path, paper: str, leaves: Sequence[Leaf], kept: Mapping[str, Kept], plots: Sequence[Plot]
) -> str:
    """The plots of a paper and all its kept leaves; a sentence if there is none."""
    own = [leaf for leaf in leaves if leaf.paper == paper and leaf.name in kept]
    if not own:
        return EMPTY
    parts = [_warning([kept[leaf.name] for leaf in own])]
    for plot in plots:
        if plot.paper == paper and (folder / plot.path).is_file():
            parts += [_image(folder, plot.path), f"*{plot.title}*\n"]
    parts.append("## All tables and figures\n")
    parts += [_section(folder, leaf, kept[leaf.name]) for leaf in own]
    return "\n".join(filter(None, parts))


def _warning(rows: Sequence[Kept]) -> str:
    """That numbers are not of the open scale, in words that nobody can miss."""
    others = sorted({row.scale for row in rows} - {"open"})
    if not others:
        return ""
    return f"```{{warning}}\nNumbers of the scale {' and '.join(others)}: not those of the gallery.\n```\n"


def _image(folder: Path, path: str) -> str:
    """A figure with its text alternative."""
    _, description = title(folder / path)
    return f"```{{image}} {path}\n:alt: {unescape(description)}\n```\n"


def _section(folder: Path, leaf: Leaf, row: Kept) -> str:
    """A leaf: its description, its origin, its figure, its comparison."""
    cells = _cells(folder, leaf)
    facts = [
        f"{row.scale} scale",
        f"commit `{row.commit}`" if row.commit else "no commit",
        row.date,
        _plain(row.processor),
        *([f"{int(row.seconds):,} seconds" if row.seconds != "1" else "1 second"] if row.seconds else []),
    ]
    parts = [f"### {leaf.number}: {leaf.caption}\n"]
    if leaf.look:
        parts.append(f"{_plain(leaf.look)}\n")
    parts.append(f"{', '.join(facts)}.\n")
    if row.source:
        parts.append(f"Data: {_plain(row.source)}.\n")
    if row.caveats:
        parts.append(f"Not comparable: {_plain(row.caveats)}.\n")
    if leaf.texts == (ALL,):
        parts.append("The table contains text of corpora, which is not shown here; the workflow makes it.\n")
    elif leaf.texts:
        parts.append(f"Text of corpora is not shown here: the columns {', '.join(leaf.texts)}.\n")
    if (folder / (figure := file_of(leaf, ".svg"))).is_file():
        parts.append(_image(folder, figure))
    if cells:
        parts.append(_comparison(folder, leaf, cells))
    names = {".csv": "table", ".compare.csv": "comparison, with signatures"}
    files = [(ending, file_of(leaf, ending)) for ending in ENDINGS if ending in names]
    links = [f"[{names[ending]}]({name})" for ending, name in files if (folder / name).is_file()]
    if links:
        parts.append(f"Files: {', '.join(links)}.\n")
    return "\n".join(parts)


def _cells(folder: Path, leaf: Leaf) -> list[dict[str, str]]:
    """The rows of the comparison of a leaf."""
    path = folder / file_of(leaf, ".compare.csv")
    return [row for _, row in read_rows(path, HEADS)] if path.is_file() else []


def _comparison(folder: Path, leaf: Leaf, cells: Sequence[Mapping[str, str]]) -> str:
    """A table that opens: a cell's name, printed, ours with its interval, difference, comparable or why not.

    One block of HTML without empty lines, which Markdown passes on: Sphinx would read each of thousands of
    cells as a document.
    """
    header = header_of(folder / file_of(leaf, ".compare.csv"))
    keys = header[: header.index("printed")]
    both = [cell for cell in cells if cell["printed"] and cell["ours"]]
    comparable = [cell for cell in both if cell["comparable"] == "yes"]
    reasons = list(dict.fromkeys(c["comparable"] for c in cells if c["comparable"] != "yes"))
    said = (
        f"{len(cells)} cells, {len(both)} with both numbers, {len(comparable)} comparable,"
        f" {sum(map(_same, comparable))} of these the same"
    )
    lines = [f"<details><summary>{said}</summary>"]
    if reasons:
        told = "; ".join(
            f"{number} {reason.removeprefix('no: ')}" for number, reason in enumerate(reasons, 1)
        )
        lines.append(f"<p>Why cells are not comparable: {escape(told)}.</p>")
    lines.append('<div class="table-wrapper docutils container"><table class="docutils comparison">')
    heads = (", ".join(keys), *HEADS)
    lines.append(f"<thead><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr></thead><tbody>")
    for cell in cells:
        interval = f" [{cell['ci_low']}, {cell['ci_high']}]" if cell.get("ci_low") else ""
        why = cell["comparable"]
        fields = (
            ", ".join(cell[key] for key in keys),
            cell["printed"],
            f"{cell['ours']}{interval}",
            cell["difference"],
            "yes" if why == "yes" else f"no: {reasons.index(why) + 1}",
        )
        lines.append(f"<tr>{''.join(f'<td>{escape(field)}</td>' for field in fields)}</tr>")
    lines.append("</tbody></table></div></details>")
    return "\n".join(lines) + "\n"


def _same(cell: Mapping[str, str]) -> bool:
    """Whether a number is the printed one."""
    return cell["difference"] == "same" or (cell["difference"] != "" and not cell["difference"].strip("+-0."))


def _plain(text: str) -> str:
    """Text of which Markdown makes nothing."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~$@" else sign for sign in text)
