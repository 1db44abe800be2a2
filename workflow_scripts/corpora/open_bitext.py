"""Make one bitext of several small corpora that are open to all: Tatoeba, NTREX and DiaBLa."""

from __future__ import annotations

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import diabla, ntrex, tatoeba

# What reads a corpus, and in which languages it is.
READERS = {
    "tatoeba": (tatoeba.read_tatoeba, set(tatoeba.CODES)),
    "ntrex": (ntrex.read_ntrex, set(ntrex.CODES)),
    "diabla": (diabla.read_diabla, {"fr"}),
}


def read_open_bitext(
    out_en: Path, out_l: Path, *, language: str, corpora: list[str], folders: list[Path]
) -> None:
    """Write the two sides of all corpora that have the language, one corpus after the other.

    Nothing is dropped, repetitions and empty lines neither. Raises InputError for an unknown corpus or one
    that is given twice, if none has the language, and as the readers do.

    :param out_en: to write: the English side, one sentence a line
    :param out_l: to write: the other side, parallel to it
    :param language: two-letter code of the other side
    :param corpora: tatoeba, ntrex, diabla, in the order in which they are wanted
    :param folders: the root of each corpus' repository, in the same order
    """
    if len(corpora) != len(folders):
        raise InputError(f"{len(corpora)} corpora but {len(folders)} folders", fix="give one folder for each")
    for number, name in enumerate(corpora):
        if name not in READERS:
            raise InputError(f"unknown corpus '{name}'; {nearest(name, READERS)}")
        if name in corpora[:number]:
            raise InputError(f"corpus '{name}' is given twice")
    pairs: list[tuple[str, str]] = []
    for name, folder in zip(corpora, folders, strict=True):
        read, languages = READERS[name]
        found = read(folder, language) if language in languages else []
        print(f"{name}: {len(found)} pairs en-{language}", file=sys.stderr)
        pairs += found
    if not pairs:
        raise InputError(f"no pair in language '{language}' in {' '.join(corpora) or 'no corpus'}")
    write_lines(out_en, (english for english, _ in pairs))
    write_lines(out_l, (other for _, other in pairs))


if __name__ == "__main__":
    run(read_open_bitext)
