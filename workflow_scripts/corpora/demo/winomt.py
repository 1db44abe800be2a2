"""Command: the demo world's WinoMT, in the layout of the released corpus."""

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.demo.occupations import read_occupations


def make_winomt(out: Path, *, texts: Path, content: Path, seed: int, winomt: int) -> None:
    """Write English sentences in which a pronoun shows the gender of one of two people.

    Each sentence occurs with either pronoun, so that both genders are equally frequent with every occupation,
    as in WinoMT; none is in the generic bitext. Same arguments, same bytes.
    Raises InputError for a mistake in the texts, for an odd number, and if there are too few sentences.

    :param out: file to write: gender, index of the noun, sentence, noun, separated by tabs
    :param texts: YAML: occupations and sentences in all languages
    :param winomt: number of sentences
    """
    drawn = read_occupations(texts, content, seed).drawn("test", winomt, Random(f"winomt {seed}"))
    rows = (
        (("male", "female")[item.feminine], str(item.place()), item.source(), item.noun) for item in drawn
    )
    write_lines(out, ("\t".join(row) for row in rows))


if __name__ == "__main__":
    run(make_winomt)
