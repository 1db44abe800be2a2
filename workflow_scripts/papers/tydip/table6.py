"""Command: Table 6 of TyDiP, examples with annotated formality label and predicted politeness label."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers
from workflow_scripts.encoders.classes import is_positive

COLUMNS = ("sentence", "line", "rewrite", "formality", "politeness")


def table6(
    table: Path,
    *,
    informal: Path | None = None,
    formal: list[Path] | None = None,
    informal_scores: Path | None = None,
    formal_scores: list[Path] | None = None,
    hidden: bool = False,
) -> None:
    """Write the pair whose lower score is highest, and the one whose higher score is lowest.

    The paper picked its two pairs by hand; these are the ones of which the classifier is most certain. A pair
    is left out unless both sides are polite, or both impolite. Without a classifier or pairs the table is
    empty.

    :param table: CSV to write: sentence, line (from 1), rewrite (its number from 0; empty for the informal
        side), formality, politeness
    :param informal: informal sentences
    :param formal: files of rewrites, parallel by line
    :param informal_scores: their logits of politeness
    :param formal_scores: the same of each file of rewrites
    :param hidden: whether the texts are left out because their licence forbids copies
    """
    rows: list[list[object]] = []
    if informal and informal_scores:
        texts, scores = [read_lines(informal)], [read_numbers(informal_scores)]
        texts += [read_lines(path) for path in formal or []]
        scores += [read_numbers(path) for path in formal_scores or []]
        sizes = {*map(len, texts), *map(len, scores)}
        if len(sizes) != 1 or len(texts) != len(scores) or len(texts) < 2:
            raise InputError("sentences, rewrites and scores differ in number", path=informal)
        pairs = [
            (scores[0][line], scores[rewrite][line], line, rewrite)
            for rewrite in range(1, len(texts))
            for line in range(len(texts[0]))
        ]
        for label, chosen in (
            ("Polite", max(pairs, key=lambda pair: (min(pair[:2]), -pair[2], -pair[3]))),
            ("Impolite", min(pairs, key=lambda pair: (max(pair[:2]), pair[2], pair[3]))),
        ):
            low, high, line, rewrite = chosen
            if is_positive(low) == is_positive(high) == (label == "Polite"):
                for side, name in ((0, "Informal"), (rewrite, "Formal")):
                    text = "" if hidden else texts[side][line]
                    rows.append([text, line + 1, side - 1 if side else "", name, label])
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(table6)
