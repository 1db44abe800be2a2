"""Command: align the words of bitexts. It needs fast_align."""

import sys
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_parallel, write_lines, writing_folder
from workflow_scripts.politeness.links import Aligned, cut, write_aligned
from workflow_scripts.text.alignment import align as links_of
from workflow_scripts.text.alignment import aligner_signature


def align(out: Path, *, english: list[Path], others: list[Path], languages: list[str]) -> None:
    """Write ``{lang}.tsv``, the aligned words of each bitext (see `links`), and ``aligner.txt``, the aligner.

    Each bitext trains its own alignment in both directions, which are then symmetrised. Pairs with an empty
    side are left out. Raises InputError if fast_align is not installed, for sides of unequal length, and for
    a bitext without a pair.

    :param out: folder to write
    :param english: the English side of each bitext, one sentence per line
    :param others: the other sides, in the same order
    :param languages: their codes, in the same order
    """
    if not len(english) == len(others) == len(languages):
        raise InputError(f"{len(english)} and {len(others)} sides of {len(languages)} bitexts")
    fix_threads(1)
    with writing_folder(out) as folder:
        work = list(zip(english, others, languages, strict=True))
        for left, right, language in progress(work, "align words", len(work), "language"):
            pairs = [
                (first, second)
                for sentence, translation in zip(*read_parallel(left, right), strict=True)
                if (first := cut(sentence)) and (second := cut(translation))
            ]
            if not pairs:
                raise InputError("no pair of sentences", path=left)
            write_aligned(
                folder / f"{language}.tsv",
                (Aligned(*pair, links) for pair, links in zip(pairs, links_of(pairs), strict=True)),
            )
            print(f"{language}: {len(pairs)} pairs", file=sys.stderr)
        write_lines(folder / "aligner.txt", [aligner_signature()])


if __name__ == "__main__":
    run(align)
