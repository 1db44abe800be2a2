"""The content of one demo sentence: a situation, the fillers of its slots, and its opener and tail."""

import re
from dataclasses import dataclass
from random import Random

from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL, LANGUAGES, Script, Situation, Wordings

# How often a formal wording is the one nearest to the informal ones: most rewrites change little.
NEAREST = 0.4
# How often a part of an informal sentence has its most informal wording, if it has several.
SLANG = 0.35
# The mean ratings of wordings, the most informal first, and the least formal first, which often has the words
# of the mildest informal one; further wordings have the last rating.
INFORMAL_RATINGS, FORMAL_RATINGS = (-1.2, -0.5), (0.4, 1.7, 2.3, 2.6)

# French elision before an entry that begins with an article.
ELISION = re.compile(r"\bque (?=une?\b)")

# Numbers of the wordings of opener, situation and tail.
Wording = tuple[int, int, int]


@dataclass(frozen=True)
class Combination:
    """One fact, which has several wordings in each language."""

    situation: int
    opener: int
    tail: int
    fillers: tuple[tuple[str, int], ...]
    """The name of a list and the number of an entry, for each slot."""

    def parts(self, script: Script) -> tuple[Wordings, Wordings, Wordings]:
        """The opener, situation and tail."""
        return script.openers[self.opener], script.situations[self.situation], script.tails[self.tail]

    def content(self, script: Script, language: str) -> dict[str, str]:
        """The text of each slot."""
        place = LANGUAGES.index(language)
        return {name: script.content[name][number][place] for name, number in self.fillers}

    def phrases(self, script: Script, register: str, language: str) -> list[list[str]]:
        """All wordings of each part in one register, with filled slots."""
        place, filled = LANGUAGES.index(language), self.content(script, language)
        return [
            [ELISION.sub("qu'", texts[place].format_map(filled)) for texts in part.of(register)]
            for part in self.parts(script)
        ]

    def say(self, script: Script, register: str, wording: Wording, language: str) -> str:
        """The sentence of one wording in one register and language; a formal one begins with a capital."""
        place = LANGUAGES.index(language)
        before, core, after = (
            part.of(register)[number][place] for part, number in zip(self.parts(script), wording, strict=True)
        )
        text = f"{before} {core}{after}".strip().format_map(self.content(script, language))
        text = ELISION.sub("qu'", text)
        return text[0].upper() + text[1:] if register == FORMAL else text

    def ask(self, script: Script, language: str) -> str:
        """The question that these sentences answer."""
        situation: Situation = script.situations[self.situation]
        return situation.question[LANGUAGES.index(language)].format_map(self.content(script, language))

    def choose(self, script: Script, register: str, random: Random) -> Wording:
        """A random wording: each part has its first one with probability SLANG or NEAREST, else any other."""
        first, second, third = (
            _number(len(part.of(register)), register, random) for part in self.parts(script)
        )
        return first, second, third

    def rewordings(self, script: Script, register: str, count: int, random: Random) -> list[Wording]:
        """`count` random wordings, all different if there are enough."""
        possible = 1
        for part in self.parts(script):
            possible *= len(part.of(register))
        wordings: list[Wording] = []
        while len(wordings) < count:
            wording = self.choose(script, register, random)
            if wording not in wordings or len(set(wordings)) == possible:
                wordings.append(wording)
        return wordings

    def rating(self, script: Script, register: str, wording: Wording) -> float:
        """The mean formality rating of an English wording, -3 to 3, over the parts that differ by register.

        An informal part with the words of the least formal one has that one's rating: case and a missing full
        stop make no other wording.
        """
        levels = []
        for part, number in zip(self.parts(script), wording, strict=True):
            informal, formal = (
                [_letters(texts[0]) for texts in part.of(name)] for name in (INFORMAL, FORMAL)
            )
            if len({*informal, *formal}) == 1:
                continue
            as_formal = register == INFORMAL and informal[number] == formal[0]
            ratings = INFORMAL_RATINGS if register == INFORMAL and not as_formal else FORMAL_RATINGS
            levels.append(ratings[0 if as_formal else min(number, len(ratings) - 1)])
        return sum(levels) / len(levels)


def _letters(text: str) -> str:
    """A wording without case, marks and spaces."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _number(count: int, register: str, random: Random) -> int:
    first = SLANG if register == INFORMAL else NEAREST
    return 0 if count == 1 or random.random() < first else random.randrange(1, count)
