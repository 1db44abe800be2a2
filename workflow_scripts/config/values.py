"""Types of settings: texts, numbers, and groups of settings."""

import os.path
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from workflow_scripts.core.errors import nearest
from workflow_scripts.core.wheels import SHA256, WHEEL_PIN


def refused(why: str) -> PydanticCustomError:
    """The exception for a bad value: its message names the key and the value before `why`."""
    return PydanticCustomError("refused", why)  # type: ignore[arg-type]


def _distinct(values: list[Any]) -> list[Any]:
    twice = sorted({str(value) for value in values if values.count(value) > 1})
    if twice:
        raise refused(f"{', '.join(twice)} is repeated")
    return values


def check_labels(
    place: str, labels: Mapping[str, str], taken: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The owner of each label; labels identify the rows of leaves, so no two may look the same.

    Raises ValueError, with the key, for a label that looks like another: white space, characters that are not
    shown, and the encoding of an accent make no difference.

    :param place: the key that contains the names of `labels`
    :param labels: the label of each name
    :param taken: further labels, and their owners
    """
    owners = dict(taken or {})
    for name, text in labels.items():
        label = shown(text)
        if label in owners:
            raise ValueError(f"{place}.{name}.label: '{label}' is the label of {owners[label]}")
        owners[label] = f"'{name}'"
    return owners


def shown(text: str) -> str:
    """A text without invisible parts: composed, with single spaces and no character that is not shown."""
    seen = (one for one in unicodedata.normalize("NFC", text) if not INVISIBLE.fullmatch(one))
    return " ".join("".join(seen).split())


def check_known(key: str, names: Sequence[str | None] | None, known: Collection[str]) -> None:
    """ValueError, with the key, for the name of an unknown system; None names none."""
    for name in names or []:
        if name is not None and name not in known:
            raise ValueError(f"{key}: no system '{name}'; {nearest(name, known)}")


def check_path(path: str) -> None:
    """Refuse paths that are empty or that a command would take for an option."""
    if not path.strip():
        raise refused("a path is needed")
    if path.startswith("~"):
        raise refused("~ is put in by a shell only; write the whole path")
    if os.path.normpath(path).startswith("-"):
        raise refused("a path that begins with - is taken for an option; write the whole path")


def check_placeholders(path: str, *names: str) -> str:
    """A path that `check_path` accepts, with no braces but those of the placeholders; refused otherwise."""
    check_path(path)
    known = [f"{{{name}}}" for name in names]
    if set("{}") & set(re.sub("|".join(map(re.escape, known)), "", path)):
        several = f"placeholders are {', '.join(known[:-1])} and"
        raise refused(f"the {several if known[1:] else 'only placeholder is'} {known[-1]}")
    return path


def _name(name: Any) -> Any:
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        raise refused("use letters, digits, _ and -, at most 60, - not at first")
    return name


def _wheel_pin(package: Any) -> Any:
    if not isinstance(package, str) or not re.fullmatch(WHEEL_PIN, package):
        raise refused("give name==version, of a wheel of the Python package index")
    return package


def _sha256(digest: Any) -> Any:
    if not isinstance(digest, str) or not re.fullmatch(SHA256, digest):
        raise refused("give the 64 hexadecimal digits (0-9, a-f) of a SHA-256")
    return digest


def _folder(path: str) -> str:
    check_path(path)
    if "{" in path or "}" in path:
        raise refused("a path without a placeholder is needed")
    return path


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value, without the texts of sections in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value:
            yield from _texts(item)
        if isinstance(value, dict):
            yield from _texts(list(value.values()))


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise refused("a number is needed")
    return value


# Characters that Unicode allows programs to ignore: marks of direction, joiners, variation selectors,
# fillers; and a Braille pattern without dots.
INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# The largest number of bytes of a text or path: Linux takes no word of 128 KiB, and a command is one word.
LONGEST_TEXT = 4096
# For a system's name, in names of files and in options.
_NAME = r"^\w[\w-]{0,59}$"
Name = Annotated[str, Field(pattern=_NAME), BeforeValidator(_name)]
Distinct = AfterValidator(_distinct)
# The names of some systems, which are rows of tables; all systems if not given.
Rows = Annotated[list[str], Field(min_length=1), Distinct] | None
Folder = Annotated[str, AfterValidator(_folder)]
# In which `{lang}` is replaced by the language.
PathByLanguage = Annotated[str, AfterValidator(lambda path: check_placeholders(path, "lang"))]


@dataclass(frozen=True)
class Given:
    """Marks a setting as a user's folder or file, which must exist before the first job."""

    # Whether a relative path starts at the checkout, not at the working directory.
    in_checkout: bool = False
    # Added to the message that it does not exist.
    fix: str = ""
    file: bool = False


GivenFolder = Annotated[Folder, Given()]
# On every number, since Python takes `true` for 1; after its bounds, or the schema loses them.
NoBoolean = BeforeValidator(_no_boolean)
# Seeds that the random generators of both NumPy and PyTorch accept.
Seed = Annotated[int, Field(ge=0, lt=2**32), NoBoolean]
Seeds = Annotated[list[Seed], Field(min_length=1, max_length=100), Distinct]
# Upper bounds are beyond any experiment; a larger number is a slip of the finger, and would fail hours later.
Positive = Annotated[int, Field(gt=0, le=1_000_000_000), NoBoolean]
# Numbers that may be zero: updates of a warm-up, a limit on epochs.
Count = Annotated[int, Field(ge=0, le=1_000_000_000), NoBoolean]
# Units of a layer, pieces of a sentence, hypotheses of a search, sentences of a batch.
Units = Annotated[int, Field(gt=0, le=100_000), NoBoolean]
# Raters of a sentence and their seconds for it, repetitions of a corpus, threads.
Few = Annotated[int, Field(gt=0, le=1_000), NoBoolean]
# Resamples, which are kept in memory, and generated sentences.
Many = Annotated[int, Field(gt=0, le=1_000_000), NoBoolean]
# Each is a file in some command: with more of them, its command line would be too long for the system.
Files = Annotated[int, Field(gt=0, le=100), NoBoolean]
Rate = Annotated[float, Field(gt=0, le=1_000_000), NoBoolean]
# A language code, also in names of files.
Code = Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
# A wheel of the Python package index and its SHA-256, as pip takes them. Any other form of a requirement may
# name an address, a file of options or another index, whose package pip would build, and so run.
WheelPin = Annotated[str, Field(pattern=rf"^{WHEEL_PIN}$"), BeforeValidator(_wheel_pin)]
Sha256 = Annotated[str, Field(pattern=rf"^{SHA256}$"), BeforeValidator(_sha256)]
# Examples in a prompt, further tries.
Some = Annotated[int, Field(ge=0, le=100), NoBoolean]
# Two halves of something.
Even = Annotated[int, Field(ge=2, le=1_000_000_000, multiple_of=2), NoBoolean]
NotNegative = Annotated[float, Field(ge=0), NoBoolean]
Share = Annotated[float, Field(ge=0, lt=1), NoBoolean]
# A share that is not zero.
Fraction = Annotated[float, Field(gt=0, lt=1), NoBoolean]


class Section(BaseModel):
    """A group of settings that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("*")
    @classmethod
    def _one_line(cls, value: Any) -> Any:
        """Refuse texts that cannot be a part of a command line."""
        for text in _texts(value):
            if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text):
                raise refused("a text is one line, without control characters")
            if len(text.encode()) > LONGEST_TEXT:
                raise refused(f"a text has at most {LONGEST_TEXT:,} bytes: it is a part of a command")
        return value

    def unread(self) -> Collection[str]:
        """The keys that no job reads, because of other settings of the section."""
        return ()

    def given(self) -> Iterator[tuple[str, Path, Given]]:
        """The user's folders and files that it names: key, path, and the mark of its type."""
        for key, field in type(self).model_fields.items():
            marks = [*field.metadata, *(mark for kind in get_args(field.annotation) for mark in _marks(kind))]
            path = getattr(self, key)
            for mark in marks:
                if isinstance(mark, Given) and path is not None and key not in self.unread():
                    yield key, Path(path), mark


def _marks(kind: Any) -> tuple[Any, ...]:
    return getattr(kind, "__metadata__", ())


def sections(section: Section, place: str = "") -> Iterator[tuple[str, Section]]:
    """A section and the sections in it, each with its place in the configuration, without unread ones."""
    yield place, section
    for key in type(section).model_fields:
        if key in section.unread():
            continue
        value, there = getattr(section, key), f"{place}.{key}".lstrip(".")
        inner = (
            {f"{there}.{name}": one for name, one in value.items()}
            if isinstance(value, dict)
            else {there: value}
        )
        for name, one in inner.items():
            if isinstance(one, Section):
                yield from sections(one, name)


def kinds_of(union: Any) -> dict[str, Any]:
    """The classes of a union by their kinds; a class may have several, and what is no union has none."""
    classes = get_args(next(iter(get_args(union)), None))
    return {name: one for one in classes for name in get_args(one.model_fields["kind"].annotation)}
