"""Command: Figure 1 of CoCoA-MT, accuracy and BLEU for more and more labelled pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.made_of import read_made_of
from workflow_scripts.papers.cocoa_mt.upsampling import draw


def figure1(
    figure: Path,
    table: Path,
    comparison: Path,
    *,
    scores: Path,
    systems: list[str],
    pairs: list[Path],
    language: str,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
    paper_data: Path,
    training_pairs: int,
    made_of: list[str] | None = None,
    generic: str = "",
) -> None:
    """Draw a panel per domain and write the numbers (Section 6.1); the figure prints none, the text some.

    :param figure: SVG to write
    :param table: CSV to write: copies, labelled, part, metric, formal, informal, both, runs
    :param comparison: CSV to write: part, metric, printed, ours, difference, comparable, signature
    :param scores: what control.score wrote of these systems
    :param systems: each as SYSTEM=COPIES; 0 copies: the generic model
    :param pairs: the source sides that tuned systems were tuned on, as SYSTEM/LANGUAGE/FILE in any folder
    :param language: code of the target language
    :param printed: CSV: part, metric, printed
    :param scale: of the run
    :param paper_data: CSV of what the paper's systems are made of: lang, part, source, pairs,
        unavailable
    :param training_pairs: how many a generic model learns from at most
    :param made_of: what ours are made of, each as LANG.PART=SOURCE
    :param generic: the generic test set for BLEU
    """
    draw(
        figure,
        table,
        comparison,
        scores=scores,
        systems=systems,
        pairs=pairs,
        language=language,
        generic=generic,
        printed=printed,
        scale=scale,
        made_of=read_made_of(paper_data, made_of or [], training_pairs),
        printed_in="de",
        name="Figure 1",
    )


if __name__ == "__main__":
    run(figure1)
