"""What translators are trained and tested on, beside what the paper's are: which cells can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import whole

COLUMNS = ("lang", "part", "source", "pairs")
TRAIN = "train"
# Why a cell of a system that is not trained here cannot be compared.
OTHER_SYSTEM = "no system of the paper"


@dataclass(frozen=True)
class MadeOf:
    """The sources by language and part: training pairs (`train`) and generic test sets (`wmt`, `ted`)."""

    ours: Mapping[tuple[str, str], str]
    theirs: Mapping[tuple[str, str], str]
    pairs: int
    """Training pairs at most that are drawn here."""
    their_pairs: Mapping[str, int]
    """The paper's training pairs by language."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the paper, in its order."""
        return tuple(self.their_pairs)

    def lacking(self, language: str, test_set: str = "") -> list[str]:
        """Why numbers of a trained system cannot be compared with the printed ones; nothing if they can.

        `test_set`: of a BLEU; M-Acc has the corpus' own.
        """
        if language not in self.their_pairs:
            return [f"the paper has no {language}"]
        found = []
        for part, what in ((TRAIN, "trained"), *(((test_set, "tested"),) if test_set else ())):
            ours, theirs = (sources.get((language, part), "") for sources in (self.ours, self.theirs))
            if ours != theirs:
                found.append(
                    f"{what} on {ours or 'nothing known'}, not on {theirs or 'what the paper names'}"
                )
        if not found and self.pairs < self.their_pairs[language]:
            found.append(f"trained on {self.pairs} pairs, not on {self.their_pairs[language]}")
        return found


def read_made_of(path: Path, made_of: Sequence[str], pairs: int) -> MadeOf:
    """What the paper's systems are made of, from a CSV, and ours, each as LANG.PART=SOURCE.

    Raises InputError for a second row of one language and part, and for an option that is none.
    """
    theirs: dict[tuple[str, str], str] = {}
    their_pairs: dict[str, int] = {}
    for line, row in read_rows(path, COLUMNS):
        key = (row["lang"], row["part"])
        if key in theirs:
            raise InputError(f"a second row of {', '.join(key)}", path=path, line=line)
        theirs[key] = row["source"]
        if row["part"] == TRAIN:
            their_pairs[row["lang"]] = whole(row["pairs"], path, line)
    ours: dict[tuple[str, str], str] = {}
    for text in made_of:
        name, _, source = text.partition("=")
        language, _, part = name.partition(".")
        if not (language and part and source):
            raise InputError(f"--made-of {text}", fix="write, for example, de.train=paracrawl-v9-de")
        ours[language, part] = source
    return MadeOf(ours, theirs, pairs, their_pairs)
