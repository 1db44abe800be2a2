"""The hand-written texts of the demo world: the contents of its sentences and their wordings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import shown

LANGUAGES = ("en", "pt", "it", "fr")
INFORMAL, FORMAL = "informal", "formal"
# Files that all files of situations share.
CONTENT, PHRASES = "content", "phrases"
# Situations of this file are in GYAFC's domain Entertainment_Music; all others are in the other domain.
ENTERTAINMENT = "entertainment"
# Subtitles avoid these topics, so that their domain differs from XFORMAL's, as in the paper.
RELATIONSHIPS = frozenset({"family", "friends"})
SLOT = re.compile(r"\{(\w+)\}")

# One text per language, in the order of LANGUAGES.
Texts = list[str]
# The entries of each list of contents.
Content = dict[str, list[Texts]]


@dataclass(frozen=True)
class Wordings:
    """One part of a sentence in both registers."""

    informal: list[Texts]
    """From the most informal to the least informal."""
    formal: list[Texts]
    """From the least formal, which is nearest to the informal ones, to the most formal."""

    def of(self, register: str) -> list[Texts]:
        """The wordings of a register."""
        return self.informal if register == INFORMAL else self.formal

    def slots(self) -> list[str]:
        """The lists that the wordings name, in order."""
        return list(dict.fromkeys(SLOT.findall(" ".join(map(" ".join, self.informal + self.formal)))))


@dataclass(frozen=True)
class Phrase(Wordings):
    """An opener or a tail, before or after the content of a sentence."""

    share: float
    """Its relative frequency among phrases of its kind."""


@dataclass(frozen=True)
class Situation(Wordings):
    """Something that people write about."""

    id: str
    topic: str
    """The name of its file."""
    question: Texts

    @property
    def entertainment(self) -> bool:
        """Whether it belongs to GYAFC's domain Entertainment_Music."""
        return self.topic == ENTERTAINMENT


@dataclass(frozen=True)
class Script:
    """All texts of the demo world."""

    content: Content
    openers: list[Phrase]
    tails: list[Phrase]
    situations: list[Situation]


def load(paths: list[Path]) -> Script:
    """Read content.yaml, phrases.yaml and any number of files of situations; all files are used.

    Raises InputError with the file, the place in it and the problem.
    """
    files = {path.stem: path for path in paths}
    for name in (CONTENT, PHRASES):
        if name not in files:
            raise InputError(f"{name}.yaml is not among the demo world's files")
    content = read_content(files.pop(CONTENT))
    phrases = files.pop(PHRASES)
    read = _mapping(phrases, "openers", "tails")
    openers, tails = (
        [
            Phrase(**_wordings(phrases, f"{kind} {number}", row, content, "share"))
            for number, row in _rows(phrases, read[kind])
        ]
        for kind in ("openers", "tails")
    )
    situations: list[Situation] = []
    for topic, path in sorted(files.items()):
        for number, row in _rows(path, read_yaml(path)):
            name = str(row.get("id", number))
            if name in {situation.id for situation in situations}:
                raise InputError(f"'{name}' occurs twice", path=path)
            situations.append(Situation(topic=topic, **_wordings(path, name, row, content, "id", "question")))
    return Script(content, openers, tails, situations)


def read_content(path: Path) -> Content:
    """The lists of contents; an entry that names another list is repeated for each entry of that list.

    Raises InputError as `load` does.
    """
    content: Content = {}
    for name, rows in _mapping(path).items():
        entries: list[Texts] = []
        for number, texts in enumerate(rows if isinstance(rows, list) else [rows], 1):
            if not _in_all_languages(texts):
                raise InputError(
                    f"'{name}' {number}: not a text in each of {', '.join(LANGUAGES)}", path=path
                )
            entries += _expanded(path, texts, content)
        for place, language in enumerate(LANGUAGES):
            known: set[str] = set()
            for entry in entries:
                if entry[place] in known:
                    raise InputError(f"'{name}': '{entry[place]}' twice in {language}", path=path)
                known.add(entry[place])
        content[name] = entries
    return content


def _expanded(path: Path, texts: Texts, content: Content) -> Iterator[Texts]:
    names = SLOT.findall(texts[0])
    if not names:
        yield texts
        return
    if len(names) > 1 or names[0] not in content:
        raise InputError(f"'{texts[0]}': does not name exactly one list above it", path=path)
    for entry in content[names[0]]:
        yield [text.replace(f"{{{names[0]}}}", filler) for text, filler in zip(texts, entry, strict=True)]


def _wordings(path: Path, name: str, row: dict[str, Any], content: Content, *keys: str) -> dict[str, Any]:
    if set(row) != {*keys, INFORMAL, FORMAL}:
        raise InputError(f"'{name}': its keys are not {', '.join([*keys, INFORMAL, FORMAL])}", path=path)
    lists = [row[INFORMAL], row[FORMAL], *([[row["question"]]] if "question" in row else [])]
    for wordings in lists:
        if not isinstance(wordings, list) or not wordings:
            raise InputError(f"'{name}': wordings are not a list", path=path)
        _complete(path, name, wordings)
        for text in (text for texts in wordings for text in texts):
            if unknown := set(SLOT.findall(text)) - set(content):
                raise InputError(f"'{name}': no list '{min(unknown)}' for '{text}'", path=path)
    if "question" in row:
        row["question"] = lists[2][0]
    slots = [set(SLOT.findall(text)) for wordings in lists[:2] for texts in wordings for text in texts]
    if any(names != slots[0] for names in slots):
        raise InputError(f"'{name}': its wordings do not name the same lists", path=path)
    if "share" in row and not (isinstance(row["share"], int | float) and row["share"] > 0):
        raise InputError(f"'{name}': its share is not a number above 0", path=path)
    return row


def _complete(path: Path, name: str, wordings: list[Any]) -> None:
    """Give each wording a text in every language.

    A wording in some languages only, as a mapping, takes the words of the wording before it in the others,
    and the first wordings take those of the next one that has any.
    """
    for place, texts in enumerate(wordings):
        if isinstance(texts, dict) and texts and set(texts) <= set(LANGUAGES):
            wordings[place] = texts = [texts.get(language) for language in LANGUAGES]
            if all(text is None or isinstance(text, str) for text in texts):
                continue
        if not _in_all_languages(texts):
            languages = ", ".join(LANGUAGES)
            raise InputError(
                f"'{name}': not a text in each of {languages}, nor a mapping of some of them: {texts}",
                path=path,
            )
    for place, language in enumerate(LANGUAGES):
        last = next((texts[place] for texts in wordings if texts[place] is not None), None)
        if last is None:
            raise InputError(f"'{name}': no wording in {language}", path=path)
        for texts in wordings:
            last = texts[place] = last if texts[place] is None else texts[place]


def read_yaml(path: Path) -> Any:
    """The content of a YAML file; InputError, naming the line, if it is not YAML.

    A text in it becomes a line of a corpus: InputError for one of several lines.
    """
    import yaml

    try:
        content = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8", path=path) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        # Some messages have two lines.
        problem = " ".join(str(getattr(error, "problem", error)).split())
        raise InputError(f"not YAML ({problem})", path=path, line=mark and mark.line + 1) from None
    for text in _texts(content):
        if len(text.splitlines()) > 1:
            raise InputError(f"a text of several lines: {shown(text)}", path=path, fix="put it on one line")
    return content


def _texts(value: Any) -> Iterator[str]:
    """The texts in YAML, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from chain.from_iterable(map(_texts, chain(value, value.values())))
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_texts, value))


def read_languages(path: Path) -> dict[str, Any]:
    """The content of a YAML file by language; InputError if it is not a mapping, or empty."""
    content = read_yaml(path)
    if not isinstance(content, dict) or not content:
        raise InputError("not a mapping of languages", path=path)
    return content


def _mapping(path: Path, *keys: str) -> dict[str, Any]:
    read = read_yaml(path)
    if not isinstance(read, dict) or not read or (keys and set(read) != set(keys)):
        raise InputError(f"not a mapping{' of ' + ', '.join(keys) if keys else ''}", path=path)
    return read


def _rows(path: Path, rows: Any) -> list[tuple[int, dict[str, Any]]]:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise InputError("not a list of mappings", path=path)
    return list(enumerate(rows, 1))


def _in_all_languages(texts: Any) -> bool:
    return (
        isinstance(texts, list)
        and len(texts) == len(LANGUAGES)
        and all(isinstance(text, str) for text in texts)
    )
