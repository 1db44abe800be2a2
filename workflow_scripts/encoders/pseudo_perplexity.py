"""Command: pseudo-perplexity of sentences by a masked language model (Salazar et al., ACL 2020)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.command import run
from workflow_scripts.core.files import check_targets, chunks, progress
from workflow_scripts.core.job_parts import JobParts
from workflow_scripts.core.job_state import key_of
from workflow_scripts.encoders.model import arithmetic, load_masked, longest_input
from workflow_scripts.encoders.score import Scorer, score_files
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, prepare

if TYPE_CHECKING:
    from torch import Tensor

# Sentences between two states: each costs as many passes as it has tokens.
SIZE = 500


@dataclass(frozen=True)
class _Sentence:
    """A sentence as a model reads it, and the places of its tokens that are not special."""

    place: int
    pieces: list[int]
    own: list[int]


def pseudo_perplexity(
    model: Path,
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
    """Write the mean negative log-likelihood of every sentence's tokens, in nats, each masked alone.

    A token is predicted from all others of its sentence; begin and end are not predicted. exp of the number
    is the pseudo-perplexity of the sentence (Salazar et al., equation 3). A sentence of which the tokenizer
    leaves no token has the number of a uniform distribution over the vocabulary.

    A batch has sequences of the same length, so that none is padded. With `checkpoints` a killed run goes on
    after its last finished 500 sentences, with the same bytes in the end.

    :param model: folder of a masked language model of transformers, with its head
    :param sources: files with one sentence a line
    :param targets: files to write, one number a line, 4 decimals, parallel to the sources
    :param max_length: longer sentences are cut, in tokens
    """
    check_targets(sources, targets)
    where = prepare(device, precision, threads)
    scorer = _scorer(model, batch_size, max_length, where)
    parts = None
    if checkpoints is not None:
        options = {"batch_size": batch_size, "max_length": max_length, "threads": threads, **where.facts()}
        tools = ("torch", "transformers", "tokenizers")
        key = key_of("encoders.pseudo_perplexity", options, (model, *sources), *tools, targets=targets)
        parts = JobParts(checkpoints, key)
    score_files(sources, targets, scorer, parts, SIZE)


def _scorer(folder: Path, batch_size: int, max_length: int, where: Resolved) -> Scorer:
    import torch

    model, tokenizer = load_masked(folder, where)
    longest = longest_input(tokenizer, model, max_length)
    # The vocabulary is the largest product: it is computed at the masked places only.
    places: list[Tensor] = []

    def at_masked(_: Any, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        hidden = inputs[0]
        return (hidden[torch.arange(len(hidden), device=hidden.device), places[0]], *inputs[1:])

    model.get_output_embeddings().register_forward_pre_hook(at_masked)

    def scorer(sentences: list[str], name: str) -> list[float]:
        nats = [math.log(model.config.vocab_size)] * len(sentences)
        read = _tokens(tokenizer, sentences, longest)
        masked = [(sentence, place) for sentence in read for place in sentence.own]
        sums = [0.0] * len(sentences)
        for batch in progress(list(_batches(masked, batch_size)), name, unit="batch"):
            pieces = torch.tensor([sentence.pieces for sentence, _ in batch], device=where.device)
            rows = torch.arange(len(batch), device=where.device)
            places[:] = [torch.tensor([place for _, place in batch], device=where.device)]
            wanted = pieces[rows, places[0]]
            pieces[rows, places[0]] = tokenizer.mask_token_id
            with torch.inference_mode(), arithmetic(where):
                logits = model(input_ids=pieces, attention_mask=torch.ones_like(pieces)).logits
            if logits.dim() == 3:
                # Of a head that does not go through the layer above.
                logits = logits[rows, places[0]]
            losses = torch.nn.functional.cross_entropy(logits.float(), wanted, reduction="none")
            for (sentence, _), loss in zip(batch, losses.tolist(), strict=True):
                sums[sentence.place] += loss
        for sentence in read:
            if sentence.own:
                nats[sentence.place] = sums[sentence.place] / len(sentence.own)
        return nats

    return scorer


def _tokens(tokenizer: Any, sentences: Sequence[str], longest: int) -> list[_Sentence]:
    if not sentences:
        return []
    read = tokenizer(sentences, truncation=True, max_length=longest, return_special_tokens_mask=True)
    return [
        _Sentence(place, pieces, [at for at, is_special in enumerate(special) if not is_special])
        for place, (pieces, special) in enumerate(
            zip(read["input_ids"], read["special_tokens_mask"], strict=True)
        )
    ]


def _batches(masked: Sequence[tuple[_Sentence, int]], size: int) -> Iterator[list[tuple[_Sentence, int]]]:
    """Batches of sentences of the same length, the longest first."""
    ordered = sorted(masked, key=lambda one: -len(one[0].pieces))
    for _, group in groupby(ordered, key=lambda one: len(one[0].pieces)):
        yield from chunks(group, size)


if __name__ == "__main__":
    run(pseudo_perplexity)
