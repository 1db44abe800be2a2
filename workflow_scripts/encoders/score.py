"""Command: score sentences with a regressor or a classifier."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.files import check_targets, chunks, lines, progress, write_lines
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.encoders.model import arithmetic, load, longest_input, values
from workflow_scripts.encoders.ngrams import NGrams, is_ngrams
from workflow_scripts.encoders.sentences import PACKAGE, Sentences, is_recipe
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, prepare

# Sentences that are sorted by length together: many enough for full batches, few enough for any memory, and
# not too many to score again after a kill.
CHUNK = 20_000
# Distinct sentences, the first ones, whose scores are remembered for later chunks.
KNOWN = 200_000
# Sentences, and a name for the progress bar -> scores.
Scorer = Callable[[list[str], str], list[float]]
# Matrix products of so many rows have the same sums in each row, whatever the other rows are.
ROWS = 8


def score(
    regressor: Path,
    *,
    sources: list[Path],
    targets: list[Path],
    batch_size: int,
    max_length: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path | None = None,
) -> None:
    """Write a score for every sentence of every file: a regressor's raw output, unclipped.

    The score of a classifier is the logit of the positive class minus the other logit: above 0 is positive.

    A batch has sentences with the same number of word pieces, and is filled up to a multiple of 8. So no
    sentence is padded, and on a processor a score does not depend on the other sentences; on a GPU only the
    last bits of sums do, which 4 decimals rarely show. A repeated sentence is scored once (for huge inputs:
    once per 20,000 sentences, and once if it is among the first 200,000). Memory is bounded. With
    `checkpoints`, a killed run goes on after its last finished 20,000 sentences when it is started again
    with the same inputs and options, and ends with the same bytes as an uninterrupted run.

    A regressor on n-grams scores each sentence by itself, on the processor, and uses only the option threads.
    So does one on sentence vectors, which are encoded in batches: the other sentences of a batch can change
    only the last bits of sums.

    :param regressor: folder that encoders.train wrote
    :param sources: files with one sentence a line
    :param targets: files to write, one score a line, 4 decimals, parallel to the sources
    :param max_length: longer sentences are cut, in word pieces
    """
    check_targets(sources, targets)
    scorer: Scorer
    facts: dict[str, str] = {}
    tools: tuple[str, ...]
    if is_ngrams(regressor):
        fix_threads(threads)
        model = NGrams.read(regressor)
        scorer, tools = (lambda texts, _: model.score(texts)), ("scikit-learn",)
    elif is_recipe(regressor):
        fix_threads(threads)
        classifier = Sentences.read(regressor)
        scorer, tools = (lambda texts, _: classifier.score(texts)), (PACKAGE,)
    else:
        where = prepare(device, precision, threads)
        scorer, facts = _scorer(regressor, batch_size, max_length, where), where.facts()
        tools = ("torch", "transformers", "tokenizers")
    parts = None
    if checkpoints is not None:
        options = {"batch_size": batch_size, "max_length": max_length, "threads": threads, **facts}
        key = key_of("encoders.score", options, (regressor, *sources), *tools, targets=targets)
        parts = JobParts(checkpoints, key)
    score_files(sources, targets, scorer, parts)


def score_files(
    sources: Sequence[Path],
    targets: Sequence[Path],
    scorer: Scorer,
    parts: JobParts | None,
    size: int | None = None,
) -> None:
    """Write the score of every sentence, a repeated one scored once.

    Each `size` sentences are a part, 20,000 by default.
    """
    sentences = ((number, text) for number, source in enumerate(sources) for text in lines(source))
    empty = set(range(len(sources)))
    for number, group in groupby(_scored(sentences, scorer, parts, size), key=lambda pair: pair[0]):
        write_lines(targets[number], (value for _, value in group))
        empty.remove(number)
    for number in sorted(empty):
        write_lines(targets[number], [])
    if parts is not None:
        parts.remove()


def _scored(
    sentences: Iterable[tuple[int, str]],
    scorer: Scorer,
    parts: JobParts | None,
    size: int | None = None,
) -> Iterator[tuple[int, str]]:
    """Numbered sentences in, and their printed scores out, in chunks that run across files."""
    known: dict[str, str] = {}
    count = 0
    for number, chunk in enumerate(chunks(sentences, size or CHUNK)):
        texts = [text for _, text in chunk]
        name = f"sentences {count + 1:,} to {count + len(texts):,}"
        printed = parts.read(number, len(texts)) if parts else None
        if printed is None:
            new = [text for text in dict.fromkeys(texts) if text not in known]
            fresh = dict(zip(new, map(_printed, scorer(new, name)), strict=True))
            printed = [fresh[text] if text in fresh else known[text] for text in texts]
            if parts:
                parts.save(number, printed)
        else:
            print(f"{name}: were scored before", file=sys.stderr)
        for text, value in zip(texts, printed, strict=True):
            if len(known) == KNOWN:
                break
            known.setdefault(text, value)
        count += len(texts)
        yield from zip((source for source, _ in chunk), printed, strict=True)


def _printed(value: float) -> str:
    # Adding zero turns -0.0 into 0.0.
    return f"{round(value, 4) + 0.0:.4f}"


def _scorer(regressor: Path, batch_size: int, max_length: int, where: Resolved) -> Scorer:
    import torch

    model, tokenizer = load(regressor, where)
    model.eval()
    longest = longest_input(tokenizer, model, max_length)

    def scorer(sentences: list[str], name: str) -> list[float]:
        if not sentences:
            return []
        inputs = tokenizer(sentences, truncation=True, max_length=longest)["input_ids"]
        scores = [0.0] * len(inputs)
        order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]))
        same = groupby(order, key=lambda row: len(inputs[row]))
        batches = [rows for _, group in same for rows in chunks(group, batch_size)]
        for rows in progress(batches, name, unit="batch"):
            filler = [rows[0]] * (-len(rows) % ROWS)
            batch = torch.tensor([inputs[row] for row in rows + filler], device=where.device)
            with torch.inference_mode(), arithmetic(where):
                output = model(input_ids=batch, attention_mask=torch.ones_like(batch)).logits
            for row, value in zip(rows, values(output)[: len(rows)].tolist(), strict=True):
                scores[row] = value
        return scores

    return scorer


if __name__ == "__main__":
    run(score)
