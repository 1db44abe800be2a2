"""Tatoeba's test pairs as LASER releases them (Artetxe and Schwenk, 2019): short everyday sentences."""

from pathlib import Path

from workflow_scripts.corpora.released_text import read_sides


def read_tatoeba(folder: Path, code: str) -> list[tuple[str, str]]:
    """The pairs of one language, English first; `folder` is the repository's root, `code` such as por.

    Raises InputError if a file is missing, empty or not UTF-8, or the two differ in length.
    """
    stem = folder / "data" / "tatoeba" / "v1" / f"tatoeba.{code}-eng"
    sides = read_sides(Path(f"{stem}.eng"), Path(f"{stem}.{code}"), filled=False)
    return list(zip(*sides, strict=True))
