"""A small CoCoA-MT in its released layout."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from workflow_scripts.corpora.cocoa import DOMAINS, kinds_of
from workflow_scripts.corpora.cocoa_files import PAIRS
from workflow_scripts.corpora.cocoa_release import read

# Cases per fuzzed reader.
settings.register_profile("control", max_examples=int(os.environ.get("TUVOUS_FUZZ", "200")))
FUZZ = settings.get_profile("control")

# Sentence by sentence: source, formal and informal reference with markers; the last one shows gender.
SENTENCES = (
    ("Are you sure?", "Sind [F]Sie[/F] sich sicher ?", "Bist [F]du[/F] dir sicher ?"),
    ("Could you wait?", "[F]Könnten Sie[/F] warten ?", "[F]Könntest du[/F] warten ?"),
    ("Are you a teacher?", "Sind [F]Sie[/F] Lehrer ?", "Bist [F]du[/F] Lehrer ?"),
)


def texts_of(language: str, sentences: tuple[tuple[str, str, str], ...] = SENTENCES) -> dict[str, list[str]]:
    """The lines of each kind."""
    source, formal, informal = (list(column) for column in zip(*sentences, strict=True))
    texts = {"en": source, "formal.annotated": formal, "informal.annotated": informal}
    for style in ("formal", "informal"):
        plain = [line.replace("[F]", "").replace("[/F]", "") for line in texts[f"{style}.annotated"]]
        texts[style] = plain
        texts[f"{style}.feminine"] = [line.replace("Lehrer", "Lehrerin") for line in plain]
    return {kind: texts[kind] for kind in kinds_of(language)}


def file_of(root: Path, split: str, domain: str, kind: str, language: str) -> Path:
    """Where a kind lies in the release: test data and Japanese have no ending, Portuguese always has."""
    pair = PAIRS.get(language, f"en-{language}")
    name = f"formality-control.{split}.{domain}.{pair}" + ("" if kind == "en" else f".{kind}")
    if language == "pt" or (split == "train" and language != "ja"):
        name += ".en" if kind == "en" else f".{language}"
    return root / "CoCoA-MT" / split / f"en-{language}" / name


def release(root: Path, language: str) -> Path:
    """Write the released layout of one language."""
    for split, domains in DOMAINS.items():
        for domain in domains:
            for kind, text in texts_of(language).items():
                path = file_of(root, split, domain, kind, language)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8", newline="\n")
    return root


def shared_task(root: Path, name: str) -> Path:
    """Write the test set of a shared task, named by language and year, as it is released."""
    language, _, year = name.partition("-")
    folder = root / f"IWSLT{year}/data/test"
    for kind, text in texts_of(language).items():
        ending = "en" if kind == "en" else f"{kind}.{language}"
        path = folder / f"en-{language}/formality-control.test.en-{language}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8", newline="\n")
    return folder


def shared_task_train(root: Path, name: str) -> Path:
    """Write the training segments of a shared task, named by language and year, as they are released."""
    language, _, year = name.partition("-")
    folder = root / f"IWSLT{year}/data/train"
    for domain in DOMAINS["train"]:
        for kind, text in texts_of(language).items():
            ending = "en" if kind == "en" else f"{kind}.{language}"
            path = folder / f"en-{language}/formality-control.train.{domain}.en-{language}.{ending}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8", newline="\n")
    return folder


@pytest.fixture
def canonical(tmp_path):
    """A function that gives the canonical folder of a language."""

    def make(language: str) -> Path:
        out = tmp_path / "corpora" / language
        read(release(tmp_path / "release", language), out, language=language)
        return out

    return make


@pytest.fixture(scope="session")
def real(mirror, tmp_path_factory):
    """A function that gives the canonical folder of a language of the real corpus."""
    made: dict[str, Path] = {}

    def make(language: str) -> Path:
        if language not in made:
            made[language] = tmp_path_factory.mktemp("cocoa-mt") / language
            read(mirror / "cocoa-mt", made[language], language=language)
        return made[language]

    return make
