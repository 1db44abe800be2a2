"""Command: Table IV of Hu et al. (2022), top keywords in original and rewritten dialogues."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.files import read_lines
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED, caveat_of

# The paper prints 20 words, as its column heads say; its caption says 10.
SHOWN = 20
SIDES = {"original": "Original Dialogues", "impolite": "Rewritten Dialogues"}
KEYS = ("data", "word")
HEADER = ("rank", "original", "original uses", "rewritten", "rewritten uses")
# Single letters are left over from tokenised contractions: MultiWOZ 2.1 has "do n't".
WORD = re.compile(r"[a-z]{2,}")


@leaf(*KEYS)
def table4(theirs: Printed, *, stop_words: Path, rewrites: Path | None = None, written_by: str = "") -> Rows:
    """Write the words that users say most often, in the original turns and in their rewrites.

    A word is a run of two or more letters of the lower-cased text, except stop words. Words of the same
    frequency keep the order in which they first occur. The comparison has the rank of each word, from 1, in
    the paper and here. Without a corpus there are no words.

    :param table: CSV to write: rank, original, original uses, rewritten, rewritten uses
    :param stop_words: words to leave out, one per line
    :param printed: CSV: data, word, printed (its rank)
    :param rewrites: table of the rewritten turns
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    turns = [row for _, row in read_rows(rewrites, tuple(SIDES))] if rewrites else []
    dropped = frozenset(read_lines(stop_words))
    counted = {side: top_words((row[side] for row in turns), dropped) for side in SIDES}
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
    pairs = zip(*(counted[side][:SHOWN] for side in SIDES), strict=False)
    return Rows(
        cells, HEADER, [[rank, *original, *rewritten] for rank, (original, rewritten) in enumerate(pairs, 1)]
    )


def top_words(texts: Iterable[str], dropped: Collection[str]) -> list[tuple[str, int]]:
    """All words of the texts except the dropped ones, the most frequent first, with their frequency."""
    counts = Counter(word for text in texts for word in WORD.findall(text.lower()) if word not in dropped)
    return counts.most_common()


if __name__ == "__main__":
    run(table4)
