"""Command: Figure 4 of TyDiP, induced politeness strategies and their relation to politeness scores."""

from collections.abc import Mapping
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.figures.heatmap import Spot, heatmap
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.politeness.corpus import ENGLISH
from workflow_scripts.politeness.found import Found, coverage, names, read_found
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.thresholds import POLITE_ABOVE, is_polite

# ALL is the strategy of numbers that belong to a language's whole lexicon.
ALL, SIGN, COVERAGE, STRATEGIES = "all", "sign", "coverage", "strategies"
# The notation for the signs that the paper describes in words.
SIGNS = ("+", "-")


@leaf("strategy", "lang", "metric", scaled=False, words=SIGNS, drawn=True)
def figure4(theirs: Printed, *, found: Path) -> Rows:
    """Draw the average politeness score of the requests with each strategy, per language, and write it.

    The rule `matching.RULES[0]` decides which requests contain a strategy. The figure's numbers are not
    printed; Section 4 says on which side of 0 some cells lie, that coverage is 60 to 70 per cent
    (`found.coverage`), and that 15 of 20 strategies consist of words only.

    :param table: CSV to write: strategy, lang, words, flagged, mapped, requests, mean
    :param comparison: CSV to write: strategy, lang, metric (sign, coverage or strategies), printed, ours,
        difference, comparable, signature
    :param found: the file that `strategies` wrote
    """
    cells = read_found(found)[RULES[0].name]
    rows, columns = names(cells)

    @drawing
    def draw() -> Drawn:
        from matplotlib.figure import Figure

        drawn = Figure(figsize=(8.2, 6.4), layout="constrained")
        axes = drawn.subplots()
        heatmap(axes, spots(cells), rows=rows, columns=columns, baseline=POLITE_ABOVE, reach=1.0)
        axes.set_xlabel(
            "mean score of the requests with a strategy, and their number;"
            f" blue above {POLITE_ABOVE:g}, orange below\n"
            "share of the flagged English words that have a sequence:\n"
            + ", ".join(f"{code} {coverage(cells, code):.0f}%" for code in columns if code != ENGLISH)
        )
        return Drawn(
            drawn,
            title="Politeness strategies and mean politeness scores (TyDiP, Figure 4)",
            description="A grid with one row per strategy and one column per language. "
            + " ".join(sentence(row, columns, cells) for row in rows),
        )

    return Rows(
        compared(cells, theirs),
        ("strategy", "lang", "words", "flagged", "mapped", "requests", "mean"),
        [
            [
                *(strategy, language, cell.words, cell.flagged, cell.mapped, cell.requests),
                rounded(cell.mean, 4) if cell.requests else "",
            ]
            for (strategy, language), cell in cells.items()
        ],
        draw=draw,
    )


def compared(
    cells: dict[tuple[str, str], Found], printed: dict[tuple[str, ...], str]
) -> dict[tuple[str, ...], Cell]:
    """Our numbers for the statements of the text: signs of cells, coverage, number of strategies."""
    ours: dict[tuple[str, ...], Cell] = {}
    for key, theirs in printed.items():
        strategy, language, metric = key
        if metric == SIGN and (cell := cells.get((strategy, language))) and cell.requests:
            sign = "+" if is_polite(cell.mean) else "-"
            facts = f"{cell.signature}|mean:{cell.mean:.4f}|requests:{cell.requests}"
            ours[key] = Cell(sign, facts, "", "same" if sign == theirs else "other side")
    for language in dict.fromkeys(code for _, code in cells):
        if language != ENGLISH:
            facts_of_lexicon = next(cell.signature for (_, code), cell in cells.items() if code == language)
            share = rounded(coverage(cells, language), 1)
            ours[ALL, language, COVERAGE] = Cell(share, f"{facts_of_lexicon}|mapped/flagged, in per cent")
    rows, columns = names(cells)
    ours[ALL, ALL, STRATEGIES] = Cell(str(len(rows)), f"strategies of the lexicons|languages:{len(columns)}")
    return ours


def spots(cells: Mapping[tuple[str, str], Found]) -> dict[tuple[str, str], Spot]:
    """The cells of a strategy and a language that have requests: their mean score, and their number."""
    return {
        key: Spot(cell.mean, f"{rounded(cell.mean, 2)}\n({cell.requests})")
        for key, cell in cells.items()
        if cell.requests
    }


def sentence(strategy: str, languages: list[str], cells: dict[tuple[str, str], Found]) -> str:
    """A row of the figure in words."""
    means = [
        f"{code} {rounded(cells[strategy, code].mean, 2)}"
        for code in languages
        if (strategy, code) in cells and cells[strategy, code].requests
    ]
    return f"{strategy.replace('_', ' ')}: {', '.join(means) or 'in no request'}."


if __name__ == "__main__":
    run(figure4)
