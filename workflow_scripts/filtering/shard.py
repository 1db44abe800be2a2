"""Command: divide a bitext into shards that can be filtered in parallel."""

from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import parallel, progress, writing
from workflow_scripts.filtering.pairs import clean
from workflow_scripts.text.folding import folded


def shard(english: Path, other: Path, *, shards_out: list[Path]) -> None:
    """Write every sentence pair to the shard that its text determines.

    The shard is a digest of the pair, with case and white space folded, modulo the number of shards: all
    copies of a pair are in one shard, where they can be dropped without reading the others. Within a shard
    the pairs keep their order. Memory does not grow with the bitext.

    :param english: English sentences, one a line
    :param other: their translations, parallel by line
    :param shards_out: shards to write (.tsv.gz): English, a tab, the translation
    """
    if not shards_out:
        raise InputError("no shards to write", fix="give at least one with --shards-out")
    with ExitStack() as stack:
        streams = [stack.enter_context(writing(path)) for path in shards_out]
        for pair in progress(parallel(english, other), "scatter", unit="pair"):
            left, right = map(clean, pair)
            streams[_shard_of(left, right, len(streams))].write(f"{left}\t{right}\n")


def _shard_of(left: str, right: str, count: int) -> int:
    text = f"{folded(left)}\t{folded(right)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % count


if __name__ == "__main__":
    run(shard)
