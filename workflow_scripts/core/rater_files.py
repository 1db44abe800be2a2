"""Folders of files from raters: one or several for each language, and nothing else."""

import re
from collections.abc import Collection
from pathlib import Path

from workflow_scripts.core.errors import InputError


def files_by_language(
    folder: Path, languages: Collection[str] | None, *, beside: Collection[str] = (), single: bool = False
) -> dict[str, list[Path]]:
    """The files of each language that has any, sorted by name; none if the folder does not exist.

    A language's files are `{lang}.csv` and names that continue with `-`, `_`, `.` or a space, such as
    `fr-ana-1.csv`; with `single` only the first. Raises InputError for any other file that is not hidden.

    :param languages: all codes with which a name may begin; None: any
    :param beside: further folders that may be there
    """
    example = next(iter(languages or ()), "fr")
    names = f"'{example}.csv'" if single else f"'{example}.csv' or '{example}-NAME.csv'"
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.startswith(".") or (path.name in beside and path.is_dir()):
            continue
        code = re.split(r"[-_. ]", path.name, maxsplit=1)[0]
        if path.suffix != ".csv" or not path.is_file() or (single and path.stem != code):
            raise InputError("no file of ratings", path=path, fix=f"call it {names}, or take it out")
        if languages is not None and code not in languages:
            raise InputError(
                "of which language are these ratings?",
                path=path,
                fix=f"let the name begin with one of {', '.join(languages)}" + " and a dash" * (not single),
            )
        found.setdefault(code, []).append(path)
    return found
