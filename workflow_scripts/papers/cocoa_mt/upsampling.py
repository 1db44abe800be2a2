"""Accuracy and generic quality by amount of labelled data: Figures 1 and 2 of CoCoA-MT."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from workflow_scripts.control.data import ALL
from workflow_scripts.control.matching import COMPARED, MODES
from workflow_scripts.control.score import BOTH, HEADER, m_acc_in
from workflow_scripts.control.tuning_data import labelled_sources
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.figures.curves import Curve, curves
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.made_of import count_sources, read_made_of
from workflow_scripts.statistics.metrics import Bleu, MAcc
from workflow_scripts.text.levels import LEVELS as ALONE
from workflow_scripts.text.levels import TEST_DOMAINS

LEVELS = (*ALONE, BOTH)
# The mode of M-Acc that is drawn, and the metrics of the table.
DRAWN = m_acc_in(COMPARED)
KEYS = ("part", "metric")
CHANGE = (ALL, f"{Bleu.name}_change")
COLUMNS = ("copies", "labelled", "part", "metric", *LEVELS, "runs")


@dataclass(frozen=True)
class Point:
    """A metric of one system: the mean, the lowest and the highest of its runs, and their number."""

    value: float
    lowest: float
    highest: float
    runs: int


@dataclass(frozen=True)
class Step:
    """A system of a figure: copies of the labelled pairs, the total of labelled pairs, and its metrics.

    The keys of `points` are level or generic test set, part of the test set, and metric; `file`: their file.
    """

    system: str
    copies: int
    labelled: int
    points: Mapping[tuple[str, str, str], Point]
    file: Path

    def point(self, *key: str) -> Point:
        """A metric; InputError if it is missing."""
        level, part, metric = key
        try:
            return self.points[level, part, metric]
        except KeyError:
            raise InputError(f"no {metric} of '{self.system}' for {level}, {part}", path=self.file) from None


def upsampling(name: str, *, printed_in: str) -> Callable[..., None]:
    """The command of a figure; `printed_in`: the language of the paper's figure."""

    @leaf(*KEYS, drawn=True)
    def figure_of(
        *,
        scores: Path,
        systems: list[str],
        pairs: list[Path],
        language: str,
        paper_data: Path,
        training_pairs: int,
        made_of: list[str] | None = None,
        generic: str = "",
    ) -> Rows:
        """Draw a panel per domain: M-Acc at each level, as the released scorer counts, and generic BLEU.

        The table also has M-Acc by Algorithm 1, and all domains together. The figure prints no numbers, so
        the comparison has those of the text: the best mean M-Acc of both levels over all domains; the lowest
        BLEU minus that of the generic model; the gap between formal and informal M-Acc in the held-out
        domain, for the system with the most copies. Raises InputError if a number is missing.

        :param table: CSV to write: copies, labelled, part, metric, formal, informal, both, runs; BLEU is in
            the column both
        :param scores: the file that control.score wrote for these systems
        :param systems: the points of the lines, each as SYSTEM=COPIES; 0 copies is the generic model
        :param pairs: the source sides of each tuned system's data, as SYSTEM/LANGUAGE/FILE in any folder
        :param language: code of the target language
        :param paper_data: CSV of the sources of the paper's systems: lang, part, source, pairs, unavailable
        :param training_pairs: the most pairs that a generic model is trained on
        :param made_of: the sources of our systems, each as LANG.PART=SOURCE
        :param generic: the generic test set of BLEU; empty if there is none
        """
        tuned_on = {path.parent.parent.name: path for path in pairs}
        steps = _steps(systems, tuned_on, scores)
        sources = read_made_of(paper_data, made_of or [], training_pairs)
        seen = {count_sources(tuned_on[step.system]) for step in steps if step.system in tuned_on}
        caveats = [f"{language}, not {printed_in}"]
        if language == printed_in:
            caveats = sources.lacking(language, labelled=seen)
        numbers = _told(steps, generic)
        cells = {key: replace(cell, caveat=", ".join(caveats)) for key, cell in numbers.items()}
        rows = [row for step in steps for row in _rows(step, generic)]
        draw = drawing(partial(_draw, steps, generic, f"en-{language} (CoCoA-MT, {name})"))
        return Rows(cells, COLUMNS, rows, draw=draw)

    return figure_of


def _draw(steps: Sequence[Step], generic: str, of: str) -> Drawn:
    """Draw the panels; `of`: the end of the title."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(8.2, 3.0), layout="constrained")
    panels = drawn.subplots(1, len(TEST_DOMAINS), sharey=True)
    handles: list[object] = []
    for axes, part in zip(panels, TEST_DOMAINS, strict=True):
        shown = [_curve(steps, (level, part, DRAWN), level, place) for place, level in enumerate(LEVELS)]
        handles = curves(axes, shown)
        axes.set_title(part.replace("_", " ").title())
        axes.set_ylim(0, 102)
        axes.set_xlabel("labelled pairs", fontsize=8)
        if generic:
            right = axes.twinx()
            right.spines["right"].set_visible(True)
            bleu = _curve(steps, (generic, ALL, Bleu.name), Bleu.label, len(LEVELS))
            handles = [*handles, *curves(right, [bleu])]
            middle = bleu.points[0][1]
            right.set_ylim(middle - 6, middle + 6)
            if axes is panels[-1]:
                right.set_ylabel(f"{Bleu.label}, {generic}", fontsize=8)
    panels[0].set_ylabel(MAcc.label, fontsize=8)
    drawn.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=7)  # type: ignore[arg-type]
    title = f"Accuracy by the number of labelled pairs, {of}"
    return Drawn(drawn, title=title, description=_description(steps, generic))


def _steps(systems: Sequence[str], pairs: Mapping[str, Path], scores: Path) -> list[Step]:
    """The systems by copies, with their number of labelled lines (from `pairs`) and their scores."""
    points: dict[str, dict[tuple[str, str, str], Point]] = {}
    for line, row in read_rows(scores, HEADER):
        value, lowest, highest = (number(row[name], scores, line) for name in HEADER[4:7])
        point = Point(value, lowest, highest, whole(row["runs"], scores, line))
        points.setdefault(row["system"], {})[row["level"], row["part"], row["metric"]] = point
    steps = []
    for text in systems:
        name, _, copies = text.rpartition("=")
        if not name or not copies.isdecimal():
            raise InputError(f"--systems {text}", fix="give each as SYSTEM=COPIES")
        labelled = sum(1 for _ in labelled_sources(pairs[name])) if name in pairs else 0
        steps.append(Step(name, int(copies), labelled, points.get(name, {}), scores))
    return sorted(steps, key=lambda step: step.copies)


def _rows(step: Step, generic: str) -> Iterator[list[object]]:
    """The rows of a system in the table: each part of the test set and mode of M-Acc, then BLEU."""
    for part in (*TEST_DOMAINS, ALL):
        for mode in MODES:
            metric = m_acc_in(mode)
            points = [step.point(level, part, metric) for level in LEVELS]
            shown = [rounded(point.value, MAcc.decimals) for point in points]
            yield [step.copies, step.labelled, part, metric, *shown, points[0].runs]
    if generic:
        bleu = step.point(generic, ALL, Bleu.name)
        yield [
            step.copies,
            step.labelled,
            generic,
            Bleu.name,
            "",
            "",
            rounded(bleu.value, Bleu.decimals),
            bleu.runs,
        ]


def _told(steps: Sequence[Step], generic: str) -> Cells:
    """The numbers that the text gives about the lines."""
    copies = "copies:" + "+".join(str(step.copies) for step in steps)
    best = max(step.point(BOTH, ALL, DRAWN).value for step in steps)
    last = steps[-1]
    formal, informal = (last.point(level, TEST_DOMAINS[-1], DRAWN).value for level in ALONE)
    cells: Cells = {
        (ALL, "best"): Cell(rounded(best, 0), f"{DRAWN}|{copies}"),
        (TEST_DOMAINS[-1], "gap"): Cell(rounded(formal - informal, 0), f"{DRAWN}|copies:{last.copies}"),
    }
    if generic and not steps[0].copies and len(steps) > 1:
        bleu = [step.point(generic, ALL, Bleu.name).value for step in steps]
        change = rounded(min(bleu[1:]) - bleu[0], Bleu.decimals)
        cells[CHANGE] = Cell(change, f"{Bleu.name}.{generic}|{copies}")
    return cells


def _curve(steps: Sequence[Step], key: tuple[str, str, str], name: str, place: int) -> Curve:
    points = [step.point(*key) for step in steps]
    values = [(float(step.labelled), point.value) for step, point in zip(steps, points, strict=True)]
    return Curve(name, place, values, [(point.lowest, point.highest) for point in points])


def _description(steps: Sequence[Step], generic: str) -> str:
    sentences = []
    for step in steps:
        accuracy = rounded(step.point(BOTH, ALL, DRAWN).value, MAcc.decimals)
        text = f"{step.labelled} labelled pairs: {MAcc.label} {accuracy}"
        if generic:
            bleu = rounded(step.point(generic, ALL, Bleu.name).value, Bleu.decimals)
            text += f", {Bleu.label} {bleu}"
        sentences.append(text)
    return "Three panels, one per domain. All domains: " + "; ".join(sentences) + "."
