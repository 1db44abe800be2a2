"""Command: Table 8 of TyDiP, examples from the dataset."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.fingerprint import fingerprint
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import read_requests, requests_file


@leaf("lang", scaled=False)
def table8(*, corpus: Path, printed: Path, languages: list[str]) -> Rows:
    """Write the examples that the paper prints, with their scores in the released data.

    An example is found by the digest of its letters (`fingerprint`), the first if requests are equal; an
    example that is not in the data has an empty row. Scores are cut after the second decimal, not rounded, as
    in the paper. The column of the translations is empty, since they are not released.

    :param table: CSV to write: lang, request, translation, score
    :param corpus: folder with TyDiP in its official layout
    :param printed: CSV: lang, sha256 (of the printed request), printed (its score)
    """
    wanted = {
        language: sha256 for _, (language, sha256, _) in read_csv(printed, ("lang", "sha256", "printed"))
    }
    rows: list[list[str]] = []
    cells: Cells = {}
    for language in languages:
        file = requests_file(corpus, language)
        requests = read_requests(file)
        places = [
            place
            for place, request in enumerate(requests)
            if fingerprint(request.text) == wanted.get(language)
        ]
        if not places:
            rows.append([language, "", "", ""])
            continue
        example = requests[places[0]]
        rows.append([language, example.text, "", rounded(example.score, 2, "cut")])
        facts = signature(file, request=places[0] + 1, score=example.score, decimals="cut")
        cells[language,] = Cell(rounded(example.score, 2, "cut"), facts)
    return Rows(cells, ("lang", "request", "translation", "score"), rows)


if __name__ == "__main__":
    run(table8)
