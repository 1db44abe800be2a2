"""The tasks of raters and their scales (XFORMAL, 5.4; CoCoA-MT, 3 and 6.3; TyDiP, 2.1; Hu et al., V-B)."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One question to a rater: its text on the sheet, and the answers from the lowest to the highest."""

    name: str
    title: str
    question: str
    low: int = 0
    labels: tuple[str, ...] = ()
    # The answers themselves if they have no order, parallel to the labels.
    words: tuple[str, ...] = ()

    @property
    def high(self) -> int:
        """The highest value of the scale."""
        return self.low + len(self.labels) - 1

    @property
    def values(self) -> list[str]:
        """The answers as written in a file, parallel to the labels."""
        return list(self.words or map(str, range(self.low, self.high + 1)))

    def has(self, value: str) -> bool:
        """Whether a text is an answer: one of the words, or a number of the scale."""
        if self.words:
            return value in self.words
        return re.fullmatch(r"[+-]?[0-9]", value) is not None and self.low <= int(value) <= self.high


RANKING = Task(
    "ranking",
    "Overall",
    "Rank the sentences, the best first. The best is the most formal one that is fluent and keeps the meaning"
    " of the informal sentence. The formal rewrite was written by a person and shows what is asked for.",
)
# The questions about translations: their level, whether it is the requested one, and their quality.
LEVEL = Task(
    "level",
    "Formality of the translation",
    "Which formality do the forms of address in this translation show?",
    labels=(
        "Formal",
        "Informal",
        "It can be taken for either (impersonal or plural forms)",
        "Inconsistent, or a form of address is missing that had to be there",
    ),
    words=("formal", "informal", "neutral", "other"),
)
MATCHES = {
    level: Task(
        f"is_{level}",
        f"Is it {level}?",
        f"The translation should be {level}. Is it?",
        labels=("Yes", "No"),
        words=("yes", "no"),
    )
    for level in ("formal", "informal")
}
QUALITY = Task(
    "quality",
    "Quality of the translation",
    "How good is this translation? Its formality does not count.",
    1,
    ("Poor", "", "", "", "", "Perfect"),
)
# The politeness of a request, in half points, unless the text is not a request.
_POLITE = (
    "Very impolite",
    "Impolite",
    "Somewhat impolite",
    "Neutral",
    "Somewhat polite",
    "Polite",
    "Very polite",
)
POLITENESS = Task(
    "politeness",
    "Politeness",
    "How polite is this request?",
    labels=(*(label for whole in _POLITE[:-1] for label in (whole, "")), _POLITE[-1], "Invalid: no request"),
    words=(*(f"{half / 2:g}" for half in range(-6, 7)), "invalid"),
)
# The questions about dialogues (Hu et al., 2022, Section V-B).
OF_DIALOGUES = (
    Task(
        "success",
        "Success",
        "Does the system find what the user's goal describes, and tell all that it asks for?",
        labels=("Yes", "No"),
        words=("yes", "no"),
    ),
    Task(
        "comprehension",
        "Comprehension",
        "How well does the system understand what the user says?",
        1,
        ("Not at all", "", "", "", "Well"),
    ),
    Task(
        "appropriateness",
        "Appropriateness",
        "Are the system's responses appropriate, and like those of a person?",
        1,
        ("Inappropriate, they make no sense", "", "", "", "Appropriate and like a person's"),
    ),
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
        LEVEL,
        *MATCHES.values(),
        QUALITY,
        POLITENESS,
        *OF_DIALOGUES,
    )
}
# The options of a ranking are named by letters.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
