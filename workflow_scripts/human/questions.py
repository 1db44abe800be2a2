"""The qualification test: its questions and its score (XFORMAL, appendix L)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.scales import TASKS

COLUMNS = ("question", "text", "gold")


@dataclass(frozen=True)
class Question:
    """A sentence whose formality a worker rates, and its gold score on the scale of -3 to 3."""

    name: str
    text: str
    gold: int


def read_questions(path: Path) -> list[Question]:
    """The questions of a test."""
    scale = TASKS["formality"]
    allowed = {str(score) for score in range(scale.low, scale.high + 1)}
    questions: dict[str, Question] = {}
    for number, (name, text, gold) in read_csv(path, COLUMNS):
        if not name or name in questions or not text.strip():
            raise InputError(
                "a question has a name of its own and a sentence", path=path, line=number, fix=f"see '{name}'"
            )
        if gold not in allowed:
            raise InputError(
                f"gold score '{gold}'", path=path, line=number, fix=f"use {scale.low} to {scale.high}"
            )
        questions[name] = Question(name, text, int(gold))
    if not questions:
        raise InputError("no question", path=path)
    return list(questions.values())


def score(answers: Mapping[str, int], questions: Sequence[Question], tolerance: int) -> float:
    """The share of right answers, 0 to 100: an answer is right if it is off by at most `tolerance`.

    A question without an answer is wrong.
    """
    right = sum(
        question.name in answers and abs(answers[question.name] - question.gold) <= tolerance
        for question in questions
    )
    return 100 * right / len(questions)
