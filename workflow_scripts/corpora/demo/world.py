"""The demo world's combinations in three parts, so that no test sentence is ever trained on."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading, write_lines
from workflow_scripts.corpora.demo.noise import roughen
from workflow_scripts.corpora.demo.situations import INFORMAL, LANGUAGES, Combination, Situation

T = TypeVar("T")
TRAIN, DEV, TEST = "train", "dev", "test"
Filter = Callable[[Situation], bool]
# A combination, a register, the number of a wording.
Saying = tuple[Combination, str, int]


class World:
    """All combinations of some situations, and a record of what was said in training and for tests."""

    def __init__(self, situations: Sequence[Situation], seed: int, held: dict[str, dict[bool, int]]) -> None:
        """`held`: how many combinations dev and test take, by split and by whether it is entertainment.

        Raises InputError if the situations have too few combinations for that.
        """
        self.seed = seed
        self.pools: dict[str, list[Combination]] = {TRAIN: [], DEV: [], TEST: []}
        self._said: dict[str, set[tuple[str, str]]] = {TRAIN: set(), DEV: set(), TEST: set()}
        rest: list[Combination] = []
        for entertainment in (True, False):
            combinations = [
                c for s in situations if s.entertainment is entertainment for c in s.combinations()
            ]
            self.random(f"partition {entertainment}").shuffle(combinations)
            wanted = sum(held[split][entertainment] for split in (DEV, TEST))
            if wanted > len(combinations) // 2:
                raise InputError(
                    f"the situations have {len(combinations)} combinations"
                    f" {'with' if entertainment else 'without'} entertainment, of which at most half may be"
                    f" held out; dev and test ask for {wanted}",
                    fix="write more situations or ask for smaller dev and test sets",
                )
            for split in (DEV, TEST):
                self.pools[split] += combinations[: held[split][entertainment]]
                del combinations[: held[split][entertainment]]
            rest += combinations
        # A sentence that two combinations share, up to what noise can change, may not help in training.
        taken = {_key(*said) for split in (DEV, TEST) for c in self.pools[split] for said in _all(c)}
        self.pools[TRAIN] = [c for c in rest if not any(_key(*said) in taken for said in _all(c))]

    def write(self, path: Path) -> None:
        """Write everything, what was said included: a SHA-256, and below it the JSON that it is of."""
        situations = list({c.situation: None for pool in self.pools.values() for c in pool})
        number = {situation: place for place, situation in enumerate(situations)}
        content = {
            "seed": self.seed,
            "situations": [vars(situation) for situation in situations],
            "pools": {
                split: [[number[c.situation], *c.choice] for c in pool] for split, pool in self.pools.items()
            },
            "said": {split: sorted(said) for split, said in self._said.items()},
        }
        text = json.dumps(content, ensure_ascii=False)
        write_lines(path, [hashlib.sha256(text.encode()).hexdigest(), text])

    @classmethod
    def read(cls, path: Path) -> World:
        """What `write` has written; InputError if the file is something else, or not whole."""
        with reading(path) as stream:
            digest, _, text = stream.read().removesuffix(b"\n").partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != digest:
            raise InputError("no demo world, or a damaged one", path=path, fix="delete it and run again")
        content = json.loads(text)
        world = cls.__new__(cls)
        situations = [Situation(**values) for values in content["situations"]]
        world.seed = content["seed"]
        world.pools = {
            split: [Combination(situations[place], tuple(choice)) for place, *choice in pool]
            for split, pool in content["pools"].items()
        }
        world._said = {split: set(map(tuple, said)) for split, said in content["said"].items()}
        return world

    def random(self, name: str) -> Random:
        """A generator of its own for each corpus, so that the size of one changes no other."""
        return Random(f"demo {self.seed} {name}")

    def draw(self, sayings: Sequence[T], count: int, name: str) -> list[T]:
        """`count` different ones of some sayings, in random order; InputError if there are not so many."""
        if count > len(sayings):
            raise InputError(
                f"{name}: {count} sentences are asked for, but the situations give {len(sayings)}",
                fix="write more situations or ask for fewer",
            )
        return self.random(f"draw {name}").sample(sayings, count)

    def sayings(self, split: str, *registers: str, where: Filter = lambda _: True) -> list[Saying]:
        """Everything that the combinations of a split say in some registers."""
        return [
            (combination, register, wording)
            for combination in self.pools[split]
            if where(combination.situation)
            for register in registers
            for wording in range(len(getattr(combination.situation, register)))
        ]

    def by_situation(self, split: str) -> dict[str, list[Combination]]:
        """The combinations of a split by the id of their situation."""
        found: defaultdict[str, list[Combination]] = defaultdict(list)
        for combination in self.pools[split]:
            found[combination.situation.id].append(combination)
        return dict(found)

    def say(self, split: str, saying: Saying, language: str, random: Random) -> str:
        """The sentence of a saying, noted under the split; an informal one gets its noise here."""
        combination, register, wording = saying
        text = combination.say(register, wording, language)
        if register == INFORMAL:
            text = roughen(text, wording, language, random)
        self._said[split].add((language, fold(text)))
        return text

    def check(self) -> None:
        """Fail if a sentence was said both in training and in dev or test, in any language."""
        for split, others in ((DEV, {TRAIN, TEST}), (TEST, {TRAIN, DEV})):
            for other in sorted(others):
                if both := self._said[split] & self._said[other]:
                    raise ValueError(f"{len(both)} sentences are in {split} and in {other}: {min(both)}")


def fold(text: str) -> str:
    """The text without differences of case and spaces."""
    return " ".join(text.casefold().split())


def _all(combination: Combination) -> list[tuple[str, str]]:
    return [(language, text) for language in LANGUAGES for text in combination.sentences(language)]


def _key(language: str, text: str) -> tuple[str, str]:
    # Decomposed, an accent is no part of a word.
    return language, re.sub(r"[\W_]+", "", unicodedata.normalize("NFD", text)).casefold()
