"""Command: curate a shard of sentence pairs (XFORMAL, Section 5.2: "the same filtering steps as in §3")."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.files import progress, write_lines
from workflow_scripts.filtering.criteria import REASONS, curator
from workflow_scripts.filtering.pairs import read_pairs


def curate_bitext(
    shard: Path,
    out: Path,
    counts: Path,
    *,
    min_tokens: int,
    max_tokens: int,
    domains: list[str] | None = None,
) -> None:
    """Apply the filters of `curate` to pairs.

    A question mark or a web address on either side drops the pair; lengths are counted on the second side,
    whose formality is scored afterwards; a duplicate has both sides in common with an earlier pair.

    :param shard: pairs (.tsv.gz)
    :param out: file for the pairs that are kept, in order (.tsv.gz)
    :param counts: table of counts to write: step, pairs
    :param min_tokens: fewest NLTK tokens of the second side (5 in the paper)
    :param max_tokens: most NLTK tokens of the second side (25 in the paper)
    :param domains: endings of web addresses in this language besides the built-in ones
    """
    reason = curator(min_tokens, max_tokens, domains or [])
    tally: Counter[str] = Counter()

    def kept() -> Iterator[str]:
        for english, other in progress(read_pairs(shard), "curate", unit="pair"):
            english, other = english.strip(), other.strip()
            why = reason(other, english)
            tally[why] += 1
            if not why:
                yield f"{english}\t{other}"

    write_lines(out, kept())
    dropped = {f"dropped:{why}": tally[why] for why in REASONS}
    write_counts(counts, {"bicleaned": tally.total(), **dropped, "curated": tally[""]})


if __name__ == "__main__":
    run(curate_bitext)
