"""Command: draw rewrites for a native speaker to judge (Appendix H)."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import read_parallel
from workflow_scripts.rewrites.labels import BOXES
from workflow_scripts.rewrites.sheets import COLUMNS, identifier


def annotation_task(
    sheet: Path,
    *,
    informal: Path,
    references: list[Path],
    language: str,
    annotated: int,
    seed: int,
) -> None:
    """Write a sheet (see `sheets`) with a sample of all rewrites, in the order of the corpus.

    The sample is drawn without replacement; a corpus with fewer rewrites is used as a whole.

    :param sheet: CSV to write: id, informal, formal, and empty: quality, a box per type of edits, other
    :param informal: informal sentences, one per line
    :param references: their rewrites, one file per set, parallel to `informal`
    :param language: code, part of the seed
    :param annotated: size of the sample
    """
    sources, *rewrites = read_parallel(informal, *references, filled=True)
    every = [(line, number) for line in range(len(sources)) for number in range(len(rewrites))]
    drawn = random.Random(f"annotation {seed} {language}").sample(every, min(annotated, len(every)))
    empty = [""] * (len(BOXES) + 2)
    write_csv(
        sheet,
        COLUMNS,
        (
            [identifier(line + 1, number), sources[line], rewrites[number][line], *empty]
            for line, number in sorted(drawn)
        ),
    )


if __name__ == "__main__":
    run(annotation_task)
