"""Command: the scores of all systems with polite and impolite users, with intervals and paired tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.dialogue.data import Dialogue, read_dialogues
from workflow_scripts.dialogue.database import Database, load_database
from workflow_scripts.dialogue.evaluate import METRICS, Scores, found_gold, score
from workflow_scripts.dialogue.outputs import Outputs, read_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MANIFEST = ("system", "base", "polite", "impolite")
COLUMNS = (
    *("system", "dialogues", "metric", "value", "ci_low", "ci_high", "against", "p", "p_holm", "n"),
    "signature",
)
# What is scored: the test set, the originals of rewritten dialogues, and these with impolite users.
TEST, ORIGINAL, IMPOLITE = "test", "original", "impolite"
# In a manifest, for a file or a system that is not there.
NONE = "-"


@dataclass
class Row:
    """A system on some dialogues: what each of them adds to the scores of each of its trainings."""

    # Dialogues x trainings x columns: Inform and Success (0 or 100), then the statistics of BLEU.
    parts: NDArray[np.float64]
    states: str
    # Of each training.
    scores: list[Scores]


def compare(
    scores: Path,
    *,
    systems: Path,
    polite: Path,
    test: Path,
    databases: list[Path],
    resamples: int,
    confidence: float,
    seed: int,
    impolite: Path | None = None,
) -> None:
    """Write the metrics of every system on the test set, the original and the impolite dialogues.

    A system with several trainings gets their mean, and a resample draws from them too; of one training, what
    another one would give is in no interval and no p-value. Intervals are percentiles of a bootstrap over
    dialogues and trainings. A system's impolite dialogues are tested against
    the same dialogues with their original users, or, of a system that is another one trained on more data,
    against that one's impolite dialogues. Inform and Success, which are means over dialogues, are tested by
    paired randomisation, BLEU and the combined score by a paired bootstrap; p_holm is adjusted for all
    systems of a metric. Both sides of a test of one system are the same trainings. Raises InputError for
    responses that do not fit the dialogues.

    :param scores: CSV to write: system, dialogues (test, original or impolite), metric, value, ci_low,
        ci_high, against (system and dialogues of the test), p, p_holm, n (dialogues), signature
    :param systems: manifest: system, base (the system that it is with more data), polite and impolite (files
        of responses in the JSON of the standard evaluator), a row for each training; `-` for none
    :param polite: all dialogues with polite users, JSON lines as `dialogue.data` describes them
    :param test: those of the test set among them
    :param databases: files <domain>_db.json
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param confidence: share of the samples in an interval, such as 0.95
    :param seed: of all draws
    :param impolite: dialogues with impolite users; their originals are among the polite ones
    """
    fix_threads(1)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError("resamples must be at least 1 and confidence between 0 and 1")
    database = load_database(*databases)
    known = {one.id: one for one in read_dialogues(polite)}
    rude = read_dialogues(impolite) if impolite else []
    chosen = {TEST: _named(test, known, polite), ORIGINAL: [], IMPOLITE: rude}
    if impolite:
        chosen[ORIGINAL] = _named(impolite, known, polite)
    bases: dict[str, str] = {}
    rows: dict[tuple[str, str], Row] = {}
    for name, trainings in read_responses(systems).items():
        bases[name] = trainings[0][0]
        polite_files, impolite_files = ([one[column] for one in trainings] for column in (1, 2))
        for files, of, several in (
            (polite_files, list(known.values()), (TEST, ORIGINAL)),
            (impolite_files, rude, (IMPOLITE,)),
        ):
            if NONE not in files:
                answers = [read_outputs(Path(file), of) for file in files]
                for dialogues in several:
                    if chosen[dialogues]:
                        rows[name, dialogues] = row = _row(chosen[dialogues], answers, database)
                        for one in row.scores:
                            if warning := one.without_placeholders(f"{name}, {dialogues}"):
                                print(warning, file=sys.stderr)
    write_csv(scores, COLUMNS, _table(rows, bases, resamples, confidence, seed))


def read_responses(path: Path) -> dict[str, list[list[str]]]:
    """The trainings of each system: base, polite and impolite, as in the manifest that `compare` reads.

    Raises InputError if trainings of a system have not the same base, or not responses to the same users.
    """
    found: dict[str, list[list[str]]] = {}
    for name, *row in read_manifest(path, MANIFEST):
        trainings = found.setdefault(name, [])
        trainings.append(row)
        base, *files = row
        first, *others = trainings[0]
        if base != first or [one == NONE for one in files] != [one == NONE for one in others]:
            raise InputError(
                f"the trainings of '{name}' do not have the same base, or responses to the same users",
                path=path,
            )
    return found


def _named(path: Path, known: dict[str, Dialogue], polite: Path) -> list[Dialogue]:
    """The polite dialogues that a file has, in its order; InputError if one is not among them."""
    names = [one.id for one in read_dialogues(path)]
    if missing := [name for name in names if name not in known]:
        raise InputError(f"dialogue {missing[0]!r} is not in {polite}", path=path)
    return [known[name] for name in names]


def _row(dialogues: Sequence[Dialogue], answers: Sequence[Outputs], database: Database) -> Row:
    """`answers`: of each training."""
    import numpy as np

    from workflow_scripts.statistics.bleu import Reference

    starts = np.cumsum([0, *(len(one.turns) for one in dialogues)])[:-1]
    parts, states, scores = [], [], []
    for training in answers:
        chosen = {one.id: training[one.id] for one in dialogues}
        found = score(dialogues, chosen, database)
        theirs, ours = found.texts
        turns = Reference([ours]).statistics(theirs)
        verdicts = [found.verdicts[one.id] for one in dialogues]
        means = np.array([[100.0 * one.inform, 100.0 * one.success] for one in verdicts])
        parts.append(np.hstack([means, np.add.reduceat(turns, starts)]))
        states.append("gold" if found_gold(chosen, False) else "own")
        scores.append(found)
    return Row(np.stack(parts, axis=1), "+".join(dict.fromkeys(states)), scores)


def _metrics(sums: NDArray[np.float64], count: int) -> dict[str, NDArray[np.float64]]:
    """Each metric of sums over dialogues, of shape (..., columns)."""
    from workflow_scripts.statistics.bleu import bleu_of_sums

    inform, success = sums[..., 0] / count, sums[..., 1] / count
    bleu = bleu_of_sums(sums[..., 2:])
    return {"inform": inform, "success": success, "bleu": bleu, "combined": (inform + success) / 2 + bleu}


def _table(
    rows: dict[tuple[str, str], Row], bases: dict[str, str], resamples: int, confidence: float, seed: int
) -> list[list[object]]:
    from workflow_scripts.statistics.correction import holm
    from workflow_scripts.statistics.resampling import bootstrap_p, bootstrap_sums, interval, run_weights

    values, samples, weights = {}, {}, {}
    for key, row in rows.items():
        count, trainings, columns = row.parts.shape
        of_trainings = _metrics(row.parts.sum(axis=0), count)
        values[key] = {metric: float(found.mean()) for metric, found in of_trainings.items()}
        sums = bootstrap_sums(row.parts.reshape(count, -1), resamples, seed)
        drawn = _metrics(sums.reshape(resamples, trainings, columns), count)
        # By the system's name: whatever the dialogues, a resample has the same trainings.
        weights[key] = run_weights(key[0], trainings, resamples, seed, fixed=False)
        samples[key] = {metric: (weights[key] * found).sum(axis=1) for metric, found in drawn.items()}
    found: dict[tuple[str, str, str], float] = {}
    against: dict[tuple[str, str], tuple[str, str]] = {}
    for name, dialogues in rows:
        other = (bases[name], IMPOLITE) if bases[name] != NONE else (name, ORIGINAL)
        if dialogues != IMPOLITE or other not in rows:
            continue
        key = (name, dialogues)
        against[key] = other
        for at, metric in enumerate(METRICS):
            if metric in ("inform", "success"):
                pair = (rows[key].parts[..., at], rows[other].parts[..., at])
                found[*key, metric] = _mean_p(*pair, (weights[key], weights[other]), resamples, seed)
            else:
                gap = values[key][metric] - values[other][metric]
                found[*key, metric] = bootstrap_p(samples[key][metric] - samples[other][metric], gap)
    adjusted: dict[tuple[str, str, str], float] = {}
    for metric in METRICS:
        keys = [key for key in found if key[2] == metric]
        adjusted.update(zip(keys, holm([found[key] for key in keys]), strict=True))
    table: list[list[object]] = []
    for key, row in rows.items():
        n, trainings, _ = row.parts.shape
        facts = f"n:{n}|trainings:{trainings}|states:{row.states}|resamples:{resamples}|seed:{seed}"
        if lost := sum(len(one.texts[0]) for one in row.scores if not one.placeholders):
            facts += f"|placeholders:0 of {lost} responses"
        for metric in METRICS:
            low, high = interval(samples[key][metric], confidence)
            place = (*key, metric)
            tested = (
                [" ".join(against[key]), found[place], adjusted[place]] if place in found else ["", "", ""]
            )
            bleu = f"|{row.scores[0].signature}" if metric in ("bleu", "combined") else ""
            numbers = [f"{one:.6f}" for one in (values[key][metric], low, high)]
            shown = [f"{one:.6f}" if isinstance(one, float) else one for one in tested]
            table.append([*key, metric, *numbers, *shown, n, f"{facts}{bleu}"])
    return table


def _mean_p(
    one: NDArray[np.float64],
    two: NDArray[np.float64],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    trials: int,
    seed: int,
) -> float:
    """p of paired randomisation for means over dialogues; `one` and `two`: dialogues x trainings."""
    from workflow_scripts.statistics.resampling import flipped_sums, paired_p, randomisation_p

    if one.shape[1] == two.shape[1] == 1:
        return paired_p(one[:, 0], two[:, 0], trials, seed)
    flipped = [flipped_sums(side, trials, seed) / len(side) for side in (one, two)]
    return randomisation_p(flipped[0], flipped[1], weights, (one.mean(axis=0), two.mean(axis=0)))


if __name__ == "__main__":
    run(compare)
