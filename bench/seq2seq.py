"""How fast the translator trains and decodes on this machine.

Synthetic data: a vocabulary of 8,000 symbols and 20,000 pairs of 5 to 30 tokens. Training: batches of 64
pairs with dropout; target tokens (with </s>) per second. Decoding: beam 5 in batches of 32; sentences per
second, for one model and for an ensemble of four. The models that decode are random and cannot end a sentence
before it has one word more than its source has symbols: no time is saved by hypotheses that end early, as
those of a trained model often do.

    python bench/seq2seq.py --units 128 512 --threads 1 --precision float32 bf16
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).parents[1]))

from workflow_scripts.command import run
from workflow_scripts.seq2seq.device import prepare


def bench(
    *,
    units: list[int] | None = None,
    precision: list[Literal["float32", "bf16"]] | None = None,
    threads: int = 1,
    device: Literal["cpu", "cuda"] = "cpu",
    repeats: int = 3,
    updates: int = 20,
    sentences: int = 128,
    vocabulary: int = 8000,
) -> None:
    """Print one line per number of units and precision: medians and best of the repeats.

    :param units: units of embeddings, decoder and attention; 128 and 512 if not given
    :param precision: number formats of matrix products; float32 if not given
    :param threads: threads on the CPU
    :param device: where to compute
    :param repeats: how often each measurement is made
    :param updates: updates per measurement of training
    :param sentences: sentences per measurement of decoding
    :param vocabulary: symbols
    """
    where = prepare(device, threads)
    import numpy as np
    import torch

    from workflow_scripts.seq2seq.data import END, Pairs, Sentences
    from workflow_scripts.seq2seq.model import PRECISIONS, Model, Sizes
    from workflow_scripts.seq2seq.search import Search
    from workflow_scripts.seq2seq.trainer import Schedule, Trainer

    random = np.random.default_rng(1)

    def side() -> Sentences:
        lengths = random.integers(5, 31, 20_000)
        starts = np.concatenate([[0], lengths.cumsum()])
        return Sentences(random.integers(END + 1, vocabulary, starts[-1], dtype=np.int32), starts)

    pairs = Pairs(side(), side())
    schedule = Schedule(
        seed=1,
        dropout=0.2,
        learning_rate=0.0003,
        batch_size=64,
        checkpoint_every=1000,
        reduce_after=3,
        reduce_factor=0.5,
        stop_after=8,
        max_updates=1000,
        gradient_clip=1.0,
    )
    batches = pairs.batches(64, [1, 0])
    sources = [ids.tolist() for ids in np.split(pairs.source.ids, pairs.source.starts[1 : sentences + 1])][
        :-1
    ]

    def timed(function: Callable[[], float]) -> str:
        """Work per second: median and best."""
        function()
        speeds = []
        for _ in range(repeats):
            begun = time.perf_counter()
            done = function()
            if where.type == "cuda":
                torch.cuda.synchronize()
            speeds.append(done / (time.perf_counter() - begun))
        return f"{statistics.median(speeds):,.1f} (best {max(speeds):,.1f})"

    def random_model(size: int, seed: int) -> Model:
        model = Model(Sizes(vocabulary, size, size, size))
        model.initialise(torch.Generator().manual_seed(seed))
        return model

    for size in units or [128, 512]:
        for name in precision or ["float32"]:
            dtype = PRECISIONS[name]
            trainer = Trainer(random_model(size, 1), pairs, pairs, schedule, where, dtype)

            def training(trainer: Trainer = trainer) -> float:
                trainer.update = 0
                words = 0
                for which in batches[:updates]:
                    trainer.step(which)
                    words += int(pairs.target.lengths[which].sum()) + len(which)
                return words

            print(
                f"{size} units, {name}, {threads} threads, {device}: {timed(training)} target tokens/s",
                flush=True,
            )
            for members in (1, 4):
                models = [random_model(size, seed) for seed in range(members)]
                for model in models:
                    with torch.no_grad():
                        model.output_bias[END] = -1e9
                search = Search(
                    models, beam_size=5, length_penalty=1.0, max_ratio=1.0, device=where, dtype=dtype
                )

                def decoding(search: Search = search) -> float:
                    search(sources, 32)
                    return len(sources)

                what = "sentences/s" if members == 1 else f"sentences/s, ensemble of {members}"
                print(
                    f"{size} units, {name}, {threads} threads, {device}: {timed(decoding)} {what}", flush=True
                )


if __name__ == "__main__":
    run(bench)
