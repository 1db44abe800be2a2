"""Command: the dialogues that systems answer, with original and with impolite users."""

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
    """Write the test set with the originals of rewritten dialogues of some folds, and the rewritten ones.

    The first file has all dialogues with polite users that Tables VI and VII need, so that a dialogue that is
    both in the test set and rewritten is answered once. The second file has the rewritten dialogues, in the
    order of the corpus.

    :param polite: JSON lines to write: the test set, followed by the originals that are not in it
    :param impolite: JSON lines to write: the rewritten dialogues; not without `rewritten`
    :param test: the test set, as the readers of MultiWOZ write it
    :param folds: files of dialogues; only rewritten dialogues in them are used
    :param original: the originals of the rewritten dialogues
    :param rewritten: the same dialogues with the users' rewritten words
    """
    if (impolite is None) != (rewritten is None) or (original is None) != (rewritten is None):
        raise InputError("an impolite set needs --original and --rewritten")
    chosen = {dialogue.id for path in folds for dialogue in read_dialogues(path)}
    lines = _lines(test)
    if original and rewritten and impolite:
        before, after = (
            {name: line for name, line in _lines(path).items() if name in chosen}
            for path in (original, rewritten)
        )
        if list(before) != list(after):
            raise InputError(f"does not have the same dialogues as {original}", path=rewritten)
        if not after:
            raise InputError(
                "no dialogue of the chosen folds is rewritten", path=rewritten, fix="see dialogue.folds"
            )
        write_lines(impolite, after.values())
        lines |= {name: line for name, line in before.items() if name not in lines}
    write_lines(polite, lines.values())


def _lines(path: Path) -> dict[str, str]:
    """The lines of a file of dialogues, by dialogue id."""
    return {item.id: line for item, line in zip(read_dialogues(path), read_lines(path), strict=True)}


if __name__ == "__main__":
    run(sets)
