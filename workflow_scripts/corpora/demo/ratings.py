"""Command: the demo world's formality ratings, in the layout of the real ones."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import pt16
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, World

# Mean rating of each wording, from the most informal to the most formal.
INFORMAL_RATINGS, FORMAL_RATINGS = (-2.6, -1.8, -0.9), (0.7, 1.3, 1.9, 2.4)
ROUGHENED = 0.3
RATERS, SPREAD = 5, 0.6


def make_ratings(out: Path, *, world: Path, ratings: int) -> None:
    """Write the ratings of five simulated raters for English sentences of all degrees of formality.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: file to write
    :param world: file of the demo world
    :param ratings: sentences; noise may make a few equal, which count once
    """
    from nltk.tokenize import TreebankWordTokenizer

    known = World.read(world)
    tokenise = TreebankWordTokenizer().tokenize
    random = known.random("ratings")
    rows: list[str] = []
    rated: set[str] = set()
    # Noise may make two sentences equal, and each is rated once.
    for saying in known.draw(known.sayings(TRAIN, INFORMAL, FORMAL), ratings, "ratings"):
        combination, register, wording = saying
        sentence = known.say(TRAIN, saying, "en", random)
        level = (INFORMAL_RATINGS if register == INFORMAL else FORMAL_RATINGS)[min(wording, 3)]
        level -= ROUGHENED * (sentence != combination.say(register, wording, "en"))
        marks = sorted(
            min(pt16.HIGHEST, max(pt16.LOWEST, float(round(random.gauss(level, SPREAD)))))
            for _ in range(RATERS)
        )
        name = f"{random.getrandbits(128):032x}.{len(rows)}"
        if sentence not in rated:
            rated.add(sentence)
            mean = str(round(sum(marks) / RATERS, 2))
            rows.append("\t".join([mean, ",".join(map(str, marks)), name, " ".join(tokenise(sentence))]))
    known.check()
    write_lines(out, rows)


if __name__ == "__main__":
    run(make_ratings)
