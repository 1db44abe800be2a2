"""Command: ratings of simulated raters, for the demo."""

from collections import defaultdict
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.politeness.corpus import read_requests, requests_file
from workflow_scripts.politeness.hits import TASK, read_hits
from workflow_scripts.politeness.ratings import HIGHEST, RATINGS, STEP


def simulate(
    out: Path,
    *,
    sheets: list[Path],
    corpus: Path,
    raters: int,
    judgments: int,
    stretch: float,
    bias: float,
    noise: float,
    seed: int,
) -> None:
    """Write ``{lang}.csv``, the ratings of simulated raters, whose names begin with `simulated`.

    A rating is the request's score in the corpus times `stretch`, plus the rater's bias (normal, standard
    deviation `bias`), plus noise (normal, `noise`), clipped to the scale and rounded to its steps. All
    languages are rated alike, so such ratings cannot show that raters agree more on their own language, or
    on some languages. Raises InputError for an item of a sheet that the corpus does not have.

    :param out: folder to write; its files have the columns rater, item, task, value, hit
    :param sheets: ``{lang}.csv``, as `hits` wrote them
    :param corpus: folder with TyDiP in its official layout
    :param raters: number of all raters, from whom those of each HIT are drawn
    :param judgments: number of raters of a HIT
    :param stretch: points of the scale for a score of 1
    :param bias: standard deviation of raters' biases, in points of the scale
    :param noise: standard deviation of the noise, in points of the scale
    """
    if judgments > raters:
        raise InputError(f"{judgments} raters of a HIT, but {raters} in all")
    for sheet in sheets:
        rows = []
        for hit, items in _by_hit(sheet, corpus).items():
            drawn = Random(f"{seed} {sheet.stem} {hit}").sample(range(1, raters + 1), judgments)
            for rater in sorted(drawn):
                lean = Random(f"{seed} {sheet.stem} rater {rater}").gauss(0, bias)
                random = Random(f"{seed} {sheet.stem} {hit} {rater}")
                for item, score in items:
                    point = score * stretch + lean + random.gauss(0, noise)
                    value = min(HIGHEST, max(-HIGHEST, round(point / STEP) * STEP))
                    rows.append((f"simulated-{rater}", item, TASK, f"{value:g}", hit))
        write_csv(out / sheet.name, RATINGS, rows)


def _by_hit(sheet: Path, corpus: Path) -> dict[int, list[tuple[str, float]]]:
    """The items of each HIT with their scores in the corpus."""
    of_hit: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
    scores: dict[str, list[float]] = {}
    for item in read_hits(sheet).values():
        if item.language not in scores:
            scores[item.language] = [r.score for r in read_requests(requests_file(corpus, item.language))]
        if item.place > len(scores[item.language]):
            raise InputError(f"the corpus has no request of item '{item.item}'", path=sheet)
        of_hit[item.hit].append((item.item, scores[item.language][item.place - 1]))
    return of_hit


if __name__ == "__main__":
    run(simulate)
