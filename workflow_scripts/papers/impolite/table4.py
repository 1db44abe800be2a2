"""Command: Table IV of Hu et al. (2022), the most frequent words of users before and after the rewriting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.files import read_lines
from workflow_scripts.leaves.comparison import Cell, Cells, Scale, read_printed, write_comparison
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED, caveat_of

# The paper's column heads say 20, and 20 words are printed; its caption says 10.
SHOWN = 20
SIDES = {"original": "Original Dialogues", "impolite": "Rewritten Dialogues"}
KEYS = ("data", "word")
HEADER = ("rank", "original", "original uses", "rewritten", "rewritten uses")
# One letter alone is what tokenisers leave of a contraction: MultiWOZ 2.1 has "do n't".
WORD = re.compile(r"[a-z]{2,}")


def table4(
    table: Path,
    comparison: Path,
    *,
    stop_words: Path,
    printed: Path,
    scale: Scale,
    rewrites: Path | None = None,
    written_by: str = "",
) -> None:
    """Write the words that users say most often, in the turns that were rewritten and in their rewrites.

    A word is a run of two letters or more of the lower-cased text that is no stop word; of words that are
    said as often the one that is said first stands first. Beside each printed word stands its rank among all
    words, printed and ours, from 1. Without a corpus there are no words.

    :param table: CSV to write: rank, original, original uses, rewritten, rewritten uses
    :param comparison: CSV to write: data, word, printed, ours, difference, comparable, signature
    :param stop_words: words that do not count, one a line
    :param printed: CSV: data, word, printed (its rank)
    :param scale: the run's scale
    :param rewrites: table of the rewritten turns
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    turns = [row for _, row in read_rows(rewrites, tuple(SIDES))] if rewrites else []
    dropped = frozenset(read_lines(stop_words))
    counted = {side: top_words((row[side] for row in turns), dropped) for side in SIDES}
    theirs = read_printed(printed, *KEYS)
    cells: Cells = {}
    for side, name in SIDES.items():
        ranks = {word: rank for rank, (word, _) in enumerate(counted[side], 1)}
        shown = [word for word, _ in counted[side][:SHOWN]]
        caveat = caveat_of(written_by) if side == "impolite" else ""
        asked = [word for data, word in theirs if data == name]
        for word in dict.fromkeys([*asked, *shown]):
            if not rewrites:
                cells[name, word] = Cell("", "", UNPUBLISHED)
            elif word in ranks:
                cells[name, word] = Cell(str(ranks[word]), signature(rewrites, words=len(ranks)), caveat)
            else:
                cells[name, word] = Cell(
                    "", signature(rewrites, words=len(ranks)), "no word of our texts, or a stop word of ours"
                )
    write_comparison(comparison, KEYS, theirs, cells, scale=scale)
    pairs = zip(*(counted[side][:SHOWN] for side in SIDES), strict=False)
    write_csv(table, HEADER, [[rank, *one, *other] for rank, (one, other) in enumerate(pairs, 1)])


def top_words(texts: Iterable[str], dropped: Collection[str]) -> list[tuple[str, int]]:
    """All words of texts but some, the most frequent first, and how often they are said."""
    counts = Counter(word for text in texts for word in WORD.findall(text.lower()) if word not in dropped)
    return counts.most_common()


if __name__ == "__main__":
    run(table4)
