"""Command: self-BLEU within the rewrites of one language."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import progress, read_parallel

# Of rewrites against each other; the metric of outputs with the same name (`statistics.metrics.SelfBleu`)
# compares them with their sources.
NAME, LABEL = "self_bleu", "self-BLEU"
COLUMNS = ("reference", NAME, "signature")


def self_bleu(table: Path, *, references: list[Path]) -> None:
    """Write each set's corpus BLEU against all other sets of rewrites (Section 4).

    BLEU is sacreBLEU's with its defaults (13a, cased), divided by 100; a higher score means less diverse
    rewrites. A single set gives a table without rows.

    :param table: CSV to write: reference (the set, from 0), self_bleu (0 to 1), signature
    :param references: rewrites, one file per set, parallel by line
    """
    from sacrebleu.metrics import BLEU

    sets = read_parallel(*references, filled=True)
    rows = []
    if len(sets) > 1:
        for number, texts in enumerate(progress(sets, f"{LABEL} {table.parent.name}", unit="set")):
            metric = BLEU()
            score = metric.corpus_score(texts, sets[:number] + sets[number + 1 :]).score
            rows.append((number, f"{score / 100:.6f}", str(metric.get_signature())))
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(self_bleu)
