"""Command: the training and test requests of politeness classifiers, one per line."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.encoders.classes import write_label
from workflow_scripts.politeness.corpus import ENGLISH, binary_file, parts, read_requests
from workflow_scripts.politeness.thresholds import is_polite


def requests(out: Path, *, corpus: Path, languages: list[str]) -> None:
    """Write the requests of the binary parts, labels of the training part, and scores of the test parts.

    Files are ``{lang}.{part}.sentences.txt``, ``.labels.txt`` (1 for polite, -1 for others) and
    ``.scores.txt``. Requests are those of the outer quartiles, as in TyDiP's Section 2.3: English has the
    parts train and test, other languages only test. White space within a request becomes one space, since a
    line has one request. Raises InputError as `read_requests` does.

    :param out: folder to write
    :param corpus: folder with TyDiP in its official layout
    :param languages: codes; English is always written
    """
    for language in dict.fromkeys([ENGLISH, *languages]):
        for part in parts(language):
            chosen = read_requests(binary_file(corpus, language, part))
            name = f"{language}.{part}"
            write_lines(out / f"{name}.sentences.txt", (" ".join(request.text.split()) for request in chosen))
            if part == "train":
                labels = (write_label(is_polite(request.score)) for request in chosen)
                write_lines(out / f"{name}.labels.txt", labels)
            else:
                write_lines(out / f"{name}.scores.txt", (repr(request.score) for request in chosen))


if __name__ == "__main__":
    run(requests)
