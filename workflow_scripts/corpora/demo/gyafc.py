"""Command: the demo world's GYAFC, in the layout of the real corpus."""

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora import gyafc
from workflow_scripts.corpora.demo.rewrites import REWRITES, domain_of, english_rewrites, halves
from workflow_scripts.corpora.demo.situations import FORMAL, INFORMAL
from workflow_scripts.corpora.demo.world import DEV, TEST, TRAIN, Saying, World


def make_gyafc(out: Path, *, world: Path, gyafc_train: int, gyafc_dev: int, gyafc_test: int) -> None:
    """Write training pairs, and tune and test sentences with four rewrites in both directions.

    Raises InputError if the world gives fewer sentences than asked for.

    :param out: folder to write: GYAFC_Corpus
    :param gyafc_train: English training pairs, both domains together
    :param gyafc_dev: English tune sentences, each with four rewrites
    :param gyafc_test: English test sentences, each with four rewrites
    """
    demo = World.read(world)
    with writing_folder(out) as folder:
        for domain in gyafc.DOMAINS:
            _write_pairs(demo, folder / domain / "train", domain, halves(gyafc_train)[domain])
            for split, name, total in ((DEV, "tune", gyafc_dev), (TEST, "test", gyafc_test)):
                rewrites = english_rewrites(demo, split, domain, halves(total)[domain])
                for source, target in ((INFORMAL, FORMAL), (FORMAL, INFORMAL)):
                    names = [source, *(f"{target}.ref{i}" for i in range(REWRITES))]
                    for column, file in enumerate(names):
                        write_lines(folder / domain / name / file, (row[column] for row in rewrites[source]))
        demo.check()


def _write_pairs(world: World, folder: Path, domain: str, count: int) -> None:
    sayings = world.draw(
        TRAIN, count, f"GYAFC {domain}", INFORMAL, where=lambda situation: domain_of(situation) == domain
    )
    random = world.random(f"gyafc {domain}")
    pairs = [
        (
            world.say(TRAIN, saying, "en", random),
            world.say(TRAIN, rewritten(world, saying, random), "en", random),
        )
        for saying in sayings
    ]
    write_lines(folder / INFORMAL, (informal for informal, _ in pairs))
    write_lines(folder / FORMAL, (formal for _, formal in pairs))


def rewritten(world: World, saying: Saying, random: Random) -> Saying:
    """A formal saying with the content of an informal one."""
    combination = saying[0]
    return combination, FORMAL, combination.choose(world.script, FORMAL, random)


if __name__ == "__main__":
    run(make_gyafc)
