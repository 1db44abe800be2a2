"""Command: Figure 6 of TyDiP, pairwise correlation of its annotations and of the original English ones."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.figures.boxes import Panel
from workflow_scripts.papers.tydip.agreements import pooled, write
from workflow_scripts.papers.tydip.unreleased import Raters
from workflow_scripts.politeness.agreement import ORIGINAL, TARGET, read_agreement
from workflow_scripts.politeness.corpus import ENGLISH


def figure6(
    figure: Path,
    table: Path,
    *,
    agreement: Path,
    languages: list[str],
    raters: Raters = "people",
    simulated_original: bool = False,
) -> None:
    """Draw the agreement over the HITs of all languages, and over the sets of the Stanford corpus.

    :param figure: SVG to write
    :param table: CSV to write: panel, group, n (HITs), mean, p5, q1, median, q3, p95, note
    :param agreement: the file that politeness.agreement wrote
    :param raters: the source of the ratings
    :param simulated_original: whether Stanford's raters are simulated
    """
    by_raters = read_agreement(agreement)
    groups = [
        *pooled(by_raters, languages, ENGLISH, "en"),
        *pooled(by_raters, languages, TARGET, "target"),
        *pooled(by_raters, ["stanford"], ORIGINAL, "original en"),
    ]
    title = "Agreement of TyDiP's raters and of the original English raters (TyDiP, Figure 6)"
    real = () if simulated_original else ("original",)
    write(figure, table, [Panel("", groups)], title=title, real=real, raters=raters)


if __name__ == "__main__":
    run(figure6)
