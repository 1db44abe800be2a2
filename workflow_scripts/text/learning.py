"""From files to truecased tokens, for learning a text model and for growing one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, lines, map_lines, progress, write_lines
from workflow_scripts.text import moses
from workflow_scripts.text.blank import filled
from workflow_scripts.text.moses import Truecaser


class Tokens:
    """Training sides as truecased tokens, in a scratch folder, and the truecasers learnt from them."""

    def __init__(self, texts: Sequence[Path], languages: Sequence[str], scratch: Path) -> None:
        """Tokenise every file once, in any order; InputError unless there is a language for each.

        Lines without a word are left out, and stderr says how many there are.
        """
        if len(texts) != len(languages):
            raise InputError(f"{len(texts)} texts but {len(languages)} languages", fix="give one per text")
        files = sorted(set(zip(languages, texts, strict=True)))
        self.files: dict[str, list[Path]] = {}
        self.truecasers: dict[str, Truecaser] = {}
        for number, (language, path) in enumerate(files):
            side = scratch / f"{number}.tokens"
            _tokenise(path, side, language)
            self.files.setdefault(language, []).append(side)
        for language, sides in self.files.items():
            truecaser = Truecaser.train(line for path in sides for line in lines(path))
            self.truecasers[language] = truecaser
            for path in sides:
                map_lines(path, path, truecaser.truecase)

    def lines(self, *languages: str) -> Iterator[str]:
        """The sentences of some languages, tokens separated by single spaces; none is empty."""
        return (line for language in languages for path in self.files[language] for line in lines(path))


def _tokenise(source: Path, target: Path, language: str) -> None:
    def tokens() -> Iterator[str]:
        for chunk in chunks(progress(lines(source), f"tokens {language} {source.name}"), 10_000):
            yield from moses.tokenise(moses.normalise(chunk, language), language)

    write_lines(target, filled(tokens(), source))
