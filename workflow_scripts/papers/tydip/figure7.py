"""Command: Figure 7 of TyDiP, pairwise correlation over HITs and a random baseline, by language."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.figures.boxes import Panel
from workflow_scripts.papers.tydip.agreements import pooled, write
from workflow_scripts.papers.tydip.unreleased import Raters
from workflow_scripts.politeness.agreement import TARGET, read_agreement
from workflow_scripts.politeness.corpus import ENGLISH


def figure7(
    figure: Path, table: Path, *, agreement: Path, languages: list[str], raters: Raters = "people"
) -> None:
    """Draw Figure 2 for each language.

    :param figure: SVG to write
    :param table: CSV to write: panel (language), group, n (HITs), mean, p5, q1, median, q3, p95, note
    :param agreement: the file that politeness.agreement wrote
    :param raters: the source of the ratings
    """
    by_raters = read_agreement(agreement)
    panels = [
        Panel(code, [*pooled(by_raters, [code], ENGLISH, "en"), *pooled(by_raters, [code], TARGET, "target")])
        for code in languages
    ]
    write(figure, table, panels, title="Agreement of raters by language (TyDiP, Figure 7)", raters=raters)


if __name__ == "__main__":
    run(figure7)
