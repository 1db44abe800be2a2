"""Command: Table X of Hu et al. (2022), examples of impolite dialogues from politeness bins 1 and 2."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.multiwoz.outputs import read_outputs
from workflow_scripts.papers.impolite.bins import bins
from workflow_scripts.papers.impolite.ratings import politeness_of
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED

COLUMNS = ("bin", "politeness", "dialogue", "turn", "who", "text")
KEYS = ("bin", "metric")
POLITENESS = "politeness"
DRAWN = "another dialogue, drawn at random"
SHOWN = 2
USER = "User"


@leaf(*KEYS)
def table10(
    theirs: Printed,
    *,
    label: str,
    seed: int,
    impolite: Path | None = None,
    rewrites: Path | None = None,
    responses: Path | None = None,
) -> Rows:
    """Write a dialogue of each of the first two politeness bins of Figure 3, and a system's responses.

    The dialogues are drawn at random, so their scores are not comparable with those of the paper's chosen
    ones. Without rewritten dialogues, ratings or the system there are no rows.

    :param table: CSV to write: bin (1 or 2), politeness (mean rating of the dialogue), dialogue, turn
        (from 0), who, text
    :param label: the system's label
    :param impolite: the rewritten dialogues, JSON lines as `multiwoz.data` describes them
    :param rewrites: table of the rewritten turns and their ratings
    :param responses: the system's responses to the rewritten dialogues
    """
    rows: list[list[object]] = []
    cells: Cells = {key: Cell("", "", UNPUBLISHED) for key in theirs}
    if impolite and rewrites and responses:
        dialogues = {dialogue.id: dialogue for dialogue in read_dialogues(impolite)}
        answers = read_outputs(responses, list(dialogues.values()))
        ratings = politeness_of(rewrites, dialogues)
        draw = random.Random(seed)
        for number, names in enumerate(bins(ratings)[:SHOWN], 1):
            name = draw.choice(names)
            score = rounded(ratings[name], 1)
            facts = signature(rewrites, dialogue=name, seed=seed)
            cells[str(number), POLITENESS] = Cell(score, facts, DRAWN)
            begin = [number, score, name]
            for place, (turn, answer) in enumerate(zip(dialogues[name].turns, answers[name], strict=True)):
                rows += [[*begin, place, USER, turn.user], [*begin, place, label, answer.response]]
    return Rows(cells, COLUMNS, rows)


if __name__ == "__main__":
    run(table10)
