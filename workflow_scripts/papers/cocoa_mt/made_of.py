"""The training and test data of our translators and of the paper's: which cells can be compared."""

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
OTHER_SYSTEM = "not a system of the paper"
# The kinds of labelled data, and the kinds labelled by word lists. The latter cannot be compared, since the
# paper's lists are not released.
KINDS = ("contrastive", "single", "rules", "both")
BY_LISTS = ("rules", "both")
OTHER_LISTS = "labelled by lists other than the paper's"


@dataclass(frozen=True)
class MadeOf:
    """The sources by language and part: training pairs, the dev set, and generic test sets (`wmt`, `ted`)."""

    ours: Mapping[tuple[str, str], str]
    theirs: Mapping[tuple[str, str], str]
    """A star replaces the year of a dev set if the paper does not give it."""
    unavailable: Mapping[tuple[str, str], str]
    """Why one of the paper's sources cannot be obtained freely."""
    pairs: int
    """The most training pairs that are drawn here."""
    their_pairs: Mapping[str, int]
    """The paper's training pairs by language."""
    their_labelled: Mapping[str, int]
    """The paper's labelled sources by language, each with references of both levels."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The paper's languages, in its order."""
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
        """Why a trained system's numbers cannot be compared with the printed ones; an empty list if they can.

        `test_set`: the test set of a BLEU score; M-Acc uses the corpus' own. `labelled`: the number of
        different labelled sources that each tuned system saw, compared with `their_labelled`, by default the
        number in the paper's training data. `kind`: the kind of labelled data.
        """
        if language not in self.their_pairs:
            return [f"the paper has no {language}"]
        reasons = self._other_source(language, TRAIN, "trained")
        if not reasons and self.pairs < self.their_pairs[language]:
            reasons.append(f"trained on {self.pairs} pairs, not on {self.their_pairs[language]}")
        # The dev set decides the learning rate, and which parameters are averaged.
        if (language, DEV) in self.theirs:
            reasons += self._other_source(language, DEV, "chosen")
        if test_set:
            reasons += self._other_source(language, test_set, "tested")
        wanted = self.their_labelled[language] if their_labelled is None else their_labelled
        reasons += [f"{number} labelled sources, not {wanted}" for number in sorted({*labelled} - {wanted})]
        if kind in BY_LISTS:
            reasons.append(OTHER_LISTS)
        return reasons

    def untested(self, language: str, test_set: str) -> str:
        """Why one of the paper's test sets has no BLEU; empty if the set is used here."""
        return "" if (language, test_set) in self.ours else self.unavailable.get((language, test_set), "")

    def _other_source(self, language: str, part: str, use: str) -> list[str]:
        """The difference between our source and the paper's, if any; `use`: what the source is used for."""
        ours, theirs = (sources.get((language, part), "") for sources in (self.ours, self.theirs))
        if ours == theirs or (part == DEV and fnmatchcase(ours, theirs)):
            return []
        named = theirs.replace("*", "") or "the paper's data"
        return [f"{use} on {ours or 'unknown data'}, not on {named}"]


def read_made_of(path: Path, made_of: Sequence[str], pairs: int) -> MadeOf:
    """The sources of the paper's systems, from a CSV, and of ours, each as LANG.PART=SOURCE.

    Raises InputError for a second row of one language and part, and for a malformed option.
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
        raise InputError(f"no row {LABELLED} for {', '.join(lost)}", path=path)
    ours: dict[tuple[str, str], str] = {}
    for text in made_of:
        name, _, source = text.partition("=")
        language, _, part = name.partition(".")
        if not (language and part and source):
            raise InputError(f"--made-of {text}", fix="write, for example, de.train=paracrawl-v9-de")
        ours[language, part] = source
    return MadeOf(ours, theirs, unavailable, pairs, numbers[TRAIN], numbers[LABELLED])


def count_sources(pairs: Path) -> int:
    """The number of different labelled sources in a piece file that `control.tuning_pairs` wrote."""
    return len(set(labelled_sources(pairs)))


@dataclass(frozen=True)
class Labelled:
    """The labelled data of a tuned system: its kind, and the number of different sources."""

    kind: str
    sources: int


def read_labelled(pairs: Sequence[Path], data: Sequence[str]) -> dict[tuple[str, str], Labelled]:
    """The labelled data of tuned systems, by language and system.

    `pairs`: the source sides of their data, as SYSTEM/LANGUAGE/FILE in any folder; `data`: the kind of each,
    as SYSTEM=KIND. Raises InputError for a system without a kind.
    """
    kinds = dict(text.partition("=")[::2] for text in data)
    labelled = {}
    for path in pairs:
        system, language = path.parent.parent.name, path.parent.name
        if kinds.get(system) not in KINDS:
            raise InputError(f"no kind of labelled data for '{system}'", fix=f"give {system}=KIND in --data")
        labelled[language, system] = Labelled(kinds[system], count_sources(path))
    return labelled
