"""Command: Table 8 of CoCoA-MT, translators that are controlled by different sources of labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.accuracies import write_accuracies

PARTS = {"all": ""}


def table8(
    table: Path,
    comparison: Path,
    *,
    scores: list[Path],
    languages: list[str],
    systems: Path,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write M-Acc over all domains, of formal and informal translations and their mean, and BLEU.

    The printed numbers stand beside the mode `released`. Two columns are not printed: `matched`, the share of
    translations that M-Acc counts, and `bleu`, that of the controlled translations themselves. Numbers are
    means over the runs of a system; their range is in the signature.

    :param table: CSV to write: lang, system, mode, f, i, avg, wmt, ted, matched, bleu
    :param comparison: CSV to write: lang, system, mode, metric, printed, ours, difference, ci_low, ci_high,
        comparable, signature
    :param scores: what `control.score` has written, of each language
    :param languages: codes of the target languages, in the order of the rows
    :param systems: CSV of the rows: system, label
    :param printed: CSV: lang, system, mode, metric, printed
    :param scale: of the run
    """
    write_accuracies(
        table,
        comparison,
        scores=scores,
        languages=languages,
        systems=systems,
        parts=PARTS,
        printed=printed,
        scale=scale,
        averaged=False,
    )


if __name__ == "__main__":
    run(table8)
