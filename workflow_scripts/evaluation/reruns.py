"""Command: three metrics of every single run of every system (XFORMAL, Appendix M)."""

from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_parallel
from workflow_scripts.evaluation.evaluate import read_scores
from workflow_scripts.evaluation.outputs import read_outputs
from workflow_scripts.statistics.comparison import texts
from workflow_scripts.statistics.metrics import (
    SCORED,
    SCORERS,
    Formality,
    MultiBleu,
    Perplexity,
    Run,
    Sentences,
)

METRICS = (MultiBleu, Formality, Perplexity)
HEADER = ("system", "run", *(metric.name for metric in METRICS), "sentences", "signature")


def reruns(
    table: Path,
    *,
    references: list[Path],
    runs: Path,
) -> None:
    """Write multi-BLEU, mean formality and mean perplexity of each file of outputs.

    They are the metrics of the evaluation. Here each seed of an ensemble is a separate system. Raises
    InputError for files that are not parallel.

    :param table: CSV to write: system, run, multi_bleu, formality, perplexity (6 decimals), sentences,
        signature (of BLEU)
    :param references: the sets of formal rewrites
    :param runs: manifest of the outputs and their scores: system, run, output, formality, fluency
    """
    fix_threads(1)
    rewrites = read_parallel(*references)
    size = len(rewrites[0])
    if not size:
        raise InputError("no sentence to evaluate on", path=references[0])
    metrics = [metric(Sentences([], rewrites)) for metric in METRICS]
    rows = []
    listed = read_outputs(runs)
    for entry in progress(listed, "reruns", len(listed), unit="run"):
        _, outputs = read_parallel(references[0], entry.output)
        scores = {
            SCORED[stage].name: read_scores(SCORED[stage], entry.scores[stage], entry.output, size)
            for stage in SCORERS
        }
        scored = Run(outputs, scores)
        values = [float(metric.value(metric.statistics(scored).sum(axis=0), size)) for metric in metrics]
        rows.append([entry.system, entry.run, *texts(*values), size, metrics[0].signature()])
    write_csv(table, HEADER, rows)


if __name__ == "__main__":
    run(reruns)
