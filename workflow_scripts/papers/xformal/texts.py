"""The texts of several systems and languages, as they come from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel

# The texts of a language: label -> its runs, each a list of sentences.
Texts = dict[str, list[list[str]]]


def read_texts(languages: Sequence[str], labels: Sequence[str], files: Sequence[Path]) -> dict[str, Texts]:
    """The texts of each language: one file per language and label; further ones are reruns.

    Languages and labels keep the order in which they are first named. Raises InputError if the lists differ
    in length or the texts of a language are not parallel.
    """
    if len({len(languages), len(labels), len(files)}) > 1:
        raise InputError(
            f"{len(languages)} languages, {len(labels)} labels, {len(files)} texts",
            fix="give as many of each",
        )
    found: dict[str, Texts] = {}
    for language in dict.fromkeys(languages):
        mine = [
            (label, path)
            for code, label, path in zip(languages, labels, files, strict=True)
            if code == language
        ]
        texts: Texts = {}
        for (label, _), sentences in zip(mine, read_parallel(*(path for _, path in mine)), strict=True):
            texts.setdefault(label, []).append(sentences)
        if not next(iter(texts.values()))[0]:
            raise InputError("no sentence to compare", path=mine[0][1])
        found[language] = texts
    return found
