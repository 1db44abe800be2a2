"""Command: identify the language of requests with langdetect (Srinivasan and Choi, 2022, Section 2.1)."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, progress, write_lines

UNKNOWN = "unknown"


def identify(out: Path, *, requests: list[Path], languages: list[str], seed: int) -> None:
    """Write ``{lang}.txt``, the requests of each file in its own language, and ``{lang}.counts.tsv``.

    langdetect draws at random: its seed is fixed here, and each request is identified by itself. A request
    without letters that it knows is `unknown`. The counts are of each identified language, most frequent
    first.

    :param out: folder to write
    :param requests: files with one request a line
    :param languages: the code of each file's own language
    :param seed: seed of langdetect
    """
    try:
        from langdetect import DetectorFactory, LangDetectException, detect
    except ImportError:
        fix = "use the one that the workflow builds"
        raise InputError("this environment has no langdetect", fix=fix) from None
    if len(requests) != len(languages):
        raise InputError(f"{len(requests)} files of requests for {len(languages)} languages")
    DetectorFactory.seed = seed

    def in_language(path: Path, language: str, counts: Counter[str]) -> Iterator[str]:
        for text in progress(lines(path), f"identify languages {language}"):
            try:
                code = str(detect(text))
            except LangDetectException:
                code = UNKNOWN
            counts[code] += 1
            if code == language:
                yield text

    for path, language in zip(requests, languages, strict=True):
        counts = Counter[str]()
        written = write_lines(out / f"{language}.txt", in_language(path, language, counts))
        order = sorted(counts, key=lambda code: (-counts[code], code))
        write_counts(out / f"{language}.counts.tsv", {f"language:{code}": counts[code] for code in order})
        print(f"{language}: {written} of {counts.total()} requests", file=sys.stderr)


if __name__ == "__main__":
    run(identify)
