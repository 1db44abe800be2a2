"""Command: draw requests from which to induce lexicons (Srinivasan and Choi, 2022, Section 4)."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.politeness.corpus import read_requests, requests_file


def drawn(out: Path, *, requests: Path, corpus: Path, language: str, size: int, seed: int) -> None:
    """Draw requests of a language that are not annotated, or write all if there are fewer than `size`.

    Distinct requests are drawn without replacement, and stay in the file's order; white space within a
    request becomes one space, as in its translation. Raises InputError if all requests are annotated.

    :param out: file to write, one request per line
    :param requests: file that corpora.tydip_requests wrote
    :param corpus: folder with TyDiP in its official layout, whose annotated requests are left out
    :param size: number of requests to draw; the paper has 5,000
    """
    annotated = {_plain(item.text) for item in read_requests(requests_file(corpus, language))}
    others = [text for text in dict.fromkeys(map(_plain, read_lines(requests))) if text not in annotated]
    if not others:
        raise InputError("no request that is not annotated", path=requests)
    rng = random.Random(f"requests {language} {seed}")
    chosen = sorted(rng.sample(range(len(others)), min(size, len(others))))
    write_lines(out, (others[place] for place in chosen))


def _plain(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    run(drawn)
