"""Command: draw informal candidates for rewriting (XFORMAL, Section 3, Step 3)."""

from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.files import parallel, write_lines
from workflow_scripts.filtering.sampling import choose
from workflow_scripts.filtering.scores import read_score


def candidates(
    sentences: Path, scores: Path, out: Path, counts: Path, *, informal_below: float, size: int, seed: int
) -> None:
    """Sample curated sentences that the regressor finds informal, without all of them in memory.

    :param sentences: curated sentences
    :param scores: a formality score for each, parallel by line
    :param out: the sample to write, in the order of the sentences
    :param counts: table of counts to write: step, sentences
    :param informal_below: scores below it are informal (-1 in the paper)
    :param size: sentences to draw (1,000 in the paper); all informal ones if there are fewer
    """

    def informal() -> Iterator[str]:
        for line, (text, score) in enumerate(parallel(sentences, scores), 1):
            if read_score(score, scores, line) < informal_below:
                yield text

    total = sum(1 for _ in informal())
    drawn = choose(total, {"candidates": size}, seed, sentences)["candidates"]
    chosen = set(drawn.tolist())
    write_lines(out, (text for number, text in enumerate(informal()) if number in chosen))
    write_counts(counts, {"informal": total, "candidates": len(drawn)})


if __name__ == "__main__":
    run(candidates)
