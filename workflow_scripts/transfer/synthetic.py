"""Command: the synthetic pairs of BACKTRANSLATE, without copies (XFORMAL, Section 5.1)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.files import parallel, progress, writing
from workflow_scripts.text.folding import folded


def synthetic(informal: Path, decoded: Path, informal_out: Path, formal_out: Path, counts: Path) -> None:
    """Keep the pairs of an informal sentence x and its formal rewrite ŷ in which ŷ is not a copy of x.

    x is genuine text; ŷ is what the base ensemble (TRANSLATE TRAIN TAG) made of it with the tag <2formal>. A
    pair is dropped if a side is empty, or if the sides are equal when case and runs of white space are
    ignored. What is kept can be training data of two directions, one of which `text.bitext` uses:

    - *back* (Sennrich et al., 2016): source ŷ with <2informal>, target x. The target is genuine, the source
      is the machine's: back-translation in the strict sense, which teaches to write informally.
    - *self*: source x with <2formal>, target ŷ. The source is genuine, the target is the machine's:
      self-training (forward translation), which teaches the direction that Table 7 tests.

    The paper does not say which direction it adds; GYAFC pairs are used in both.

    :param informal: genuine informal sentences x, one a line, possibly .gz
    :param decoded: their rewrites ŷ, parallel to `informal`
    :param informal_out: the x of the pairs that are kept
    :param formal_out: the ŷ of the pairs that are kept, parallel to `informal_out`
    :param counts: table of counts to write: pairs, dropped:empty, dropped:copy, kept
    """
    steps = {"pairs": 0, "dropped:empty": 0, "dropped:copy": 0, "kept": 0}
    with writing(informal_out) as informal_stream, writing(formal_out) as formal_stream:
        for sentence, rewrite in progress(parallel(informal, decoded), "synthetic pairs", unit="pair"):
            steps["pairs"] += 1
            before, after = folded(sentence), folded(rewrite)
            if not before or not after:
                steps["dropped:empty"] += 1
            elif before == after:
                steps["dropped:copy"] += 1
            else:
                steps["kept"] += 1
                informal_stream.write(sentence + "\n")
                formal_stream.write(rewrite + "\n")
    write_counts(counts, steps)


if __name__ == "__main__":
    run(synthetic)
