"""Command: TyDiP's binary split (Section 2.3), made from the scores and compared with the released one."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import Request, binary_file, parts, read_requests, requests_file
from workflow_scripts.politeness.quartiles import quartiles
from workflow_scripts.politeness.thresholds import is_polite

# Released scores of the same request differ in their last binary digit between the two sets of files.
TOLERANCE = 1e-9
HEADER = (
    "lang",
    "part",
    "requests",
    "quartile1",
    "quartile3",
    "impolite",
    "polite",
    "expected",
    "released",
    "missing",
    "extra",
    "same_texts",
    "label_agrees",
)


@leaf("lang", "part", scaled=False)
def binary(*, corpus: Path, languages: list[str]) -> Rows:
    """Write, per language and part, the requests that the quartile rule selects and the released ones.

    The rule selects requests whose score is at or below the 25th or at or above the 75th percentile, over all
    parts of a language together; `is_polite` decides which requests are polite. A request is the same in both
    files if the texts are equal and the scores differ by less than 1e-9.

    :param table: CSV to write: lang, part, requests, quartile1, quartile3, impolite and polite (expected on
        either side), expected, released, missing (expected but not released), extra (the opposite),
        same_texts (in the same order, scores ignored), label_agrees (polite exactly on the upper side)
    :param comparison: CSV to write: lang, part, printed, ours, difference, comparable, signature; the numbers
        are the requests in the released binary files
    :param corpus: folder with TyDiP in its official layout
    """
    rows = []
    cells: Cells = {}
    for language in languages:
        requests = {part: read_requests(requests_file(corpus, language, part)) for part in parts(language)}
        bounds = quartiles([request.score for part in requests.values() for request in part])
        for part, scored in requests.items():
            expected = [request for request in scored if bounds.side(request.score)]
            file = binary_file(corpus, language, part)
            released = read_requests(file)
            sides = [bounds.side(request.score) for request in expected]
            missing = len(_unmatched(expected, released))
            extra = len(_unmatched(released, expected))
            same_texts = [request.text for request in expected] == [request.text for request in released]
            agrees = all(
                is_polite(request.score) == (side > 0) for request, side in zip(expected, sides, strict=True)
            )
            rows.append(
                [
                    *(language, part, len(scored), rounded(bounds.low, 6), rounded(bounds.high, 6)),
                    *(sides.count(-1), sides.count(1), len(expected), len(released), missing, extra),
                    *("yes" if fact else "no" for fact in (same_texts, agrees)),
                ]
            )
            facts = signature(file, quartiles="linear", over="+".join(requests), missing=missing, extra=extra)
            cells[language, part] = Cell(str(len(released)), facts)
    return Rows(cells, HEADER, rows)


def _same(request: Request, other: Request) -> bool:
    return request.text == other.text and abs(request.score - other.score) < TOLERANCE


def _unmatched(some: Sequence[Request], others: Sequence[Request]) -> list[Request]:
    """The requests of `some` without a match in `others`, each of which matches once."""
    unused: defaultdict[str, list[Request]] = defaultdict(list)
    for request in others:
        unused[request.text].append(request)
    unmatched = []
    for request in some:
        match = next((other for other in unused[request.text] if _same(request, other)), None)
        if match is None:
            unmatched.append(request)
        else:
            unused[request.text].remove(match)
    return unmatched


if __name__ == "__main__":
    run(binary)
