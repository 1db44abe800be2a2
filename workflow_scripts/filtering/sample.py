"""Command: draw samples from a corpus, for example from a formality pool (XFORMAL, Table 6)."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, parallel, progress, writing
from workflow_scripts.filtering.sampling import Draws, choose, counted


def sample(
    *,
    pool: list[Path],
    names: list[str],
    sizes: list[int],
    out: list[Path],
    seed: int,
    draws: Draws = "disjoint",
    apart: list[str] | None = None,
    counts: Path | None = None,
) -> None:
    """Draw one sample for each name, without replacement.

    Disjoint samples are dealt out of one shuffle of the pool, in the order of the names; a pool that is too
    small is dealt out again from the top, so that a sample may share lines with an earlier one, which stderr
    reports; strict samples have fewer lines instead. Independent samples are each drawn from the whole pool,
    as XFORMAL is read (Sections 5.2 and 5.3), and share lines by chance. Samples keep the pool's order. Only
    the pool's line numbers are in memory. Raises InputError for an empty pool.

    :param pool: the corpus: one file, or the two sides of a bitext, parallel by line
    :param names: names of the samples
    :param sizes: lines in each sample
    :param out: files to write: for each sample in turn, one for each file of the pool
    :param draws: how samples share the pool
    :param apart: names of independent samples that share no line with any other, such as dev sets
    :param counts: table of counts to write: lines of the pool and of each sample, and how many lines each two
        samples share
    """
    if len(names) != len(sizes) or len(out) != len(names) * len(pool):
        raise InputError(
            f"{len(pool)} files, {len(names)} names, {len(sizes)} sizes, {len(out)} files to write",
            fix="give a size for each name, and as many --out files for each as --pool has",
        )
    if len(set(names)) < len(names):
        raise InputError(f"a name occurs twice in --names {' '.join(names)}")
    total = sum(1 for _ in lines(pool[0]))
    if not total:
        raise InputError(
            "no sentences to draw from", path=pool[0], fix="check what the earlier steps dropped"
        )
    asked = dict(zip(names, sizes, strict=True))
    chosen = choose(total, asked, seed, pool[0], draws=draws, apart=apart or ())
    columns = len(pool)
    with ExitStack() as stack:
        takers = [
            _Taker(
                map(int, numbers),
                [stack.enter_context(writing(path)) for path in out[i * columns : (i + 1) * columns]],
            )
            for i, numbers in enumerate(chosen.values())
        ]
        rows = progress(parallel(*pool), "sample", total, unit="sentence")
        for number, row in enumerate(rows):
            for taker in takers:
                taker.offer(number, row)
    if counts is not None:
        write_counts(counts, counted(chosen, total))


class _Taker:
    """Writes the rows whose numbers are among ascending ones."""

    def __init__(self, numbers: Iterable[int], streams: list) -> None:
        self.numbers = iter(numbers)
        self.streams = streams
        self.next = next(self.numbers, -1)

    def offer(self, number: int, row: tuple[str, ...]) -> None:
        if number == self.next:
            for stream, sentence in zip(self.streams, row, strict=True):
                stream.write(sentence + "\n")
            self.next = next(self.numbers, -1)


if __name__ == "__main__":
    run(sample)
