"""Command: Table V of Hu et al. (2022), automatic evaluation of the text style transfer task."""

from collections.abc import Iterable
from math import exp
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers
from workflow_scripts.encoders.classes import is_positive
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED
from workflow_scripts.statistics.bleu import Reference
from workflow_scripts.statistics.metrics import Bleu
from workflow_scripts.users.perplexity import APART, COLUMNS, JOINED, LARGEST

ACCURACY, PERPLEXITY, G_MEAN = "ACC(%)", "PPL", "G-Mean"
PRINTED_COLUMNS = (ACCURACY, Bleu.label, PERPLEXITY, G_MEAN)
# Columns that the paper does not have: its PPL matches that of all utterances joined.
PERPLEXITY_ALONE, G_MEAN_ALONE = (f"{metric}, each alone" for metric in (PERPLEXITY, G_MEAN))
# Not in the paper either: the share that a classifier of TyDiP's requests, trained without dialogues, calls
# impolite.
SECOND = f"{ACCURACY}, classifier of requests"
KEYS = ("model", "metric")
# Why cells of rewrites that the user provides are not comparable, whatever their label.
ELSEWHERE = "rewrites made elsewhere"


@leaf(*KEYS)
def table5(
    *,
    labels: list[str],
    texts: list[Path] | None = None,
    judged: list[Path] | None = None,
    perplexities: Path | None = None,
    polite: list[Path] | None = None,
    elsewhere: list[str] | None = None,
    simulated: bool = False,
) -> Table:
    """Write ACC, BLEU, PPL and their geometric mean for systems, for people's rewrites and for no change.

    ACC is the share of utterances that a classifier calls impolite, in per cent; BLEU is against the original
    utterances (sacreBLEU, 13a), the first of `texts`; PPL is a language model's perplexity, of all utterances
    joined and of each alone. A second ACC comes from a classifier of requests (an empty column without one).
    G-Mean is the cube root of ACC times BLEU divided by PPL. Without rewritten dialogues the table is empty.

    :param table: CSV to write: model, a column for each metric
    :param labels: the labels of the rows, in the order of the texts
    :param texts: parallel files of utterances, one per line; the originals first
    :param judged: a file of scores for each text, above 0 if an utterance is impolite, in the same order
    :param perplexities: the file that users.perplexity wrote for the same texts, in the same order
    :param polite: the same from a classifier of requests, above 0 if an utterance is polite
    :param elsewhere: the labels of rows whose rewrites the user provides
    :param simulated: whether the systems learnt from simulated rewrites
    """
    cells: Cells = {}
    if not (texts and judged and perplexities):
        cells = {(label, metric): Cell("", "", UNPUBLISHED) for label in labels for metric in PRINTED_COLUMNS}
    elif not len(labels) == len(texts) == len(judged) or len(polite or labels) != len(labels):
        raise InputError(f"{len(labels)} labels for {len(texts)} texts and {len(judged)} files of scores")
    else:
        original = read_lines(texts[0])
        reference = Reference([original])
        by_file = _perplexities(perplexities, len(texts))
        learnt = "simulated rewrites" if simulated else ""
        for place, label in enumerate(labels):
            scores = read_numbers(judged[place])
            lines = read_lines(texts[place])
            if not len(lines) == len(scores) == len(original):
                raise InputError(f"{len(lines)} utterances, {len(scores)} scores", path=texts[place])
            accuracy = _share(map(is_positive, scores))
            bleu = reference.score(lines)
            facts = signature(texts[place], n=len(lines), bleu="13a")
            joined, apart = (by_file[place, way] for way in (JOINED, APART))
            values = {
                ACCURACY: rounded(accuracy, 1),
                Bleu.label: rounded(bleu, 1),
                PERPLEXITY: rounded(joined, 1),
                G_MEAN: rounded(g_mean(accuracy, bleu, joined), 2),
                PERPLEXITY_ALONE: rounded(apart, 1),
                G_MEAN_ALONE: rounded(g_mean(accuracy, bleu, apart), 2),
            }
            if polite:
                others = read_numbers(polite[place])
                if len(others) != len(lines):
                    raise InputError(f"{len(lines)} utterances, {len(others)} scores", path=polite[place])
                values[SECOND] = rounded(_share(not is_positive(score) for score in others), 1)
            caveat = ", ".join(filter(None, (ELSEWHERE if label in (elsewhere or []) else "", learnt)))
            cells |= {(label, metric): Cell(value, facts, caveat) for metric, value in values.items()}
    columns = (*PRINTED_COLUMNS, PERPLEXITY_ALONE, G_MEAN_ALONE, SECOND)
    return Table(cells, columns)


def _share(labels: Iterable[bool]) -> float:
    """The per cent of true values."""
    values = list(labels)
    return 100 * sum(values) / len(values)


def g_mean(accuracy: float, bleu: float, perplexity: float) -> float:
    """The geometric mean of ACC in per cent, BLEU and 1/PPL."""
    return float((accuracy * bleu / perplexity) ** (1 / 3))


def _perplexities(path: Path, files: int) -> dict[tuple[int, str], float]:
    """Perplexities by the index of a file and the way of reading it; InputError if one is missing."""
    by_file: dict[tuple[int, str], float] = {}
    places: dict[str, int] = {}
    for line, row in read_csv(path, COLUMNS):
        place = places.setdefault(row[0], len(places))
        try:
            value = float(row[COLUMNS.index("perplexity")])
        except ValueError:
            value = 0.0
        if not 1 <= value <= exp(LARGEST):
            raise InputError("not a perplexity", path=path, line=line, fix="make it again")
        by_file[place, row[1]] = value
    if missing := {(place, way) for place in range(files) for way in (JOINED, APART)} - by_file.keys():
        raise InputError(f"{len(missing)} perplexities are missing", path=path, fix="make it again")
    return by_file


if __name__ == "__main__":
    run(table5)
