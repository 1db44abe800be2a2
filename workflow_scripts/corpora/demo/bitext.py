"""Command: the demo world's clean bitext, in the zips of OPUS."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.corpora.demo.opus import language_of, pair, write_zip
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import TRAIN, World


def make_bitext(out: Path, *, world: Path, code: str, bitext: int) -> None:
    """Write clean pairs of both registers.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: to write: an archive of English and another language
    :param world: file of the demo world
    :param code: of the other language in OPUS
    :param bitext: pairs
    """
    known, language = World.read(world), language_of(code)
    random = known.random(f"bitext {language}")
    chosen = known.draw(TRAIN, bitext, f"bitext in {language}", INFORMAL, FORMAL)
    pairs = [pair(known, saying, language, random) for saying in chosen]
    known.check()
    write_zip(out, "Demo", code, pairs)


if __name__ == "__main__":
    run(make_bitext)
