"""Command: curate sentences (XFORMAL, Section 3, Step 2)."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.files import lines, progress, write_lines
from workflow_scripts.filtering.criteria import REASONS, curator, letters

TESTED = "tested"


def curate(
    sentences: Path,
    out: Path,
    counts: Path,
    *,
    min_tokens: int,
    max_tokens: int,
    domains: list[str] | None = None,
    tested: list[Path] | None = None,
) -> None:
    """Drop questions, sentences with web addresses, too short and too long sentences, and exact duplicates.

    With `tested`, drop test sentences too, also if only case, marks and spaces differ. A sentence counts for
    the first of these reasons. Memory grows by at most 48 bytes for each sentence kept.

    :param sentences: one sentence a line
    :param out: file for the sentences that are kept, in order, without surrounding spaces
    :param counts: table of counts to write: step, sentences
    :param min_tokens: fewest NLTK tokens of a sentence (5 in the paper)
    :param max_tokens: most NLTK tokens of a sentence (25 in the paper)
    :param domains: endings of web addresses in this language besides the built-in ones
    :param tested: files of test sentences, in a corpus of the same origin as theirs
    """
    # A line without letters matches nothing.
    known = {letters(line) for path in tested or [] for line in lines(path)} - {""}
    reason = curator(min_tokens, max_tokens, domains or [])
    tally: Counter[str] = Counter()

    def kept() -> Iterator[str]:
        for line in progress(lines(sentences), "curate", unit="sentence"):
            sentence = line.strip()
            why = reason(sentence)
            if not why and known and letters(sentence) in known:
                why = TESTED
            tally[why] += 1
            if not why:
                yield sentence

    write_lines(out, kept())
    reasons = REASONS if tested is None else (*REASONS, TESTED)
    dropped = {f"dropped:{why}": tally[why] for why in reasons}
    write_counts(counts, {"sentences": tally.total(), **dropped, "curated": tally[""]})


if __name__ == "__main__":
    run(curate)
