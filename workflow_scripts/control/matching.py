"""M-Acc, CoCoA-MT's matched accuracy (Section 3): is a translation formal or informal?

A hypothesis is FORMAL if it has a marked phrase of the formal reference and none of the informal one,
INFORMAL the other way round, NEUTRAL with none of either, OTHER with phrases of both. What it means to *have*
a phrase:

* mode ``paper`` is Algorithm 1: a well-formed marked phrase occurs in the hypothesis verbatim, as a
  substring, in any language. The printed listing never resets its counters of matches, so that after a few
  hypotheses none would be classified any more; here they are reset for each one, as the text says.
* mode ``released`` follows the authors' scorer: each space-separated token of the phrase is a
  space-separated token of the hypothesis, in any order and place; phrases are the matches of its pattern. In
  languages without spaces a phrase is a substring.

Both are case-sensitive, and strip spaces from both ends of a hypothesis.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal, get_args

from workflow_scripts.text.markers import is_malformed, phrases, scorer_phrases

# Written without spaces between words: phrases are matched as substrings.
WITHOUT_SPACES = ("ja",)
Mode = Literal["released", "paper"]
MODES: tuple[Mode, ...] = get_args(Mode)
# The mode that is compared with the printed numbers: by substrings, most informal references in Spanish are
# not INFORMAL (docs/differences.md).
COMPARED: Mode = "released"
LABELS = ("FORMAL", "INFORMAL", "NEUTRAL", "OTHER")


def label(hypothesis: str, formal: str, informal: str, *, mode: Mode, language: str) -> str:
    """The label of one hypothesis, given both annotated references."""
    has_formal, has_informal = (
        _has_phrase(hypothesis.strip(), reference, mode, language) for reference in (formal, informal)
    )
    if has_formal and has_informal:
        return "OTHER"
    if has_formal:
        return "FORMAL"
    return "INFORMAL" if has_informal else "NEUTRAL"


def _has_phrase(hypothesis: str, reference: str, mode: Mode, language: str) -> bool:
    if mode == "paper":
        return any(phrase in hypothesis for phrase in phrases(reference))
    marked = scorer_phrases(reference)
    if language in WITHOUT_SPACES:
        return any(phrase in hypothesis for phrase in marked)
    # Only U+0020 parts tokens: a no-break space, which French has before marks, belongs to its token.
    tokens = set(hypothesis.split(" "))
    return any(tokens.issuperset(phrase.split(" ")) for phrase in marked)


def accuracy(labels: Sequence[str], wanted: str) -> float:
    """The share of the requested label, FORMAL or INFORMAL, among both; 0 if there is neither."""
    counts = Counter(labels)
    matched = counts["FORMAL"] + counts["INFORMAL"]
    return counts[wanted] / matched if matched else 0.0


def malformed(formal: Sequence[str], informal: Sequence[str]) -> int:
    """The number of annotated lines, of both references, with malformed markers."""
    return sum(map(is_malformed, formal)) + sum(map(is_malformed, informal))


def signature(mode: Mode, language: str, count: int) -> str:
    """The matching mode and the number of hypotheses."""
    match = "substring" if mode == "paper" or language in WITHOUT_SPACES else "tokens"
    return f"m-acc|mode:{mode}|match:{match}|case:mixed|lang:{language}|n:{count}"
