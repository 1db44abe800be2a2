"""NTREX-128 (Federmann et al., 2022): newstest2019's English side and its translations; BR-PT, not PT-PT."""

from pathlib import Path

from workflow_scripts.corpora.released_text import read_sides


def read_ntrex(folder: Path, code: str) -> list[tuple[str, str]]:
    """The pairs of one language, English first; `folder` is the repository's root, `code` such as por-BR.

    Raises InputError if a file is missing, empty or not UTF-8, or the two differ in length.
    """
    place = folder / "NTREX-128"
    names = ("newstest2019-src.eng.txt", f"newstest2019-ref.{code}.txt")
    return list(zip(*read_sides(*(place / name for name in names), filled=False), strict=True))
