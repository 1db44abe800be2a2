"""The abbreviations that a rewrite expands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.text.sentences import words

Tokens = tuple[str, ...]


class Abbreviations:
    """A language's abbreviations and their expansions, as they are listed and as lower-cased tokens."""

    def __init__(self, expansions: dict[str, str]) -> None:
        """`expansions`: abbreviation -> expansion, such as `pls` -> `please`; stored as `listed`."""
        self.listed = dict(expansions)
        self._known: dict[Tokens, Tokens] = {
            _split(short): _split(text) for short, text in expansions.items()
        }
        self._sizes = sorted({len(short) for short in self._known})

    @classmethod
    def load(cls, path: Path) -> Abbreviations:
        """Read a list; InputError names a bad line."""
        return cls(read_abbreviations(path))

    def expanded(
        self, informal: Sequence[str], formal: Sequence[str], removed: Set[str], added: Set[str]
    ) -> set[str]:
        """The lower-cased tokens of all expansions in `formal` whose abbreviation is in `informal`.

        Both are runs of adjacent tokens, since `gonna` and `going to` are two tokens each; the abbreviation
        has a token of `removed`, the expansion a token of `added`. All arguments are lower-cased.
        """
        expanded: set[str] = set()
        for size in self._sizes:
            for run in _runs(informal, size):
                text = self._known.get(run)
                if (
                    text is not None
                    and not removed.isdisjoint(run)
                    and not added.isdisjoint(text)
                    and text in _runs(formal, len(text))
                ):
                    expanded.update(text)
        return expanded


def _runs(tokens: Sequence[str], size: int) -> Iterator[Tokens]:
    return (tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def _split(text: str) -> Tokens:
    return tuple(token.lower() for token in words(text))
