"""The rows of Table 4: their names in files, and the paper's."""

from typing import Literal

# The source of the manual half of Table 4.
Source = Literal["manual", "simulated"]
AUTOMATIC, MANUAL, SIMULATED = "automatic", "manual", "simulated"

PARAPHRASE = "paraphrase"
# The rules of automatic types with several rules; see `edits`.
CAREFUL, RELEASED, PAPER = "careful", "released", "paper"
RULES = {
    **dict.fromkeys(("spelling", "normalization", "repetition"), (CAREFUL, RELEASED)),
    PARAPHRASE: (CAREFUL, RELEASED, PAPER),
}
# Types that both the program and annotators mark, in the order of Table 4.
BOTH = ("capitalization", "punctuation", "spelling", "normalization", "split_sentences", PARAPHRASE)
ONLY_AUTOMATIC = ("unchanged", "lowercase", "repetition")
ONLY_MANUAL = (
    *("delete_fillers", "completion", "add_context", "contractions"),
    *("slang_idioms", "politeness", "relativizers"),
)
# The boxes of the sheet, in the order of Appendix H.
BOXES = (
    *("capitalization", "punctuation", PARAPHRASE, "delete_fillers", "completion", "add_context"),
    *("contractions", "spelling", "normalization", "slang_idioms", "politeness", "split_sentences"),
    "relativizers",
)
QUALITIES = ("excellent", "acceptable", "poor")


def column(name: str, rule: str) -> str:
    """The column of a type: its name, with the rule if the type has several."""
    return f"{name}_{rule}" if rule else name


def label(name: str) -> str:
    """The paper's name of a type of edits: `SLANG/IDIOMS`."""
    return "SLANG/IDIOMS" if name == "slang_idioms" else name.replace("_", " ").upper()
