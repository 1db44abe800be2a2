"""Accuracy and generic quality by the number of labelled pairs: Figures 1 and 2 of CoCoA-MT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number as field
from workflow_scripts.core.files import lines
from workflow_scripts.figures.curves import Curve, curves
from workflow_scripts.figures.style import save, styled
from workflow_scripts.leaves.rounding import rounded

DOMAINS = {"telephony": "Telephony", "topical_chat": "Topical Chat", "call_center": "Call Center"}
LEVELS = ("formal", "informal", "both")
MODES = ("released", "paper")
HEADER = (
    *("system", "level", "part", "metric", "value", "lowest", "highest", "ci_low", "ci_high", "p", "p_holm"),
    *("sentences", "matched", "runs", "signature"),
)
COLUMNS = ("copies", "labelled", "part", "metric", *LEVELS, "runs")
# Value, lowest and highest, and how many runs.
Score = tuple[float, float, float, int]
Scores = dict[tuple[str, str, str, str], Score]


@dataclass(frozen=True)
class Step:
    """A system of a figure: copies of the labelled pairs, and labelled pairs in all."""

    system: str
    copies: int
    labelled: int


def draw(figure: Path, table: Path, *, scores: Path, steps: Sequence[Step], generic: str, title: str) -> None:
    """Draw a panel per domain: M-Acc at each level, as the released scorer counts, and BLEU of generic text.

    The table also has M-Acc by Algorithm 1, and all domains together. Raises InputError if a number is
    missing.

    :param figure: SVG to write
    :param table: CSV to write: copies, labelled, part, metric, formal, informal, both, runs; BLEU stands
        under both
    :param scores: what control.score wrote
    :param steps: the points of the lines
    :param generic: the generic test set; empty if there is none
    :param title: of the figure, for those who do not see it
    """
    found = _read(scores)
    rows: list[list[object]] = []
    for step in steps:
        for part in (*DOMAINS, "all"):
            for mode in MODES:
                metric = f"m_acc.{mode}"
                values = [_score(found, scores, step.system, level, part, metric) for level in LEVELS]
                shown = [rounded(value, 1) for value, *_ in values]
                rows.append([step.copies, step.labelled, part, metric, *shown, values[0][3]])
        if generic:
            value, _, _, runs = _score(found, scores, step.system, generic, "all", "bleu")
            rows.append([step.copies, step.labelled, generic, "bleu", "", "", rounded(value, 1), runs])
    write_csv(table, COLUMNS, rows)
    with styled():
        from matplotlib.figure import Figure

        drawn = Figure(figsize=(8.2, 3.0), layout="constrained")
        panels = drawn.subplots(1, len(DOMAINS), sharey=True)
        handles: list[object] = []
        for axes, (part, name) in zip(panels, DOMAINS.items(), strict=True):
            handles = curves(
                axes,
                [
                    _curve(found, scores, steps, (level, part, "m_acc.released"), level, place)
                    for place, level in enumerate(LEVELS)
                ],
            )
            axes.set_title(name)
            axes.set_ylim(0, 102)
            axes.set_xlabel("labelled pairs", fontsize=8)
            if generic:
                right = axes.twinx()
                right.spines["right"].set_visible(True)
                bleu = _curve(found, scores, steps, (generic, "all", "bleu"), "BLEU", len(LEVELS))
                handles = [*handles, *curves(right, [bleu])]
                middle = bleu.points[0][1]
                right.set_ylim(middle - 6, middle + 6)
                if axes is panels[-1]:
                    right.set_ylabel(f"BLEU, {generic}", fontsize=8)
        panels[0].set_ylabel("M-Acc", fontsize=8)
        drawn.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=7)  # type: ignore[arg-type]
        save(drawn, figure, title=title, description=_description(found, scores, steps, generic))


def steps_of(systems: Sequence[str], pairs: Mapping[str, Path]) -> list[Step]:
    """The steps of `SYSTEM=COPIES`, with the labelled lines of what each is tuned on (`pairs`), by copies."""
    found = []
    for one in systems:
        name, _, copies = one.rpartition("=")
        if not name or not copies.isdecimal():
            raise InputError(f"--systems {one}", fix="give each as SYSTEM=COPIES")
        labelled = sum(line.startswith("<2") for line in lines(pairs[name])) if name in pairs else 0
        found.append(Step(name, int(copies), labelled))
    return sorted(found, key=lambda step: step.copies)


def _read(path: Path) -> Scores:
    found: Scores = {}
    for line, row in read_csv(path, HEADER):
        value, lowest, highest = (field(text, path, line) for text in row[4:7])
        system, level, part, metric = row[:4]
        found[system, level, part, metric] = (value, lowest, highest, int(field(row[13], path, line)))
    return found


def _score(found: Scores, path: Path, *key: str) -> Score:
    system, level, part, metric = key
    try:
        return found[system, level, part, metric]
    except KeyError:
        raise InputError(f"no {metric} of '{system}' for {level}, {part}", path=path) from None


def _curve(
    found: Scores, path: Path, steps: Sequence[Step], key: tuple[str, str, str], name: str, place: int
) -> Curve:
    values = [_score(found, path, step.system, *key) for step in steps]
    points = [(float(step.labelled), value) for step, (value, *_) in zip(steps, values, strict=True)]
    return Curve(name, place, points, [(low, high) for _, low, high, _ in values])


def _description(found: Scores, path: Path, steps: Sequence[Step], generic: str) -> str:
    told = []
    for step in steps:
        value = _score(found, path, step.system, "both", "all", "m_acc.released")[0]
        text = f"{step.labelled} labelled pairs: M-Acc {rounded(value, 1)}"
        if generic:
            text += f", BLEU {rounded(_score(found, path, step.system, generic, 'all', 'bleu')[0], 1)}"
        told.append(text)
    return "Three panels, one per domain. All domains: " + "; ".join(told) + "."
