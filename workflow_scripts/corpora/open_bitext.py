"""Command: join small public corpora to one bitext: Tatoeba, NTREX, DiaBLa and BConTrasT."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora import bcontrast, diabla, ntrex, tatoeba

READERS = {
    "tatoeba": tatoeba.read_tatoeba,
    "ntrex": ntrex.read_ntrex,
    "diabla": diabla.read_diabla,
    "bcontrast": bcontrast.read_bcontrast,
}


def read_open_bitext(
    out_en: Path, out_l: Path, *, language: str, corpora: list[str], folders: list[Path]
) -> None:
    """Write the two sides of all corpora that have the language, one corpus after the other.

    Nothing is dropped, not even repetitions and empty lines. Raises InputError for an unknown corpus or one
    that is given twice, if there is no pair, and as the readers do.

    :param out_en: file to write: the English side, one sentence a line
    :param out_l: file to write: the other side, parallel to it
    :param language: two-letter code of the other side, for messages
    :param corpora: tatoeba, ntrex, diabla, bcontrast, in the order of the output, each with its code of the
        language: ``ntrex=por-BR``
    :param folders: the root of each corpus' repository, in the same order
    """
    if len(corpora) != len(folders):
        raise InputError(f"{len(corpora)} corpora but {len(folders)} folders", fix="give one folder for each")
    wanted = [item.partition("=") for item in corpora]
    names = [name for name, _, _ in wanted]
    for number, (name, _, code) in enumerate(wanted):
        if name not in READERS:
            raise InputError(f"unknown corpus '{name}'; {nearest(name, READERS)}")
        if name in names[:number]:
            raise InputError(f"corpus '{name}' is given twice")
        if not code:
            raise InputError(f"corpus '{name}' without the language", fix=f"give {name}=CODE")
    pairs: list[tuple[str, str]] = []
    for (name, _, code), folder in zip(wanted, folders, strict=True):
        rows = READERS[name](folder, code)
        print(f"{name}: {len(rows)} pairs en-{language}", file=sys.stderr)
        pairs += rows
    if not pairs:
        problem = f"no pair in language '{language}' in {' '.join(corpora) or 'no corpus'}"
        raise InputError(problem, path=", ".join(map(str, folders)) or None)
    write_lines(out_en, (english for english, _ in pairs))
    write_lines(out_l, (other for _, other in pairs))


if __name__ == "__main__":
    run(read_open_bitext)
