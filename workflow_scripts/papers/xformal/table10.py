"""Command: Table 10 of XFORMAL, inter-annotator agreement for the human evaluation."""

import zlib
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.judgments import places
from workflow_scripts.human.scales import RANKING, TASKS
from workflow_scripts.human.sheets import Rating, read_ratings
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature

# The paper's names of the tasks.
NAMES = {
    "formality": "Formality",
    "fluency": "Fluency",
    "meaning": "Meaning Preservation",
    "ranking": "Overall",
}
MEASURES = ("kappa", "icc", "tau", "alpha")
DECIMALS = 2
KEYS = ("task", "measure", "lang", "statistic")


@leaf(*KEYS)
def table10(
    theirs: Printed,
    *,
    languages: list[str],
    ratings: list[Path] | None = None,
    simulations: int,
    seed: int,
    simulated: bool = False,
) -> Rows:
    """Write the agreement on each task and language, as the median and deviation of simulated annotators.

    In each simulation a random rating of every item is Annotator 1, and the mean of the others Annotator 2:
    quadratic-weighted kappa (the mean is rounded, halves to even), ICC(1,k), and for the ranking Kendall's
    tau-b with the mean ranks, averaged over the items. Krippendorff's alpha (ordinal), which needs no
    simulation, is not in the paper. Items with a single rating are left out.

    :param table: CSV to write: task, source, then <measure>_<language> for kappa, icc, tau, alpha
    :param ratings: checked ratings, one file per language; without any the table is empty
    :param simulations: the number of draws of two annotators
    :param simulated: whether the raters are simulated; the table says so
    """
    fix_threads(1)
    files = ratings or []
    if files and len(files) != len(languages):
        raise InputError(f"{len(files)} files of ratings for {len(languages)} languages")
    cells: Cells = {}
    for language, path in zip(languages, files, strict=False):
        all_ratings = read_ratings(path)
        for task in TASKS:
            task_ratings = [rating for rating in all_ratings if rating.task == task]
            cells |= _cells(task, language, task_ratings, path, simulations, seed, simulated)
    for key in theirs:
        if key[2] in languages:
            cells.setdefault(key, Cell("", "", "no ratings: human.ratings"))
    # Printed languages keep the paper's order, which differs from Table 7's.
    order = list(dict.fromkeys([*(key[2] for key in theirs if key[2] in languages), *languages]))
    columns = [(measure, language) for language in order for measure in MEASURES]
    source = "" if not files else "simulated" if simulated else "raters"
    return Rows(
        cells,
        ("task", "source", *(f"{measure}_{language}" for measure, language in columns)),
        [
            [name, source, *(_text(cells, name, measure, language) for measure, language in columns)]
            for name in NAMES.values()
        ],
    )


def _cells(
    task: str, language: str, ratings: list[Rating], path: Path, simulations: int, seed: int, simulated: bool
) -> Cells:
    """The cells of a task and language; empty if no item has two ratings."""
    import numpy as np

    from workflow_scripts.statistics import agreement

    items: dict[str, list[Rating]] = {}
    for rating in ratings:
        items.setdefault(rating.item, []).append(rating)
    repeated = [item_ratings for item_ratings in items.values() if len(item_ratings) > 1]
    if not repeated:
        return {}
    draws = (seed, zlib.crc32(f"{task} {language}".encode()))
    values: dict[tuple[str, str], float] = {}
    if task == RANKING.name:
        orders = [
            [list(places(r.value)[x] for x in sorted(r.value)) for r in item_ratings]
            for item_ratings in repeated
        ]
        taus, _ = agreement.rank_pairs(orders).draw(simulations, draws)
        values["tau", "median"], values["tau", "sd"] = agreement.median_and_deviation(taus.mean(axis=1))
    else:
        scale = TASKS[task]
        first, rest = agreement.pairs(
            [[float(r.value) for r in item_ratings] for item_ratings in repeated]
        ).draw(simulations, draws)
        kappa = agreement.weighted_kappa(first, np.rint(rest))
        values["kappa", "median"], values["kappa", "sd"] = agreement.median_and_deviation(kappa)
        icc = agreement.icc(first, rest)
        values["icc", "median"], values["icc", "sd"] = agreement.median_and_deviation(icc)
        named = [[(r.rater, float(r.value)) for r in item_ratings] for item_ratings in repeated]
        values["alpha", "value"] = agreement.alpha(named, scale.low, scale.high)
    facts = signature(
        path,
        raters=len({rating.rater for rating in ratings}),
        items=len(repeated),
        ratings=sum(map(len, repeated)),
        simulations=simulations,
        seed=seed,
    )
    note = f"simulated raters|{facts}" if simulated else facts
    return {
        (NAMES[task], measure, language, statistic): Cell(
            rounded(value, DECIMALS) if np.isfinite(value) else "", note
        )
        for (measure, statistic), value in values.items()
    }


def _text(cells: Cells, name: str, measure: str, language: str) -> str:
    """A cell of the table, as the paper prints it."""
    empty = Cell("", "")
    if measure == "alpha":
        return cells.get((name, measure, language, "value"), empty).ours
    median, deviation = (cells.get((name, measure, language, part), empty).ours for part in ("median", "sd"))
    return " ± ".join(filter(None, (median, deviation)))


if __name__ == "__main__":
    run(table10)
