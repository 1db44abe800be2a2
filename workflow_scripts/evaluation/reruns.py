"""Command: three metrics of every single run of every system (XFORMAL, Appendix M)."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_parallel
from workflow_scripts.evaluation.evaluate import read_nats, read_scores
from workflow_scripts.evaluation.outputs import read_outputs

HEADER = ("system", "run", "multi_bleu", "formality", "perplexity", "sentences", "signature")


def reruns(
    table: Path,
    *,
    references: list[Path],
    runs: Path,
) -> None:
    """Write multi-BLEU, mean formality and mean perplexity of each file of outputs.

    They are those of the evaluation: sacreBLEU (13a, cased) against all reference sets, the regressor's mean
    score, and the mean negative log-likelihood per token in nats. Here each seed of an ensemble is a system
    of its own. Raises InputError for files that are not parallel.

    :param table: CSV to write: system, run, multi_bleu, formality, perplexity (6 decimals), sentences,
        signature (of BLEU)
    :param references: the sets of formal rewrites
    :param runs: manifest of the outputs and their scores: system, run, output, formality, fluency
    """
    fix_threads(1)
    from sacrebleu.metrics import BLEU

    rewrites = read_parallel(*references)
    if not rewrites[0]:
        raise InputError("no sentence to evaluate on", path=references[0])
    metric = BLEU(references=rewrites)
    rows = []
    outputs = read_outputs(runs)
    for one in progress(outputs, "reruns", len(outputs), unit="run"):
        _, texts = read_parallel(references[0], one.output)
        formality = read_scores(one.formality, one.output, len(texts))
        nats = read_nats(one.fluency, one.output, len(texts))
        bleu = metric.corpus_score(texts, None).score
        numbers = (f"{value:.6f}" for value in (bleu, fmean(formality), fmean(nats)))
        rows.append([one.system, one.run, *numbers, len(texts), str(metric.get_signature())])
    write_csv(table, HEADER, rows)


if __name__ == "__main__":
    run(reruns)
