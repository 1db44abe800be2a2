"""The paths of CoCoA-MT's files (Nadejde et al., 2022) in its release, for all stages that read it."""

from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.text.levels import TEST_DOMAINS, TRAIN_DOMAINS

# Sections 2.3 and 6.1: the training domains are in-domain at test time; call centers are test data only.
DOMAINS = {"train": TRAIN_DOMAINS, "test": TEST_DOMAINS}
# The release has European Portuguese, as the names of its files say.
PAIRS = {"pt": "en-ptpt"}


def place_of(folder: Path, split: str, language: str) -> Path:
    """The folder of a split and a target language; `folder`: the release, or its folder CoCoA-MT."""
    root = folder / "CoCoA-MT" if (folder / "CoCoA-MT").is_dir() else folder
    return root / split / f"en-{language}"


def names_of(folder: Path, split: str, domain: str, kind: str, language: str) -> tuple[Path, Path]:
    """A file's two possible paths: without and with the language at the end, since splits differ.

    `kind`: en for the sources, else formal or informal, or a variant of them, such as formal.annotated.
    """
    pair = PAIRS.get(language, f"en-{language}")
    source = kind == "en"
    name = f"formality-control.{split}.{domain}.{pair}" + ("" if source else f".{kind}")
    place = place_of(folder, split, language)
    return place / name, place / f"{name}.{'en' if source else language}"


def official_path(folder: Path, split: str, domain: str, kind: str, language: str) -> Path:
    """The released file of one kind; some splits have the language's code at the end of its name."""
    short, long = names_of(folder, split, domain, kind, language)
    paths = [path for path in (short, long) if path.is_file()]
    if len(paths) != 1:
        problem = "no such file, nor one called" if not paths else "there is also a file called"
        raise InputError(f"{problem} {long.name}", path=short, fix="download the corpus again")
    return paths[0]
