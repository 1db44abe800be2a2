"""Command: M-Acc and BLEU of translators under control, with intervals and tests (CoCoA-MT, Section 6)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workflow_scripts.control.data import (
    ALL,
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
from workflow_scripts.core.files import progress, read_lines, read_numbers
from workflow_scripts.prompting.made_by import read_signatures
from workflow_scripts.statistics.bleu import Reference
from workflow_scripts.statistics.comparison import Draws, Result, System, measure, set_p, texts
from workflow_scripts.statistics.metrics import EVEN_LOGIT, Bleu, Classified, MAcc, Metric
from workflow_scripts.text.levels import LEVELS

HEADER = (
    *("system", "level", "part", "metric", "value", "lowest", "highest", "ci_low", "ci_high", "p", "p_holm"),
    *("sentences", "matched", "runs", "signature"),
)
# The mean of both levels, "Avg" in Table 6.
BOTH = "both"
# The labels counted by M-Acc.
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
    classified: list[Path] | None = None,
    classifier: Path | None = None,
    resamples: int,
    confidence: float,
    seed: int,
) -> None:
    """Write the metrics of every system, at each level and in each part of the test set.

    m_acc.paper and m_acc.released are M-Acc by Algorithm 1 and by the released scorer (see
    `control.matching`), in per cent; the domains of a part are pooled before the division, as in Table 6.
    bleu is sacreBLEU of the translations against the references of the level or of the generic test set. The
    classifier is the share of translations to which a classifier gives the requested level. The
    level `both` is the mean of formal and informal. A system with several runs has their mean, lowest and
    highest value.

    Intervals and tests against the baseline are bootstraps over sentences and runs
    (`statistics.comparison`); p_holm is adjusted over the systems of a row's metric. Raises InputError for
    files that are not parallel, have an empty line, or do not match the manifest.

    :param scores: CSV to write: system, level, part (a domain, in-domain, out-of-domain, all), metric, value,
        lowest, highest, ci_low, ci_high, p, p_holm, sentences, matched (mean number of hypotheses that M-Acc
        counts), runs, signature; six decimals, empty if there is no value
    :param test_set: folder written by `control.test_set`
    :param runs: manifest of the outputs: system, level, run, output
    :param generic: references of generic test sets by their level in `runs`: wmt=FILE
    :param baseline: the system that others are tested against; no tests without one
    :param made_by: language models that made the outputs of some systems; CSV: system, signature
    :param classified: the classifier's scores of the translations, a file for each of them that is at a
        level, in the order of `runs`; one score a line, above 0 formal
    :param classifier: the file with the classifier's signature
    :param resamples: bootstrap samples
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    tests = read_test_set(test_set)
    references = _generic(generic or [])
    outputs = read_outputs(runs, (*LEVELS, *references))
    systems = list(dict.fromkeys(output.system for output in outputs))
    if baseline and baseline not in systems:
        raise InputError(f"the baseline '{baseline}' is not among the systems", path=runs)
    makers = read_signatures(made_by or [], systems)
    scored = _scores(outputs, classified or [], len(tests.source))
    if scored and classifier is None:
        raise InputError("scores without a classifier", fix="give --classifier")
    facts = read_lines(classifier)[0] if classifier and scored else ""
    results_of: Results = {}
    for level in LEVELS:
        files = _files(outputs, level, runs)
        written = [read_translations(output.path, len(tests.source)) for output in files]
        for part in PARTS:
            results_of |= _controlled(tests, language, level, part, files, written, draws)
            results_of |= _classified(tests, level, part, files, scored, facts, draws)
    for level, path in references.items():
        lines = read_lines(path, filled=True)
        files = _files(outputs, level, runs)
        written = [read_translations(output.path, len(lines), str(path)) for output in files]
        results_of[level, ALL, Bleu.name] = bleu(lines, language, files, written, draws)
    _average(results_of)
    for results in results_of.values():
        set_p(results, {system: baseline for system in results if system != baseline})
    rows = [
        _row(system, key, results[system], draws, makers.get(system, ""))
        for system in systems
        for key, results in results_of.items()
        if system in results
    ]
    write_csv(scores, HEADER, rows)


def m_acc_in(mode: Mode) -> str:
    """The name of M-Acc in a mode, as in the column `metric`."""
    return f"{MAcc.name}.{mode}"


def _files(outputs: Sequence[Output], level: str, manifest: Path) -> list[Output]:
    """The outputs at a level; InputError for a system with fewer runs there than elsewhere."""
    files = [output for output in outputs if output.level == level]
    for system in dict.fromkeys(output.system for output in files):
        known = {output.run for output in outputs if output.system == system}
        if len(known) != sum(output.system == system for output in files):
            raise InputError(f"system '{system}' has not as many runs at each level", path=manifest)
    return files


def _scores(outputs: Sequence[Output], files: Sequence[Path], count: int) -> dict[Path, list[float]]:
    """A classifier's scores of each file of translations at a level; none without files.

    Raises InputError for another number of files, and for a file with another number of scores.
    """
    if not files:
        return {}
    translations = [output.path for output in outputs if output.level in LEVELS]
    if len(files) != len(translations):
        raise InputError(f"{len(files)} --classified for {len(translations)} files of translations")
    found = {}
    for translation, path in zip(translations, files, strict=True):
        found[translation] = read_numbers(path)
        if len(found[translation]) != count:
            raise InputError(
                f"{len(found[translation])} scores where {translation} has {count} lines", path=path
            )
    return found


def _classified(
    tests: TestSet,
    level: str,
    part: str,
    files: Sequence[Output],
    scores: Mapping[Path, Sequence[float]],
    facts: str,
    draws: Draws,
) -> Results:
    """The share that a classifier gives to a level, in a part of the test set; empty without scores."""
    places = tests.places(part)
    if not places or not scores:
        return {}
    columns = []
    for output in files:
        formal = np.array([scores[output.path][place] for place in places]) > EVEN_LOGIT
        columns.append(100.0 * (formal if level == LEVELS[0] else ~formal)[:, None])
    results = _measured(Classified(), files, columns, f"{facts}|n:{len(places)}", draws)
    return {(level, part, Classified.name): results}


def _generic(options: Sequence[str]) -> dict[str, Path]:
    """The references of generic test sets by name."""
    references: dict[str, Path] = {}
    for option in options:
        name, _, path = option.partition("=")
        if not path or name in (*LEVELS, BOTH, *references):
            raise InputError(f"--generic {option}: not the references of one more test set", fix="wmt=FILE")
        references[name] = Path(path)
    return references


def _controlled(
    tests: TestSet,
    language: str,
    level: str,
    part: str,
    files: Sequence[Output],
    written: Sequence[Sequence[str]],
    draws: Draws,
) -> Results:
    """M-Acc in both modes and BLEU of a level in a part of the test set; empty if the part is empty."""
    places = tests.places(part)
    if not places:
        return {}
    results: Results = {}
    chosen = [[text[place] for place in places] for text in written]
    marked = [[tests.annotated[name][place] for place in places] for name in LEVELS]
    for mode in MODES:
        facts = f"{signature(mode, language, len(places))}|malformed:{malformed(*marked)}"
        columns = []
        for text in progress(chosen, f"{level} {part} {mode}", len(chosen), unit="file"):
            pairs = zip(text, *marked, strict=True)
            labels = np.array([label(*row, mode=mode, language=language) for row in pairs])
            columns.append(np.stack([labels == level.upper(), np.isin(labels, MATCHED)], axis=1))
        results[level, part, m_acc_in(mode)] = _measured(MAcc(), files, columns, facts, draws)
    plain = [tests.plain[level][place] for place in places]
    results[level, part, Bleu.name] = bleu(plain, language, files, chosen, draws)
    return results


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
    """The results by system; `columns`: for each file, an array of sentences x sums of the metric."""
    runs: dict[str, list[NDArray]] = {}
    for output, column in zip(files, columns, strict=True):
        runs.setdefault(output.system, []).append(column.astype(np.float64))
    systems = {name: System(name, np.stack(arrays, axis=1)) for name, arrays in runs.items()}
    return measure(metric, systems, draws, f"{facts}|bs:{draws.resamples}|seed:{draws.seed}")


def _average(results: Results) -> None:
    """Add the mean of both levels, run by run."""
    for (level, part, metric), formal in list(results.items()):
        if level != LEVELS[0]:
            continue
        informal = results[LEVELS[1], part, metric]
        results[BOTH, part, metric] = {
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
