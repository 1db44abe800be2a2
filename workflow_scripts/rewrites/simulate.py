"""Command: a simulated annotator for the demo, which has no native speaker."""

import random
from pathlib import Path

from workflow_scripts.config.sections import Edits
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.rewrites.labels import BOXES, ONLY_MANUAL, QUALITIES, column
from workflow_scripts.rewrites.pairs import read_pairs
from workflow_scripts.rewrites.sheets import COLUMNS, identifier, read_task

# The chance that an automatically detected type is judged differently, and that another type is marked.
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
    """Fill in an annotation sheet at random: it tests the pipeline, and says nothing about the rewrites.

    Automatically detected types are copied, with one mark in ten inverted; each other type is marked in one
    of ten rewrites; qualities are drawn with fixed weights.

    :param sheet: CSV to write, in the layout of the task (see `sheets`), with `simulated` in `other`
    :param task: the empty sheet
    :param pairs: table that `measure` wrote, of all rewrites of the language
    :param language: code, part of the seed
    :param rules: `analysis.edits` of the configuration: the rule of each type
    """
    edits = {identifier(pair.sentence, pair.reference): pair.edits for pair in read_pairs(pairs)}
    rule_of = rules.model_dump()
    generator = random.Random(f"annotator {seed} {language}")
    rows = []
    for name, sentences in read_task(task).items():
        if name not in edits:
            raise InputError(f"'{name}' is not among the rewrites of {pairs}", path=task)
        quality = generator.choices(QUALITIES, WEIGHTS)[0]
        marks = []
        for box in BOXES:
            chance = generator.random()
            if box in ONLY_MANUAL:
                marks.append(chance < RATE)
            else:
                marks.append(edits[name][column(box, rule_of.get(box, ""))] != (chance < NOISE))
        rows.append([name, *sentences, quality, *("1" if mark else "" for mark in marks), "simulated"])
    write_csv(sheet, COLUMNS, rows)


if __name__ == "__main__":
    run(simulate)
