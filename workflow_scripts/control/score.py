"""Command: M-Acc and BLEU of translators under control, with intervals and tests (CoCoA-MT, Section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workflow_scripts.control.data import (
    ALL,
    LEVELS,
    PARTS,
    Output,
    TestSet,
    read_outputs,
    read_test_set,
    read_translations,
)
from workflow_scripts.control.matching import MODES, WITHOUT_SPACES, Mode, label, malformed, signature
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_lines
from workflow_scripts.prompting.made_by import read_signatures
from workflow_scripts.statistics.bleu import Reference
from workflow_scripts.statistics.comparison import Draws, Result, System, measure, set_p, texts
from workflow_scripts.statistics.metrics import Bleu, MAcc, Metric

HEADER = (
    *("system", "level", "part", "metric", "value", "lowest", "highest", "ci_low", "ci_high", "p", "p_holm"),
    *("sentences", "matched", "runs", "signature"),
)
# The mean of both levels, where Table 6 has "Avg".
BOTH = "both"
# The labels that M-Acc counts.
MATCHED = [level.upper() for level in LEVELS]


# (level, part, metric) -> system -> result
Results = dict[tuple[str, str, str], dict[str, Result]]


def score(
    scores: Path,
    *,
    language: str,
    test_set: Path,
    runs: Path,
    generic: list[str] | None = None,
    baseline: str = "",
    made_by: list[Path] | None = None,
    resamples: int,
    confidence: float,
    seed: int,
) -> None:
    """Write the metrics of every system, at each level and in each part of the test set.

    m_acc.paper and m_acc.released are M-Acc by Algorithm 1 and by the released scorer (see
    `control.matching`), in per cent; the domains of a part are pooled before the division, as in Table 6.
    bleu is sacreBLEU of the level's translations against its references, and of generic test sets against
    theirs. The level `both` is the mean of formal and informal. A system with several runs gets their mean,
    and the lowest and the highest of them.

    Intervals and tests against the baseline are those of `statistics.comparison`, bootstraps over sentences
    and runs; p_holm is adjusted over the systems of a row's metric. Raises InputError
    for files that are not parallel, have an empty line, or are not what a manifest lists.

    :param scores: CSV to write: system, level, part (a domain, in-domain, out-of-domain, all), metric, value,
        lowest, highest, ci_low, ci_high, p, p_holm, sentences, matched (mean number of hypotheses that M-Acc
        counts), runs, signature; six decimals, empty where there is none
    :param language: code of the target language
    :param test_set: folder as `control.test_set` writes it
    :param runs: manifest of the outputs: system, level, run, output
    :param generic: references of generic test sets by the name that `runs` has as their level: wmt=FILE
    :param baseline: the system against which others are tested; without one there are no tests
    :param made_by: which language models made the outputs of some systems; CSV: system, signature
    :param resamples: bootstrap samples
    :param confidence: share of the samples in an interval
    :param seed: of all draws
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    tests = read_test_set(test_set)
    references = _generic(generic or [])
    outputs = read_outputs(runs, (*LEVELS, *references))
    systems = list(dict.fromkeys(one.system for one in outputs))
    if baseline and baseline not in systems:
        raise InputError(f"the baseline '{baseline}' is not among the systems", path=runs)
    makers = read_signatures(made_by or [], systems)
    found: Results = {}
    for level in LEVELS:
        files = _files(outputs, level, runs)
        written = [read_translations(one.path, len(tests.source)) for one in files]
        for part in PARTS:
            found |= _controlled(tests, language, level, part, files, written, draws)
    for level, path in references.items():
        lines = read_lines(path, filled=True)
        files = _files(outputs, level, runs)
        written = [read_translations(one.path, len(lines), str(path)) for one in files]
        found[level, ALL, Bleu.name] = bleu(lines, language, files, written, draws)
    _average(found)
    for results in found.values():
        set_p(results, {system: baseline for system in results if system != baseline})
    rows = [
        _row(system, key, results[system], draws, makers.get(system, ""))
        for system in systems
        for key, results in found.items()
        if system in results
    ]
    write_csv(scores, HEADER, rows)


def m_acc_in(mode: Mode) -> str:
    """What M-Acc in a mode is called in the rows of scores."""
    return f"{MAcc.name}.{mode}"


def _files(outputs: Sequence[Output], level: str, manifest: Path) -> list[Output]:
    """The outputs at a level; InputError for a system that has fewer runs there than elsewhere."""
    files = [one for one in outputs if one.level == level]
    for system in dict.fromkeys(one.system for one in files):
        known = {one.run for one in outputs if one.system == system}
        if len(known) != sum(one.system == system for one in files):
            raise InputError(f"system '{system}' has not as many runs at each level", path=manifest)
    return files


def _generic(options: Sequence[str]) -> dict[str, Path]:
    """The references of generic test sets by name."""
    found: dict[str, Path] = {}
    for option in options:
        name, _, path = option.partition("=")
        if not path or name in (*LEVELS, BOTH, *found):
            raise InputError(f"--generic {option}: not the references of one more test set", fix="wmt=FILE")
        found[name] = Path(path)
    return found


def _controlled(
    tests: TestSet,
    language: str,
    level: str,
    part: str,
    files: Sequence[Output],
    written: Sequence[Sequence[str]],
    draws: Draws,
) -> Results:
    """M-Acc in both modes and BLEU of one level in one part of the test set; nothing of an empty part."""
    places = tests.places(part)
    if not places:
        return {}
    found: Results = {}
    chosen = [[text[place] for place in places] for text in written]
    marked = [[tests.annotated[name][place] for place in places] for name in LEVELS]
    for mode in MODES:
        facts = f"{signature(mode, language, len(places))}|malformed:{malformed(*marked)}"
        columns = []
        for text in progress(chosen, f"{level} {part} {mode}", len(chosen), unit="file"):
            pairs = zip(text, *marked, strict=True)
            labels = np.array([label(*row, mode=mode, language=language) for row in pairs])
            columns.append(np.stack([labels == level.upper(), np.isin(labels, MATCHED)], axis=1))
        found[level, part, m_acc_in(mode)] = _measured(MAcc(), files, columns, facts, draws)
    plain = [tests.plain[level][place] for place in places]
    found[level, part, Bleu.name] = bleu(plain, language, files, chosen, draws)
    return found


def bleu(
    references: Sequence[str],
    language: str,
    files: Sequence[Output],
    written: Sequence[Sequence[str]],
    draws: Draws,
) -> dict[str, Result]:
    """Corpus BLEU against one reference per sentence, by system; Japanese by MeCab's words."""
    if not written:
        return {}
    reference = Reference([references], "ja-mecab" if language in WITHOUT_SPACES else None)
    columns = [reference.statistics(text) for text in written]
    return _measured(Bleu(), files, columns, f"{reference.signature(draws)}|n:{len(references)}", draws)


def _measured(
    metric: Metric, files: Sequence[Output], columns: Sequence[NDArray], facts: str, draws: Draws
) -> dict[str, Result]:
    """The results by system; `columns`: of each file, sentences x what the metric sums."""
    runs: dict[str, list[NDArray]] = {}
    for one, column in zip(files, columns, strict=True):
        runs.setdefault(one.system, []).append(column.astype(np.float64))
    systems = {name: System(name, np.stack(own, axis=1)) for name, own in runs.items()}
    return measure(metric, systems, draws, f"{facts}|bs:{draws.resamples}|seed:{draws.seed}")


def _average(found: Results) -> None:
    """Add the mean of both levels, run by run."""
    for (level, part, metric), formal in list(found.items()):
        if level != LEVELS[0]:
            continue
        informal = found[LEVELS[1], part, metric]
        found[BOTH, part, metric] = {
            system: Result(
                (result.values + other.values) / 2,
                (result.samples + other.samples) / 2,
                result.counted + other.counted,
                result.sentences,
                f"{result.signature}|mean:{'+'.join(LEVELS)}",
            )
            for system, result in formal.items()
            if (other := informal.get(system)) is not None
        }


def _row(system: str, key: tuple[str, str, str], result: Result, draws: Draws, maker: str) -> list[object]:
    value, *others = result.fields(draws)
    runs = texts(result.values.min(), result.values.max())
    counts = (result.sentences, f"{result.counted.mean():g}", len(result.values))
    return [system, *key, value, *runs, *others, *counts, f"{result.signature}{maker}"]


if __name__ == "__main__":
    run(score)
