"""Command: the generic bitext of the demo's translation models, in an archive of OPUS."""

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.cocoa import DOMAINS
from workflow_scripts.corpora.demo.occupations import read_occupations
from workflow_scripts.corpora.demo.opus import write_zip
from workflow_scripts.corpora.demo.situations import LANGUAGES
from workflow_scripts.corpora.demo.templates import NEUTRAL, read_script
from workflow_scripts.text.levels import LEVELS

# The training part, and the parts in place of newstest and of talks (CoCoA-MT, Table 6).
PARTS = ("train", "wmt", "ted")
# How often a sentence with both styles is formal, as text from the web mostly is.
FORMAL_SHARE = 0.9
# The share of the training pairs in which an English pronoun shows the gender of a person at work.
AT_WORK_SHARE = 0.1


def make_generic(
    out: Path,
    *,
    texts: Path,
    occupations: Path,
    content: Path,
    seed: int,
    part: str,
    code: str,
    generic_train: int,
    generic_test: int,
) -> None:
    """Write a part of the bitext that the generic model is trained and tested on, in an archive of OPUS.

    Half of the training pairs, and all of `ted`, are sentences of all domains, nine tenths of them formal
    and the rest informal; the others, and all of `wmt`, are neutral. The training part has some pairs about
    people at work, most of whom have the usual gender of their occupation.
    Raises InputError for a mistake in the templates, an unknown part or language, and if there are too few.

    :param out: archive to write
    :param texts: YAML: by domain, templates in all languages
    :param occupations: YAML: people at work and sentences about them, in all languages
    :param part: train, wmt or ted
    :param code: the other language
    :param generic_train: pairs of `train`
    :param generic_test: pairs of `wmt` and of `ted`
    """
    if part not in PARTS or code not in LANGUAGES[1:]:
        raise InputError(f"no part '{part}' of 'en-{code}'", fix=f"parts: {', '.join(PARTS)}")
    script = read_script(texts, content, seed)
    talks = DOMAINS["test"]
    split, sizes = ("train", generic_train) if part == "train" else ("test", generic_test)
    half, at_work = sizes // 2, round(AT_WORK_SHARE * sizes)
    shares: dict[str, dict[tuple[str, ...], int]] = {
        "train": {(NEUTRAL,): sizes - half - at_work, talks: half},
        "wmt": {(NEUTRAL,): sizes},
        "ted": {talks: sizes},
    }
    random = Random(f"generic {seed} {part} {code}")
    sentences = [
        sentence
        for domains, count in shares[part].items()
        for sentence in script.draw(domains, split, count, random)
    ]
    random.shuffle(sentences)
    pairs = []
    for sentence in sentences:
        style = LEVELS[random.random() >= FORMAL_SHARE]
        pairs.append((sentence.source(), sentence.reference(code, style)))
    if part == "train":
        people = read_occupations(occupations, content, seed).drawn(split, at_work, random)
        pairs += [(item.source(), item.reference(code)) for item in people]
        random.shuffle(pairs)
    write_zip(out, "Generic", code, pairs)


if __name__ == "__main__":
    run(make_generic)
