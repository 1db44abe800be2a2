"""Section 4 in plain Python, one pair at a time: the reference for the tests and bench/."""

from collections.abc import Callable, Sequence

from workflow_scripts.text.moses import tokenise
from workflow_scripts.text.sentences import words


def distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance of two sequences, row by row."""
    row = list(range(len(second) + 1))
    for i, one in enumerate(first, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            best = min(diagonal + (one != other), row[j] + 1, row[j - 1] + 1)
            diagonal, row[j] = row[j], best
    return row[-1]


def led(first: str, second: str, language: str) -> float:
    """Lexical difference of two sentences."""
    a, b = (tokenise([text], language)[0].lower().split() for text in (first, second))
    if not a or not b:
        return float(len(a) != len(b))
    return (_without(a, b) / len(a) + _without(b, a) / len(b)) / 2


def _without(a: list[str], b: list[str]) -> int:
    """Size of the multiset difference."""
    left = list(b)
    count = 0
    for token in a:
        if token in left:
            left.remove(token)
        else:
            count += 1
    return count


Expansions = list[tuple[list[str], list[str]]]


def expansions(abbreviations: dict[str, str]) -> Expansions:
    """The lower-cased tokens of each abbreviation and of its expansion."""
    return [(words(short.lower()), words(text.lower())) for short, text in abbreviations.items()]


def edits(
    informal: str,
    formal: str,
    split: Callable[[str], list[str]],
    abbreviations: Expansions,
    listed: dict[str, str],
) -> dict[str, bool]:
    """Types of edits of a rewrite; `listed`: the abbreviations as they are in the list."""
    before, after = ([words(sentence) for sentence in split(text)] for text in (informal, formal))
    old, new = ([token for sentence in side for token in sentence] for side in (before, after))
    removed = [token for token in old if token not in new]
    added = [token for token in new if token not in old]
    small_removed, small_added = ([token.lower() for token in side] for side in (removed, added))
    spelt = [
        other
        for token in small_removed
        for other in small_added
        if 0 < distance(token, other) < len(token) / 2
    ]
    expanded: list[str] = []
    old_text, new_text = (f" {' '.join(side).lower()} " for side in (old, new))
    for one, other in abbreviations:
        found = f" {' '.join(one)} " in old_text and f" {' '.join(other)} " in new_text
        if found and any(t in small_removed for t in one) and any(t in small_added for t in other):
            expanded += other
    repeated = [_single(token) for token in small_removed if _single(token) not in (token, "")]
    repeated = [token for token in repeated if token in small_added]
    explained = [*small_removed, *spelt, *expanded, *repeated]
    major = {token.lower() for token in added if token.isalpha() and token.lower() not in explained}
    released = _released(removed, added, listed)
    return {
        "capitalization": any(token.lower() in removed for token in added),
        "punctuation": any(not token.isalpha() for token in removed + added),
        "spelling_careful": len(spelt) > 0,
        "spelling_released": released["spelling"],
        "normalization_careful": len(expanded) > 0,
        "normalization_released": released["normalization"],
        "split_sentences": len(after) > len(before),
        "paraphrase_careful": len(major) >= 3,
        "paraphrase_released": released["paraphrase"],
        "paraphrase_paper": distance(old, new) > 3,
        "unchanged": informal == formal,
        "lowercase": any(token.lower() in added for token in removed),
        "repetition_careful": len(repeated) > 0,
        "repetition_released": released["repetition"],
    }


def _released(removed: list[str], added: list[str], listed: dict[str, str]) -> dict[str, bool]:
    """What the authors' program finds in the tokens that have changed, each as often as it stands there."""

    def near(one: str, other: str) -> bool:
        return 0 < distance(" ".join(one), " ".join(other)) < len(one) / 2

    small_removed, small_added = ([token.lower() for token in side] for side in (removed, added))
    letters = [token.lower() for token in added if token.isalpha()]
    expanded = [token for token in removed if listed.get(token) in added]
    explained = [other for other in letters if any(near(token, other) for token in small_removed)]
    explained += [letters[-1] for _ in expanded if letters]
    single = {token: "".join(c for i, c in enumerate(token) if c not in token[:i]) for token in small_removed}
    return {
        "spelling": any(near(one, other) for one in small_removed for other in small_added),
        "normalization": len(expanded) > 0,
        "repetition": any(token != text and text in small_added for token, text in single.items()),
        "paraphrase": len([token for token in letters if token not in explained]) >= 3,
    }


def _single(token: str) -> str:
    """Runs of a letter as one letter."""
    kept = ""
    for character in token:
        if not (character.isalpha() and kept.endswith(character)):
            kept += character
    return kept
