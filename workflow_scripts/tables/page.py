"""Command: Table 7 as a page for a browser, ours and the printed one side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workflow_scripts.command import run
from workflow_scripts.files import writing
from workflow_scripts.tables.compare import HEADER
from workflow_scripts.tables.layout import AUTOMATIC, DECIMALS, HUMAN, METRICS, Row, read_table, rounded

TITLES = {
    AUTOMATIC: ("self-BLEU", "mBERT score", "perplexity", "multi-BLEU"),
    HUMAN: ("meaning", "formality", "fluency", "overall"),
}
# Where less is better; all human ratings are better the higher they are.
LESS_IS_BETTER = {(AUTOMATIC, "perplexity")}
# Rows that are no systems and so are never the best.
NOT_RANKED = ("GOLD STANDARD", "COPY")
SIGNIFICANT = 0.05
# The paper's column heads differ from the codes in one case.
HEADS = {"pt": "BR-PT"}
# Section 5.3 (Spearman's correlation of the regressors) and Appendix B (BLEU of the translation service).
PRINTED_SPEARMAN = {"pt": "0.64", "it": "0.70", "fr": "0.71", "en": "0.81"}
PRINTED_BLEU = {"pt": "37.16", "it": "32.67", "fr": "33.79"}


@dataclass(frozen=True)
class Cell:
    """A place of the table: both numbers as text, how they are set, and what is said about them."""

    ours: str = ""
    printed: str = ""
    star: bool = False
    printed_star: bool = False
    best: bool = False
    printed_best: bool = False
    # higher or lower than printed, and by how much: 100 is the spread of the printed metric
    side: str = ""
    strength: int = 0
    note: str = ""


def page(
    target: Path,
    *,
    compare: Path,
    spearman: Path,
    sanity: Path,
    scale: Literal["demo", "open", "paper"],
    table: Path | None = None,
    printed: Path | None = None,
) -> None:
    """Write one HTML file without scripts and without anything to load.

    Every cell shows our number and the printed one; the shade says on which side ours lies and how far,
    measured by the spread of the printed column. At another scale than the paper's a banner says that the
    numbers cannot be compared.

    :param target: HTML to write
    :param compare: both tables cell by cell, from `tables.compare`
    :param spearman: CSV of the regressors: language, spearman, n
    :param sanity: CSV of the translation backend: language, direction, bleu, n, signature
    :param scale: for the banner
    :param table: our table, for the p-values of our cells; without it ours carry no marks
    :param printed: the printed table, for its marks and its bold numbers
    """
    import jinja2

    rows = read_table(compare, HEADER)
    marks = _marks(printed)
    tests = _tests(table)
    languages = list(dict.fromkeys(row["lang"] for row in rows))
    sections = [
        {
            "name": section,
            "titles": TITLES[section],
            "arrows": ["↓" if (section, metric) in LESS_IS_BETTER else "↑" for metric in METRICS],
            "systems": _systems(section, rows, languages, marks, tests),
        }
        for section in dict.fromkeys(row["section"] for row in rows)
    ]
    signatures: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["signature"]:
            signatures.setdefault((row["metric"], row["signature"]), []).append(
                f"{row['system']} {_head(row['lang'])}"
            )
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
    )
    environment.filters["rounded"] = rounded
    text = environment.get_template("page.html").render(
        scale=scale,
        sections=sections,
        heads=[_head(language) for language in languages],
        metrics=METRICS,
        has_tests=table is not None,
        has_marks=printed is not None,
        spearman=[
            row | {"head": _head(row["language"]), "printed": PRINTED_SPEARMAN.get(row["language"], "")}
            for row in read_table(spearman, ("language", "spearman", "n"))
        ],
        sanity=[
            row | {"head": _head(row["language"]), "printed": PRINTED_BLEU.get(row["language"], "")}
            for row in read_table(sanity, ("language", "direction", "bleu", "n", "signature"))
        ],
        signatures=[(metric, signature, names) for (metric, signature), names in signatures.items()],
        cells=[row | {"head": _head(row["lang"]), "test": tests.get(_key(row), "")} for row in rows],
    )
    with writing(target) as stream:
        stream.write(text)


def _head(language: str) -> str:
    return HEADS.get(language, language.upper())


def _key(row: Row) -> tuple[str, str, str, str]:
    return row["section"], row["system"], row["metric"], row["lang"]


def _marks(printed: Path | None) -> dict[tuple[str, str, str, str], tuple[bool, bool]]:
    """Which printed numbers are significant and which are bold."""
    columns = ("section", "system", "metric", "lang", "significant", "bold")
    rows = read_table(printed, columns) if printed else []
    return {_key(row): (row["significant"] == "yes", row["bold"] == "yes") for row in rows}


def _tests(table: Path | None) -> dict[tuple[str, str, str, str], str]:
    """The p-values of our table, cell by cell."""
    tests = {}
    for row in read_table(table, ("section", "system")) if table else []:
        for name, value in row.items():
            for metric in METRICS:
                if name.startswith(f"{metric}_") and name.endswith("_p") and value:
                    language = name.removeprefix(f"{metric}_").removesuffix("_p")
                    tests[row["section"], row["system"], metric, language] = value
    return tests


def _systems(
    section: str,
    rows: list[Row],
    languages: list[str],
    marks: dict[tuple[str, str, str, str], tuple[bool, bool]],
    tests: dict[tuple[str, str, str, str], str],
) -> list[tuple[str, bool, list[Cell]]]:
    """The rows of one section: label, whether it is in the printed table, cells from left to right."""
    mine = {_key(row): row for row in rows if row["section"] == section}
    columns = [(metric, language) for metric in METRICS for language in languages]
    spread = {
        metric: _spread(
            float(row["printed"]) for key, row in mine.items() if key[2] == metric and row["printed"]
        )
        for metric in METRICS
    }
    best = {
        column: _best(section, column[0], (row for key, row in mine.items() if key[2:] == column))
        for column in columns
    }
    systems = []
    for system in dict.fromkeys(key[1] for key in mine):
        cells = []
        for metric, language in columns:
            key = (section, system, metric, language)
            row = mine.get(key)
            if row is None:
                cells.append(Cell())
                continue
            star, bold = marks.get(key, (False, False))
            test = tests.get(key, "")
            side, strength = _shade(row["difference"], spread[metric])
            cells.append(
                Cell(
                    ours=row["ours"],
                    printed=row["printed"],
                    star=bool(test) and float(test) < SIGNIFICANT,
                    printed_star=star,
                    best=bool(row["ours"])
                    and row["ours"] == best[metric, language]
                    and system not in NOT_RANKED,
                    printed_best=bold,
                    side=side,
                    strength=strength,
                    note=_note(row, test),
                )
            )
        in_print = any(cell.printed for cell in cells)
        systems.append((system, in_print, cells))
    return systems


def _spread(numbers: Iterable[float]) -> float:
    """The distance of the largest and the smallest number."""
    found = list(numbers)
    return max(found) - min(found) if found else 0.0


def _best(section: str, metric: str, rows: Iterable[Row]) -> str:
    """Our best number of a column."""
    numbers = [row["ours"] for row in rows if row["ours"] and row["system"] not in NOT_RANKED]
    choose = min if (section, metric) in LESS_IS_BETTER else max
    return choose(numbers, key=float) if numbers else ""


def _shade(difference: str, spread: float) -> tuple[str, int]:
    """On which side of the printed number ours lies, and how far (100: as far as the whole spread)."""
    if not difference or float(difference) == 0 or spread == 0:
        return "", 0
    side = "higher" if float(difference) > 0 else "lower"
    return side, min(100, round(100 * abs(float(difference)) / spread))


def _note(row: Row, test: str) -> str:
    """What a cell says when the pointer rests on it."""
    name = TITLES[row["section"]][METRICS.index(row["metric"])]
    parts = [f"{row['system']}, {name}, {_head(row['lang'])}"]
    if row["ours"]:
        bounds = f" [{row['ci_low']}, {row['ci_high']}]" if row["ci_low"] else ""
        parts.append(f"ours {row['ours']}{bounds}")
    if row["printed"]:
        parts.append(f"printed {row['printed']}")
    if row["difference"]:
        parts.append(f"difference {float(row['difference']):+.{DECIMALS[row['metric']]}f}")
    if test:
        parts.append(f"p {test} (Holm)")
    return " · ".join(parts)


if __name__ == "__main__":
    run(page)
