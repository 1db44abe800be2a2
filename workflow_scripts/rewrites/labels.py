"""The rows of Table 4: their names in files, and the paper's."""

from __future__ import annotations

from typing import Literal

# Where the manual half of Table 4 comes from.
Source = Literal["manual", "simulated"]
AUTOMATIC, MANUAL, SIMULATED = "automatic", "manual", "simulated"

PARAPHRASE = "paraphrase"
# The rules of automatic types that have several; see `edits`.
CAREFUL, RELEASED, PAPER = "careful", "released", "paper"
RULES = {
    **dict.fromkeys(("spelling", "normalization", "repetition"), (CAREFUL, RELEASED)),
    PARAPHRASE: (CAREFUL, RELEASED, PAPER),
}
# Found both by program and by people, in the order of Table 4.
BOTH = ("capitalization", "punctuation", "spelling", "normalization", "split_sentences", PARAPHRASE)
ONLY_AUTOMATIC = ("unchanged", "lowercase", "repetition")
ONLY_MANUAL = (
    *("delete_fillers", "completion", "add_context", "contractions"),
    *("slang_idioms", "politeness", "relativizers"),
)
# The boxes of the sheet, in the order in which appendix H lists them.
BOXES = (
    *("capitalization", "punctuation", PARAPHRASE, "delete_fillers", "completion", "add_context"),
    *("contractions", "spelling", "normalization", "slang_idioms", "politeness", "split_sentences"),
    "relativizers",
)
QUALITIES = ("excellent", "acceptable", "poor")


def column(name: str, rule: str) -> str:
    """What the columns of a type are called: with its rule, if it has several."""
    return f"{name}_{rule}" if rule else name


def label(name: str) -> str:
    """The paper's name of a type of edits: `SLANG/IDIOMS`."""
    return "SLANG/IDIOMS" if name == "slang_idioms" else name.replace("_", " ").upper()
