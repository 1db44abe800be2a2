"""Command: copy scores of test requests, after checking that every request has a score."""

import hashlib
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.core.files import digest, read_lines, write_lines, writing_folder
from workflow_scripts.encoders.classes import EVEN


def own_scores(
    out: Path,
    *,
    files: list[Path],
    sentences: list[Path],
    inputs: list[str],
    languages: list[str],
    threshold: float | None = None,
) -> None:
    """Copy the scores of a classifier that was run elsewhere.

    Raises InputError for a file with more or fewer lines than there are requests, for a line that is not a
    number and, without a threshold, if all numbers are between 0 and 1: if these are probabilities, nearly
    all requests would count as polite. The labels 1 and 0 are accepted.

    :param out: folder to write: `{input}.{lang}.txt`, a score per request, and `signature.txt`
    :param files: text files with a number per line
    :param sentences: the requests of each file, one per line, parallel
    :param inputs: whether requests were read as written (target) or in English (en), parallel
    :param languages: the language of each file, parallel
    :param threshold: a score above it is polite; 0 if not given
    """
    if not len(files) == len(sentences) == len(inputs) == len(languages):
        raise InputError("not as many files, inputs and languages")
    with writing_folder(out) as folder:
        for path, requests, read_as, language in zip(files, sentences, inputs, languages, strict=True):
            texts = read_lines(path)
            if len(texts) != (expected := len(read_lines(requests))):
                raise InputError(
                    f"{len(texts)} lines, but {requests} has {expected}",
                    path=path,
                    fix="give a score for every request, in the same order",
                )
            values = [number(text, path, line) for line, text in enumerate(texts, 1)]
            if threshold is None and set(values) - {0, 1} and min(values) >= 0 and max(values) <= 1:
                raise InputError(
                    "all numbers are between 0 and 1, and every score above 0 counts as polite",
                    path=path,
                    fix="set threshold: 0.5 for probabilities, 0 if this is meant",
                )
            write_lines(folder / f"{read_as}.{language}.txt", texts)
        bytes_of_all = hashlib.sha256("".join(map(digest, files)).encode()).hexdigest()[:12]
        write_lines(
            folder / "signature.txt",
            [f"scores@{bytes_of_all}|threshold:{EVEN if threshold is None else threshold:g}"],
        )


if __name__ == "__main__":
    run(own_scores)
