"""Command: Figure 4 of XFORMAL, trade-off of BLEU, style score and perplexity across reruns (Appendix M)."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number as field
from workflow_scripts.evaluation.reruns import HEADER, METRICS
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.figures.scatter import Dash, Group, handles, scatter
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.papers.xformal.table7_layout import labels_of
from workflow_scripts.statistics.metrics import Formality, MultiBleu, Perplexity

# Runs of a system differ by less than the decimals of Table 7.
DECIMALS = {MultiBleu: 2, Formality: 4, Perplexity: 4}
AXES = {Formality: Formality.label, Perplexity: f"{Perplexity.label} (nats per token; lower is better)"}
GAIN = "gain"
KEYS = ("system", "lang", "metric")
DASHES: tuple[Dash, ...] = ("--", ":", "-.")
# system -> the metrics of its runs, by name of the run
Runs = dict[str, dict[str, tuple[float, float, float]]]


@leaf(*KEYS, drawn=True)
def figure4(
    theirs: Printed,
    *,
    languages: list[str],
    reruns: list[Path],
    systems: Path,
    lines: list[str],
    baseline: str,
    backend: str,
    encoder: str,
) -> Rows:
    """Draw multi-BLEU against formality and against perplexity, a point per run, and write the numbers.

    A system with several runs also has its mean, with bars of one standard deviation (n - 1). The figure's
    numbers are not printed; the text reports that single models gain "about 1" BLEU over RULE-BASED, read as
    a number that rounds to 1. Ours is the mean multi-BLEU of a system's runs minus the baseline's.

    :param figure: SVG to write, two panels per language
    :param table: CSV to write: lang, system, run, multi_bleu, formality, perplexity; after the runs of a
        system that has several, its mean and sd
    :param comparison: CSV to write: system, lang, metric (gain), printed, ours, difference, comparable,
        signature
    :param reruns: the file that `evaluation.reruns` wrote for each language
    :param systems: manifest of the systems in the order of the legend: system, label (the name in the paper)
    :param lines: systems with a line at their BLEU across the panels, such as COPY and RULE-BASED
    :param baseline: name of the system that others are compared with
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    if len(languages) != len(reruns):
        raise InputError(f"{len(languages)} languages have {len(reruns)} files", fix="give each its file")
    names = labels_of(systems)
    dashes = dict(zip(lines, DASHES * len(lines), strict=False))
    by_language = {language: _read(path, names) for language, path in zip(languages, reruns, strict=True)}
    rows = [
        [
            language,
            names[system],
            name,
            *(rounded(value, DECIMALS[metric]) for value, metric in zip(values, METRICS, strict=True)),
        ]
        for language, runs in by_language.items()
        for system in names
        for name, values in _with_mean(runs.get(system, {})).items()
    ]
    cells = {
        key: replace(cell, caveat=departures(language, backend=backend, encoder=encoder))
        for language, runs in by_language.items()
        for key, cell in _gains(language, runs, names, baseline).items()
        if key in theirs
    }

    @drawing
    def draw() -> Drawn:
        from matplotlib.figure import Figure

        drawn = Figure(figsize=(7.0, 2.7 * len(by_language) + 1.0), layout="constrained")
        panels = drawn.subplots(len(by_language), len(AXES), sharey="row", squeeze=False)
        for row, (language, runs) in zip(panels, by_language.items(), strict=True):
            for axes, metric in zip(row, AXES, strict=True):
                scatter(axes, _groups(runs, names, dashes, METRICS.index(metric)))
                axes.set_xlabel(AXES[metric], fontsize=8)
            row[0].set_ylabel(MultiBleu.label, fontsize=8)
            row[0].set_title(language, loc="left", fontweight="bold")
        shown = {system: runs[system] for runs in by_language.values() for system in names if system in runs}
        legend = _groups(shown, names, dashes, 0)
        drawn.legend(handles=handles(legend), loc="outside lower center", ncols=3, frameon=False, fontsize=7)
        return Drawn(
            drawn,
            title="BLEU against formality and perplexity over reruns (XFORMAL, Figure 4)",
            description="Two panels per language, one point per run. "
            + " ".join(_sentence(language, runs, names) for language, runs in by_language.items()),
        )

    return Rows(cells, ("lang", "system", "run", *(metric.name for metric in METRICS)), rows, draw=draw)


def _read(path: Path, names: dict[str, str]) -> Runs:
    """The runs of one language; systems without a name are left out."""
    runs: Runs = {}
    for line, (system, name, bleu, formality, perplexity, _, _) in read_csv(path, HEADER):
        system_runs = runs.setdefault(system, {})
        if name in system_runs:
            raise InputError(f"a second run {name} of system '{system}'", path=path, line=line)
        system_runs[name] = (
            field(bleu, path, line),
            field(formality, path, line),
            field(perplexity, path, line),
        )
    return {system: system_runs for system, system_runs in runs.items() if system in names}


def _gains(language: str, runs: Runs, names: dict[str, str], baseline: str) -> Cells:
    """The mean gain in multi-BLEU of each system's runs over the baseline."""
    if baseline not in runs:
        return {}
    bleu = {
        system: statistics.fmean(bleu for bleu, _, _ in system_runs.values())
        for system, system_runs in runs.items()
    }
    return {
        (names[system], language, GAIN): Cell(
            rounded(value - bleu[baseline], DECIMALS[MultiBleu]),
            f"{MultiBleu.label}|mean of {len(runs[system])} runs|over:{names[baseline]}",
        )
        for system, value in bleu.items()
        if system != baseline
    }


def _with_mean(runs: dict[str, tuple[float, float, float]]) -> dict[str, Sequence[float]]:
    """The runs and, if there are several, their mean and standard deviation."""
    if len(runs) < 2:
        return {**runs}
    columns = list(zip(*runs.values(), strict=True))
    return {**runs, "mean": [*map(statistics.fmean, columns)], "sd": [*map(statistics.stdev, columns)]}


def _groups(runs: Runs, names: dict[str, str], dashes: dict[str, Dash], place: int) -> list[Group]:
    """The systems of a panel; a system has the same marker in every panel."""
    return [
        Group(
            label,
            number,
            [(values[place], values[0]) for values in runs[system].values()],
            dashes.get(system, ""),
        )
        for number, (system, label) in enumerate(names.items())
        if system in runs
    ]


def _sentence(language: str, runs: Runs, names: dict[str, str]) -> str:
    """The means of a language's systems in words."""
    parts = []
    for system in (name for name in names if name in runs):
        means = [statistics.fmean(column) for column in zip(*runs[system].values(), strict=True)]
        count = f"{len(runs[system])} runs, " if len(runs[system]) > 1 else ""
        shown = [
            f"{metric.label} {rounded(mean, metric.decimals)}"
            for metric, mean in zip(METRICS, means, strict=True)
        ]
        parts.append(f"{names[system]}: {count}{', '.join(shown)}")
    return f"{language}: {'; '.join(parts)}."


if __name__ == "__main__":
    run(figure4)
