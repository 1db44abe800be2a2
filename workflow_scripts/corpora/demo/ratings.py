"""Command: the demo world's formality ratings, in the layout of the real ones."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import pt16
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, World, fold

RATERS = 5
# Standard deviations in points of the scale: between sentences of the same wording, between raters, and of
# one rating.
SENTENCES, PEOPLE, NOISE = 1.1, 0.4, 0.8
# Every mark of informal writing that noise adds makes a sentence less formal.
ROUGHENED = 0.3


def make_ratings(out: Path, *, world: Path, ratings: int) -> None:
    """Write the ratings of five simulated raters for English sentences of all degrees of formality.

    How formal people find a sentence depends on its wording, on the sentence, and on the rater.

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
    raters = [random.gauss(0, PEOPLE) for _ in range(RATERS)]
    # Noise may make two sentences equal, and each is rated once.
    for saying in known.draw(TRAIN, ratings, "ratings", INFORMAL, FORMAL):
        combination, register, wording = saying
        sentence = known.say(TRAIN, saying, "en", random)
        level = combination.rating(known.script, register, wording) + random.gauss(0, SENTENCES)
        level -= ROUGHENED * (register == INFORMAL and fold(sentence) != fold(known.plain(saying, "en")))
        marks = sorted(
            min(pt16.HIGHEST, max(pt16.LOWEST, float(round(random.gauss(level + bias, NOISE)))))
            for bias in raters
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
