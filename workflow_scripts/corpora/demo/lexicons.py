"""Command: hand-written lexicons of politeness strategies, and a bitext from which to induce them."""

import re
from itertools import product
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora.demo.situations import read_yaml

ENGLISH = "en"
FIELDS = ("opens", "says", "asks")


def lexicons(out: Path, *, texts: Path, words: Path) -> None:
    """Write ``strategies/{lang}.csv`` in TyDiP's layout, and ``bitext/{lang}.en.txt`` and ``{lang}.txt``.

    A lexicon lists the sequences written for a word, each with a count of one. The bitext has all requests
    made of an opening, a topic and a question, paired with those made of the English ones at the same places
    of the lists; surplus English entries are left out. Raises InputError for a mistake in the texts.

    :param out: folder to write
    :param texts: YAML: by language `says`, a list, and `opens` and `asks`, lists of `polite` and `rude` ones
    :param words: YAML: `strategies`, the English words of each, and `lexicons`, by language and English word
        the sequences of the language
    """
    requests, content = read_yaml(texts), read_yaml(words)
    try:
        strategies, languages = content["strategies"], content["lexicons"]
        tables = {lang: _table(strategies, known) for lang, known in languages.items() if _is_code(lang)}
        pairs = {lang: _pairs(requests[ENGLISH], requests[lang]) for lang in tables}
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        fix = f"compare it with {texts}"
        raise InputError(f"not of the expected form: {_short(problem)}", path=words, fix=fix) from None
    with writing_folder(out) as folder:
        for language, rows in tables.items():
            write_csv(folder / "strategies" / f"{language}.csv", ("0", "1", "2"), rows)
            for place, side in enumerate((f"{language}.en", language)):
                write_lines(folder / "bitext" / f"{side}.txt", (pair[place] for pair in pairs[language]))


def _is_code(language: object) -> bool:
    """True if the language can be part of a file name; ValueError if not."""
    if not isinstance(language, str) or not re.fullmatch(r"[a-z]{2,3}", language):
        raise ValueError("a language is not a code in lower case")
    return True


def _short(problem: Exception) -> str:
    return repr(str(problem)[:60])


def _texts(value: Any) -> list[str]:
    """A list of texts that are not blank; ValueError for anything else."""
    if not isinstance(value, list) or not all(isinstance(text, str) and text.strip() for text in value):
        raise ValueError("no list of texts")
    return value


def _table(strategies: dict[str, list[str]], known: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    """The rows of a lexicon in TyDiP's layout; KeyError for a word without a strategy."""
    rows: list[tuple[str, str, str]] = []
    unknown = known.keys() - {word for entries in strategies.values() for word in _texts(entries)}
    if unknown:
        raise KeyError(*list(unknown)[:1])
    for name, entries in strategies.items():
        rows.append((f"Strategy - {name}", "", ""))
        for word in entries:
            sequences = [(text, 1) for text in _texts(known.get(word, []))]
            rows.append((word, repr(sequences), str(bool(sequences))))
    return rows


def _pairs(english: dict[str, Any], other: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs of requests with the same meaning; both sides have their parts at the same places."""
    parts = []
    for field in FIELDS:
        sides = (english[field], other[field])
        kinds = [sides] if field == "says" else [tuple(side[kind] for side in sides) for kind in sides[1]]
        parts.append(
            [pair for left, right in kinds for pair in zip(_texts(left), _texts(right), strict=False)]
        )
    return [
        (f"{opening[0]} {topic[0]}{question[0]}", f"{opening[1]} {topic[1]}{question[1]}")
        for opening, topic, question in product(*parts)
    ]


if __name__ == "__main__":
    run(lexicons)
