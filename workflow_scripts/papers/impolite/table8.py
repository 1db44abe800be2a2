"""Command: Table VIII of Hu et al. (2022), human evaluation of dialogue systems."""

from itertools import combinations
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.dialogue.compare import IMPOLITE, ORIGINAL
from workflow_scripts.human.dialogues import Transcript, read_transcripts
from workflow_scripts.human.scales import OF_DIALOGUES
from workflow_scripts.human.sheets import Rating, read_key, read_ratings
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED
from workflow_scripts.papers.impolite.table6 import NO_SYSTEM

KEYS = ("model", "data", "metric")
COLUMNS = ("Success", "Comprehension", "Appropriateness")
DATA = {ORIGINAL: "Original", IMPOLITE: "Impolite"}
KAPPA = "Cohen's kappa"
UNRATED = "no ratings are configured"


@leaf(*KEYS)
def table8(
    theirs: Printed,
    *,
    systems: Path,
    transcripts: Path | None = None,
    key: Path | None = None,
    ratings: Path | None = None,
    simulated: bool = False,
) -> Table:
    """Write the mean ratings of each system with original and with impolite users, and the raters' agreement.

    A dialogue's ratings are averaged first, then the dialogues; Success is the share of `yes`, in per cent.
    Cohen's kappa, unweighted, is the mean over all pairs of raters with two or more items in common; pairs
    who give only one answer are left out. Without ratings the table is empty.

    :param table: CSV to write: model, data, Success, Comprehension, Appropriateness
    :param systems: manifest of the rows: system, label (the name in the paper)
    :param transcripts: the dialogues as raters read them
    :param key: the key of the sheet, with the system and row of each item
    :param ratings: checked ratings
    """
    labels = {name: label for name, label in read_manifest(systems, ("system", "label"))}
    shown = set(labels.values())
    reason = UNRATED if transcripts else UNPUBLISHED
    cells: Cells = {
        cell: Cell("", "", reason if cell[0] in {*shown, KAPPA} else NO_SYSTEM) for cell in theirs
    }
    if transcripts and key and ratings:
        judgements = read_ratings(ratings)
        facts = signature(
            ratings, raters=len({rating.rater for rating in judgements}), ratings=len(judgements)
        )
        caveat = "simulated raters" if simulated else ""
        means = _means(judgements, key, read_transcripts(transcripts), transcripts)
        for (system, users, task), values in means.items():
            if system not in labels:
                raise InputError(f"'{system}' is not a system of {systems}", path=transcripts)
            percent = task == OF_DIALOGUES[0].name
            value = rounded(fmean(values) * (100 if percent else 1), 0 if percent else 2)
            place = (labels[system], DATA[users], _column(task))
            cells[place] = Cell(value, f"{facts}|n:{len(values)}", caveat)
        for task in (rated.name for rated in OF_DIALOGUES):
            agreement = kappa([rating for rating in judgements if rating.task == task])
            agreed = "" if agreement is None else rounded(agreement, 2)
            cells[KAPPA, "", _column(task)] = Cell(agreed, facts, caveat)
    return Table(cells, COLUMNS)


def _column(task: str) -> str:
    return dict(zip((rated.name for rated in OF_DIALOGUES), COLUMNS, strict=True))[task]


def _means(
    judgements: list[Rating], key: Path, rows: list[Transcript], path: Path
) -> dict[tuple[str, str, str], list[float]]:
    """The mean rating of each rated dialogue, by system, users and task; `yes` counts as 1."""
    numbers: dict[str, list[float]] = {}
    for rating in judgements:
        value = {"yes": 1.0, "no": 0.0}.get(rating.value)
        numbers.setdefault(rating.item, []).append(float(rating.value) if value is None else value)
    means: dict[tuple[str, str, str], list[float]] = {}
    for entry in read_key(key):
        if entry.sentence > len(rows) or rows[entry.sentence - 1].system != entry.system:
            raise InputError(f"no row {entry.sentence} of '{entry.system}'", path=path, fix="make it again")
        if entry.task not in {task.name for task in OF_DIALOGUES}:
            raise InputError(f"'{entry.task}' is not a task of dialogues", path=key, fix="make it again")
        if entry.item in numbers:
            place = (entry.system, rows[entry.sentence - 1].users, entry.task)
            means.setdefault(place, []).append(fmean(numbers[entry.item]))
    return dict(sorted(means.items(), key=lambda entry: (entry[0][0], entry[0][1] != ORIGINAL)))


def kappa(ratings: list[Rating]) -> float | None:
    """The mean of Cohen's kappa over pairs of raters; None if no pair has one."""
    from sklearn.metrics import cohen_kappa_score

    by_rater: dict[str, dict[str, str]] = {}
    for rating in ratings:
        by_rater.setdefault(rating.rater, {})[rating.item] = rating.value
    kappas = []
    for first, second in combinations(by_rater.values(), 2):
        shared = sorted(first.keys() & second.keys())
        answers = [[answered[item] for item in shared] for answered in (first, second)]
        if len(shared) > 1 and len({*answers[0], *answers[1]}) > 1:
            kappas.append(float(cohen_kappa_score(*answers)))
    return fmean(kappas) if kappas else None


if __name__ == "__main__":
    run(table8)
