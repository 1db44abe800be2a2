"""The demo world's combinations in three splits, so that no test sentence occurs in training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading, write_lines
from workflow_scripts.corpora.demo.combinations import Combination, Wording
from workflow_scripts.corpora.demo.noise import Typing, informal_typing
from workflow_scripts.corpora.demo.situations import INFORMAL, Phrase, Script, Situation
from workflow_scripts.text.folding import folded

TRAIN, DEV, TEST = "train", "dev", "test"
# One entry of a list in so many occurs in the test set or in the dev set only; all splits have all entries of
# a short list.
UNSEEN, SHORTEST = {TEST: 25, DEV: 50}, 20
# The shares of the fillings of a situation's slots that occur in the dev and in the test set only.
HELD = {DEV: 0.1, TEST: 0.15}
# After so many draws in a row without a new one, none is left.
PATIENCE = 1000
# A combination, a register, the wordings of its parts.
Saying = tuple[Combination, str, Wording]
Filter = Callable[[Situation], bool]


class World:
    """All possible sentences in three splits, and a record of the sentences that each split has used."""

    def __init__(self, script: Script, seed: int) -> None:
        """No split has used a sentence yet."""
        self.script, self.seed = script, seed
        self._said: dict[str, set[tuple[str, str]]] = {TRAIN: set(), DEV: set(), TEST: set()}
        self._splits: dict[str, list[str]] = {
            name: self._entries(name, len(entries)) for name, entries in script.content.items()
        }
        self._slots = [situation.slots() for situation in script.situations]
        self._tail_slots = [tail.slots() for tail in script.tails]

    def _entries(self, name: str, size: int) -> list[str]:
        """The split of each entry of a list; entries of the training split occur in all splits."""
        splits = [TRAIN] * size
        if size >= SHORTEST:
            order = self.random(f"entries {name}").sample(range(size), size)
            for split, every in UNSEEN.items():
                for _ in range(max(1, size // every)):
                    splits[order.pop()] = split
        return splits

    def write(self, path: Path) -> None:
        """Write the world and its used sentences: a line with the SHA-256 of the JSON on the next line."""
        content = {
            "seed": self.seed,
            "script": asdict(self.script),
            "said": {split: sorted(said) for split, said in self._said.items()},
        }
        text = json.dumps(content, ensure_ascii=False)
        write_lines(path, [hashlib.sha256(text.encode()).hexdigest(), text])

    @classmethod
    def read(cls, path: Path) -> World:
        """Read a file that `write` wrote; InputError if it is another file, or incomplete."""
        with reading(path) as stream:
            digest, _, text = stream.read().removesuffix(b"\n").partition(b"\n")
        if hashlib.sha256(text).hexdigest().encode() != digest:
            raise InputError("not a demo world, or a damaged one", path=path, fix="delete it and run again")
        content = json.loads(text)
        script = content["script"]
        script = Script(
            script["content"],
            [Phrase(**phrase) for phrase in script["openers"]],
            [Phrase(**phrase) for phrase in script["tails"]],
            [Situation(**situation) for situation in script["situations"]],
        )
        world = cls(script, content["seed"])
        world._said = {split: set(map(tuple, said)) for split, said in content["said"].items()}
        return world

    def random(self, name: str) -> Random:
        """A separate random generator for each corpus, so that its size does not affect other corpora."""
        return Random(f"demo {self.seed} {name}")

    def topics(self, where: Filter = lambda _: True) -> list[int]:
        """The numbers of the situations that pass a filter."""
        return [number for number, situation in enumerate(self.script.situations) if where(situation)]

    def combination(self, split: str, situations: Sequence[int], random: Random) -> Combination:
        """A random combination of a split."""
        for _ in range(PATIENCE):
            situation = random.choice(situations)
            opener = _drawn(self.script.openers, random)
            tail = _drawn(self.script.tails, random)
            slots = dict.fromkeys(self._slots[situation] + self._tail_slots[tail])
            fillers = tuple((slot, random.randrange(len(self.script.content[slot]))) for slot in slots)
            if self._split(situation, fillers) == split:
                return Combination(situation, opener, tail, fillers)
        raise InputError(f"no combination is left for the {split} set", fix="write more entries of contents")

    def _split(self, situation: int, fillers: tuple[tuple[str, int], ...]) -> str:
        """The split that a combination belongs to, or an empty text if its entries belong to several.

        The situation's own slots decide: the same fact with and without a tail stays in one split.
        """
        core = [filler for filler in fillers if filler[0] in self._slots[situation]]
        held = self._held(core)
        split = min(held) if held else self._hashed(situation, core)
        return split if self._held(fillers) <= {split} else ""

    def _held(self, fillers: Iterable[tuple[str, int]]) -> set[str]:
        """The splits other than training that some of the entries are kept for."""
        return {self._splits[name][number] for name, number in fillers} - {TRAIN}

    def _hashed(self, situation: int, fillers: list[tuple[str, int]]) -> str:
        text = f"{self.seed} {self.script.situations[situation].id} {fillers}"
        place = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32
        for split, share in HELD.items():
            if place < share:
                return split
            place -= share
        return TRAIN

    def draw(
        self, split: str, count: int, name: str, *registers: str, where: Filter = lambda _: True
    ) -> list[Saying]:
        """`count` different random sayings in some registers; InputError if there are too few."""
        random, situations = self.random(f"draw {name}"), self.topics(where)
        sayings: dict[Saying, None] = {}
        missed = 0
        while len(sayings) < count:
            combination = self.combination(split, situations, random)
            register = random.choice(registers)
            saying = (combination, register, combination.choose(self.script, register, random))
            missed = missed + 1 if saying in sayings else 0
            sayings[saying] = None
            if missed == PATIENCE:
                raise InputError(
                    f"{name}: {count} sentences are asked for, but the situations give about {len(sayings)}",
                    fix="write more situations or ask for fewer",
                )
        return list(sayings)

    def plain(self, saying: Saying, language: str) -> str:
        """The sentence of a saying as written, without noise."""
        combination, register, wording = saying
        return combination.say(self.script, register, wording, language)

    def say(
        self, split: str, saying: Saying, language: str, random: Random, typing: Typing | None = None
    ) -> str:
        """The sentence of a saying, with the given typing; the split records it as used.

        Without `typing`, an informal sentence gets a random one, and a formal one stays as written.
        """
        text = self.plain(saying, language)
        if typing is None and saying[1] == INFORMAL:
            typing = informal_typing(saying[2][1], random)
        if typing is not None:
            text, _ = typing.apply(text, language)
        self.note(split, language, text)
        return text

    def note(self, split: str, language: str, text: str) -> None:
        """Record that a split uses a sentence."""
        self._said[split].add((language, folded(text)))

    def check(self) -> None:
        """Raise ValueError if any two splits share a sentence, in any language."""
        for split, others in ((DEV, {TRAIN, TEST}), (TEST, {TRAIN, DEV})):
            for other in sorted(others):
                if both := self._said[split] & self._said[other]:
                    raise ValueError(f"{len(both)} sentences are in {split} and in {other}: {min(both)}")


def _drawn(phrases: Sequence[Phrase], random: Random) -> int:
    return random.choices(range(len(phrases)), [phrase.share for phrase in phrases])[0]
