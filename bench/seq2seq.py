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

Beside eole (`make eole`), on the same batches of the same sentences, with the nearest model that eole has:

    python bench/seq2seq.py --eole .venvs/eole-* --header

Both take turns, `repeats` times; the ratio is the median of those of the turns. The sentences of a batch that
is decoded are then of one length, so that each side takes as many steps as the other.
"""

from __future__ import annotations

import json
import platform
import shutil
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import limit
from limit import Work
from machine import name_of, print_row, versions_here
from turns import RATIOS, beside, clock_for, elsewhere, turns

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, prepare

if TYPE_CHECKING:
    import torch

COLUMNS = (
    *("machine", "device", "threads", "versions"),
    *("units", "subwords", "precision", "work", "batch"),
    *("median", "best", "per second", *limit.COLUMNS),
)
BESIDE = ("eole", *RATIOS)
SCRIPT = Path(__file__).with_name("eole_speed.py")
TRAINING: dict[str, Any] = {"dropout": 0.2, "learning_rate": 0.0003, "gradient_clip": 1.0}


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
    eole: Path | None = None,
    header: bool = False,
) -> None:
    """Print one row per number of units, precision, work and batch: median and best of the repeats.

    And the limit: the speed at which the matrix products alone would go, at the rate of a large one, which
    is measured beside each row.

    :param units: units of embeddings, decoder and attention; 128 and 512 if not given
    :param batches: pairs per update; 64 if not given
    :param decoding_batches: sentences that are decoded together; 32 if not given
    :param members: models that decode together; 1 and 4 if not given
    :param precision: number formats of matrix products; float32 if not given
    :param threads: threads on the CPU
    :param device: where to compute
    :param repeats: how often each measurement is made
    :param updates: updates per measurement of training, after two that do not count
    :param sentences: sentences per measurement of decoding, after a batch that does not count
    :param vocabulary: symbols
    :param eole: an environment with eole, to measure beside
    :param header: print the head of the table first
    """
    where, _ = prepare(device, "float32", threads)
    if eole and where.type != "cpu":
        raise InputError("eole is measured on a CPU only", fix="leave out --eole or --device")
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
    clock = clock_for(threads, cuda=where.type == "cuda")
    folder = Path(tempfile.mkdtemp(prefix="bench-seq2seq-"))
    machine = [platform.node() or "?", name_of(where), str(threads), versions_here()]

    def row(size: int, how: Resolved, work: str, batch: int, ours: Work, what: str, count: int = 1) -> None:
        options = {**TRAINING, "vocabulary": vocabulary, "units": size, "members": count}
        options |= {"threads": threads, "cuda": False}
        kind = "training" if work == "training" else "decoding"
        theirs = elsewhere(eole, SCRIPT, folder, kind, options) if eole else None
        found = turns(f"{size} units, {work}", partial(ours.speed, clock, where), theirs, repeats)
        speeds = [mine for mine, _ in found]
        median = statistics.median(speeds)
        numbers = [f"{median:,.1f}", f"{max(speeds):,.1f}", what]
        most = ours.limit(limit.peak(where, how.dtype, clock))
        numbers += limit.cells(most, median)
        name = how.facts()["precision"]
        cells = [*machine, str(size), f"{vocabulary:,}", name, work, str(batch), *numbers]
        print_row(cells + (beside(found, most) if eole else []))

    def handed(name: str, batches: list) -> None:
        """What eole gets."""
        if eole:
            (folder / f"{name}.json").write_text(json.dumps(batches), encoding="utf-8")

    def lists(side: Sentences, which: np.ndarray) -> list[list[int]]:
        return [side.ids[side.starts[i] : side.starts[i + 1]].tolist() for i in which]

    def decoded(batch: int) -> list[list[int]]:
        """The first sentences; beside eole those of a batch as long as each other, from 5 to 30 evenly."""
        if not eole:
            return lists(pairs.source, np.arange(sentences))
        middles = (np.arange(-(-sentences // batch)) + 0.5) * batch / sentences
        lengths = np.repeat(5 + (26 * middles).astype(int), batch)[:sentences]
        return [random.integers(END + 1, vocabulary, length).tolist() for length in lengths]

    def random_model(size: int, seed: int) -> Model:
        model = Model(Sizes(vocabulary, size, size, size))
        model.initialise(torch.Generator().manual_seed(seed))
        return model

    def train(size: int, batch: int, dtype: torch.dtype) -> Work:
        schedule = Schedule(
            seed=1,
            **TRAINING,
            batch_size=batch,
            evaluate_every=1000,
            reduce_after=3,
            reduce_factor=0.5,
            stop_after=8,
            max_updates=1000,
        )
        training = TranslatorTraining(random_model(size, 1), pairs, pairs, schedule, where, dtype)
        chosen = pairs.batches(batch, [1, 0])[: updates + 2]
        handed("training", [[lists(pairs.source, which), lists(pairs.target, which)] for which in chosen])

        def steps(batches: list[np.ndarray]) -> None:
            for which in batches:
                training.step(which)

        def warm_up() -> None:
            training.update = 0
            steps(chosen[:2])

        return Work(warm_up, lambda: steps(chosen[2:]), sum(map(pairs.target.predictions, chosen[2:])))

    def decode(size: int, count: int, batch: int, dtype: torch.dtype) -> Work:
        models = [random_model(size, seed) for seed in range(count)]
        for model in models:
            with torch.no_grad():
                model.output_bias[END] = -1e9
        search = Search(models, beam_size=5, length_penalty=1.0, max_ratio=1.0, device=where, dtype=dtype)
        sources = decoded(batch)
        handed("decoding", [sources[start : start + batch] for start in range(0, sentences, batch)])

        def warm_up() -> None:
            first = search(sources[:batch], batch)
            if any(len(one.ids) != len(source) + 1 for source, one in zip(sources, first, strict=False)):
                raise InputError("a sentence ended before its limit")

        return Work(warm_up, lambda: search(sources, batch), sentences)

    if header:
        columns = COLUMNS + (BESIDE if eole else ())
        print_row(columns)
        print_row(["---"] * len(columns))
    for size in units or [128, 512]:
        for asked in precision or ["float32"]:
            resolved = prepare(device, asked, threads)
            for batch in batches or [64]:
                row(size, resolved, "training", batch, train(size, batch, resolved.dtype), "target tokens")
            for count in members or [1, 4]:
                work = "decoding, beam 5" + (f", ensemble of {count}" if count > 1 else "")
                for batch in decoding_batches or [32]:
                    ours = decode(size, count, batch, resolved.dtype)
                    row(size, resolved, work, batch, ours, "sentences", count)
    shutil.rmtree(folder)


if __name__ == "__main__":
    run(bench)
