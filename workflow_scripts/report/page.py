"""Command: every leaf on one page, the printed numbers beside ours."""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.core.files import writing
from workflow_scripts.core.pages import templates
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.leaves.registry import Leaf, load, load_papers
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.report import dag, facts
from workflow_scripts.report.layout import Table, language_heads, pretty, read, spaced
from workflow_scripts.report.rulegraph import HEADER
from workflow_scripts.report.settings_file import System, read_settings
from workflow_scripts.report.sheet import Sheet, sheet
from workflow_scripts.text.lexical import COLLAPSED

LONGEST = 12
# The rule that lists the sources: it takes every source, and says nothing about how leaves are made.
SOURCES = "used_sources"
# Below the folder of printed tables: the correlations of the regressors (Section 5.3), times 100.
PRINTED_RATINGS = "xformal/formality-ratings.csv"
_CHECKSUM = re.compile(r"[0-9a-f]{64}")
TEMPLATES = Path(__file__).parent / "templates"


def page(
    target: Path,
    *,
    results: Path,
    papers: list[str],
    leaves: Path,
    languages: Path,
    printed: Path,
    settings: Path,
    sources: Path,
    graph: Path,
    benchmarks: Path,
    spearman: Path,
    scores: list[Path] | None = None,
    plan: Path | None = None,
) -> None:
    """Write one HTML file without scripts and without anything to load.

    Every cell shows our number, and the printed one with the difference where the leaf's comparison has that
    cell. Figures are inline SVG, each with its text alternative. Two pages of the same results differ only in
    wall times, commit and versions.

    :param target: HTML to write
    :param results: folder with the leaves
    :param papers: the papers to show
    :param leaves: CSV: the registry of leaves, `papers.csv` beside it
    :param languages: CSV: code and label of each language
    :param printed: folder with the printed tables; one with the columns `significant` and `bold` gives the
        marks of its printed numbers, and `xformal/formality-ratings.csv` the regressors' correlations
    :param settings: the checked configuration, from `report.resolved`
    :param sources: CSV with the column `leaf`: where the data of each leaf are from, and their licences
    :param graph: CSV of the rules, from `report.rulegraph`
    :param benchmarks: folder with Snakemake's benchmark files; every job it contains is counted
    :param spearman: CSV of the regressors: language, spearman, n
    :param scores: files of the evaluation: systems whose outputs are mostly the same are listed at the top
    :param plan: CSV of `planning.plan`, shown with its table of nodes if it exists; it is made outside the
        workflow
    """
    chosen = read_settings(settings)
    scale = chosen.scale
    known = load(leaves)
    registered = load_papers(leaves.with_name("papers.csv"))
    origin = _by_leaf(sources)
    sections = []
    everything: list[Sheet] = []
    for paper in papers:
        if paper not in registered:
            raise InputError(f"unknown paper '{paper}'", fix=f"known: {', '.join(registered)}")
        chosen_leaves = [leaf for leaf in known if leaf.paper == paper]
        sheets = [sheet(leaf, results, printed, languages, scale) for leaf in chosen_leaves]
        everything += sheets
        entry = registered[paper]
        sections.append(
            {
                "key": paper,
                "name": entry.label,
                "cited": entry.citation,
                "sheets": sheets,
                "not_comparable": _not_comparable(chosen_leaves, scale),
            }
        )
    jobs = facts.jobs(benchmarks)
    environment = templates(TEMPLATES)
    environment.filters.update(clock=facts.clock, spaced=spaced)
    environment.globals["pretty"] = pretty
    text = environment.get_template("page.html").render(
        scale=scale,
        scaled=any(entry.leaf.scaled for entry in everything),
        sections=sections,
        count=len(everything),
        drawn=any(detail.sign for entry in everything for detail in entry.details),
        collapsed=_collapsed(scores or [], chosen.systems, language_heads(languages, True)),
        origin=origin,
        spearman=_spearman(spearman, printed / PRINTED_RATINGS, language_heads(languages, True)),
        picture=_picture(graph),
        rules=_rules(graph),
        seeds=chosen.seeds(),
        settings=chosen,
        made_with=facts.made_with(),
        stages=facts.stages(jobs),
        jobs=jobs,
        total=sum(job.seconds for job in jobs),
        longest=facts.longest(jobs, LONGEST),
        plans=_plans(plan),
    )
    with writing(target) as stream:
        stream.write(text)


def _not_comparable(leaves: list[Leaf], scale: str) -> str:
    """A text about leaves of a paper that cannot be compared with the printed numbers; empty if all can."""
    scaled = [leaf for leaf in leaves if leaf.scaled]
    if scale == "paper" or not scaled:
        return ""
    if len(scaled) == len(leaves):
        return "None of these numbers can be compared with the printed ones."
    return (
        f"{len(leaves) - len(scaled)} of these {len(leaves)} leaves come from released data at every scale; "
        "the numbers of the others cannot be compared with the printed ones."
    )


def _plans(path: Path | None) -> list[tuple[str, Table]]:
    """The existing tables of a plan: the cost of each rule, and the hours on some numbers of nodes."""
    if path is None:
        return []
    tables = {"Jobs of each rule": path, "Hours on some numbers of nodes": path.with_suffix(".nodes.csv")}
    return [(name, read(place)) for name, place in tables.items() if place.is_file()]


def _by_leaf(path: Path) -> dict[str, Table]:
    """The sources of each leaf, without the columns that name it; checksums are cut to twelve digits."""
    table = read(path)
    if "leaf" not in table.header:
        raise InputError("no column leaf", path=path, line=1)
    places = [place for place, name in enumerate(table.header) if name not in ("leaf", "paper")]
    by_leaf: dict[str, Table] = {}
    for row in table.rows:
        sources = by_leaf.setdefault(
            row[table.header.index("leaf")], Table([table.header[p] for p in places], [])
        )
        sources.rows.append([row[p][:12] if _CHECKSUM.fullmatch(row[p]) else row[p] for p in places])
    return by_leaf


def _spearman(path: Path, printed: Path, heads: dict[str, str]) -> list[dict[str, str]]:
    """The correlations of the regressors, ours and printed, with two decimals."""
    theirs = {
        lang: rounded(_percent(text, printed) / 100, 2)
        for (judge, measure, lang), text in read_printed(printed, "judge", "measure", "lang").items()
        if (judge, measure) == ("regressor", "spearman")
    }
    rows = []
    for line, row in read_rows(path, ("language", "spearman", "n")):
        language, ours = row["language"], row["spearman"]
        if language not in heads:
            raise InputError(f"unknown language {language[:40]!r}", path=path, line=line)
        # No correlation: there is nothing to correlate, or the numbers are all equal.
        shown = "–" if ours in ("", "nan") else rounded(number(ours, path, line), 2)
        rows.append(
            {
                "language": heads[language],
                "ours": shown,
                "printed": theirs.get(language, "–"),
                "n": str(whole(row["n"], path, line)),
            }
        )
    return rows


def _percent(text: str, path: Path) -> float:
    """A printed correlation, times 100."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text[:40]!r} is not a number", path=path) from None


def _collapsed(scores: list[Path], systems: dict[str, System], heads: dict[str, str]) -> list[str]:
    """The systems with few different outputs for different inputs, with language and number."""
    return [
        f"{systems[row['system']].label} ({heads[row['language']]}): {rounded(row['value'], 0)}"
        for path in scores
        for line, row in read_rows(path, ("system", "metric", "language", "value"))
        if row["metric"] == "distinct" and number(row["value"], path, line) < COLLAPSED
    ]


def _rules(path: Path) -> list[tuple[str, list[dict[str, str]]]]:
    """The rules by stage."""
    table = read(path)
    if table.header != list(HEADER):
        raise InputError(f"the columns are not {', '.join(HEADER)}", path=path, line=1)
    stages: dict[str, list[dict[str, str]]] = {}
    for row in table.rows:
        stages.setdefault(row[1], []).append(dict(zip(HEADER, row, strict=True)))
    return sorted(stages.items())


def _picture(path: Path) -> str:
    """The rules up to the leaves; rules that only build the page are left out."""
    rows = {rule["rule"]: rule for _, rules in _rules(path) for rule in rules}
    after = {name: row["after"].split() for name, row in rows.items()}
    frame = {name for name, row in rows.items() if row["stage"] == "report" or name == SOURCES}
    ends = {source for name in frame - {SOURCES} for source in after[name]} - frame
    return dag.draw(
        {name: [s for s in before if s not in frame] for name, before in after.items() if name not in frame},
        {name: rows[name]["stage"] for name in rows.keys() - frame},
        ends,
    )


if __name__ == "__main__":
    run(page)
