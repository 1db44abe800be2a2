"""Command: the dialogues that systems answer, with users as they were and with impolite ones."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.multiwoz.data import read_dialogues


def sets(
    polite: Path,
    impolite: Path | None = None,
    *,
    test: Path,
    folds: list[Path],
    original: Path | None = None,
    rewritten: Path | None = None,
) -> None:
    """Write the test set and the originals of rewritten dialogues of some folds, and these rewritten.

    A dialogue that is both in the test set and rewritten is answered once: the first file has all dialogues
    with polite users that Tables VI and VII need. The second one has the same dialogues as its part that was
    rewritten, in the order of the corpus.

    :param polite: JSON lines to write: the test set, and after it the originals of other folds
    :param impolite: JSON lines to write: the rewritten dialogues; not without `rewritten`
    :param test: the test set, as the readers of MultiWOZ write it
    :param folds: those whose rewritten dialogues count
    :param original: the dialogues that were rewritten, as they were
    :param rewritten: the same with the users' rewritten words
    """
    if (impolite is None) != (rewritten is None) or (original is None) != (rewritten is None):
        raise InputError("an impolite set needs --original and --rewritten")
    chosen = {one.id for path in folds for one in read_dialogues(path)}
    lines = _lines(test)
    if original and rewritten and impolite:
        before, after = (
            {name: line for name, line in _lines(path).items() if name in chosen}
            for path in (original, rewritten)
        )
        if list(before) != list(after):
            raise InputError(f"not the dialogues of {original}", path=rewritten)
        if not after:
            raise InputError(
                "no dialogue of the chosen folds is rewritten", path=rewritten, fix="see dialogue.folds"
            )
        write_lines(impolite, after.values())
        lines |= {name: line for name, line in before.items() if name not in lines}
    write_lines(polite, lines.values())


def _lines(path: Path) -> dict[str, str]:
    """The lines of a file of dialogues by the id of each."""
    return {one.id: line for one, line in zip(read_dialogues(path), read_lines(path), strict=True)}


if __name__ == "__main__":
    run(sets)
