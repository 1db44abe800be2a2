"""Command: the demo world's formality ratings, in the layout of the real corpus."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import pt16
from workflow_scripts.corpora.demo.noise import (
    ABBREVIATED,
    DOTS,
    INTERJECTED,
    PUNCTUATED,
    REPEATED,
    SHOUTED,
    UNACCENTED,
    UNENDED,
    Typing,
    formal_typing,
    informal_typing,
)
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, Saying, World
from workflow_scripts.text.light_nltk import light_nltk

RATERS = 5
# Standard deviations in points of the scale: between similar sentences, between raters, of one rating.
SENTENCES, PEOPLE, NOISE = 0.5, 0.4, 0.8
# The points by which each mark of informal writing lowers a rating, and those for lower case.
WEIGHTS = {
    PUNCTUATED: 2.0,
    REPEATED: 2.0,
    ABBREVIATED: 1.8,
    INTERJECTED: 1.6,
    SHOUTED: 1.2,
    DOTS: 0.8,
    UNENDED: 0.1,
    UNACCENTED: 0.1,
}
LOWER_CASE = 0.05
# How often a rated formal sentence has no capitals, and how often it has a mark.
FORMAL_LOWER, FORMAL_MARKED = 0.4, 0.3


def make_ratings(out: Path, *, world: Path, ratings: int) -> None:
    """Write ratings of five simulated raters for English sentences of all degrees of formality.

    A rating depends on the wording of the sentence, its typing, the sentence itself, and the rater.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: file to write
    :param ratings: number of sentences; typing may make a few equal, which count once
    """
    light_nltk()
    from nltk.tokenize import TreebankWordTokenizer

    demo = World.read(world)
    tokenise = TreebankWordTokenizer().tokenize
    random = demo.random("ratings")
    rows: list[str] = []
    rated: set[str] = set()
    raters = [random.gauss(0, PEOPLE) for _ in range(RATERS)]
    # Typing may make sentences equal; those are rated once.
    for saying in demo.draw(TRAIN, ratings, "ratings", INFORMAL, FORMAL):
        _, register, wording = saying
        typing = (
            informal_typing(wording[1], random)
            if register == INFORMAL
            else formal_typing(random, FORMAL_LOWER, FORMAL_MARKED)
        )
        sentence, level = rated_sentence(demo, saying, typing)
        demo.note(TRAIN, "en", sentence)
        level += random.gauss(0, SENTENCES)
        marks = sorted(
            min(pt16.HIGHEST, max(pt16.LOWEST, float(round(random.gauss(level + bias, NOISE)))))
            for bias in raters
        )
        name = f"{random.getrandbits(128):032x}.{len(rows)}"
        if sentence not in rated:
            rated.add(sentence)
            mean = str(round(sum(marks) / RATERS, 2))
            rows.append("\t".join([mean, ",".join(map(str, marks)), name, " ".join(tokenise(sentence))]))
    demo.check()
    write_lines(out, rows)


def rated_sentence(world: World, saying: Saying, typing: Typing) -> tuple[str, float]:
    """The English sentence of a saying with some typing, and its mean formality rating.

    The rating is that of its wording, minus the weight of each mark of informal writing, minus a little for
    lower case.
    """
    combination, register, wording = saying
    sentence, marks = typing.apply(world.plain(saying, "en"), "en")
    level = combination.rating(world.script, register, wording)
    return sentence, level - sum(WEIGHTS[mark] for mark in marks) - LOWER_CASE * typing.lower


if __name__ == "__main__":
    run(make_ratings)
