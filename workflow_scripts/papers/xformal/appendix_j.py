"""Command: Appendix J of XFORMAL, quality of the rewrites as judged by native speakers."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.rewrites.labels import QUALITIES
from workflow_scripts.rewrites.shares import DECIMALS, QUALITY, only_source, read_shares

KEYS = ("quality", "source", "lang")
# The mean over the paper's languages, which its text gives.
MEAN, ENGLISH = "mean", "en"
# The row with the number of judged rewrites.
JUDGED = "rewrites"


@leaf(*KEYS)
def quality(*, languages: list[str], judged: list[Path]) -> Table:
    """Write the share of annotated rewrites that are excellent, acceptable and poor, per language.

    The paper reports that on average less than 10% are poor and more than 40% excellent, ranges of the mean
    over the annotated languages other than English, and the size of the sample. Without annotations the
    fields are empty.

    :param table: CSV to write: quality, source (manual or simulated), one column per language, mean; the last
        row is the number of rewrites
    :param judged: the file that `judged` wrote for each annotated language; `--judged` alone for none
    """
    shares = read_shares(judged, QUALITY)
    source = only_source(shares.values())
    cells: Cells = {}
    averaged = [code for code in languages if code != ENGLISH and (QUALITIES[0], code) in shares]
    unjudged = [code for code in languages if code not in (*averaged, ENGLISH)]
    for name in QUALITIES:
        for code in languages:
            if (name, code) in shares:
                cells[name, source, code] = shares[name, code].cell()
        for code in (code for code in averaged if (name, code) not in shares):
            raise InputError(f"no share of {name} rewrites for {code}", path=shares[QUALITIES[0], code].path)
        of_name = [shares[name, code] for code in averaged]
        if of_name:
            mean = sum(share.count / share.rewrites for share in of_name) / len(of_name)
            caveat = f"a mean without {', '.join(unjudged)}" if unjudged else ""
            facts = f"source:{source}|mean of {', '.join(averaged)}"
            cells[name, source, MEAN] = Cell(rounded(mean, DECIMALS), facts, caveat)
    for code in languages:
        share = shares.get((QUALITIES[0], code))
        if share:
            cells[JUDGED, source, code] = Cell(str(share.rewrites), signature(share.path, source=source))
    return Table(cells, [*languages, MEAN], [(name, source) for name in (*QUALITIES, JUDGED)])


if __name__ == "__main__":
    run(quality)
