"""Demo sentences in which an English pronoun shows the gender of one of two people at work."""

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

# Occupations that generic text mostly gives to men, and to women; the index tells whether feminine.
KINDS = ("men", "women")
SENTENCES = "sentences"
ONE, OTHER = "one", "other"
# How often a person in generic text has the usual gender of the occupation.
USUAL = 0.8


@dataclass(frozen=True)
class AtWork:
    """A sentence about two people at work, in all languages."""

    sentence: Sentence
    feminine: bool
    """The gender that the pronoun shows."""
    noun: str
    """The English noun that the pronoun refers to."""

    def source(self) -> str:
        """The English sentence."""
        return self.sentence.source(feminine=self.feminine)

    def reference(self, language: str) -> str:
        """The translation; it has no formal or informal wording."""
        return self.sentence.reference(language, "formal", feminine=self.feminine)

    def place(self) -> int:
        """The index of the noun among the words of the English sentence."""
        return self.source().split().index(self.noun)


class Occupations:
    """The people at work, the sentence templates about them, and the entries that fill these."""

    def __init__(
        self, people: dict[str, list[Texts]], sentences: list[Texts], content: Content, seed: int
    ) -> None:
        """`seed` decides which sentences are kept for the test set."""
        self.people = [(texts, kind == KINDS[1]) for kind in KINDS for texts in people[kind]]
        self.sentences, self.content, self.seed = sentences, content, seed

    def drawn(self, split: str, count: int, random: Random) -> list[AtWork]:
        """`count` different sentences of a split.

        In `train` each person has the usual gender of the occupation with probability `USUAL`. In `test` both
        genders of the pronoun are equally frequent with every occupation: every sentence occurs with either
        pronoun, so `count` must be even.
        Raises InputError for an odd number in `test`, and if there are fewer sentences.
        """
        if split == "test" and count % 2:
            raise InputError(f"{count} sentences cannot be halved by gender", fix="give an even number")
        wanted = count // 2 if split == "test" else count
        drawn: dict[str, AtWork] = {}
        missed = 0
        while len(drawn) < wanted:
            sentence = self._one(split, random)
            missed = missed + 1 if sentence is None or sentence.source() in drawn else 0
            if sentence is not None:
                drawn.setdefault(sentence.source(), sentence)
            if missed == PATIENCE:
                raise InputError(
                    f"{count} sentences about people at work are asked for, but there are about {len(drawn)}"
                    f" for {split}",
                    fix="write more occupations or ask for fewer",
                )
        if split == "train":
            return list(drawn.values())
        return [replace(item, feminine=feminine) for item in drawn.values() for feminine in (False, True)]

    def _one(self, split: str, random: Random) -> AtWork | None:
        """A random sentence, or None if it is kept for the other split."""
        template = random.choice(self.sentences)
        (person, usual), (other, other_usual) = random.sample(self.people, 2)
        feminine = usual is (random.random() < USUAL)
        group = 1 + (other_usual is (random.random() < USUAL))
        slots = [slot for slot in dict.fromkeys(SLOT.findall(template[0])) if slot in self.content]
        filled = {slot: random.choice(self.content[slot]) for slot in slots}
        filled |= {ONE: person, OTHER: [GENDERED.sub(lambda match: match[group], text) for text in other]}
        sentence = Sentence(fill(template, filled))
        if kept_for_test(sentence, self.seed) is not (split == "test"):
            return None
        # In the test set the person has both genders in turn: see `drawn`.
        return AtWork(sentence, feminine and split == "train", person[0])


def read_occupations(texts: Path, content: Path, seed: int) -> Occupations:
    """Read the people, the sentence templates and the entries that fill them.

    Raises InputError for an item that is not a list of texts in all languages, for an occupation of several
    English words, and for a sentence that lacks one of the two people or names other lists than its
    translations.
    """
    entries = read_content(content)
    templates = read_templates(texts, (*KINDS, SENTENCES), {*entries, ONE, OTHER})
    for name, rows in templates.items():
        for row in rows:
            people = set(SLOT.findall(row[0])) - entries.keys()
            if people != ({ONE, OTHER} if name == SENTENCES else set()):
                raise InputError(f"{name}: '{row[0]}' does not name exactly the two people", path=texts)
            if name != SENTENCES and len(row[0].split()) != 1:
                raise InputError(f"{name}: '{row[0]}' is not one word", path=texts)
    return Occupations(templates, templates[SENTENCES], entries, seed)
