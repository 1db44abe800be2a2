"""Alignment of the words of two parallel sentences with fast_align (Dyer et al., 2013)."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.core.provenance import versions

# Positions in the first and in the second sentence, from 0.
Links = list[tuple[int, int]]
BETWEEN = "|||"


def align(sentences: Sequence[tuple[list[str], list[str]]]) -> list[Links]:
    """Pairs of positions of words that are translations of each other, by fast_align with options d, o and v.

    Both directions are trained on the sentences and symmetrised (grow-diag-final, built into the package).
    With more than one thread, fast_align's sums, and a few links, differ from run to run: see
    `core.command.fix_threads`. A pair with an empty side has no links.
    Raises InputError if fast_align is not installed here.
    """
    try:
        import systran_align
    except ImportError:
        raise InputError("fast_align is not installed here", fix="run this in its own environment") from None
    # Three bars separate the sides of a pair.
    filled = {
        number: tuple([word.replace(BETWEEN, "|") for word in side] for side in pair)
        for number, pair in enumerate(sentences)
        if all(pair)
    }
    if not filled:
        return [[] for _ in sentences]
    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (str(Path(folder) / name) for name in ("text", "forward", "backward"))
        write_lines(
            Path(text), (f"{' '.join(left)} {BETWEEN} {' '.join(right)}" for left, right in filled.values())
        )
        systran_align.generate_alignment_probabilities(
            text, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        aligner = systran_align.Aligner(forward, backward)
        results = aligner.align_batch(*map(list, zip(*filled.values(), strict=True)))
    links = {number: result["alignments"] for number, result in zip(filled, results, strict=True)}
    return [links.get(number, []) for number in range(len(sentences))]


def aligner_signature() -> str:
    """The aligner and its version."""
    return "+".join(f"{name}-{version}" for name, version in versions("systran-align").items())
