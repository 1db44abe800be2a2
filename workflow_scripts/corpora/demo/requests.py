"""Command: hand-written requests with simulated politeness scores, in the layout of TyDiP."""

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing_folder
from workflow_scripts.corpora.demo.situations import read_languages
from workflow_scripts.statistics.quantiles import quartiles

ENGLISH = "en"
# The parts of a request, in order: its opening, its topic, and its question.
FIELDS = ("opens", "says", "asks")
# The politeness of each of the two wordings, and the standard deviation of the simulated workers' mean.
MANNERS = {"polite": 0.5, "rude": -0.5}
NOISE = 0.35


def requests(out: Path, *, texts: Path, seed: int, train: int, test: int) -> None:
    """Write ``data/all/`` and ``data/binary/`` in TyDiP's layout; same arguments, same bytes.

    A request is an opening, a sentence about its topic, and a question. Opening and question are each polite
    or rude, drawn independently, so that some requests are neither; the score is the sum of their politeness
    and of noise. No request occurs twice, so the English training and test parts share none. The binary files
    have the requests at or beyond the quartiles of their language. Raises InputError for a mistake in the
    texts, and if they give fewer requests than asked for.

    :param out: folder to write
    :param texts: YAML: by language `says`, a list, and `opens` and `asks`, lists of `polite` and `rude` ones
    :param train: number of English training requests
    :param test: number of test requests of each language
    """
    content = read_languages(texts)
    with writing_folder(out) as folder:
        for language, fragments in content.items():
            rng = random.Random(f"requests {language} {seed}")
            count = train + test if language == ENGLISH else test
            drawn = _draw(_fragments(fragments, language, texts), count, rng, texts)
            low, _, high = quartiles([score for _, score in drawn])
            parts = {"train": drawn[test:]} if language == ENGLISH else {}
            for part, rows in {**parts, "test": drawn[:test]}.items():
                outer = [row for row in rows if not low < row[1] < high]
                for kind, name, chosen in (("all", "", rows), ("binary", "_binary", outer)):
                    path = folder / "data" / kind / f"{language}_{part}{name}.csv"
                    write_csv(path, ("sentence", "score"), chosen)


def _fragments(content: Any, language: str, path: Path) -> list[list[tuple[str, float]]]:
    """The wordings of each part of a request, with their politeness."""
    parts = []
    for field in FIELDS:
        lists = content.get(field) if isinstance(content, dict) else None
        manners = {"": 0.0} if field == "says" else MANNERS
        choices = {"": lists} if field == "says" else lists
        if not isinstance(choices, dict) or choices.keys() != manners.keys():
            raise InputError(f"{language}: '{field}' does not have the expected form", path=path)
        if not all(
            isinstance(wordings, list) and all(isinstance(text, str) for text in wordings)
            for wordings in choices.values()
        ):
            raise InputError(f"{language}: '{field}' has no lists of texts", path=path)
        parts.append([(text, manners[manner]) for manner, texts in choices.items() for text in texts])
    return parts


def _draw(
    fragments: Sequence[Sequence[tuple[str, float]]], count: int, rng: random.Random, path: Path
) -> list[tuple[str, float]]:
    """Different requests with their scores."""
    combinations = list(product(*fragments))
    if len(combinations) < count:
        raise InputError(f"{len(combinations)} different requests, but {count} are asked for", path=path)
    return [
        (
            f"{opening} {topic}{question}",
            round(kind + manner + rng.gauss(0, NOISE), 6),
        )
        for (opening, kind), (topic, _), (question, manner) in rng.sample(combinations, count)
    ]


if __name__ == "__main__":
    run(requests)
