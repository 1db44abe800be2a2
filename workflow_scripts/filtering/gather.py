"""Command: join the shards of a bitext."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import add_counts, read_counts, write_counts
from workflow_scripts.core.files import progress, writing
from workflow_scripts.filtering.pairs import read_pairs


def gather(english: Path, other: Path, counts_out: Path, *, shards: list[Path], counts: list[Path]) -> None:
    """Write the pairs of all shards, one shard after the other, to two parallel files, and sum their counts.

    :param english: file for the English sentences
    :param other: file for their translations, parallel by line
    :param counts_out: table of summed counts to write: step, pairs
    :param shards: shards (.tsv.gz), in order
    :param counts: tables of counts of the shards, one step after the other
    """
    # Read first, so that a broken table is noticed before the long step.
    table = add_counts(map(read_counts, counts))
    with writing(english) as left, writing(other) as right:
        for path in shards:
            for first, second in progress(read_pairs(path), f"gather {path.name}", unit="pair"):
                left.write(first + "\n")
                right.write(second + "\n")
    write_counts(counts_out, table)


if __name__ == "__main__":
    run(gather)
