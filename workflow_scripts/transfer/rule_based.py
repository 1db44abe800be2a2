"""Command: the RULE-BASED system (XFORMAL, Section 5.1 and Appendix C)."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.files import lines, progress, write_lines
from workflow_scripts.text.abbreviations import read_abbreviations
from workflow_scripts.text.sentences import default_splitter, load_splitter
from workflow_scripts.transfer.rules import CarefulRules, PaperRules, ReleasedRules


def rule_based(
    source: Path,
    target: Path,
    *,
    language: str,
    mode: Literal["paper", "careful", "released"],
    abbreviations: Path,
    splitter: Path | None = None,
) -> None:
    """Make informal sentences more formal by surface rules.

    :param source: informal sentences, one a line
    :param target: the system's output, parallel to `source`
    :param language: two-letter code, for messages; the rules differ by their abbreviations alone
    :param mode: `paper` is the appendix to the letter; `careful` leaves addresses, numbers, ellipses and
        names whole; `released` does what the authors' program does
    :param abbreviations: a table of abbreviation, tab, expansion
    :param splitter: Punkt model for mode `released`, which keeps the first sentence only; without it,
        Punkt without a list of abbreviations splits
    """
    known = read_abbreviations(abbreviations)
    rules: Callable[[str], str]
    if mode == "paper":
        rules = PaperRules(known)
    elif mode == "careful":
        rules = CarefulRules(known)
    else:
        rules = ReleasedRules(known, load_splitter(splitter) if splitter else default_splitter())
    write_lines(target, map(rules, progress(lines(source), f"rule-based {language}")))


if __name__ == "__main__":
    run(rule_based)
