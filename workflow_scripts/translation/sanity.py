"""Command: check the quality of a backend by its BLEU on held-out bitext (XFORMAL, Appendix B)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel
from workflow_scripts.statistics.metrics import Bleu

COLUMNS = ("language", "direction", Bleu.name, "n", "signature")


def sanity(
    table: Path,
    *,
    hypotheses: list[Path],
    references: list[Path],
    languages: list[str],
    directions: list[str],
) -> None:
    """Write corpus BLEU of translations against one reference each, in the given order.

    :param table: CSV to write: language, direction, bleu (0 to 100), n (sentences), signature
    :param hypotheses: detokenised translations
    :param references: the other side of the bitext, parallel to `hypotheses` by line
    :param languages: the target or pivot language that a row is about
    :param directions: directions of translation, such as en-pt
    """
    from sacrebleu.metrics import BLEU

    if len({len(hypotheses), len(references), len(languages), len(directions)}) > 1:
        raise InputError("hypotheses, references, languages and directions differ in number")
    rows = []
    for hypothesis, reference, language, direction in zip(
        hypotheses, references, languages, directions, strict=True
    ):
        ours, theirs = read_parallel(hypothesis, reference)
        if not ours:
            raise InputError("no sentence to score", path=hypothesis)
        metric = BLEU()
        score = metric.corpus_score(ours, [theirs]).score
        rows.append((language, direction, f"{score:.4f}", len(ours), str(metric.get_signature())))
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(sanity)
