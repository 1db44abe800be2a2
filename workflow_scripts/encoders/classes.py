"""The two classes of a classifier: the labels in files, and the class that a score means."""

from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import shown
from workflow_scripts.core.files import lines

# Labels of training sentences.
POSITIVE, NEGATIVE = 1.0, -1.0
_WRITTEN = {"1": POSITIVE, "-1": NEGATIVE}
# The logit at which both classes are equally probable.
EVEN = 0.0


def is_positive(logit: float, threshold: float = EVEN) -> bool:
    """Whether a classifier assigns a text with this logit to the positive class."""
    return logit > threshold


def write_label(positive: bool) -> str:
    """The label of a sentence, as `read_labels` reads it."""
    return "1" if positive else "-1"


def read_labels(path: Path) -> list[float]:
    """The labels in a file, one a line; InputError, naming the line, for text other than 1 and -1."""
    labels = []
    for number, text in enumerate(lines(path), 1):
        if text not in _WRITTEN:
            raise InputError(
                f"{shown(text)} is no label",
                path=path,
                line=number,
                fix="give 1 for the positive class and -1 for the other",
            )
        labels.append(_WRITTEN[text])
    return labels
