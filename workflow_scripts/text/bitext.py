"""Command: convert pairs of text files into the two piece files that a model is trained on."""

import sys
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, lines, parallel, progress, write_lines, writing
from workflow_scripts.core.temporary import scratch
from workflow_scripts.text.models import read_text_model
from workflow_scripts.text.pipeline import Pipeline


def bitext(
    text_model: Path,
    source: Path,
    target: Path,
    *,
    sources: list[Path],
    targets: list[Path],
    source_languages: list[str],
    target_languages: list[str],
    max_length: int,
    tags: list[str] | None = None,
    repeat: list[int] | None = None,
) -> None:
    """Encode parallel files, one pair of files after the other, each with its tag, if any.

    A file that occurs several times is encoded once. Pairs of sentences with an empty side, or with more
    than `max_length` pieces on a side, are dropped; stderr has their numbers for each pair of files.

    :param text_model: the folder that text.learn or text.grow wrote
    :param source: piece file to write; the first piece of a line is the tag, if any
    :param target: piece file to write
    :param sources: source texts, one sentence a line, possibly .gz
    :param targets: target texts, parallel to `sources` by line
    :param source_languages: the language of each source text
    :param target_languages: the language of each target text
    :param max_length: most pieces of a sentence, without the tag (50 in XFORMAL)
    :param tags: the tag of each pair of files (none)
    :param repeat: how many times in a row the output has each pair of files (once)
    """
    wanted = [None] * len(sources) if tags is None else tags
    counts = {len(sources), len(targets), len(source_languages), len(target_languages), len(wanted)}
    if len(counts) > 1:
        raise InputError(
            f"{len(sources)} sources, {len(targets)} targets, {len(source_languages)} source languages, "
            f"{len(target_languages)} target languages and {len(wanted)} tags",
            fix="give as many of each",
        )
    times = [1] * len(sources) if repeat is None else repeat
    if len(times) != len(sources) or min(times, default=1) < 1:
        raise InputError(
            f"--repeat {' '.join(map(str, times))} for {len(sources)} pairs of files",
            fix="give each a number of at least 1",
        )
    pipeline = read_text_model(text_model)
    for tag in tags or []:
        pipeline.check_tag(tag)
    source.parent.mkdir(parents=True, exist_ok=True)
    with scratch(source) as folder:
        cache = _Encoded(pipeline, folder)
        with writing(source) as source_stream, writing(target) as target_stream:
            for left, right, left_language, right_language, tag, copies in zip(
                sources, targets, source_languages, target_languages, wanted, times, strict=True
            ):
                left_pieces, right_pieces = cache.path(left, left_language), cache.path(right, right_language)
                if cache.count(left, left_language) != cache.count(right, right_language):
                    raise InputError(
                        f"has {cache.count(left, left_language)} lines but {right} has "
                        f"{cache.count(right, right_language)}",
                        path=left,
                        fix="the two files of a pair must be parallel, one sentence a line",
                    )
                for _ in range(copies):
                    empty = long = kept = 0
                    rows = progress(
                        parallel(left_pieces, right_pieces), f"{left.name} {tag or 'pairs'}", unit="pair"
                    )
                    for pieces, others in rows:
                        if not pieces or not others:
                            empty += 1
                        elif max(pieces.count(" "), others.count(" ")) >= max_length:
                            long += 1
                        else:
                            kept += 1
                            source_stream.write(f"{tag} {pieces}\n" if tag else f"{pieces}\n")
                            target_stream.write(f"{others}\n")
                label = f"{left} -> {right} {tag}" if tag else f"{left} -> {right}"
                print(
                    f"{label}: {kept} pairs, dropped {empty} with an empty"
                    f" side and {long} with more than {max_length} pieces"
                    + (f"; written {copies} times" if copies > 1 else ""),
                    file=sys.stderr,
                )


class _Encoded:
    """The piece files of all texts in their languages, each encoded once, in a scratch folder."""

    def __init__(self, pipeline: Pipeline, folder: Path) -> None:
        self.pipeline, self.folder = pipeline, folder
        self.files: dict[tuple[Path, str], tuple[Path, int]] = {}

    def path(self, text: Path, language: str) -> Path:
        """The piece file of a text; made on the first call."""
        key = (text, language)
        if key not in self.files:
            path = self.folder / f"{len(self.files)}.pieces"
            self.files[key] = (path, write_lines(path, self._pieces(text, language)))
        return self.files[key][0]

    def count(self, text: Path, language: str) -> int:
        """The number of lines of a text that `path` has seen."""
        return self.files[text, language][1]

    def _pieces(self, text: Path, language: str) -> Iterator[str]:
        for chunk in chunks(progress(lines(text), f"pieces {language} {text.name}"), 10_000):
            for pieces in self.pipeline.encode(chunk, language):
                yield " ".join(pieces)


if __name__ == "__main__":
    run(bitext)
