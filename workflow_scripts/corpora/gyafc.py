"""Read GYAFC (Rao and Tetreault, 2018): English, two domains, informal and formal."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from workflow_scripts.command import run
from workflow_scripts.errors import InputError
from workflow_scripts.files import lines, parallel, progress, write_lines

DOMAINS = ("Entertainment_Music", "Family_Relationships")
# Its own names of the splits, and ours.
SPLITS = {"train": "train", "tune": "dev", "test": "test"}
REFERENCES = 4


def groups(split: str) -> list[list[str]]:
    """The names of files of one split that are parallel to each other."""
    if split == "train":
        return [["informal", "formal"]]
    return [
        [source, *(f"{target}.ref{i}" for i in range(REFERENCES))]
        for source, target in (("informal", "formal"), ("formal", "informal"))
    ]


def read_gyafc(folder: Path, out: Path) -> None:
    """Write both domains, one after the other, as ``{train,dev,test}.{informal,formal}[.ref{0..3}].txt``.

    ``dev.formal.ref2.txt`` is the third rewrite of ``dev.informal.txt``, and the other way round. Raises
    InputError if a file is missing or files that belong together differ in length.

    :param folder: GYAFC_Corpus, or the folder that holds it
    :param out: folder of the canonical layout
    """
    if (folder / "GYAFC_Corpus").is_dir():
        folder = folder / "GYAFC_Corpus"
    if not any((folder / domain).is_dir() for domain in DOMAINS):
        raise InputError(f"no folder {' or '.join(DOMAINS)} in it", path=folder, fix="give GYAFC_Corpus")
    # All is checked before anything is written.
    for split in progress(SPLITS, "check GYAFC", unit="split"):
        for domain in DOMAINS:
            for names in groups(split):
                for _ in parallel(*(folder / domain / split / name for name in names)):
                    pass
    for split, ours in SPLITS.items():
        for name in chain.from_iterable(groups(split)):
            texts = chain.from_iterable(lines(folder / domain / split / name) for domain in DOMAINS)
            write_lines(out / f"{ours}.{name}.txt", texts)


if __name__ == "__main__":
    run(read_gyafc)
