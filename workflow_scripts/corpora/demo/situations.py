"""The hand-written templates of the demo world, and the sentences that they can say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError

LANGUAGES = ("en", "pt", "it", "fr")
INFORMAL, FORMAL = "informal", "formal"
# Wordings per register: GYAFC and XFORMAL have four rewrites of each sentence.
LEAST_INFORMAL, REWRITES = 2, 4
# Situations of this file are GYAFC's domain Entertainment_Music; those of the others are the other domain.
ENTERTAINMENT = "entertainment"
# Subtitles are about anything but these, so that they are of another domain than XFORMAL, as in the paper.
RELATIONSHIPS = frozenset({"family", "friends"})
KEYS = {"id", "slots", "question", INFORMAL, FORMAL}


@dataclass(frozen=True, eq=False)
class Situation:
    """Something that people write about: wordings in four languages, with slots."""

    id: str
    topic: str
    """The name of its file."""
    slots: dict[str, list[dict[str, str]]]
    question: dict[str, str]
    informal: list[dict[str, str]]
    """From the most informal to the least informal."""
    formal: list[dict[str, str]]
    """From the least formal to the most formal."""

    @property
    def entertainment(self) -> bool:
        """Whether it belongs to GYAFC's domain Entertainment_Music."""
        return self.topic == ENTERTAINMENT

    def combinations(self) -> Iterator[Combination]:
        """All ways to fill the slots."""
        for choice in product(*(range(len(fillers)) for fillers in self.slots.values())):
            yield Combination(self, choice)


@dataclass(frozen=True, eq=False)
class Combination:
    """A situation with its slots filled: one fact, said in several ways."""

    situation: Situation
    choice: tuple[int, ...]

    @cached_property
    def _fillers(self) -> dict[str, dict[str, str]]:
        """What stands for {slot} and for {Slot}, by language."""
        filled: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
        for (slot, fillers), number in zip(self.situation.slots.items(), self.choice, strict=True):
            for language, text in fillers[number].items():
                filled[language][slot] = text
                filled[language][slot[0].upper() + slot[1:]] = text[0].upper() + text[1:]
        return filled

    def say(self, register: str, wording: int, language: str) -> str:
        """The sentence of one wording, from 0, in one register and language."""
        wordings = self.situation.informal if register == INFORMAL else self.situation.formal
        return wordings[wording][language].format_map(self._fillers[language])

    def ask(self, language: str) -> str:
        """The question that these sentences answer."""
        return self.situation.question[language].format_map(self._fillers[language])

    def sentences(self, language: str) -> Iterator[str]:
        """All wordings in one language."""
        for register, count in ((INFORMAL, len(self.situation.informal)), (FORMAL, REWRITES)):
            for wording in range(count):
                yield self.say(register, wording, language)


def load(paths: list[Path]) -> list[Situation]:
    """Read the files of situations; InputError names the file, the situation and what is wrong with it."""
    import yaml

    situations: list[Situation] = []
    known: set[str] = set()
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
            rows = yaml.load(text, yaml.CSafeLoader)
        except FileNotFoundError:
            raise InputError("no such file", path=path) from None
        except UnicodeDecodeError:
            raise InputError("not UTF-8", path=path) from None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            raise InputError(
                f"not YAML ({getattr(error, 'problem', error)})", path=path, line=mark and mark.line + 1
            ) from None
        if not isinstance(rows, list) or not rows:
            raise InputError("not a list of situations", path=path)
        for number, row in enumerate(rows, 1):
            name = str(row.get("id", number) if isinstance(row, dict) else number)
            problem = _problem(row) or (f"id '{name}' occurs twice" if name in known else "")
            if problem:
                raise InputError(f"situation '{name}': {problem}", path=path)
            known.add(name)
            situations.append(Situation(topic=path.stem, **row))
    return situations


def _problem(row: Any) -> str:
    """What is wrong with one situation, or nothing."""
    if not isinstance(row, dict) or set(row) != KEYS:
        return f"its keys are not {', '.join(sorted(KEYS))}"
    if not isinstance(row["slots"], dict) or not row["slots"]:
        return "no slots"
    if not isinstance(row[INFORMAL], list) or not isinstance(row[FORMAL], list):
        return "wordings are no lists"
    if len(row[INFORMAL]) < LEAST_INFORMAL or len(row[FORMAL]) != REWRITES:
        return f"not {REWRITES} formal wordings, or fewer than {LEAST_INFORMAL} informal ones"
    for fillers in row["slots"].values():
        if not isinstance(fillers, list) or not all(map(_in_all_languages, fillers)):
            return f"a filler that is not a text in each of {', '.join(LANGUAGES)}"
    names = {slot: "x" for slot in row["slots"]}
    names |= {slot[0].upper() + slot[1:]: "X" for slot in names}
    for wording in [row["question"], *row[INFORMAL], *row[FORMAL]]:
        if not _in_all_languages(wording):
            return f"a wording that is not a text in each of {', '.join(LANGUAGES)}"
        for text in wording.values():
            try:
                text.format_map(names)
            except (KeyError, ValueError, IndexError) as error:
                return f"slot {error} of '{text}' is not known"
    return ""


def _in_all_languages(texts: Any) -> bool:
    return (
        isinstance(texts, dict)
        and set(texts) == set(LANGUAGES)
        and all(isinstance(text, str) and text.strip() for text in texts.values())
    )
