"""Sentences of the demo world in which an English pronoun says the gender of one of two people at work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.demo.situations import SLOT, Content, Texts, read_content
from workflow_scripts.corpora.demo.templates import (
    GENDERED,
    PATIENCE,
    Sentence,
    fill,
    kept_for_test,
    read_templates,
)

# Whom generic text mostly takes for men, and for women: feminine or not is the place of the list.
KINDS = ("men", "women")
SENTENCES = "sentences"
ONE, OTHER = "one", "other"
# How often a person of generic text has the gender that its occupation mostly has.
USUAL = 0.8


@dataclass(frozen=True)
class AtWork:
    """A sentence about two people at work, in all languages."""

    sentence: Sentence
    feminine: bool
    """The gender that the pronoun says."""
    noun: str
    """Whom the pronoun stands for, in English."""

    def source(self) -> str:
        """The English sentence."""
        return self.sentence.source(feminine=self.feminine)

    def reference(self, language: str) -> str:
        """Its translation; nothing in it is formal or informal."""
        return self.sentence.reference(language, "formal", feminine=self.feminine)

    def place(self) -> int:
        """The place of the noun among the words of the English sentence, from 0."""
        return self.source().split().index(self.noun)


class Occupations:
    """Who works, what is said of them, and what fills that."""

    def __init__(
        self, people: dict[str, list[Texts]], sentences: list[Texts], content: Content, seed: int
    ) -> None:
        """`seed` says which sentences are kept for the test set."""
        self.people = [(texts, kind == KINDS[1]) for kind in KINDS for texts in people[kind]]
        self.sentences, self.content, self.seed = sentences, content, seed

    def drawn(self, split: str, count: int, random: Random) -> list[AtWork]:
        """`count` different sentences of a split.

        In `train` either person has the gender that its occupation mostly has in `USUAL` of all cases. In
        `test` both genders of the pronoun are as frequent with all occupations: every sentence stands there
        with either pronoun, so that `count` has to be even.
        Raises InputError for an odd number in `test`, and if there are fewer sentences.
        """
        if split == "test" and count % 2:
            raise InputError(f"{count} sentences cannot be half of either gender", fix="give an even number")
        wanted = count // 2 if split == "test" else count
        found: dict[str, AtWork] = {}
        missed = 0
        while len(found) < wanted:
            one = self._one(split, random)
            missed = missed + 1 if one is None or one.source() in found else 0
            if one is not None:
                found.setdefault(one.source(), one)
            if missed == PATIENCE:
                raise InputError(
                    f"{count} sentences about people at work are asked for, but there are about {len(found)}"
                    f" for {split}",
                    fix="write more occupations or ask for fewer",
                )
        if split == "train":
            return list(found.values())
        return [replace(one, feminine=feminine) for one in found.values() for feminine in (False, True)]

    def _one(self, split: str, random: Random) -> AtWork | None:
        """A sentence by chance, or nothing if it is kept for the other split."""
        template = random.choice(self.sentences)
        (one, one_usual), (other, other_usual) = random.sample(self.people, 2)
        feminine = one_usual is (random.random() < USUAL)
        group = 1 + (other_usual is (random.random() < USUAL))
        slots = [slot for slot in dict.fromkeys(SLOT.findall(template[0])) if slot in self.content]
        filled = {slot: random.choice(self.content[slot]) for slot in slots}
        filled |= {ONE: one, OTHER: [GENDERED.sub(lambda found: found[group], text) for text in other]}
        sentence = Sentence(fill(template, filled))
        if kept_for_test(sentence, self.seed) is not (split == "test"):
            return None
        # Who is tested has either gender: see `drawn`.
        return AtWork(sentence, feminine and split == "train", one[0])


def read_occupations(texts: Path, content: Path, seed: int) -> Occupations:
    """People, sentences and what fills these.

    Raises InputError for what is no list of texts in all languages, for an occupation of several English
    words and for a sentence without one of both people or with other lists than its translations.
    """
    entries = read_content(content)
    given = read_templates(texts, (*KINDS, SENTENCES), {*entries, ONE, OTHER})
    for name, rows in given.items():
        for row in rows:
            people = set(SLOT.findall(row[0])) - entries.keys()
            if people != ({ONE, OTHER} if name == SENTENCES else set()):
                raise InputError(f"{name}: '{row[0]}' names not both people, or others", path=texts)
            if name != SENTENCES and len(row[0].split()) != 1:
                raise InputError(f"{name}: '{row[0]}' is not one word", path=texts)
    return Occupations(given, given[SENTENCES], entries, seed)
