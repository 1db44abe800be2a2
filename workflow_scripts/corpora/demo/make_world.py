"""Command: the demo world from which its corpora are made, with the split into training, dev and test."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.demo.rewrites import english_rewrites, halves, other_rewrites
from workflow_scripts.corpora.demo.situations import LANGUAGES, load
from workflow_scripts.corpora.demo.world import DEV, TEST, World


def make_world(
    out: Path,
    *,
    situations: list[Path],
    seed: int,
    gyafc_dev: int,
    gyafc_test: int,
    xformal: int,
) -> None:
    """Expand hand-written situations and hold out dev and test sentences; same arguments, same bytes.

    Each filling of a situation's slots belongs to training, dev or test, so that no sentence of dev or test
    is in any training corpus, in any language; and a few entries of the lists of contents occur in dev or
    test only. The file lists the sentences of dev and test, and each training corpus is checked against it.
    Raises InputError if a file has a mistake, or gives fewer sentences than asked for.

    :param out: file to write
    :param situations: YAML files: content.yaml, phrases.yaml, and situations by topic; those of
        ``entertainment.yaml`` are GYAFC's domain Entertainment_Music
    :param gyafc_dev: English tune sentences, each with four rewrites
    :param gyafc_test: English test sentences, each with four rewrites
    :param xformal: informal test sentences per language, each with four rewrites
    """
    script = load(sorted(situations))
    if len({situation.entertainment for situation in script.situations}) != 2:
        raise InputError("give situations in entertainment.yaml and in another file, for GYAFC's two domains")
    world = World(script, seed)
    for split, total in ((DEV, gyafc_dev), (TEST, gyafc_test)):
        for domain, count in halves(total).items():
            english_rewrites(world, split, domain, count)
    for language in LANGUAGES[1:]:
        other_rewrites(world, language, xformal)
    world.check()
    world.write(out)


if __name__ == "__main__":
    run(make_world)
