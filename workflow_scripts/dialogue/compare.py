"""Command: the scores of all systems with polite and impolite users, with intervals and paired tests."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.dialogue.evaluate import Scores, found_gold, score
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import Database, load_database
from workflow_scripts.multiwoz.outputs import Outputs, read_outputs
from workflow_scripts.statistics.bleu import Reference
from workflow_scripts.statistics.comparison import Draws, Result, System, measure, set_p
from workflow_scripts.statistics.metrics import DIALOGUE, Bleu, Combined, Inform, Success

MANIFEST = ("system", "base", "polite", "impolite")
COLUMNS = (
    *("system", "dialogues", "metric", "value", "ci_low", "ci_high", "against", "p", "p_holm", "n"),
    *("states", "signature"),
)
# The scored dialogues: the test set, the originals of rewritten dialogues, and the rewritten (impolite) ones.
TEST, ORIGINAL, IMPOLITE = "test", "original", "impolite"
# The columns of a row's parts that each metric sums.
PARTS = {
    Inform.name: slice(0, 1),
    Success.name: slice(1, 2),
    Bleu.name: slice(2, None),
    Combined.name: slice(None),
}
# A missing file or system in a manifest.
NONE = "-"


@dataclass
class Row:
    """A system on a set of dialogues: the contribution of each dialogue to the scores of each training."""

    # Dialogues x trainings x columns: Inform and Success (0 or 100), then the statistics of BLEU.
    parts: NDArray[np.float64]
    # The states it is judged by: own, gold, or own+gold if its trainings differ.
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

    A system with several trainings gets their mean, and a resample draws from them too; with a single
    training, intervals and p-values do not cover the variation between trainings. Intervals are percentiles
    of a bootstrap over dialogues and trainings. A system's impolite dialogues are tested against the same
    dialogues with their original users; those of a system trained on more data, against its base system's
    impolite dialogues. Inform and Success, which are means over dialogues, are tested by paired
    randomisation, BLEU and the combined score by a paired bootstrap; p_holm is adjusted for all systems of a
    metric. Both sides of a test within one system use the same trainings. Raises InputError for responses
    that do not fit the dialogues.

    :param scores: CSV to write: system, dialogues (test, original or impolite), metric, value, ci_low,
        ci_high, against (system and dialogues of the test), p, p_holm, n (dialogues), states (own; gold,
        those of the test set, where a turn has none; own+gold if trainings differ), signature
    :param systems: manifest with a row for each training: system, base (the same system with less data),
        polite and impolite (files of responses in the JSON of the standard evaluator); `-` for none
    :param polite: all dialogues with polite users, JSON lines as `multiwoz.data` describes them
    :param test: the dialogues of the test set, a part of `polite`
    :param impolite: dialogues with impolite users, whose originals are in `polite`
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    database = load_database(*databases)
    known = {dialogue.id: dialogue for dialogue in read_dialogues(polite)}
    rude = read_dialogues(impolite) if impolite else []
    chosen = {TEST: _named(test, known, polite), ORIGINAL: [], IMPOLITE: rude}
    if impolite:
        chosen[ORIGINAL] = _named(impolite, known, polite)
    bases: dict[str, str] = {}
    rows: dict[tuple[str, str], Row] = {}
    for name, trainings in read_responses(systems).items():
        bases[name] = trainings[0][0]
        polite_files, impolite_files = ([training[column] for training in trainings] for column in (1, 2))
        for files, of, several in (
            (polite_files, list(known.values()), (TEST, ORIGINAL)),
            (impolite_files, rude, (IMPOLITE,)),
        ):
            if NONE not in files:
                answers = [read_outputs(Path(file), of) for file in files]
                for dialogues in several:
                    if chosen[dialogues]:
                        rows[name, dialogues] = row = _row(chosen[dialogues], answers, database)
                        for training in row.scores:
                            if warning := training.without_placeholders(f"{name}, {dialogues}"):
                                print(warning, file=sys.stderr)
    write_csv(scores, COLUMNS, _table(rows, bases, draws))


def read_responses(path: Path) -> dict[str, list[list[str]]]:
    """The trainings of each system: base, polite and impolite, as in the manifest that `compare` reads.

    Raises InputError if trainings of a system differ in their base, or in the users they respond to.
    """
    systems: dict[str, list[list[str]]] = {}
    for name, *row in read_manifest(path, MANIFEST):
        trainings = systems.setdefault(name, [])
        trainings.append(row)
        base, *files = row
        first, *others = trainings[0]
        if base != first or [file == NONE for file in files] != [file == NONE for file in others]:
            raise InputError(
                f"the trainings of '{name}' do not have the same base, or responses to the same users",
                path=path,
            )
    return systems


def _named(path: Path, known: dict[str, Dialogue], polite: Path) -> list[Dialogue]:
    """The polite dialogues of the ids in a file, in its order; InputError for an unknown id."""
    names = [dialogue.id for dialogue in read_dialogues(path)]
    if missing := [name for name in names if name not in known]:
        raise InputError(f"dialogue {missing[0]!r} is not in {polite}", path=path)
    return [known[name] for name in names]


def _row(dialogues: Sequence[Dialogue], answers: Sequence[Outputs], database: Database) -> Row:
    """The contributions and scores of a system; `answers`: its responses, one for each training."""
    starts = np.cumsum([0, *(len(dialogue.turns) for dialogue in dialogues)])[:-1]
    parts, states, scores = [], [], []
    for training in answers:
        chosen = {dialogue.id: training[dialogue.id] for dialogue in dialogues}
        scored = score(dialogues, chosen, database)
        theirs, ours = scored.texts
        turns = Reference([ours]).statistics(theirs)
        verdicts = [scored.verdicts[dialogue.id] for dialogue in dialogues]
        means = np.array([[100.0 * verdict.inform, 100.0 * verdict.success] for verdict in verdicts])
        parts.append(np.hstack([means, np.add.reduceat(turns, starts)]))
        states.append("gold" if found_gold(chosen, False) else "own")
        scores.append(scored)
    return Row(np.stack(parts, axis=1), "+".join(dict.fromkeys(states)), scores)


def _table(rows: dict[tuple[str, str], Row], bases: dict[str, str], draws: Draws) -> list[list[object]]:
    against: dict[tuple[str, str], tuple[str, str]] = {}
    for name, dialogues in rows:
        other = (bases[name], IMPOLITE) if bases[name] != NONE else (name, ORIGINAL)
        if dialogues == IMPOLITE and other in rows:
            against[name, dialogues] = other
    results: dict[str, dict[tuple[str, str], Result]] = {}
    for metric, columns in PARTS.items():
        # Keyed by the system's name, so that a resample has the same trainings for all dialogues.
        systems = {key: System(key[0], row.parts[..., columns]) for key, row in rows.items()}
        results[metric] = measure(DIALOGUE[metric], systems, draws)
        set_p(results[metric], against)
    table: list[list[object]] = []
    for key, row in rows.items():
        n, trainings, _ = row.parts.shape
        facts = f"n:{n}|trainings:{trainings}|states:{row.states}"
        facts += f"|resamples:{draws.resamples}|seed:{draws.seed}"
        if lost := sum(len(training.texts[0]) for training in row.scores if not training.placeholders):
            facts += f"|placeholders:0 of {lost} responses"
        for metric in PARTS:
            value, low, high, p, p_holm = results[metric][key].fields(draws)
            of = " ".join(against[key]) if p else ""
            bleu = f"|{row.scores[0].signature}" if metric in (Bleu.name, Combined.name) else ""
            table.append([*key, metric, value, low, high, of, p, p_holm, n, row.states, f"{facts}{bleu}"])
    return table


if __name__ == "__main__":
    run(compare)
