"""Command: Figure 2 of TyDiP, Spearman correlation of raters and of random assignments."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.figures.boxes import Panel
from workflow_scripts.papers.tydip.agreements import pooled, write
from workflow_scripts.papers.tydip.unreleased import Raters
from workflow_scripts.politeness.agreement import TARGET, read_agreement
from workflow_scripts.politeness.corpus import ENGLISH


def figure2(
    figure: Path, table: Path, *, agreement: Path, languages: list[str], raters: Raters = "people"
) -> None:
    """Draw the agreement over the HITs of all languages, on English requests and on the raters' own.

    :param figure: SVG to write
    :param table: CSV to write: panel, group, n (HITs), mean, p5, q1, median, q3, p95, note
    :param agreement: the file that politeness.agreement wrote
    :param raters: the source of the ratings
    """
    by_raters = read_agreement(agreement)
    groups = [*pooled(by_raters, languages, ENGLISH, "en"), *pooled(by_raters, languages, TARGET, "target")]
    title = "Agreement of raters on a HIT (TyDiP, Figure 2)"
    write(figure, table, [Panel("", groups)], title=title, raters=raters)


if __name__ == "__main__":
    run(figure2)
