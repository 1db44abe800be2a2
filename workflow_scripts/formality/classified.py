"""Command: score sentences with a classifier trained on both styles in the other folds."""

from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel, write_lines
from workflow_scripts.encoders.ngrams import learn


def classified(
    *,
    sources: list[Path],
    targets: list[Path],
    folds: int,
    seed: int,
    shortest: int,
    longest: int,
    min_sentences: int,
    penalty: float,
    threads: int,
) -> None:
    """Write a score for every sentence: negative for informal, positive for formal.

    A regressor learned formality from ratings of other sentences, in another language; this classifier learns
    the two styles from the sentences themselves, so that its failures are not for lack of examples. It is
    ridge regression of -1 and 1 on character n-grams, trained on all sentences and rewrites outside the fold;
    a sentence and its rewrites share a fold, and both styles have equal weight.

    :param sources: informal sentences, then files of their formal rewrites, parallel to them
    :param targets: files of scores to write, 4 decimals, parallel to the sources
    :param folds: number of folds
    :param shortest: characters of the shortest n-grams
    :param longest: characters of the longest n-grams
    :param min_sentences: n-grams in fewer training sentences are dropped
    :param penalty: alpha of the ridge regression
    """
    fix_threads(threads)
    import numpy as np

    if len(sources) != len(targets) or len(sources) < 2:
        raise InputError(
            f"{len(sources)} sources and {len(targets)} targets",
            fix="give informal sentences, at least one file of rewrites, and as many targets",
        )
    texts = read_parallel(*sources)
    count, references = len(texts[0]), len(texts) - 1
    if not 2 <= folds <= count:
        raise InputError(f"{count} sentences for {folds} folds", path=sources[0])
    fold = np.random.default_rng(seed).permutation(count) % folds
    scores = np.zeros((len(texts), count))
    for out in range(folds):
        chosen, rest = np.flatnonzero(fold != out), np.flatnonzero(fold == out)
        # Informal sentences occur once per reference, so that there are as many as rewrites.
        columns = [0] * references + list(range(1, references + 1))
        model = learn(
            [texts[column][row] for column in columns for row in chosen],
            [1.0 if column else -1.0 for column in columns for _ in chosen],
            shortest=shortest,
            longest=longest,
            min_sentences=min_sentences,
            penalty=penalty,
        )
        for column, sentences in enumerate(texts):
            scores[column, rest] = model.score([sentences[row] for row in rest])
    for target, values in zip(targets, scores, strict=True):
        write_lines(target, (f"{round(value, 4) + 0.0:.4f}" for value in values.tolist()))


if __name__ == "__main__":
    run(classified)
