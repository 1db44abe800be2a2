"""How fast words of a bitext are aligned, as rows of a Markdown table: by the Python of the tool `align`.

Times are processor seconds on one thread, the best of the repeats, from text to links: words are cut, both
directions are trained, and all pairs are aligned.

    .venvs/align-*/bin/python bench/alignment.py ENGLISH OTHER --header
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.files import read_parallel
from workflow_scripts.politeness.links import cut
from workflow_scripts.text.alignment import align, aligner_signature

COLUMNS = ("aligner", "pairs", "words", "seconds", "pairs per second")


def bench(english: Path, other: Path, *, repeats: int = 3, header: bool = False) -> None:
    """Print a row.

    :param english: the English side of a bitext, one sentence a line
    :param other: the other side
    :param repeats: how often it is measured
    :param header: print the head of the table first
    """
    fix_threads(1)
    sides = read_parallel(english, other)
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        pairs = [(cut(one), cut(two)) for one, two in zip(*sides, strict=True)]
        align(pairs)
        times.append(time.process_time() - begin)
    words = sum(len(side) for pair in pairs for side in pair)
    numbers = (f"{len(pairs):,}", f"{words:,}", f"{min(times):.2f}", f"{len(pairs) / min(times):,.0f}")
    rows = [COLUMNS, ["---"] * len(COLUMNS)] if header else []
    for cells in (*rows, (aligner_signature(), *numbers)):
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    run(bench)
