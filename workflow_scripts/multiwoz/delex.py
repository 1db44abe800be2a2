"""Delexicalised responses: values of the database and of bookings are replaced by their slots' names."""

import re

from workflow_scripts.multiwoz.data import Turn
from workflow_scripts.multiwoz.schema import placeholder_of

# Values that depend on the wording.
YES_NO = frozenset(("yes", "no", "free", "none", "?", ""))
# Slots whose values are too short, or too common, to find without a span.
SPANS_ONLY = frozenset(("choice", "people", "stay", "stars", "day", "parking", "internet"))


def delexicalise(turn: Turn) -> str:
    """The system's text with `[slot]` in place of the values that the annotation marks.

    Annotated spans are used first; of two overlapping spans the longer one is used. Values of acts are also
    searched in the text, ignoring case, as whole words. Values of slots without a placeholder (see `schema`)
    stay as they are.
    """
    spans = [span for span in turn.spans if placeholder_of(span[0])]
    for _, _, slot, value in turn.acts:
        if slot in SPANS_ONLY or not placeholder_of(slot) or value.lower() in YES_NO:
            continue
        matches = re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", turn.system, re.IGNORECASE)
        spans += [(slot, match.start(), match.end()) for match in matches]
    taken: list[tuple[str, int, int]] = []
    for slot, start, end in sorted(spans, key=lambda span: (span[1] - span[2], span[1])):
        if all(end <= other[1] or start >= other[2] for other in taken):
            taken.append((slot, start, end))
    text = turn.system
    for slot, start, end in sorted(taken, key=lambda span: -span[1]):
        text = f"{text[:start]}[{slot}]{text[end:]}"
    return text
