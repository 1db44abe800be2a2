"""Command: a simulated annotator, who stands in where the demo has no native speaker."""

from __future__ import annotations

import random
from pathlib import Path

from workflow_scripts.config.sections import Edits
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.rewrites.labels import BOXES, ONLY_MANUAL, QUALITIES, column
from workflow_scripts.rewrites.pairs import read_pairs
from workflow_scripts.rewrites.sheets import COLUMNS, identifier, read_task

# How often a type that is also found automatically is judged otherwise, and how often another one is marked.
NOISE = 0.1
RATE = 0.1
WEIGHTS = (45, 47, 8)  # of excellent, acceptable, poor


def simulate(
    sheet: Path,
    *,
    task: Path,
    pairs: Path,
    language: str,
    seed: int,
    rules: Edits,
) -> None:
    """Fill in an annotation sheet at random: it shows that the machinery works, and says nothing of rewrites.

    Types that are also found automatically are taken from there, one in ten turned round; of each other type
    one in ten rewrites has a mark; qualities are drawn with fixed weights.

    :param sheet: CSV to write, in the layout of the task (see `sheets`), `other` says simulated
    :param task: the empty sheet
    :param pairs: what `measure` found in all rewrites of the language
    :param language: code, part of the seed
    :param seed: of all that is random
    :param rules: `analysis.edits` of the configuration: by which rule a type is found
    """
    found = {identifier(pair.sentence, pair.reference): pair.edits for pair in read_pairs(pairs)}
    by = rules.model_dump()
    generator = random.Random(f"annotator {seed} {language}")
    rows = []
    for name, given in read_task(task).items():
        if name not in found:
            raise InputError(f"'{name}' is not among the rewrites of {pairs}", path=task)
        quality = generator.choices(QUALITIES, WEIGHTS)[0]
        marks = []
        for box in BOXES:
            chance = generator.random()
            if box in ONLY_MANUAL:
                marks.append(chance < RATE)
            else:
                marks.append(found[name][column(box, by.get(box, ""))] != (chance < NOISE))
        rows.append([name, *given, quality, *("1" if mark else "" for mark in marks), "simulated"])
    write_csv(sheet, COLUMNS, rows)


if __name__ == "__main__":
    run(simulate)
