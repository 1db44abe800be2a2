"""The politeness score of a rewritten dialogue (Hu et al., 2022, Section III-B)."""

from collections.abc import Collection
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import whole
from workflow_scripts.corpora.impolite import COLUMNS, SCALE


def politeness_of(rewrites: Path, names: Collection[str] | None = None) -> dict[str, float]:
    """The politeness score of each dialogue, from 1 to 5: raters are averaged first, then the rated turns.

    Dialogues without ratings are left out. Raises InputError for an invalid rating.

    :param rewrites: table of the rewritten turns
    :param names: the dialogues that count; all if none are named
    """
    place = COLUMNS.index("politeness")
    ratings: dict[str, list[float]] = {}
    for line, row in read_csv(rewrites, COLUMNS):
        if row[place] and (names is None or row[0] in names):
            numbers = [whole(text, rewrites, line, 1) for text in row[place].split()]
            if not numbers or max(numbers) not in SCALE:
                raise InputError("ratings that are not 1 to 5", path=rewrites, line=line, fix="make it again")
            ratings.setdefault(row[0], []).append(fmean(numbers))
    return {name: fmean(means) for name, means in ratings.items()}
