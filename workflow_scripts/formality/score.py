"""Command: score sentences with a formality regressor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from workflow_scripts.command import fix_threads, run
from workflow_scripts.errors import InputError
from workflow_scripts.files import chunks, lines, progress, write_lines
from workflow_scripts.formality.regression import Device, Precision, arithmetic, load, longest_input

# Sentences that are sorted by length together: many enough for full batches, few enough for any memory.
CHUNK = 50_000


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
) -> None:
    """Write the regressor's raw output, unclipped, for every sentence of every file.

    A batch holds sentences with the same number of word pieces. So nothing is padded, and a score does not
    depend on what else stands in the file, apart from the last bits of sums, which 4 decimals rarely show.

    :param regressor: folder that formality.train wrote
    :param sources: files with one sentence a line
    :param targets: files to write, one score a line, 4 decimals, parallel to the sources
    :param batch_size: sentences scored together, at most
    :param max_length: longer sentences are cut, in word pieces
    :param device: cpu or cuda
    :param precision: float32, or bf16 for mixed precision
    :param threads: of the processor
    """
    if len(sources) != len(targets):
        raise InputError(f"{len(sources)} sources but {len(targets)} targets", fix="give as many of each")
    fix_threads(threads)
    scorer = _scorer(regressor, batch_size, max_length, device, precision)
    for source, target in zip(sources, targets, strict=True):
        scores = (value for chunk in chunks(lines(source), CHUNK) for value in scorer(chunk))
        write_lines(target, map(_printed, progress(scores, f"score {source.name}", unit="sentence")))


def _printed(value: float) -> str:
    # Adding zero turns -0.0 into 0.0.
    return f"{round(value, 4) + 0.0:.4f}"


def _scorer(
    regressor: Path, batch_size: int, max_length: int, device: Device, precision: Precision
) -> Callable[[list[str]], Iterator[float]]:
    import torch

    model, tokenizer = load(regressor, device)
    model.eval()
    longest = longest_input(tokenizer, model, max_length)

    def scorer(sentences: list[str]) -> Iterator[float]:
        inputs = tokenizer(sentences, truncation=True, max_length=longest)["input_ids"]
        found = [0.0] * len(inputs)
        order = sorted(range(len(inputs)), key=lambda row: -len(inputs[row]))
        for _, same in groupby(order, key=lambda row: len(inputs[row])):
            for rows in chunks(same, batch_size):
                batch = torch.tensor([inputs[row] for row in rows], device=device)
                with torch.inference_mode(), arithmetic(device, precision):
                    output = model(input_ids=batch, attention_mask=torch.ones_like(batch)).logits[:, 0]
                for row, value in zip(rows, output.float().tolist(), strict=True):
                    found[row] = value
        yield from found

    return scorer


if __name__ == "__main__":
    run(score)
