"""Command: split a bitext into a formal and an informal pool (XFORMAL, Section 5.2 and Table 12)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from workflow_scripts.command import run
from workflow_scripts.files import parallel, progress, writing
from workflow_scripts.filtering.counts import write_counts
from workflow_scripts.filtering.scores import read_score


def pools(
    english: Path,
    other: Path,
    scores: Path,
    *,
    formal_en: Path,
    formal_l: Path,
    informal_en: Path,
    informal_l: Path,
    counts: Path,
    threshold: float,
) -> None:
    """Send each pair to the informal pool if its formality is below the threshold, else to the formal one.

    :param english: English sentences
    :param other: their translations, parallel by line
    :param scores: a formality score for each pair, on the scale from -3 to 3, parallel by line
    :param formal_en: English side of the formal pool, to write
    :param formal_l: other side of the formal pool
    :param informal_en: English side of the informal pool
    :param informal_l: other side of the informal pool
    :param counts: table of counts to write: step, pairs
    :param threshold: a score below it is informal, one equal to it formal (-1 in the paper)
    """
    found = {"formal": 0, "informal": 0}
    paths = {"formal": (formal_en, formal_l), "informal": (informal_en, informal_l)}
    with ExitStack() as stack:
        streams = {
            pool: [stack.enter_context(writing(path)) for path in pair] for pool, pair in paths.items()
        }
        rows = progress(parallel(english, other, scores), "pools", unit="pair")
        for number, (left, right, score) in enumerate(rows, 1):
            pool = "informal" if read_score(score, scores, number) < threshold else "formal"
            for stream, sentence in zip(streams[pool], (left, right), strict=True):
                stream.write(sentence + "\n")
            found[pool] += 1
    write_counts(counts, {"scored": sum(found.values()), **found})


if __name__ == "__main__":
    run(pools)
