"""Shards of sentence pairs: `en<TAB>other language`, one pair a line."""

from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines

# Characters that end a field or a line of a shard, for this project or for a tool that reads it.
_BREAKS = str.maketrans({"\t": " ", "\r": " ", "\v": " ", "\f": " ", "\0": " "})


def clean(sentence: str) -> str:
    """The sentence without characters that a shard cannot contain, and without surrounding spaces."""
    return sentence.translate(_BREAKS).strip(" ")


def read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a shard in constant memory; InputError names a line that `clean` has not made."""
    for number, line in enumerate(lines(path), 1):
        fields = line.split("\t")
        if len(fields) != 2:
            raise InputError(
                f"{len(fields)} tab-separated fields instead of 2",
                path=path,
                line=number,
                fix="a shard has an English sentence, a tab and its translation on each line",
            )
        if "\r" in line:
            # Another program would read two lines.
            raise InputError("a carriage return", path=path, line=number, fix="make the shard again")
        yield fields[0], fields[1]
