"""Command: read XFORMAL's evaluation set: informal sentences with four formal rewrites each (Section 3)."""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.released_text import read_sides

FILES = ("informal", *(f"formal.ref{i}" for i in range(4)))


def read_xformal(folder: Path, out: Path, *, language: str, names: list[str] | None = None) -> None:
    """Write one language as ``informal.txt`` and ``formal.ref{0..3}.txt``.

    Raises InputError if the language has no folder, a file is missing, has an empty line or is not UTF-8,
    or if the five files differ in length.

    :param folder: XFORMAL, or its folder xformal_eval
    :param out: folder of the canonical layout
    :param names: names of its folder besides the code, such as br; pt-br and br_pt then match too
    """
    source = language_folder(folder, language, names or [])
    texts = read_sides(*(source / name for name in FILES), filled=True)
    for name, text in zip(FILES, texts, strict=True):
        write_lines(out / f"{name}.txt", text)


def language_folder(folder: Path, language: str, names: list[str]) -> Path:
    """The folder with one language's files under any known name; InputError if there are none or several."""
    folders = evaluation_folders(folder)
    known = {language, *names}
    matches = [
        path for path in folders if any(known & _words(part) for part in path.relative_to(folder).parts)
    ]
    if len(matches) != 1:
        problem = "several folders" if matches else "no folder"
        listed = ", ".join(str(path.relative_to(folder)) for path in folders) or "none"
        raise InputError(
            f"{problem} for language '{language}'; folders with {FILES[0]} and {FILES[1]}: {listed}",
            path=folder,
            fix=f"name one of them '{language}'",
        )
    return matches[0]


def evaluation_folders(folder: Path) -> list[Path]:
    """All folders with rewrites below `folder`, except those of the translated GYAFC, which look the same."""
    folders = sorted(path.parent for path in folder.rglob(FILES[1]) if (path.parent / FILES[0]).is_file())
    return [path for path in folders if "gyafc_translated" not in path.relative_to(folder).parts]


def _words(name: str) -> set[str]:
    return set(re.split(r"[\W_]+", name.lower()))


if __name__ == "__main__":
    run(read_xformal)
