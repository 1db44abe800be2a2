"""Command: read GYAFC (Rao and Tetreault, 2018): English, two domains, informal and formal."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, write_lines
from workflow_scripts.corpora.released_text import read_sides

DOMAINS = ("Entertainment_Music", "Family_Relationships")
# GYAFC's names of the splits, and this project's.
SPLITS = {"train": "train", "tune": "dev", "test": "test"}
REFERENCES = 4


def groups(split: str) -> list[list[str]]:
    """The groups of file names of one split that are parallel to each other."""
    if split == "train":
        return [["informal", "formal"]]
    return [
        [source, *(f"{target}.ref{i}" for i in range(REFERENCES))]
        for source, target in (("informal", "formal"), ("formal", "informal"))
    ]


def read_gyafc(folder: Path, out: Path) -> None:
    """Write both domains, one after the other, as ``{train,dev,test}.{informal,formal}[.ref{0..3}].txt``.

    ``dev.formal.ref2.txt`` is the third rewrite of ``dev.informal.txt``, and vice versa. Raises
    InputError if a file is missing, empty or not UTF-8, or files that belong together differ in length.

    :param folder: GYAFC_Corpus, or the folder that contains it
    :param out: folder of the canonical layout
    """
    if (folder / "GYAFC_Corpus").is_dir():
        folder = folder / "GYAFC_Corpus"
    if not any((folder / domain).is_dir() for domain in DOMAINS):
        raise InputError(f"no folder {' or '.join(DOMAINS)} in it", path=folder, fix="give GYAFC_Corpus")
    texts: dict[str, list[str]] = {}
    for split, ours in progress(SPLITS.items(), "read GYAFC", unit="split"):
        for domain in DOMAINS:
            for names in groups(split):
                sides = read_sides(*(folder / domain / split / name for name in names), filled=False)
                for name, side in zip(names, sides, strict=True):
                    texts.setdefault(f"{ours}.{name}", []).extend(side)
    # All files are read before anything is written.
    for name, text in texts.items():
        write_lines(out / f"{name}.txt", text)


if __name__ == "__main__":
    run(read_gyafc)
