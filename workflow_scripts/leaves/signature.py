"""The origin of a number in a leaf: its input file and its translator."""

from pathlib import Path

from workflow_scripts.core.files import digest


def signature(path: Path, **facts: object) -> str:
    """The file that a number was computed from, and how: `af_test.csv@3411dbdaafc7|n:500|std:population`."""
    parts = [f"{path.name}@{digest(path)[:12]}", *(f"{name}:{value}" for name, value in facts.items())]
    return "|".join(parts)


def translator_of(translators: str, language: str) -> str:
    """The translator of a language; `aws de=nmt` is `nmt` for German and `aws` for all others."""
    first, *others = translators.split()
    return dict(pair.split("=") for pair in others).get(language, first)
