"""Levels of sentences by lists of words, one list per language (CoCoA-MT, Section 6.2).

A list is a table with tabs between the columns level (formal or informal), how and form. How a form counts:

* word: as a word, in any case; a word that ends in an apostrophe precedes another word
* you: the same, if the English sentence has *you*: in some languages such a word is third person, too
* capital: as a word written with this capital; at the beginning of a sentence if the English has *you*
* text: anywhere
* end: before the marks at the end of a sentence

A sentence with forms of both levels has the level that the list names first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines
from workflow_scripts.text.levels import LEVELS

COLUMNS = ("level", "how", "form")
_YOU = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.IGNORECASE)
# Nothing, or the end of another sentence, then maybe opening marks before the word.
_BEGINNING = re.compile(r"(?:^|[.!?…:])[\s\"'«»„“”‘’(\[¿¡–—-]*$")
_MARKS = r"\s.!?…。！？」』）)\"”"
_Test = Callable[[str, str], bool]


class Lists:
    """The lists of a language."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """`rows`: level, how it counts, form."""
        forms: dict[str, dict[str, list[str]]] = {}
        for level, how, form in rows:
            forms.setdefault(level, {}).setdefault(how, []).append(form)
        self._tests = {
            level: [_TESTS[how](named) for how, named in by_how.items()] for level, by_how in forms.items()
        }

    @classmethod
    def read(cls, path: Path) -> Lists:
        """Read a table; InputError with the line for a row that is none, or if a level has no form."""
        rows = [_row(path, number, line) for number, line in enumerate(lines(path), 1)]
        if not rows or rows[0] != COLUMNS:
            raise InputError(f"does not begin with {' '.join(COLUMNS)}", path=path, line=1)
        for number, (level, how, _) in enumerate(rows[1:], 2):
            if level not in LEVELS or how not in _TESTS:
                known = f"levels are {', '.join(LEVELS)}; how: {', '.join(_TESTS)}"
                raise InputError(f"'{level}', '{how}'", path=path, line=number, fix=known)
        if missing := set(LEVELS) - {level for level, *_ in rows[1:]}:
            raise InputError(f"no form that is {min(missing)}", path=path, fix="give forms of both levels")
        return cls(rows[1:])

    def label(self, source: str, target: str) -> str:
        """The level of a sentence, given its English side; nothing if it has no form of either."""
        target = target.replace("’", "'")
        for level, tests in self._tests.items():
            if any(test(source, target) for test in tests):
                return level
        return ""


def _row(path: Path, number: int, line: str) -> tuple[str, str, str]:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS) or not cells[2].strip():
        raise InputError("not three cells with tabs between them", path=path, line=number)
    return cells[0], cells[1], cells[2]


def _word(forms: list[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    bounded = (re.escape(form) + ("" if form.endswith("'") else r"(?!\w)") for form in forms)
    return re.compile(rf"(?<!\w)(?:{'|'.join(bounded)})", flags)


def _anywhere(forms: list[str]) -> _Test:
    found = _word(forms).search
    return lambda source, target: bool(found(target))


def _if_you(forms: list[str]) -> _Test:
    found = _word(forms).search
    return lambda source, target: bool(found(target) and _YOU.search(source))


def _capital(forms: list[str]) -> _Test:
    each = _word(forms, 0).finditer

    def test(source: str, target: str) -> bool:
        inside = (not _BEGINNING.search(target, 0, match.start()) for match in each(target))
        return any(one or _YOU.search(source) for one in inside)

    return test


def _text(forms: list[str]) -> _Test:
    found = re.compile("|".join(map(re.escape, forms))).search
    return lambda source, target: bool(found(target))


def _at_end(forms: list[str]) -> _Test:
    ends = "|".join(map(re.escape, forms))
    found = re.compile(rf"(?:{ends})(?=[{_MARKS}]*$|[{_MARKS}]*[.!?…。！？])").search
    return lambda source, target: bool(found(target))


_TESTS: dict[str, Callable[[list[str]], _Test]] = {
    "word": _anywhere,
    "you": _if_you,
    "capital": _capital,
    "text": _text,
    "end": _at_end,
}
