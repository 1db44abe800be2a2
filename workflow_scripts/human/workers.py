"""The files of workers: their countries, and native speakers' reviews of their first rewrites."""

import re
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError, nearest

WORKERS = ("worker", "country")
REVIEWS = ("worker", "accepted")
SCREENED = ("worker", "country", "located", "score", "passed", "accepted")


def read_workers(path: Path) -> dict[str, str]:
    """Each worker's country, as two letters of ISO 3166."""
    workers: dict[str, str] = {}
    for number, (worker, country) in read_csv(path, WORKERS):
        if not worker or worker in workers:
            raise InputError(f"a second line for '{worker}', or no name", path=path, line=number)
        if not re.fullmatch("[A-Z]{2}", country):
            raise InputError(
                f"country '{country}' of '{worker}'",
                path=path,
                line=number,
                fix="write the two letters of ISO 3166, such as BR",
            )
        workers[worker] = country
    return workers


def read_reviews(path: Path, passed: set[str]) -> dict[str, bool]:
    """The workers whose rewrites were accepted; only workers who passed the test have any."""
    reviews: dict[str, bool] = {}
    for number, (worker, accepted) in read_csv(path, REVIEWS):
        problem, fix = "", ""
        if worker in reviews:
            problem, fix = f"a second review of '{worker}'", "keep one"
        elif worker not in passed:
            problem, fix = f"'{worker}' has not passed the test", nearest(worker, passed)
        elif accepted not in ("yes", "no"):
            problem, fix = f"accepted is '{accepted}'", "write yes or no"
        if problem:
            raise InputError(problem, path=path, line=number, fix=fix)
        reviews[worker] = accepted == "yes"
    return reviews


def read_countries(path: Path, language: str) -> set[str]:
    """The countries from which workers of a language are recruited."""
    found = {country for _, (lang, country) in read_csv(path, ("lang", "country")) if lang == language}
    if not found:
        raise InputError(f"no country for language '{language}'", path=path, fix="add a line for it")
    return found
