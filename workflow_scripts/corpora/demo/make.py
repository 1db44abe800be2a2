"""Generate the demo world: every corpus that the workflow reads, small, in its official layout."""

from __future__ import annotations

from itertools import groupby, islice
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.corpora.demo.opus import write_bitext, write_subtitles
from workflow_scripts.corpora.demo.situations import load
from workflow_scripts.corpora.demo.text import halves, write_gyafc, write_ratings, write_xformal
from workflow_scripts.corpora.demo.world import DEV, TEST, World
from workflow_scripts.corpora.demo.yahoo import write_french, write_yahoo

# The languages besides English, and their codes in OPUS.
CODES = {"pt": "pt_br", "it": "it", "fr": "fr"}


def make_demo(
    folder: Path,
    *,
    situations: list[Path],
    seed: int,
    situations_per_topic: int,
    gyafc_train: int,
    gyafc_dev: int,
    gyafc_test: int,
    xformal: int,
    ratings: int,
    subtitles: int,
    bitext: int,
    questions: int,
    questions_fr: int,
) -> None:
    """Expand hand-written situations into corpora; the same arguments give the same bytes.

    Each way to fill a situation's slots goes to training, dev or test, so that no sentence of dev or test
    is in any training corpus, in any language (this is checked). Informal sentences sometimes get further
    marks of informal writing. Writes ``GYAFC_Corpus``, ``XFORMAL``, ``pt16``, ``opus``, ``yahoo``
    and ``yahoo-fr``. Raises InputError if a file of situations has a mistake, or gives fewer sentences than
    asked for.

    :param folder: where the corpora go
    :param situations: YAML files; those of ``entertainment.yaml`` are GYAFC's domain Entertainment_Music
    :param seed: of all that is random
    :param situations_per_topic: situations of each file that are used, the first ones
    :param gyafc_train: English training pairs, both domains together
    :param gyafc_dev: English tune sentences, each with four rewrites
    :param gyafc_test: English test sentences, each with four rewrites
    :param xformal: informal test sentences per language, each with four rewrites
    :param ratings: English sentences with formality ratings (noise may make a few equal: they count once)
    :param subtitles: OpenSubtitles pairs per language, useless ones included
    :param bitext: clean pairs per language
    :param questions: questions of Yahoo Answers, all languages together
    :param questions_fr: questions of the French Yahoo Answers, about half of whose sentences are formal
    """
    read = [
        one
        for _, topic in groupby(load(sorted(situations)), key=lambda situation: situation.topic)
        for one in islice(topic, situations_per_topic)
    ]
    if len({situation.entertainment for situation in read}) != 2:
        raise InputError(
            "situations of entertainment.yaml and of another file are wanted, for GYAFC's two domains"
        )
    dev, test = list(halves(gyafc_dev).values()), list(halves(gyafc_test).values())
    held = {DEV: {True: dev[0], False: dev[1]}, TEST: {True: test[0], False: max(test[1], xformal)}}
    world = World(read, seed, held)
    opus = folder / "opus"
    yahoo = [folder / "yahoo" / f"FullOct2007.xml.part{number}.gz" for number in (1, 2)]
    steps = [
        lambda: write_gyafc(world, folder / "GYAFC_Corpus", gyafc_train, gyafc_dev, gyafc_test),
        lambda: write_xformal(world, folder / "XFORMAL", tuple(CODES), xformal),
        lambda: write_ratings(world, folder / "pt16" / "answers", ratings),
        *(
            lambda lang=lang, code=code: write_subtitles(
                world,
                opus / "OpenSubtitles" / "v2018" / "moses" / f"en-{code}.txt.zip",
                lang,
                code,
                subtitles,
            )
            for lang, code in CODES.items()
        ),
        *(
            lambda lang=lang: write_bitext(
                world, opus / "Demo" / "v1" / "moses" / f"en-{lang}.txt.zip", lang, bitext
            )
            for lang in CODES
        ),
        lambda: write_yahoo(world, yahoo[0], yahoo[1], questions),
        lambda: write_french(world, folder / "yahoo-fr" / "FrenchAnswers.xml.gz", questions_fr),
    ]
    for step in progress(steps, "demo world", unit="corpus"):
        step()
    world.check()


if __name__ == "__main__":
    run(make_demo)
