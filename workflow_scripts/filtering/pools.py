"""Command: split a corpus into a formal and an informal pool (XFORMAL, Section 5.2 and Table 12)."""

from contextlib import ExitStack
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import parallel, progress, writing
from workflow_scripts.filtering.scores import read_score


def pools(
    scores: Path,
    counts: Path,
    *,
    texts: list[Path],
    formal: list[Path],
    informal: list[Path],
    informal_below: float,
) -> None:
    """Send each line to the informal pool if its formality is below `informal_below`, else to the formal one.

    :param scores: a formality score for each line, on the scale from -3 to 3
    :param counts: table of counts to write: step, lines
    :param texts: the corpus: one file, or the two sides of a bitext; parallel by line with the scores
    :param formal: files of the formal pool to write, one for each text
    :param informal: files of the informal pool, one for each text
    :param informal_below: scores below it are informal, others formal (-1 in the paper)
    """
    if not len(texts) == len(formal) == len(informal):
        raise InputError("--texts, --formal and --informal differ in length", fix="give as many of each")
    counted = {"formal": 0, "informal": 0}
    with ExitStack() as stack:
        streams = {
            pool: [stack.enter_context(writing(path)) for path in paths]
            for pool, paths in {"formal": formal, "informal": informal}.items()
        }
        rows = progress(parallel(scores, *texts), "pools", unit="sentence")
        for number, (score, *sentences) in enumerate(rows, 1):
            pool = "informal" if read_score(score, scores, number) < informal_below else "formal"
            for stream, sentence in zip(streams[pool], sentences, strict=True):
                stream.write(sentence + "\n")
            counted[pool] += 1
    write_counts(counts, {"scored": sum(counted.values()), **counted})


if __name__ == "__main__":
    run(pools)
