"""Command: the workers who pass the steps of quality control (XFORMAL, Section 3)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.human.questions import read_questions, score
from workflow_scripts.human.sheets import read_ratings
from workflow_scripts.human.workers import SCREENED, read_countries, read_reviews, read_workers
from workflow_scripts.leaves.rounding import rounded


def screen(
    target: Path,
    *,
    workers: Path,
    answers: Path,
    questions: Path,
    countries: Path,
    language: str,
    tolerance: int,
    pass_score: float,
    reviews: Path | None = None,
) -> None:
    """Write the result of each worker: the right country, the score of the test, the review of the rewrites.

    A step is open to workers who passed the one before it. A worker without answers has score 0; a worker who
    passed the test and has no review is not accepted.

    :param target: CSV to write: worker, country, located, score, passed, accepted
    :param workers: CSV: worker, country
    :param answers: checked answers to the qualification test: rater, item, task, value
    :param questions: CSV: question, text, gold
    :param countries: CSV: lang, country; where native speakers most likely live
    :param tolerance: an answer that is off by more is wrong; 1 in the paper
    :param pass_score: of 100, needed to pass the test; 80 in the paper
    :param reviews: CSV: worker, accepted (yes or no), from a native speaker
    """
    known = read_workers(workers)
    native = read_countries(countries, language)
    test = read_questions(questions)
    given: dict[str, dict[str, int]] = {}
    for rating in read_ratings(answers):
        if rating.rater not in known:
            raise InputError(
                f"answers of '{rating.rater}', who is not in {workers}",
                path=answers,
                fix=nearest(rating.rater, known),
            )
        given.setdefault(rating.rater, {})[rating.item] = int(rating.value)
    scores = {
        worker: score(given.get(worker, {}), test, tolerance)
        for worker, country in known.items()
        if country in native
    }
    passed = {worker for worker, reached in scores.items() if reached >= pass_score}
    accepted = read_reviews(reviews, passed) if reviews else {}
    write_csv(
        target,
        SCREENED,
        [
            [
                worker,
                country,
                _word(worker in scores),
                rounded(scores[worker], 1) if worker in scores else "",
                _word(worker in passed),
                _word(accepted.get(worker, False)),
            ]
            for worker, country in known.items()
        ],
    )


def _word(yes: bool) -> str:
    return "yes" if yes else "no"


if __name__ == "__main__":
    run(screen)
