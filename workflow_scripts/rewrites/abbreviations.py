"""Which abbreviations a rewrite has expanded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.text.sentences import words

Tokens = tuple[str, ...]


class Abbreviations:
    """A language's abbreviations and their expansions, as they are listed and as lower-cased tokens."""

    def __init__(self, expansions: dict[str, str]) -> None:
        """`expansions`: abbreviation to expansion, such as `pls` to `please`; kept as `listed`."""
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
        """The tokens of all expansions of `formal` whose abbreviation stands in `informal`, lower-cased.

        Both are runs of neighbouring tokens, since `gonna` is two tokens and `going to` too; the abbreviation
        holds a token of `removed`, the expansion one of `added`. All tokens are lower-cased.
        """
        found: set[str] = set()
        for size in self._sizes:
            for run in _runs(informal, size):
                text = self._known.get(run)
                if (
                    text is not None
                    and not removed.isdisjoint(run)
                    and not added.isdisjoint(text)
                    and text in _runs(formal, len(text))
                ):
                    found.update(text)
        return found


def _runs(tokens: Sequence[str], size: int) -> Iterator[Tokens]:
    return (tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def _split(text: str) -> Tokens:
    return tuple(token.lower() for token in words(text))
