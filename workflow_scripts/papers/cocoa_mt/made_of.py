"""What translators are trained and tested on, beside what the paper's are: which cells can be compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from workflow_scripts.control.tuning_data import labelled_sources
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import whole

COLUMNS = ("lang", "part", "source", "pairs", "unavailable")
TRAIN = "train"
DEV = "dev"
LABELLED = "labelled"
# Why a cell of a system that is not trained here cannot be compared.
OTHER_SYSTEM = "no system of the paper"
# The kinds of labelled data; those that lists of words label, and why these cannot be compared: the paper's
# lists are not released.
KINDS = ("contrastive", "single", "rules", "both")
BY_LISTS = ("rules", "both")
OTHER_LISTS = "labelled by other lists than the paper's"


@dataclass(frozen=True)
class MadeOf:
    """The sources by language and part: training pairs, the dev set, and generic test sets (`wmt`, `ted`)."""

    ours: Mapping[tuple[str, str], str]
    theirs: Mapping[tuple[str, str], str]
    """Of a dev set whose year the paper leaves open, a star stands for the year."""
    unavailable: Mapping[tuple[str, str], str]
    """Why nobody gets one of the paper's sources without asking."""
    pairs: int
    """Training pairs at most that are drawn here."""
    their_pairs: Mapping[str, int]
    """The paper's training pairs by language."""
    their_labelled: Mapping[str, int]
    """The paper's labelled sources by language, each with references of both levels."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the paper, in its order."""
        return tuple(self.their_pairs)

    def lacking(
        self,
        language: str,
        test_set: str = "",
        *,
        labelled: Collection[int] = (),
        their_labelled: int | None = None,
        kind: str = "",
    ) -> list[str]:
        """Why numbers of a trained system cannot be compared with the printed ones; nothing if they can.

        `test_set`: of a BLEU; M-Acc has the corpus' own. `labelled`: how many different labelled sources each
        tuned system that the numbers are of has seen, beside `their_labelled`, by default those of the
        paper's training data. `kind`: of the labelled data.
        """
        if language not in self.their_pairs:
            return [f"the paper has no {language}"]
        found = self._other_source(language, TRAIN, "trained")
        if not found and self.pairs < self.their_pairs[language]:
            found.append(f"trained on {self.pairs} pairs, not on {self.their_pairs[language]}")
        # The dev set decides about the learning rate, and which parameters are averaged.
        if (language, DEV) in self.theirs:
            found += self._other_source(language, DEV, "chosen")
        if test_set:
            found += self._other_source(language, test_set, "tested")
        wanted = self.their_labelled[language] if their_labelled is None else their_labelled
        found += [f"{number} labelled sources, not {wanted}" for number in sorted({*labelled} - {wanted})]
        if kind in BY_LISTS:
            found.append(OTHER_LISTS)
        return found

    def untested(self, language: str, test_set: str) -> str:
        """Why there is no BLEU of one of the paper's test sets; nothing if there is such a set here."""
        return "" if (language, test_set) in self.ours else self.unavailable.get((language, test_set), "")

    def _other_source(self, language: str, part: str, what: str) -> list[str]:
        """What differs between our source and the paper's, if anything; `what` is done with it."""
        ours, theirs = (sources.get((language, part), "") for sources in (self.ours, self.theirs))
        if ours == theirs or (part == DEV and fnmatchcase(ours, theirs)):
            return []
        named = theirs.replace("*", "") or "what the paper names"
        return [f"{what} on {ours or 'nothing known'}, not on {named}"]


def read_made_of(path: Path, made_of: Sequence[str], pairs: int) -> MadeOf:
    """What the paper's systems are made of, from a CSV, and ours, each as LANG.PART=SOURCE.

    Raises InputError for a second row of one language and part, and for an option that is none.
    """
    theirs: dict[tuple[str, str], str] = {}
    unavailable: dict[tuple[str, str], str] = {}
    numbers: dict[str, dict[str, int]] = {TRAIN: {}, LABELLED: {}}
    for line, row in read_rows(path, COLUMNS):
        key = (row["lang"], row["part"])
        if key in theirs:
            raise InputError(f"a second row of {', '.join(key)}", path=path, line=line)
        theirs[key] = row["source"]
        if row["unavailable"]:
            unavailable[key] = row["unavailable"]
        if row["part"] in numbers:
            numbers[row["part"]][row["lang"]] = whole(row["pairs"], path, line)
    if lost := [language for language in numbers[TRAIN] if language not in numbers[LABELLED]]:
        raise InputError(f"no row {LABELLED} of {', '.join(lost)}", path=path)
    ours: dict[tuple[str, str], str] = {}
    for text in made_of:
        name, _, source = text.partition("=")
        language, _, part = name.partition(".")
        if not (language and part and source):
            raise InputError(f"--made-of {text}", fix="write, for example, de.train=paracrawl-v9-de")
        ours[language, part] = source
    return MadeOf(ours, theirs, unavailable, pairs, numbers[TRAIN], numbers[LABELLED])


def count_sources(pairs: Path) -> int:
    """The different labelled sources in a piece file that `control.tuning_pairs` wrote."""
    return len(set(labelled_sources(pairs)))


@dataclass(frozen=True)
class Labelled:
    """The labelled data of a tuned system: of which kind, and how many different sources."""

    kind: str
    sources: int


def read_labelled(pairs: Sequence[Path], data: Sequence[str]) -> dict[tuple[str, str], Labelled]:
    """The labelled data of tuned systems, by language and system.

    `pairs`: the source sides that they were tuned on, as SYSTEM/LANGUAGE/FILE in any folder; `data`: the kind
    of each, as SYSTEM=KIND. Raises InputError for a system without a kind.
    """
    kinds = dict(text.partition("=")[::2] for text in data)
    found = {}
    for path in pairs:
        system, language = path.parent.parent.name, path.parent.name
        if kinds.get(system) not in KINDS:
            raise InputError(f"no kind of labelled data of '{system}'", fix=f"give {system}=KIND in --data")
        found[language, system] = Labelled(kinds[system], count_sources(path))
    return found
