"""The demo world with all its parts, as the workflow's rules make them."""

from pathlib import Path

from workflow_scripts.corpora.demo.bitext import make_bitext
from workflow_scripts.corpora.demo.gyafc import make_gyafc
from workflow_scripts.corpora.demo.make_world import make_world
from workflow_scripts.corpora.demo.ratings import make_ratings
from workflow_scripts.corpora.demo.subtitles import make_subtitles
from workflow_scripts.corpora.demo.xformal import make_xformal
from workflow_scripts.corpora.demo.yahoo import make_yahoo
from workflow_scripts.corpora.demo.yahoo_fr import make_yahoo_fr

# Codes of OPUS for its archives of subtitles and of clean bitext.
SUBTITLES, BITEXT = ("pt_br", "it", "fr"), ("pt", "it", "fr")


def make_demo(
    folder: Path,
    *,
    situations: list[Path],
    seed: int,
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
    """Make the world and every corpus; sizes have the names of the configuration."""
    world = folder / "world.json"
    make_world(
        world,
        situations=situations,
        seed=seed,
        gyafc_dev=gyafc_dev,
        gyafc_test=gyafc_test,
        xformal=xformal,
    )
    make_gyafc(
        folder / "GYAFC_Corpus",
        world=world,
        gyafc_train=gyafc_train,
        gyafc_dev=gyafc_dev,
        gyafc_test=gyafc_test,
    )
    make_xformal(folder / "XFORMAL", world=world, xformal=xformal)
    make_ratings(folder / "pt16" / "answers", world=world, ratings=ratings)
    opus = folder / "opus"
    for code in SUBTITLES:
        archive = opus / "OpenSubtitles" / "v2018" / "moses" / f"en-{code}.txt.zip"
        make_subtitles(archive, world=world, code=code, subtitles=subtitles)
    for code in BITEXT:
        make_bitext(
            opus / "Demo" / "v1" / "moses" / f"en-{code}.txt.zip", world=world, code=code, bitext=bitext
        )
    parts = [folder / "yahoo" / f"FullOct2007.xml.part{number}.gz" for number in (1, 2)]
    make_yahoo(*parts, world=world, questions=questions)
    make_yahoo_fr(folder / "yahoo-fr" / "FrenchAnswers.xml.gz", world=world, questions_fr=questions_fr)
