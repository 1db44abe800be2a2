"""Command: learn the text model of a language (pair): truecasing per language, joint subwords, vocabulary."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.command import run
from workflow_scripts.errors import InputError
from workflow_scripts.files import chunks, lines, map_lines, progress, write_lines, writing_folder
from workflow_scripts.text import moses
from workflow_scripts.text.moses import Truecaser
from workflow_scripts.text.pipeline import vocabulary_text
from workflow_scripts.text.subwords import SPECIAL, Subwords


def learn(
    folder: Path, *, texts: list[Path], languages: list[str], vocabulary_size: int, tags: list[str], seed: int
) -> None:
    """Learn truecasing and joint BPE on all training sides (XFORMAL, Sections 5.1 and 5.2).

    A file that is named twice with the same language counts once; the order of the files changes nothing.

    :param folder: the text model to write: vocabulary.txt, subwords.model, truecase.<language>.txt
    :param texts: training sides, one sentence a line
    :param languages: the language of each file of `texts`
    :param vocabulary_size: at most so many symbols, of which 4 are special and 256 are bytes
    :param tags: symbols such as <2formal> to reserve; they are no part of the learning
    :param seed: seed of the subword learner
    """
    if len(texts) != len(languages):
        raise InputError(f"{len(texts)} texts but {len(languages)} languages", fix="give one per text")
    _check_tags(tags)
    files = sorted(set(zip(languages, texts, strict=True)))
    with writing_folder(folder) as part:
        scratch = part / "scratch"
        for number, (language, path) in enumerate(files):
            _tokenise(path, scratch / f"{number}.tokens", language)
        for language in sorted(set(languages)):
            own = [scratch / f"{n}.tokens" for n, (code, _) in enumerate(files) if code == language]
            truecaser = Truecaser.train(line for path in own for line in lines(path))
            truecaser.save(part / f"truecase.{language}.txt")
            for path in own:
                map_lines(path, path.with_suffix(".truecased"), truecaser.truecase)
                path.unlink()
        print(f"learning {vocabulary_size} subwords of {len(files)} files", file=sys.stderr)
        sides = (line for n in range(len(files)) for line in lines(scratch / f"{n}.truecased"))
        subwords = Subwords.train(sides, vocabulary_size, tags, seed)
        for path in scratch.iterdir():
            path.unlink()
        scratch.rmdir()
        (part / "subwords.model").write_bytes(subwords.model)
        (part / "vocabulary.txt").write_bytes(vocabulary_text(subwords).encode())
    print(f"{folder}: {len(subwords.vocabulary)} symbols", file=sys.stderr)


def _check_tags(tags: list[str]) -> None:
    for tag in tags:
        if not (tag.startswith("<") and tag.endswith(">") and len(tag.split()) == 1) or tag in SPECIAL:
            raise InputError(f"'{tag}' cannot be a tag", fix="write it like <2formal>, without spaces")
    if len(set(tags)) < len(tags):
        raise InputError("a tag is named twice", fix="name every tag once")


def _tokenise(source: Path, target: Path, language: str) -> None:
    def tokens() -> Iterator[str]:
        for chunk in chunks(progress(lines(source), f"tokens {language} {source.name}"), 10_000):
            yield from moses.tokenise(moses.normalise(chunk, language), language)

    write_lines(target, tokens())


if __name__ == "__main__":
    run(learn)
