"""Command: does a regressor tell formal from informal sentences, paired and unpaired?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

COLUMNS = ("language", "measure", "value", "n")


def unpaired(out: Path, *, languages: list[str], informal: list[Path], formal: list[Path], seed: int) -> None:
    """Write four shares for each language, from 0 to 1.

    Comparing a sentence with its own rewrite only shows which of the two is more formal for the same content;
    a classifier in use sees one sentence at a time. `paired_accuracy` is the share of rewrites that score
    higher than the sentence they rewrite. `unpaired_auc` is the same for rewrites of *other* sentences: the
    area under the ROC curve, without the pairs. Ties count as half. `unpaired_accuracy` is the accuracy of a
    threshold on the score, averaged over both styles: no sentence is judged together with its rewrite, and
    the threshold is the best one for the other half of the sentences. `overstatement` is `paired_accuracy`
    minus `unpaired_auc`. Raises InputError if files do not match.

    :param out: table to write: language, measure, value, n (informal sentences)
    :param informal: scores of the informal sentences, a file per language
    :param formal: scores of their rewrites, parallel to them: all files of a language, then the next one's
    """
    if not languages or len(informal) != len(languages) or not formal or len(formal) % len(languages):
        raise InputError(
            f"{len(languages)} languages, {len(informal)} informal and {len(formal)} formal files",
            fix="give one informal file per language, and the same number of formal ones for each",
        )
    each = len(formal) // len(languages)
    rows: list[tuple[str, str, str, int]] = []
    for number, (language, path) in enumerate(zip(languages, informal, strict=True)):
        low, high = _read(path, formal[number * each : (number + 1) * each])
        shares = {
            "paired_accuracy": paired_accuracy(low, high),
            "unpaired_auc": unpaired_auc(low, high),
            "unpaired_accuracy": unpaired_accuracy(low, high, seed),
        }
        shares["overstatement"] = shares["paired_accuracy"] - shares["unpaired_auc"]
        rows += [(language, name, f"{share:.6f}", len(low)) for name, share in shares.items()]
    write_csv(out, COLUMNS, rows)


def _read(informal: Path, formal: list[Path]) -> tuple[Scores, Scores]:
    """The scores of the sentences, and of their rewrites (sentences x references)."""
    import numpy as np

    low = read_numbers(informal)
    if len(low) < 4:
        raise InputError(f"{len(low)} scores, too few to compare", path=informal)
    columns = []
    for path in formal:
        columns.append(read_numbers(path))
        if len(columns[-1]) != len(low):
            raise InputError(f"{len(columns[-1])} scores but {len(low)} in {informal}", path=path)
    return np.array(low), np.array(columns).T


def paired_accuracy(informal: Scores, formal: Scores) -> float:
    """The share of rewrites (sentences x references) that score above their sentence; ties count as half."""
    return float(_wins(formal, informal[:, None]).mean())


def unpaired_auc(informal: Scores, formal: Scores) -> float:
    """The share of rewrites that score higher than another sentence; ties count as half."""
    import numpy as np

    ordered = np.sort(informal)
    beaten = (np.searchsorted(ordered, formal, "left") + np.searchsorted(ordered, formal, "right")) / 2
    paired = _wins(formal, informal[:, None])
    return float((beaten - paired).sum() / (formal.size * (len(informal) - 1)))


def _wins(formal: Scores, informal: Scores) -> Scores:
    return (formal > informal) + 0.5 * (formal == informal)


def unpaired_accuracy(informal: Scores, formal: Scores, seed: int) -> float:
    """The accuracy of a threshold on sentences without their rewrites, averaged over both styles.

    The sentences are halved at random. The informal ones of one half and the rewrites of the other are judged
    by the threshold that is best for the rest, and vice versa; the result is the mean of both.
    """
    import numpy as np

    order = np.random.default_rng(seed).permutation(len(informal))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    accuracies = []
    for half, other in (halves, halves[::-1]):
        threshold = best_threshold(informal[other], formal[half].ravel())
        accuracies.append(_accuracy(threshold, informal[half], formal[other].ravel()))
    return float(np.mean(accuracies))


def best_threshold(informal: Scores, formal: Scores) -> float:
    """The lowest threshold, midway between two scores, from which scores are best judged formal."""
    import numpy as np

    candidates = np.unique(np.concatenate([informal, formal]))
    right = np.searchsorted(np.sort(informal), candidates) / len(informal)
    missed = np.searchsorted(np.sort(formal), candidates) / len(formal)
    best = int(np.argmax(right - missed))
    return float(candidates[max(best - 1, 0) : best + 1].mean())


def _accuracy(threshold: float, informal: Scores, formal: Scores) -> float:
    return float(((informal < threshold).mean() + (formal >= threshold).mean()) / 2)


if __name__ == "__main__":
    run(unpaired)
