"""Command: M-Acc and BLEU of translators under control, with intervals and tests (CoCoA-MT, Section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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
from workflow_scripts.control.matching import MODES, WITHOUT_SPACES, label, malformed, signature
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_lines
from workflow_scripts.prompting.made_by import read_signatures

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADER = (
    *("system", "level", "part", "metric", "value", "lowest", "highest", "ci_low", "ci_high", "p", "p_holm"),
    *("sentences", "matched", "runs", "signature"),
)
# The mean of both levels, where Table 6 has "Avg".
BOTH = "both"


@dataclass
class Result:
    """A metric of one system: of each run, and averaged over the runs of each resample."""

    values: list[float]
    samples: NDArray
    # Hypotheses that the metric sees, of each run: M-Acc leaves out what matches neither level, or both.
    matched: list[int]
    sentences: int
    signature: str
    p: float | None = None
    p_holm: float | None = None

    @property
    def mean(self) -> float:
        """Over the runs."""
        return sum(self.values) / len(self.values)


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

    Intervals are percentiles of a bootstrap over sentences and runs, tests against the baseline are paired
    bootstraps of the same resamples, p_holm is adjusted over the systems of a row's metric. Raises InputError
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
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError("resamples must be at least 1 and confidence between 0 and 1")
    tests = read_test_set(test_set)
    references = _generic(generic or [])
    outputs = read_outputs(runs, (*LEVELS, *references))
    systems = list(dict.fromkeys(one.system for one in outputs))
    if baseline and baseline not in systems:
        raise InputError(f"the baseline '{baseline}' is not among the systems", path=runs)
    makers = read_signatures(made_by or [], systems)
    draws = Draws(outputs, resamples, seed)
    found: Results = {}
    for level in LEVELS:
        files = [one for one in outputs if one.level == level]
        texts = [read_translations(one.path, len(tests.source)) for one in files]
        for part in PARTS:
            draws.controlled(found, tests, language, level, part, files, texts)
    for level, path in references.items():
        lines = read_lines(path, filled=True)
        files = [one for one in outputs if one.level == level]
        texts = [read_translations(one.path, len(lines), str(path)) for one in files]
        found[level, ALL, "bleu"] = draws.bleu(lines, language, files, texts)
    _average(found)
    for results in found.values():
        _compare(results, baseline)
    rows = [
        _row(system, key, results[system], confidence, makers.get(system, ""))
        for system in systems
        for key, results in found.items()
        if system in results
    ]
    write_csv(scores, HEADER, rows)


def _generic(options: Sequence[str]) -> dict[str, Path]:
    """The references of generic test sets by name."""
    found: dict[str, Path] = {}
    for option in options:
        name, _, path = option.partition("=")
        if not path or name in (*LEVELS, BOTH, *found):
            raise InputError(f"--generic {option}: not the references of one more test set", fix="wmt=FILE")
        found[name] = Path(path)
    return found


class Draws:
    """Metrics of files of translations, on the same resamples for all systems."""

    def __init__(self, outputs: Sequence[Output], resamples: int, seed: int) -> None:
        """`outputs`: all files, of which a system's runs are counted."""
        from workflow_scripts.statistics import resampling

        self.tests, self.resamples, self.seed = resampling, resamples, seed
        counts: dict[str, set[str]] = {}
        for one in outputs:
            counts.setdefault(one.system, set()).add(one.run)
        self.weights = {
            system: resampling.run_weights(system, len(runs), resamples, seed, fixed=False)
            for system, runs in counts.items()
        }

    def controlled(
        self,
        found: Results,
        tests: TestSet,
        language: str,
        level: str,
        part: str,
        files: Sequence[Output],
        texts: Sequence[Sequence[str]],
    ) -> None:
        """Add M-Acc in both modes and BLEU of one level in one part of the test set."""
        places = tests.places(part)
        if not places:
            return
        chosen = [[text[place] for place in places] for text in texts]
        marked = [[tests.annotated[name][place] for place in places] for name in LEVELS]
        for mode in MODES:
            facts = f"{signature(mode, language, len(places))}|malformed:{malformed(*marked)}"
            labels = [
                [label(*row, mode=mode, language=language) for row in zip(text, *marked, strict=True)]
                for text in progress(chosen, f"{level} {part} {mode}", len(chosen), unit="file")
            ]
            found[level, part, f"m_acc.{mode}"] = self._accuracies(labels, level, files, facts)
        plain = [tests.plain[level][place] for place in places]
        found[level, part, "bleu"] = self.bleu(plain, language, files, chosen)

    def _accuracies(
        self, labels: Sequence[Sequence[str]], level: str, files: Sequence[Output], facts: str
    ) -> dict[str, Result]:
        """The share of a level among what is either level, in per cent, 0 where nothing is."""
        import numpy as np

        if not labels:
            return {}
        table = np.array(labels)
        columns = np.stack([table == level.upper(), (table == "FORMAL") | (table == "INFORMAL")], axis=-1)
        # sentences x files x (wanted, matched)
        columns = columns.transpose(1, 0, 2).astype(np.float64)

        def shares(sums: NDArray) -> NDArray:
            wanted, matched = sums[..., 0], sums[..., 1]
            return 100 * np.divide(wanted, matched, out=np.zeros_like(wanted), where=matched > 0)

        values = [float(value) for value in shares(columns.sum(axis=0))]
        matched = [int(count) for count in columns[..., 1].sum(axis=0)]
        return self._results(files, values, matched, columns, shares, facts)

    def bleu(
        self,
        references: Sequence[str],
        language: str,
        files: Sequence[Output],
        texts: Sequence[Sequence[str]],
    ) -> dict[str, Result]:
        """Corpus BLEU against one reference per sentence; Japanese by MeCab's words."""
        import numpy as np

        from workflow_scripts.statistics.bleu import Reference, bleu_of_sums

        if not texts:
            return {}
        reference = Reference([references], "ja-mecab" if language in WITHOUT_SPACES else None)
        columns = np.stack([reference.statistics(text) for text in texts], axis=1)
        values = [reference.score(text) for text in texts]
        facts = f"{reference.signature(self.resamples, self.seed)}|n:{len(references)}"
        return self._results(files, values, [len(references)] * len(files), columns, bleu_of_sums, facts)

    def _results(
        self,
        files: Sequence[Output],
        values: Sequence[float],
        matched: Sequence[int],
        columns: NDArray,
        metric: Callable[[NDArray], NDArray],
        facts: str,
    ) -> dict[str, Result]:
        """The results by system; `columns`: sentences x files x the numbers whose sums the metric takes."""
        size = len(columns)
        sums = self.tests.bootstrap_sums(columns.reshape(size, -1), self.resamples, self.seed)
        samples = metric(sums.reshape(self.resamples, *columns.shape[1:]))
        found: dict[str, Result] = {}
        for system in dict.fromkeys(one.system for one in files):
            own = [place for place, one in enumerate(files) if one.system == system]
            weights = self.weights[system]
            if len(own) != weights.shape[1]:
                raise InputError(f"system '{system}' has not as many runs at each level")
            found[system] = Result(
                [values[place] for place in own],
                (weights * samples[:, own]).sum(axis=1),
                [matched[place] for place in own],
                size,
                f"{facts}|bs:{self.resamples}|seed:{self.seed}|runs:{len(own)}",
            )
        return found


def _average(found: Results) -> None:
    """Add the mean of both levels, run by run."""
    for (level, part, metric), formal in list(found.items()):
        if level != LEVELS[0]:
            continue
        informal = found[LEVELS[1], part, metric]
        found[BOTH, part, metric] = {
            system: Result(
                [(one + two) / 2 for one, two in zip(result.values, other.values, strict=True)],
                (result.samples + other.samples) / 2,
                [one + two for one, two in zip(result.matched, other.matched, strict=True)],
                result.sentences,
                f"{result.signature}|mean:{'+'.join(LEVELS)}",
            )
            for system, result in formal.items()
            if (other := informal.get(system)) is not None
        }


def _compare(results: Mapping[str, Result], baseline: str) -> None:
    """Set the p-values of all systems but the baseline, adjusted among them."""
    from workflow_scripts.statistics.correction import holm
    from workflow_scripts.statistics.resampling import bootstrap_p

    if baseline not in results:
        return
    base = results[baseline]
    tested = [result for system, result in results.items() if system != baseline]
    for result in tested:
        result.p = bootstrap_p(result.samples - base.samples, result.mean - base.mean)
    for result, adjusted in zip(tested, holm([result.p or 0.0 for result in tested]), strict=True):
        result.p_holm = adjusted


def _row(
    system: str, key: tuple[str, str, str], result: Result, confidence: float, maker: str
) -> list[object]:
    from workflow_scripts.statistics.resampling import interval

    numbers = (result.mean, min(result.values), max(result.values), *interval(result.samples, confidence))
    texts = ["" if number is None else f"{number:.6f}" for number in (*numbers, result.p, result.p_holm)]
    matched = f"{sum(result.matched) / len(result.matched):g}"
    made = f"{result.signature}{maker}"
    return [system, *key, *texts, result.sentences, matched, len(result.values), made]


if __name__ == "__main__":
    run(score)
