"""Command: the demo world's WinoMT, in the layout of the released one."""

from __future__ import annotations

from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.demo.occupations import read_occupations


def make_winomt(out: Path, *, texts: Path, content: Path, seed: int, winomt: int) -> None:
    """Write English sentences in which a pronoun says the gender of one of two people.

    Each sentence stands there with either pronoun, so that both genders are as frequent with all occupations,
    as in WinoMT; none is one of the generic bitext. Same arguments, same bytes.
    Raises InputError for a mistake in the texts, for an odd number, and if there are too few sentences.

    :param out: to write: gender, place of the noun, sentence, noun, parted by tabs
    :param texts: YAML: occupations and sentences in all languages
    :param content: YAML: what fills them
    :param seed: of what is drawn
    :param winomt: sentences
    """
    drawn = read_occupations(texts, content, seed).drawn("test", winomt, Random(f"winomt {seed}"))
    rows = ((("male", "female")[one.feminine], str(one.place()), one.source(), one.noun) for one in drawn)
    write_lines(out, ("\t".join(row) for row in rows))


if __name__ == "__main__":
    run(make_winomt)
