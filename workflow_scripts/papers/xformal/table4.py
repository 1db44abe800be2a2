"""Command: Table 4 of XFORMAL, categories of frequent edits, calculated automatically and manually."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.config.sections import Edits
from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.rewrites.labels import (
    AUTOMATIC,
    BOTH,
    CAREFUL,
    ONLY_AUTOMATIC,
    ONLY_MANUAL,
    PARAPHRASE,
    RELEASED,
    RULES,
    column,
    label,
)
from workflow_scripts.rewrites.pairs import Pair, read_pairs
from workflow_scripts.rewrites.shares import DECIMALS, EDIT, only_source, read_shares

KEYS = ("edit_type", "source", "lang")
OWN_RULE, OWN_LIST = "a rule of ours", "abbreviations of ours"
# The columns that depend on the list of abbreviations; the paper's authors use another list.
LISTED = {column("normalization", RELEASED), column(PARAPHRASE, RELEASED)}


@leaf(*KEYS)
def table4(*, languages: list[str], pairs: list[Path], rules: Edits, judged: list[Path]) -> Table:
    """Write the share of rewrites with each type of edit (Section 4; Appendices H and I).

    The rows are the paper's. A type that both a program and people look for has two rows, first the automatic
    one, then the manual one. The paper distinguishes them by colour only; the second are taken for manual
    because the classes of Appendix H that no program looks for share their colour in English, and because
    spelling, which compares any two words, is found much more often automatically. Unchanged, lowercase and
    repetition are only found automatically. Four automatic types have several rules; the signature also has
    the shares by the other rules. Shares by a rule of ours, or by our list of abbreviations, are not
    comparable. Shares are of all rewrites (automatic) or of the annotated ones (manual), with two decimals.
    Without annotations the manual rows are empty. A simulated annotator's rows are called simulated, and not
    compared with the printed manual ones.

    :param table: CSV to write: edit_type (the paper's label), source (automatic, manual or simulated), one
        column per language
    :param pairs: the file that `measure` wrote for each language
    :param rules: the rule that finds each type: `analysis.edits` of the configuration (see `rewrites.edits`)
    :param judged: the file that `judged` wrote for each annotated language; `--judged` alone for none
    """
    cells: Cells = {}
    rule_of = rules.model_dump()
    for language, files in by_language(languages, pairs=pairs).items():
        path = files["pairs"]
        rewrites = read_pairs(path)
        for name in (*BOTH, *ONLY_AUTOMATIC):
            cells[label(name), AUTOMATIC, language] = _automatic(path, rewrites, name, rule_of.get(name, ""))
    shares = read_shares(judged, EDIT)
    source = only_source(shares.values())
    for name in (*BOTH, *ONLY_MANUAL):
        for language in languages:
            if (name, language) in shares:
                cells[label(name), source, language] = shares[name, language].cell()
    rows = _rows(source)
    # In the order of the table, not in the order of computation.
    ordered: Cells = {key: cells[key] for row in rows for code in languages if (key := (*row, code)) in cells}
    return Table(ordered, languages, rows)


def _automatic(path: Path, rewrites: Sequence[Pair], name: str, rule: str) -> Cell:
    """The share of rewrites with a type by one rule; the signature also has the shares by the others."""
    counts = {
        key: sum(pair.edits[column(name, key)] for pair in rewrites) for key in (rule, *RULES.get(name, ()))
    }
    others = {key: rounded(count / len(rewrites), DECIMALS) for key, count in counts.items() if key != rule}
    named = column(name, rule)
    facts = signature(path, rule=named, count=counts[rule], n=len(rewrites), **others)
    caveat = OWN_RULE if rule == CAREFUL else OWN_LIST if named in LISTED else ""
    return Cell(rounded(counts[rule] / len(rewrites), DECIMALS), facts, caveat)


def _rows(source: str) -> Iterable[tuple[str, str]]:
    return [
        *((label(name), of) for name in BOTH for of in (AUTOMATIC, source)),
        *((label(name), AUTOMATIC) for name in ONLY_AUTOMATIC),
        *((label(name), source) for name in ONLY_MANUAL),
    ]


if __name__ == "__main__":
    run(table4)
