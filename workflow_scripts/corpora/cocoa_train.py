"""Command: read CoCoA-MT's training data as informal-formal pairs in one language, in GYAFC's layout."""

import random
import re
import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.cocoa_pairs import Segment, read_segments, unchanged


def read_cocoa_train(
    folder: Path, out: Path, *, language: str, tested: list[str], held_out: int, seed: int
) -> None:
    """Write ``{train,dev}.{informal,formal}.txt`` and ``dev.{formal,informal}.ref0.txt``.

    The corpus' order stays. ``dev.formal.ref0.txt`` is the rewrite of ``dev.informal.txt``, and vice versa.
    Languages share source sentences across the splits: a model trained on the translation of a segment knows
    the content of a test reference in another language. Segments whose English sentence (ignoring case and
    punctuation) is in the test data of a tested language are therefore dropped.
    Raises InputError as `cocoa_pairs.read_segments` does, and if too few segments are left.

    :param folder: the repository's files, or its folder CoCoA-MT
    :param out: folder of the canonical layout
    :param tested: languages whose test data must stay unseen
    :param held_out: number of pairs in the dev part
    """
    unseen = {_folded(segment.source) for other in tested for segment in read_segments(folder, "test", other)}
    all_segments = read_segments(folder, "train", language)
    segments = [segment for segment in all_segments if _folded(segment.source) not in unseen]
    if not 0 < held_out < len(segments):
        raise InputError(
            f"{len(segments)} of {len(all_segments)} segments are not in the test data of {' '.join(tested)}:"
            f" cannot hold out {held_out}",
            path=folder,
            fix="hold out at least one, and fewer than there are",
        )
    chosen = set(random.Random(f"cocoa-mt {seed}").sample(range(len(segments)), held_out))
    dev = [segment for number, segment in enumerate(segments) if number in chosen]
    train = [segment for number, segment in enumerate(segments) if number not in chosen]
    print(
        f"{language}: {len(all_segments)} segments, {len(all_segments) - len(segments)} of them in the test"
        f" data of {' '.join(tested)}; train {len(train)} ({unchanged(train)} alike in both),"
        f" dev {len(dev)} ({unchanged(dev)} alike in both)",
        file=sys.stderr,
    )
    _write(out, {"train.informal": train, "dev.informal": dev, "dev.informal.ref0": dev}, "informal")
    _write(out, {"train.formal": train, "dev.formal": dev, "dev.formal.ref0": dev}, "formal")


def _write(out: Path, parts: dict[str, list[Segment]], style: str) -> None:
    for name, segments in parts.items():
        write_lines(out / f"{name}.txt", (getattr(segment, style) for segment in segments))


def _folded(sentence: str) -> str:
    """A sentence without case and punctuation."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))


if __name__ == "__main__":
    run(read_cocoa_train)
