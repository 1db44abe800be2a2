"""Command: the perplexity of sentences under a causal language model, by both methods of Hu et al. (2022)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import chunks, progress, read_lines
from workflow_scripts.language_models.model import load
from workflow_scripts.seq2seq.device import Device, Precision, prepare

if TYPE_CHECKING:
    from workflow_scripts.language_models.model import LanguageModel

# The text between two joined sentences.
JOINT = "\n\n"
# Nats per token; a model at or above this is unusable.
LARGEST = 100
JOINED, APART = "joined", "apart"
COLUMNS = ("file", "way", "tokens", "perplexity", "signature")


class Window(NamedTuple):
    """A window of tokens that are read at once, and how many at its end are scored."""

    begin: int
    end: int
    scored: int


def perplexity(
    table: Path,
    *,
    model: Path,
    texts: list[Path],
    names: list[str],
    window: int,
    stride: int,
    batch_size: int,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write exp of the mean negative log-likelihood per token of each file, joined and apart.

    `apart`: each sentence alone, after the end-of-text token; the mean is over the tokens of all sentences.
    `joined`: all sentences of a file are one text, separated by empty lines, as in the authors' later code; a
    window moves over it, and only its tokens that no earlier window had are scored, so that each token after
    the first window has at least `window` - `stride` tokens before it. The first token of the text is not
    scored. Many short sentences have a lower perplexity joined, since each is predicted from those before it.

    :param table: CSV to write: file (its name), way (joined or apart), tokens (scored), perplexity, signature
    :param model: folder of a causal language model, of transformers
    :param texts: files with one sentence per line
    :param names: names of the files, in the same order
    :param window: number of tokens read at once
    :param stride: number of tokens by which the window moves
    :param batch_size: number of windows or sentences read together
    """
    if len(texts) != len(names):
        raise InputError(f"{len(texts)} texts but {len(names)} names", fix="give each file its name")
    where = prepare(device, precision, threads)
    reader = load(model, "causal", where)
    if reader.tokenizer.eos_token_id is None:
        raise InputError("the tokenizer has no eos_token to put before a sentence", path=model)
    with about(model):
        reader.check(max(reader.tokenizer.eos_token_id, reader.pad))
    reader.parts["response"].eval()
    size = min(window, reader.positions or window)
    stride = min(stride, max(1, size - 1))
    rows: list[list[object]] = []
    for name, path in zip(names, texts, strict=True):
        sentences = read_lines(path, filled=True)
        if not sentences:
            raise InputError("no sentence", path=path)
        with about(path):
            sums = {
                JOINED: joined(reader, sentences, size, stride, batch_size),
                APART: apart(reader, sentences, size, batch_size),
            }
        for way, (nats, tokens) in sums.items():
            facts = f"sentences:{len(sentences)}|" + (
                f"window:{size}|stride:{stride}" if way == JOINED else ""
            )
            if not nats < LARGEST * tokens:
                raise InputError("a model for which these sentences are all but impossible", path=model)
            rows.append([name, way, tokens, f"{exp(nats / tokens):.4f}", facts.rstrip("|")])
    write_csv(table, COLUMNS, rows)


def joined(
    model: LanguageModel, sentences: Sequence[str], window: int, stride: int, batch_size: int
) -> tuple[float, int]:
    """The negative log-likelihood, in nats, of the text of all sentences, and the number of scored tokens."""
    (ids,) = model.ids([JOINT.join(sentences)])
    return _summed(
        model, [(ids[w.begin : w.end], w.scored) for w in windows(len(ids), window, stride)], batch_size
    )


def apart(model: LanguageModel, sentences: Sequence[str], longest: int, batch_size: int) -> tuple[float, int]:
    """The same for each sentence alone, summed; a longer sentence is cut to `longest` tokens."""
    end = model.tokenizer.eos_token_id
    rows = [[end, *ids][:longest] for ids in model.ids(sentences)]
    ordered = sorted(rows, key=len)
    return _summed(model, [(row, len(row) - 1) for row in ordered], batch_size)


def windows(length: int, size: int, stride: int) -> Iterator[Window]:
    """Windows over a text; each token but the first is scored once, in the first window that contains it."""
    before, begin = 1, 0
    while before < length:
        end = min(begin + size, length)
        yield Window(begin, end, end - before)
        before, begin = end, begin + stride


def _summed(
    model: LanguageModel, rows: Sequence[tuple[list[int], int]], batch_size: int
) -> tuple[float, int]:
    """The summed negative log-likelihood of the last, scored tokens of each row, given all before them."""
    import torch

    from workflow_scripts.encoders.model import arithmetic

    ignored, nats = -100, 0.0
    tokens = sum(scored for _, scored in rows)
    if not tokens:
        raise InputError("a text of one token has no perplexity")
    batches = list(chunks(rows, batch_size))
    for some in progress(batches, "perplexity", unit="batch"):
        ids = model.batch([row for row, _ in some], model.pad)
        mask = model.batch([[1] * len(row) for row, _ in some], 0)
        gold = model.batch(
            [[ignored] * (len(row) - scored) + row[len(row) - scored :] for row, scored in some], ignored
        )
        with torch.inference_mode(), arithmetic(model.where):
            logits = model.parts["response"](input_ids=ids, attention_mask=mask).logits
        nats += torch.nn.functional.cross_entropy(
            logits[:, :-1].float().flatten(0, 1), gold[:, 1:].flatten(), ignore_index=ignored, reduction="sum"
        ).item()
    return nats, tokens


if __name__ == "__main__":
    run(perplexity)
