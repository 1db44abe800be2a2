"""The texts of several systems and languages that a manifest lists."""

from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.core.manifest import read_manifest

# The texts of a language: label -> its runs, each a list of sentences.
Texts = dict[str, list[list[str]]]


COLUMNS = ("language", "label", "text")


def read_texts(manifest: Path) -> dict[str, Texts]:
    """The texts of each language, one file per language and label; further files are reruns.

    Languages and labels keep the order of their first mention. Raises InputError for an invalid manifest, and
    if the texts of a language are not parallel.
    """
    rows = read_manifest(manifest, COLUMNS)
    by_language: dict[str, Texts] = {}
    for language in dict.fromkeys(code for code, *_ in rows):
        files = [(label, Path(path)) for code, label, path in rows if code == language]
        texts: Texts = {}
        for (label, _), sentences in zip(files, read_parallel(*(path for _, path in files)), strict=True):
            texts.setdefault(label, []).append(sentences)
        if not next(iter(texts.values()))[0]:
            raise InputError("no sentence to compare", path=files[0][1])
        by_language[language] = texts
    return by_language
