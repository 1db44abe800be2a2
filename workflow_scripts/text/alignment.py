"""Which words of two parallel sentences are translations of each other, by fast_align (Dyer et al., 2013)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.core.provenance import versions

# Places in the one and in the other sentence, from 0.
Links = list[tuple[int, int]]
BETWEEN = "|||"


def align(sentences: Sequence[tuple[list[str], list[str]]]) -> list[Links]:
    """Pairs of places that are translations of each other, by fast_align with its options d, o and v.

    Both directions are trained on the sentences and made symmetric (grow-diag-final, which the package has
    built in). With more threads than one fast_align's sums, and a few links, differ from run to run:
    `core.command.fix_threads`. A pair with an empty side has no links.
    Raises InputError if fast_align is not installed here.
    """
    try:
        import systran_align
    except ImportError:
        raise InputError("fast_align is not installed here", fix="run this in its own environment") from None
    # Three bars are the mark between the sides of a pair.
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
            Path(text), (f"{' '.join(one)} {BETWEEN} {' '.join(two)}" for one, two in filled.values())
        )
        systran_align.generate_alignment_probabilities(
            text, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        aligner = systran_align.Aligner(forward, backward)
        found = aligner.align_batch(*map(list, zip(*filled.values(), strict=True)))
    links = {number: one["alignments"] for number, one in zip(filled, found, strict=True)}
    return [links.get(number, []) for number in range(len(sentences))]


def aligner_signature() -> str:
    """The aligner and its version."""
    return "+".join(f"{name}-{version}" for name, version in versions("systran-align").items())
