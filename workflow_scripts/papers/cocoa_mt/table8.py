"""Command: Table 8 of CoCoA-MT, translators that are controlled by different sources of labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.papers.cocoa_mt.accuracies import write_accuracies
from workflow_scripts.papers.cocoa_mt.made_of import Labelled, read_labelled, read_made_of

PARTS = {"all": ""}
# What the labelled data of a kind are: contrastive references, references that people wrote.
CONDITIONS = {
    "contrastive": ("yes", "yes"),
    "single": ("no", "yes"),
    "rules": ("no", "no"),
    "both": ("in part", "in part"),
}
WORDS = tuple(dict.fromkeys(word for words in CONDITIONS.values() for word in words))


def table8(
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
    """Write M-Acc over all domains, of formal and informal translations and their mean, and BLEU.

    Before them stands what a system was tuned on: whether references were contrastive, whether people wrote
    them, and how many different labelled sources its first run saw.

    The printed numbers stand beside the mode `released`. Two columns are not printed: `matched`, the share of
    translations that M-Acc counts, and `bleu`, that of the controlled translations themselves. Numbers are
    means over the runs of a system; their range is in the signature.

    :param table: CSV to write: lang, system, mode, contrastive, manual, sources, f, i, avg, wmt, ted,
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
    labelled = read_labelled(pairs or [], data or [])
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
        labelled=labelled,
        averaged=False,
        conditions={key: told(tuned) for key, tuned in labelled.items()},
        words=WORDS,
    )


def told(tuned: Labelled) -> dict[str, Cell]:
    """The cells of the columns Contrastive, Manual and #Src, of the labelled data of a system."""
    contrastive, manual = CONDITIONS[tuned.kind]
    facts = f"data:{tuned.kind}"
    return {
        "contrastive": Cell(contrastive, facts, difference=""),
        "manual": Cell(manual, facts, difference=""),
        "sources": Cell(str(tuned.sources), facts),
    }


if __name__ == "__main__":
    run(table8)
