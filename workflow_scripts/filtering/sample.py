"""Command: draw samples of pairs from a formality pool (XFORMAL, Table 6)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from workflow_scripts.command import run
from workflow_scripts.errors import InputError
from workflow_scripts.files import lines, parallel, progress, writing
from workflow_scripts.filtering.sampling import choose


def sample(
    *,
    pool_en: Path,
    pool_l: Path,
    names: list[str],
    sizes: list[int],
    out_en: list[Path],
    out_l: list[Path],
    seed: int,
) -> None:
    """Draw one sample for each name, without replacement and disjoint where the pool allows.

    One shuffle of the pool is dealt out in the order of the names; a pool that is too small is dealt out
    again from the top, so that a sample may share pairs with an earlier one, and stderr says so. Samples keep
    the pool's order. The pool itself is never in memory, only its line numbers.

    :param pool_en: English sentences of the pool
    :param pool_l: their translations, parallel by line
    :param names: names of the samples
    :param sizes: pairs in each sample
    :param out_en: English side of each sample, to write
    :param out_l: other side of each sample
    :param seed: of the shuffle
    """
    if not len(names) == len(sizes) == len(out_en) == len(out_l):
        raise InputError(
            "--names, --sizes, --out-en and --out-l differ in length", fix="give as many of each"
        )
    if len(set(names)) < len(names):
        raise InputError(f"a name occurs twice in --names {' '.join(names)}")
    total = sum(1 for _ in lines(pool_en))
    chosen = choose(total, dict(zip(names, sizes, strict=True)), seed, pool_en)
    with ExitStack() as stack:
        takers = [
            _Taker(numbers.tolist(), [stack.enter_context(writing(path)) for path in paths])
            for numbers, *paths in zip(chosen.values(), out_en, out_l, strict=True)
        ]
        for number, pair in enumerate(progress(parallel(pool_en, pool_l), "sample", total, unit="pair")):
            for taker in takers:
                taker.offer(number, pair)


class _Taker:
    """Writes the pairs whose numbers are in an ascending list."""

    def __init__(self, numbers: list[int], streams: list) -> None:
        self.numbers = iter(numbers)
        self.streams = streams
        self.next = next(self.numbers, -1)

    def offer(self, number: int, pair: tuple[str, ...]) -> None:
        if number == self.next:
            for stream, sentence in zip(self.streams, pair, strict=True):
                stream.write(sentence + "\n")
            self.next = next(self.numbers, -1)


if __name__ == "__main__":
    run(sample)
