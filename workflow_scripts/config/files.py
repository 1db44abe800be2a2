"""Settings as text: problems in a file, or behind `--config`, before anything loads it.

Snakemake reads files of settings itself: it takes the last of two equal keys, ends with a traceback on bytes
that are not UTF-8, and copies aliases until memory is full. So its profiles and the Snakefile call this check
first.
"""

import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.resolver import Resolver

from workflow_scripts.config.secrets import masked
from workflow_scripts.core.errors import InputError

# Far more than any experiment needs; Snakemake's parser takes seconds for a file of this size.
LARGEST = 1_000_000  # bytes
VALUES = 50_000  # values and keys, those of aliases each time that they stand for
DEEPEST = 50  # lists and mappings in each other
DIGITS = 100

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STANDARD = "tag:yaml.org,2002:"
_NUMBER = f"{_STANDARD}int"
_NUMBERS = (_NUMBER, f"{_STANDARD}float")
# A number to base 8, not 10.
_OCTAL = re.compile(r"[-+]?0[0-7_]*[0-7][0-7_]*")
# Lists and mappings; a set has another order in each process.
_PLAIN = (f"{_STANDARD}seq", f"{_STANDARD}map")
_ENTRY = re.compile(r"[a-zA-Z_][\w-]*\w=")


def check_command_line(configfiles: Iterable[Path | str], entries: Iterable[str]) -> None:
    """End the process with one line and exit code 2 for invalid files or entries of settings."""
    try:
        check_files(configfiles)
        check_entries(entries)
    except InputError as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(2)


def check_files(paths: Iterable[Path | str]) -> None:
    """InputError for the first of some files that is not valid, with the line if it is known.

    A file is UTF-8, JSON or YAML, a mapping, and no larger than `LARGEST`, `VALUES` and `DEEPEST`; no mapping
    has a key twice.
    """
    for path in map(Path, paths):
        try:
            with path.open("rb") as stream:
                content = stream.read(LARGEST + 1)
        except FileNotFoundError:
            raise InputError("no such file of settings", path=path) from None
        except OSError as error:
            raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=path) from None
        if len(content) > LARGEST:
            raise InputError(f"more than {LARGEST:,} bytes are not a file of settings", path=path)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise InputError("not UTF-8", path=path, line=line) from None
        if not isinstance(_checked(text, path), dict):
            raise InputError("settings are keys with values, such as seed: 1; for none write {}", path=path)


def check_entries(entries: Iterable[str]) -> None:
    """The same for the entries after `--config`: ``key=value`` each, the value YAML or any text."""
    for entry in entries:
        if not _ENTRY.match(entry):
            raise InputError("write it as key=value", path=f"--config {masked(entry)[:80]!r}")
        key, _, value = entry.partition("=")
        with suppress(yaml.YAMLError):  # Snakemake takes for a text what is no YAML.
            _Walk(f"--config {key}").through(value)


def _checked(text: str, path: Path | str) -> Any:
    """The content of a text; InputError if it cannot, or should not, be loaded."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _distinct(pairs, path), parse_int=_integer)
    except RecursionError:
        raise InputError(f"more than {DEEPEST} lists or mappings in each other", path=path) from None
    except ValueError:
        pass
    try:
        _Walk(path).through(text)
        return yaml.load(text, LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        reason = masked(error.problem or error.context or "")
        raise InputError(f"not YAML: {reason}", path=path, line=line) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"not YAML: {masked(reason)[:200]}", path=path) from None


def _distinct(pairs: list[tuple[str, Any]], path: Path | str) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise InputError(f"key {masked(twice)[:80]!r} is repeated", path=path)
    return found


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


@dataclass
class _Collection:
    """An open list or mapping: its anchor, the number of its values so far, its keys."""

    anchor: str | None
    mapping: bool
    values: int = 1
    keys: set[str] = field(default_factory=set)
    # For a mapping: whether a key comes next.
    key: bool = True


class _Walk:
    """A YAML text, event by event, without expanding its aliases."""

    def __init__(self, path: Path | str) -> None:
        self.path, self.resolver = path, Resolver()
        self.open: list[_Collection] = []
        # The number of values behind each anchor; None while its collection is open.
        self.sizes: dict[str, int | None] = {}

    def through(self, text: str) -> None:
        """InputError, with the line, for the first construct that should not be loaded."""
        for event in yaml.parse(text, LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 0
            match event:
                case yaml.ScalarEvent():
                    self._scalar(event, line)
                case yaml.AliasEvent():
                    size = self.sizes.get(event.anchor or "")
                    if size is None:
                        raise self._wrong(f"alias *{event.anchor} has no anchor, or refers to itself", line)
                    self._value(size, line)
                case yaml.CollectionStartEvent():
                    if self.open and self.open[-1].mapping and self.open[-1].key:
                        raise self._wrong("a key is a word, no list or mapping", line)
                    if len(self.open) == DEEPEST:
                        raise self._wrong(f"more than {DEEPEST} lists or mappings in each other", line)
                    if event.tag not in (None, *_PLAIN):
                        name = event.tag.replace(_STANDARD, "!!")[:80]
                        raise self._wrong(f"{name!r} is not a list or mapping", line)
                    self.open.append(_Collection(event.anchor, isinstance(event, yaml.MappingStartEvent)))
                    if event.anchor:
                        self.sizes[event.anchor] = None
                case yaml.CollectionEndEvent():
                    ended = self.open.pop()
                    if ended.anchor:
                        self.sizes[ended.anchor] = ended.values
                    self._value(ended.values, line)

    def _scalar(self, event: Any, line: int) -> None:
        if self.open and self.open[-1].mapping and self.open[-1].key:
            if event.value in self.open[-1].keys:
                raise self._wrong(f"key {masked(event.value)[:80]!r} is repeated", line)
            self.open[-1].keys.add(event.value)
        tag = event.tag or self.resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag == _NUMBER and len(event.value) > DIGITS:
            raise self._wrong(f"a number of {len(event.value)} digits", line)
        if tag in _NUMBERS and (":" in event.value or _OCTAL.fullmatch(event.value)):
            value = event.value[:80]
            raise self._wrong(f"{value} is another number to YAML: write it plainly, or as '{value}'", line)
        if event.anchor:
            self.sizes[event.anchor] = 1
        self._value(1, line)

    def _value(self, size: int, line: int) -> None:
        """Count a complete key or value of the open collection."""
        if not self.open:
            return
        inner = self.open[-1]
        inner.values += size
        inner.key = not inner.key
        if inner.values > VALUES:
            raise self._wrong(f"more than {VALUES:,} values, those of aliases counted", line)

    def _wrong(self, problem: str, line: int) -> InputError:
        return InputError(masked(problem), path=self.path, line=line)
