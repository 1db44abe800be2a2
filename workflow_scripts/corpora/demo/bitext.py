"""Command: the demo world's clean bitext, in an archive of OPUS."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.corpora.demo.noise import formal_typing
from workflow_scripts.corpora.demo.opus import language_of, pair, write_zip
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, World

# How often a formal sentence has no capitals, and how often it has a mark, so that a model does not take
# either as a part of the wording.
FORMAL_LOWER, FORMAL_MARKED = 0.3, 0.2


def make_bitext(out: Path, *, world: Path, code: str, bitext: int) -> None:
    """Write clean pairs of both registers.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: archive to write, of English and another language
    :param code: code of the other language in OPUS
    :param bitext: number of pairs
    """
    demo, language = World.read(world), language_of(code)
    random = demo.random(f"bitext {language}")
    chosen = demo.draw(TRAIN, bitext, f"bitext in {language}", INFORMAL, FORMAL)
    pairs = [
        pair(
            demo,
            saying,
            language,
            random,
            formal_typing(random, FORMAL_LOWER, FORMAL_MARKED) if saying[1] == FORMAL else None,
        )
        for saying in chosen
    ]
    demo.check()
    write_zip(out, "Demo", code, pairs)


if __name__ == "__main__":
    run(make_bitext)
