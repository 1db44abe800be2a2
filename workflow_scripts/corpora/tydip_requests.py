"""Command: the unannotated requests that TyDiP crawled (Srinivasan and Choi, 2022), one a line."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.sources.lfs import is_pointer

# The largest share of lines with a tab, or without a question mark at the end, in a file of one request a
# line. All 4,500 annotated requests end with a question mark, and one has a tab.
ODD = 0.01


def crawled_file(folder: Path, language: str) -> Path:
    """The file of a language's requests in the repository's folder."""
    return folder / "data" / "unlabelled_train_sets" / f"{language}_{language}_train.txt"


def read_tydip_requests(folder: Path, out: Path, *, language: str) -> None:
    """Write the requests of one language, as they are in the released file.

    The format of that file is undocumented; that it has one request a line is a guess from its size, which is
    checked: a request is two sentences, and the second ends with a question mark (Section 2). Raises
    InputError, naming the line, for a missing file or a Git LFS pointer, for an empty line, and if more than
    one line in a hundred has a tab or does not end with a question mark.

    :param folder: the repository's folder
    :param out: file to write
    """
    path = crawled_file(folder, language)
    if not path.is_file():
        raise InputError(
            "no such file", path=path, fix="download it again, or set corpora.tydip_requests to none"
        )
    if is_pointer(path):
        raise InputError(
            "a Git LFS pointer instead of the requests",
            path=path,
            fix="get the file that it points to with `git lfs pull`",
        )
    texts = read_lines(path)
    if not texts:
        raise InputError("no request in it", path=path)
    fix = "the file does not have one request a line; set corpora.tydip_requests to none"
    for number, text in enumerate(texts, 1):
        if not text.strip():
            raise InputError("an empty line", path=path, line=number, fix=fix)
    tabs = [number for number, text in enumerate(texts, 1) if "\t" in text]
    ends = [number for number, text in enumerate(texts, 1) if not text.rstrip().endswith("?")]
    for problem, numbers in (("have a tab", tabs), ("do not end with a question mark", ends)):
        if len(numbers) > ODD * len(texts):
            raise InputError(
                f"this and other lines {problem}, {len(numbers)} of {len(texts)}",
                path=path,
                line=numbers[0],
                fix=fix,
            )
    write_lines(out, texts)


if __name__ == "__main__":
    run(read_tydip_requests)
