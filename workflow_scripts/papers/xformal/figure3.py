"""Command: Figure 3 of XFORMAL, heatmaps of LeD, the lexical difference between pairs of systems."""

import statistics
from itertools import combinations, product
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import progress
from workflow_scripts.figures.heatmap import Spot, heatmap
from workflow_scripts.figures.look import save, styled
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.xformal.texts import read_texts
from workflow_scripts.text.lexical import led_of_tokens, tokens

Matrix = dict[tuple[str, str], float]


def figure3(
    figure: Path,
    table: Path,
    *,
    texts: Path,
) -> None:
    """Draw the mean LeD (see `text.lexical`) of each pair of texts, one grid per language, and write it.

    For systems with several runs it is the mean over the pairs of runs.

    :param figure: SVG to write
    :param table: CSV to write: lang, first, second, led, sentences, pairs (of runs); each pair of texts once
    :param texts: manifest of the texts, one sentence per line, parallel within a language: language (code),
        label (its row and column; several texts with one label are runs), text
    """
    fix_threads(1)
    rows = []
    grids: dict[str, Matrix] = {}
    for language, by_label in read_texts(texts).items():
        split = {
            label: [tokens(sentences, language) for sentences in runs] for label, runs in by_label.items()
        }
        grid = grids[language] = {(label, label): 0.0 for label in split}
        pairs = list(combinations(split, 2))
        for first, second in progress(pairs, f"LeD ({language})", len(pairs), unit="pair"):
            runs = list(product(split[first], split[second]))
            value = statistics.fmean(float(led_of_tokens(run, other_run).mean()) for run, other_run in runs)
            grid[first, second] = grid[second, first] = value
            rows.append([language, first, second, rounded(value, 4), len(runs[0][0]), len(runs)])
    write_csv(table, ("lang", "first", "second", "led", "sentences", "pairs"), rows)
    with styled():
        from matplotlib.figure import Figure

        sizes = [len(_names(grid)) for grid in grids.values()]
        # Wide enough for the label below, which is centred on the grid.
        width = max(5.2, 1.9 + 0.46 * max(sizes))
        drawn = Figure(figsize=(width, sum(1.6 + 0.26 * size for size in sizes)), layout="constrained")
        panels = drawn.subplots(len(grids), 1, squeeze=False, height_ratios=sizes).ravel()
        for axes, (language, grid) in zip(panels, grids.items(), strict=True):
            names = _names(grid)
            spots = {
                pair: Spot(value, rounded(value, 2)) for pair, value in grid.items() if pair[0] != pair[1]
            }
            heatmap(axes, spots, rows=names, columns=names, baseline=0.0, reach=1.0)
            axes.set_xticks(axes.get_xticks(), names, rotation=40, ha="left", rotation_mode="anchor")
            # Labels as they are: the grid turns underscores into spaces.
            axes.set_yticks(axes.get_yticks(), names)
            axes.set_title(language, loc="left", fontweight="bold")
            axes.tick_params(labelsize=7)
        panels[-1].set_xlabel("lexical difference: 0 for the same words, 1 for none in common")
        save(
            drawn,
            figure,
            title="Lexical difference between pairs of systems (XFORMAL, Figure 3)",
            description="A grid per language with one row and one column per system. "
            + " ".join(_sentence(language, grid) for language, grid in grids.items()),
        )


def _names(grid: Matrix) -> list[str]:
    return list(dict.fromkeys(first for first, _ in grid))


def _sentence(language: str, grid: Matrix) -> str:
    """The first row of a grid in words: the distance of the other texts from the first."""
    first, *others = _names(grid)
    return (
        f"{language}, {first}: "
        + ", ".join(f"{other} {rounded(grid[first, other], 2)}" for other in others)
        + "."
    )


if __name__ == "__main__":
    run(figure3)
