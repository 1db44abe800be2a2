"""The findings of a campaign, and the table of all campaigns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workflow_scripts.core.csv_files import write_csv


@dataclass(frozen=True)
class Violation:
    """A case that ended as none may: which one, what was done, what came of it, and what stood on stderr."""

    campaign: str
    case: str
    done: str
    problem: str
    errors: str = ""


@dataclass
class Result:
    """The cases of a campaign, and those that are violations."""

    campaign: str
    cases: int = 0
    violations: list[Violation] = field(default_factory=list)
    seconds: float = 0

    def add(self, violation: Violation | None) -> None:
        """Count a case."""
        self.cases += 1
        if violation:
            self.violations.append(violation)


HEADER = ("campaign", "cases", "violations", "seconds")


def rows(results: Sequence[Result]) -> list[tuple[str, int, int, int]]:
    """A row for each campaign."""
    return [(one.campaign, one.cases, len(one.violations), round(one.seconds)) for one in results]


def shown(results: Sequence[Result], seed: int) -> str:
    """The table as text, and for each violation how to do it again."""
    texts = [tuple(map(str, row)) for row in (HEADER, *rows(results))]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in texts
    ]
    for result in results:
        for one in result.violations:
            lines += [
                "",
                f"{one.case}: {one.done}",
                f"  {one.problem}",
                f"  again: .venv/bin/python -m tests.stress {one.campaign} --seed {seed} --only '{one.case}'",
            ]
    return "\n".join(lines)


def write(path: Path, results: Sequence[Result]) -> None:
    """The table as a CSV."""
    write_csv(path, HEADER, rows(results))
