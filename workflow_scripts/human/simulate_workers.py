"""Command: simulated workers, used if there are no files of workers."""

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.questions import Question, read_questions, score
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import Rating, write_ratings
from workflow_scripts.human.workers import REVIEWS, WORKERS, read_countries


def simulate_workers(
    workers: Path,
    answers: Path,
    reviews: Path,
    *,
    questions: Path,
    countries: Path,
    language: str,
    count: int,
    abroad: float,
    careful: float,
    noise: float,
    accepted: float,
    tolerance: int,
    pass_score: float,
    seed: int,
) -> None:
    """Write simulated workers, their answers to the qualification test and the reviews of their rewrites.

    A careful worker answers near the gold score (normal noise, rounded and cut to the scale); any other picks
    a score by chance. Names begin with `simulated`. The file of answers has the form in which raters would
    send it.

    :param workers: CSV to write: worker, country
    :param answers: CSV to write: rater, item, task, value; of workers who live in the right countries
    :param reviews: CSV to write: worker, accepted; of workers who passed
    :param questions: CSV: question, text, gold
    :param countries: CSV: lang, country
    :param count: their number
    :param abroad: the share who live elsewhere
    :param careful: the share of careful workers
    :param noise: of a careful answer, standard deviation in points of the scale
    :param accepted: the share of workers who passed whose rewrites are accepted
    :param tolerance: see `human.screen`
    :param pass_score: see `human.screen`
    """
    for name, share in (("abroad", abroad), ("careful", careful), ("accepted", accepted)):
        if not 0 <= share <= 1:
            raise InputError(f"--{name} is a share between 0 and 1, not {share}")
    test = read_questions(questions)
    native = sorted(read_countries(countries, language))
    where: list[tuple[str, str]] = []
    given: list[Rating] = []
    reviewed: list[tuple[str, str]] = []
    for number in range(1, count + 1):
        worker = f"simulated-worker-{number:03d}"
        random = Random(f"{seed} {language} {worker}")
        # XX stands for any other country.
        country = "XX" if random.random() < abroad else random.choice(native)
        where.append((worker, country))
        values = answered(test, random, careful=random.random() < careful, noise=noise)
        approved = random.random() < accepted
        if country in native:
            given += [Rating(worker, name, "formality", str(value)) for name, value in values.items()]
            if score(values, test, tolerance) >= pass_score:
                reviewed.append((worker, "yes" if approved else "no"))
    write_csv(workers, WORKERS, where)
    write_ratings(answers, given)
    write_csv(reviews, REVIEWS, reviewed)


def answered(test: list[Question], random: Random, *, careful: bool, noise: float) -> dict[str, int]:
    """One worker's answers."""
    scale = TASKS["formality"]
    values = {}
    for question in test:
        value = (
            round(random.gauss(question.gold, noise)) if careful else random.randint(scale.low, scale.high)
        )
        values[question.name] = min(scale.high, max(scale.low, value))
    return values


if __name__ == "__main__":
    run(simulate_workers)
