"""Command: a leaf as a booktabs table that can be pasted into a paper."""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.leaves.comparison import Scale
from workflow_scripts.leaves.registry import named
from workflow_scripts.report.layout import (
    NUMBER,
    Column,
    columns,
    groups,
    language_heads,
    marked,
    pretty,
    read,
    significant,
)

SPECIAL = {
    "\\": r"\textbackslash{}",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# Signs that LaTeX joins into one.
_LIGATURES = re.compile(r"--|``|''|,,|!`|\?`")
WIDE = 7


def latex(
    table: Path,
    target: Path,
    *,
    leaf: str,
    leaves: Path,
    languages: Path,
    scale: Scale,
) -> None:
    """Write one `table` environment: caption, label, grouped heads, rows between booktabs' rules.

    Columns `<metric>_<language>` share one head; p-values become stars. Characters that LaTeX would
    read are escaped, letters of every script stay as they are: scripts other than Latin need XeLaTeX or
    LuaLaTeX and a font. Numbers of another scale than the paper's say so in the caption.

    :param table: CSV of the leaf
    :param target: file to write, one environment that needs the package booktabs
    :param leaf: its name in the registry
    :param leaves: CSV: the registry of leaves, `papers.csv` beside it
    :param languages: CSV: code and label of each language
    :param scale: of the run
    """
    entry = named(leaves, leaf)
    content = read(table)
    shown = columns(content, language_heads(languages, entry.scaled))
    environment = "table*" if len(shown) > WIDE else "table"
    caption = escape(f"{entry.number}: {entry.caption}" if entry.kind == "figure" else entry.caption) + "."
    if entry.scaled and scale != "paper":
        caption += rf" \textbf{{{scale.capitalize()} scale: not comparable with the printed numbers.}}"
    if any(column.tests is not None for column in shown):
        caption += r" $^{*}$: $p < 0.05$."
    many_texts = sum(column.kind == "text" for column in shown)
    body = [" & ".join(_cell(row, column) for column in shown) + r" \\" for row in content.rows]
    write_lines(
        target,
        [
            f"% {leaf}, made by tuvous. Needs \\usepackage{{booktabs}}.",
            rf"\begin{{{environment}}}[t]",
            r"  \centering",
            r"  \footnotesize\setlength{\tabcolsep}{3pt}" if len(shown) > WIDE else r"  \small",
            rf"  \caption{{{caption}}}",
            rf"  \label{{tab:{entry.anchor}}}",
            rf"  \begin{{tabular}}{{{''.join(_align(column, many_texts) for column in shown)}}}",
            r"    \toprule",
            *(f"    {line}" for line in _head(shown)),
            r"    \midrule",
            *(f"    {line}" for line in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            rf"\end{{{environment}}}",
        ],
    )


def _head(shown: list[Column]) -> list[str]:
    """One line of heads, or two with rules between them where columns are grouped."""
    heads = " & ".join(escape(column.head) for column in shown) + r" \\"
    runs = groups(shown)
    if not any(name for name, _, _ in runs):
        return [heads]
    upper, rules = [], []
    for name, start, length in runs:
        if not name:
            upper += [""] * length
            continue
        upper.append(rf"\multicolumn{{{length}}}{{c}}{{{escape(pretty(name))}}}")
        rules.append(rf"\cmidrule(lr){{{start + 1}-{start + length}}}")
    return [" & ".join(upper) + r" \\", " ".join(rules), heads]


def _align(column: Column, texts: int) -> str:
    if column.kind == "text":
        return rf"p{{{0.7 / texts:.2f}\linewidth}}"
    return "r" if column.kind == "number" else "l"


def _cell(row: list[str], column: Column) -> str:
    text = row[column.place]
    if NUMBER.fullmatch(text):
        text = escape(text)
        if text.startswith("-"):
            text = f"$-${text[1:]}"
        if column.tests is not None and significant(row[column.tests]):
            text += "$^{*}$"
        return text
    parts = marked(text) if column.name == "marked" else [(False, text)]
    return "".join(rf"\textbf{{{escape(part)}}}" if strong else escape(part) for strong, part in parts)


def escape(text: str) -> str:
    """A text that LaTeX sets literally: line breaks are spaces, no character is a command."""
    flat = _CONTROL.sub("", re.sub(r"\s+", " ", text))
    apart = _LIGATURES.sub(lambda match: "\0".join(match[0]), flat)
    apart = _LIGATURES.sub(lambda match: "\0".join(match[0]), apart)
    escaped = "".join(SPECIAL.get(character, character) for character in apart).replace("\0", "{}")
    # After the end of a row, an asterisk or a bracket is an argument of the break.
    return "{}" + escaped if escaped.lstrip()[:1] in ("[", "*") else escaped


if __name__ == "__main__":
    run(latex)
