"""How fast the translator trains and decodes on this machine, as rows of a Markdown table.

Synthetic data: a vocabulary of 8,000 symbols and 20,000 pairs of 5 to 30 tokens. Training: batches of 64
pairs with dropout; target tokens (with </s>) per second. Decoding: beam 5 in batches of 32; sentences per
second, for one model and for an ensemble of four. The models that decode are random and cannot end a sentence
before it has one word more than its source has symbols: no time is saved by hypotheses that end early, as
those of a trained model often do.

    python bench/seq2seq.py --units 128 512 --threads 1 --precision float32 bf16

The paper's size on a GPU (512 units, 32,000 subwords, batches of 64 and 512, an ensemble of four, beam 5):

    python bench/seq2seq.py --device cuda --units 512 --vocabulary 32000 --batches 64 512 \
        --precision float32 bf16 --decoding-batches 32 256 --sentences 1024

The rows tell the machine, the device and the versions, so that they can be pasted into one table of many
machines; `--header` prints the table's head first.
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from machine import name_of, print_row, versions_here, wait_for

from workflow_scripts.core.command import run
from workflow_scripts.seq2seq.device import Device, Precision, prepare

if TYPE_CHECKING:
    import torch

COLUMNS = (
    *("machine", "device", "threads", "versions"),
    *("units", "subwords", "precision", "work", "batch"),
    *("median", "best", "per second"),
)


def bench(
    *,
    units: list[int] | None = None,
    batches: list[int] | None = None,
    decoding_batches: list[int] | None = None,
    members: list[int] | None = None,
    precision: list[Precision] | None = None,
    threads: int = 1,
    device: Device = "cpu",
    repeats: int = 3,
    updates: int = 20,
    sentences: int = 128,
    vocabulary: int = 8000,
    header: bool = False,
) -> None:
    """Print one row per number of units, precision, work and batch: median and best of the repeats.

    :param units: units of embeddings, decoder and attention; 128 and 512 if not given
    :param batches: pairs per update; 64 if not given
    :param decoding_batches: sentences that are decoded together; 32 if not given
    :param members: models that decode together; 1 and 4 if not given
    :param precision: number formats of matrix products; float32 if not given
    :param threads: threads on the CPU
    :param device: where to compute
    :param repeats: how often each measurement is made, after one that does not count
    :param updates: updates per measurement of training
    :param sentences: sentences per measurement of decoding
    :param vocabulary: symbols
    :param header: print the head of the table first
    """
    where, _ = prepare(device, "float32", threads)
    import numpy as np
    import torch

    from workflow_scripts.seq2seq.data import END, Pairs, Sentences
    from workflow_scripts.seq2seq.model import Model, Sizes
    from workflow_scripts.seq2seq.search import Search
    from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining

    random = np.random.default_rng(1)

    def side() -> Sentences:
        lengths = random.integers(5, 31, 20_000)
        starts = np.concatenate([[0], lengths.cumsum()])
        return Sentences(random.integers(END + 1, vocabulary, starts[-1], dtype=np.int32), starts)

    pairs = Pairs(side(), side())
    splits = np.split(pairs.source.ids, pairs.source.starts[1 : sentences + 1])
    sources = [ids.tolist() for ids in splits[:-1]]
    machine = [platform.node() or "?", name_of(where), str(threads), versions_here()]

    def timed(function: Callable[[], float]) -> list[float]:
        """Work per second, of each repeat."""
        function()
        speeds = []
        for _ in range(repeats):
            wait_for(where)
            begun = time.perf_counter()
            done = function()
            wait_for(where)
            speeds.append(done / (time.perf_counter() - begun))
        return speeds

    def row(size: int, name: str, work: str, batch: int, speeds: list[float], what: str) -> None:
        numbers = [f"{statistics.median(speeds):,.1f}", f"{max(speeds):,.1f}"]
        print_row([*machine, str(size), f"{vocabulary:,}", name, work, str(batch), *numbers, what])

    def random_model(size: int, seed: int) -> Model:
        model = Model(Sizes(vocabulary, size, size, size))
        model.initialise(torch.Generator().manual_seed(seed))
        return model

    def train(size: int, batch: int, dtype: torch.dtype) -> list[float]:
        schedule = Schedule(
            seed=1,
            dropout=0.2,
            learning_rate=0.0003,
            batch_size=batch,
            evaluate_every=1000,
            reduce_after=3,
            reduce_factor=0.5,
            stop_after=8,
            max_updates=1000,
            gradient_clip=1.0,
        )
        training = TranslatorTraining(random_model(size, 1), pairs, pairs, schedule, where, dtype)
        chosen = pairs.batches(batch, [1, 0])[:updates]

        def updating() -> float:
            training.update = 0
            for which in chosen:
                training.step(which)
            return sum(map(pairs.target.predictions, chosen))

        return timed(updating)

    def decode(size: int, count: int, batch: int, dtype: torch.dtype) -> list[float]:
        models = [random_model(size, seed) for seed in range(count)]
        for model in models:
            with torch.no_grad():
                model.output_bias[END] = -1e9
        search = Search(models, beam_size=5, length_penalty=1.0, max_ratio=1.0, device=where, dtype=dtype)

        def decoding() -> float:
            search(sources, batch)
            return len(sources)

        return timed(decoding)

    if header:
        print_row(COLUMNS)
        print_row(["---"] * len(COLUMNS))
    for size in units or [128, 512]:
        for asked in precision or ["float32"]:
            resolved = prepare(device, asked, threads)
            name = resolved.facts()["precision"]
            for batch in batches or [64]:
                speeds = train(size, batch, resolved.dtype)
                row(size, name, "training", batch, speeds, "target tokens")
            for count in members or [1, 4]:
                work = "decoding, beam 5" + (f", ensemble of {count}" if count > 1 else "")
                for batch in decoding_batches or [32]:
                    row(size, name, work, batch, decode(size, count, batch, resolved.dtype), "sentences")


if __name__ == "__main__":
    run(bench)
