"""The names of CoCoA-MT's parts, and its canonical layout.

A folder per target language contains ``{split}.{domain}.{kind}.txt``, parallel by line within a split and
domain. Kinds are ``en`` (the source), ``formal`` and ``informal`` (the references; masculine if gender is
marked), both also ``.annotated`` (with markers) and, in languages with grammatical gender, ``.feminine``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.corpora.cocoa_files import DOMAINS
from workflow_scripts.text.levels import GENDERED, LEVELS

KINDS = ("en", *LEVELS, *(f"{level}.annotated" for level in LEVELS))
FEMININE = tuple(f"{level}.feminine" for level in LEVELS)


def kinds_of(language: str) -> tuple[str, ...]:
    """The kinds of files that a language has."""
    return KINDS + (FEMININE if language in GENDERED else ())


def path_of(folder: Path, split: str, domain: str, kind: str) -> Path:
    """A file of the canonical layout."""
    return folder / f"{split}.{domain}.{kind}.txt"


def read_texts(
    folder: Path, split: str, kinds: Sequence[str], domains: Iterable[str] | None = None
) -> list[list[str]]:
    """One list of lines per kind, one domain after the other (by default all of the split).

    Raises InputError for a missing file, for files of a domain that differ in length, for an empty line and
    if there is no line at all.
    """
    texts: list[list[str]] = [[] for _ in kinds]
    for domain in DOMAINS[split] if domains is None else domains:
        lines = read_parallel(*(path_of(folder, split, domain, kind) for kind in kinds), filled=True)
        for text, part in zip(texts, lines, strict=True):
            text.extend(part)
    if not all(texts):
        raise InputError(f"no {split} sentence", path=folder)
    return texts
