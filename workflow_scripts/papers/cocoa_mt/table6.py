"""Command: Table 6 of CoCoA-MT, translators under control in and out of the domains they are trained in."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.papers.cocoa_mt.accuracies import write_accuracies
from workflow_scripts.papers.cocoa_mt.made_of import read_labelled, read_made_of

PARTS = {"in-domain": "in_", "out-of-domain": "out_"}


def table6(
    table: Path,
    comparison: Path,
    *,
    scores: list[Path],
    languages: list[str],
    systems: Path,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
    paper_data: Path,
    training_pairs: int,
    made_of: list[str] | None = None,
    trained: list[str] | None = None,
    pairs: list[Path] | None = None,
    data: list[str] | None = None,
) -> None:
    """Write M-Acc of formal and informal translations and their mean, in both modes, and BLEU.

    The printed numbers stand beside the mode `released`. Two columns are not printed: `matched`, the share of
    translations that M-Acc counts, and `bleu`, that of the controlled translations themselves. Numbers are
    means over the runs of a system; their range is in the signature.

    :param table: CSV to write: lang, system, mode, in_f, in_i, in_avg, out_f, out_i, out_avg, wmt, ted,
        matched, bleu
    :param comparison: CSV to write: lang, system, mode, metric, printed, ours, difference, ci_low, ci_high,
        comparable, signature
    :param scores: what `control.score` has written, of each language
    :param languages: codes of the target languages, in the order of the rows
    :param systems: CSV of the rows: system, label
    :param printed: CSV: lang, system, mode, metric, printed
    :param scale: of the run
    :param paper_data: CSV of what the paper's systems are made of: lang, part, source, pairs,
        unavailable
    :param training_pairs: how many a generic model learns from at most
    :param made_of: what ours are made of, each as LANG.PART=SOURCE
    :param trained: the systems that are trained here
    :param pairs: the source sides that tuned systems were tuned on, as SYSTEM/LANGUAGE/FILE in any folder
    :param data: the kind of labelled data of each of these systems, as SYSTEM=KIND
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
        made_of=read_made_of(paper_data, made_of or [], training_pairs),
        trained=trained or [],
        labelled=read_labelled(pairs or [], data or []),
        averaged=True,
    )


if __name__ == "__main__":
    run(table6)
