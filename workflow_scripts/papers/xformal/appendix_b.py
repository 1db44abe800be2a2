"""Command: Appendix B of XFORMAL, BLEU of the translation backend on subtitles."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.fields import number, whole
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import translator_of
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.statistics.metrics import Bleu
from workflow_scripts.translation.sanity import COLUMNS

KEYS = ("lang", "metric")


@leaf(*KEYS)
def appendix_b(*, sanity: Path, backend: str) -> Rows:
    """Write the backend's BLEU per language and its number of sentences, beside Amazon Translate's.

    :param table: CSV to write: lang, direction, bleu, sentences
    :param comparison: CSV to write: lang, metric (bleu or sentences), printed, ours, difference, comparable,
        signature; only BLEU of the backend `aws` can be compared
    :param sanity: the file that translation.sanity wrote
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    """
    rows: list[list[str]] = []
    cells: Cells = {}
    for line, (language, direction, bleu, n, metric) in read_csv(sanity, COLUMNS):
        value = rounded(number(bleu, sanity, line), 2)
        sentences = str(whole(n, sanity, line))
        rows.append([language, direction, value, sentences])
        facts = f"{metric}|backend:{translator_of(backend, language)}|direction:{direction}|n:{sentences}"
        cells[language, Bleu.name] = Cell(value, facts, departures(language, backend=backend))
        cells[language, "sentences"] = Cell(sentences, f"direction:{direction}")
    return Rows(cells, ("lang", "direction", Bleu.name, "sentences"), rows)


if __name__ == "__main__":
    run(appendix_b)
