"""Command: read CoCoA-MT's test data as an evaluation set of informal sentences with one formal reference."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.cocoa_pairs import read_segments, unchanged


def read_cocoa_eval(folder: Path, out: Path, *, language: str) -> None:
    """Write one language as ``informal.txt`` and ``formal.ref0.txt``, all three domains.

    The two are translations of the same English sentence by the same person; they differ only where the
    register requires it. Raises InputError as `cocoa_pairs.read_segments` does.

    :param folder: the repository's files, or its folder CoCoA-MT
    :param out: folder of the canonical layout
    :param language: two-letter code; pt is European Portuguese
    """
    segments = read_segments(folder, "test", language)
    print(f"{language}: {len(segments)} segments, {unchanged(segments)} alike in both", file=sys.stderr)
    write_lines(out / "informal.txt", (segment.informal for segment in segments))
    write_lines(out / "formal.ref0.txt", (segment.formal for segment in segments))


if __name__ == "__main__":
    run(read_cocoa_eval)
