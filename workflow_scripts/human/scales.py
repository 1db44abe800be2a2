"""The tasks of raters and their scales (XFORMAL, Section 5.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One question to a rater: what the sheet says, and the answers from the lowest to the highest."""

    name: str
    title: str
    question: str
    low: int = 0
    labels: tuple[str, ...] = ()

    @property
    def high(self) -> int:
        """The highest value of the scale."""
        return self.low + len(self.labels) - 1

    def has(self, value: str) -> bool:
        """Whether a text is a number of the scale."""
        return re.fullmatch(r"[+-]?[0-9]", value) is not None and self.low <= int(value) <= self.high


RANKING = Task(
    "ranking",
    "Overall",
    "Rank the sentences, the best first. The best is the most formal one that is fluent and keeps the meaning"
    " of the informal sentence. The formal rewrite was written by a person and shows what is asked for.",
)
# In the order in which raters work; formality, fluency and meaning have scales of words.
TASKS = {
    task.name: task
    for task in (
        Task(
            "formality",
            "Formality",
            "How formal is this sentence?",
            -3,
            (
                "Very Informal",
                "Informal",
                "Somewhat Informal",
                "Neutral",
                "Somewhat Formal",
                "Formal",
                "Very Formal",
            ),
        ),
        Task(
            "fluency",
            "Fluency",
            "How fluent is this sentence?",
            1,
            ("Other", "Incomprehensible", "Somewhat Comprehensible", "Comprehensible", "Perfect"),
        ),
        Task(
            "meaning",
            "Meaning preservation",
            "How similar are the meanings of the two sentences?",
            1,
            (
                "Completely dissimilar",
                "Not equivalent but on same topic",
                "Not equivalent but share some details",
                "Roughly equivalent",
                "Mostly equivalent",
                "Completely equivalent",
            ),
        ),
        RANKING,
    )
}
# Options of a ranking are named by letters.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
