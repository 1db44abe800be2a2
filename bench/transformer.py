"""How fast the Transformer trains and decodes, beside Sockeye 3 on the same data, as rows of a table.

Synthetic data: a vocabulary of 8,000 symbols and 20,000 pairs of 5 to 30 tokens, a target up to a fifth
shorter or longer than its source. Training: one batch an update, with dropout 0.1 and smoothing 0.1; target
tokens (with </s>) per second. Decoding: beam 5 in batches of 32 sentences of like length; the models are
random and cannot end a sentence before its limit: no time is saved by hypotheses that end early.

    make sockeye
    python bench/transformer.py --sockeye .venvs/sockeye-* --header

Both take turns, `repeats` times; the table has the median of each, and the median of the ratios of the turns.
With one thread on a CPU the seconds are those of processor time, so that what else the machine does counts
little. Those of several threads would add up: with `--threads 2`, as on a GPU, they are wall time, which says
something on a machine that does nothing else. The column `seconds` tells the two apart. Without `sockeye` its
columns stay empty. The paper's size is `--units 512 --layers 20:2`.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

import limit
from limit import Work
from machine import name_of, print_row, versions_here
from turns import RATIOS, beside, clock_for, elsewhere, seconds_of, turns

from workflow_scripts.core.command import run
from workflow_scripts.seq2seq.device import Device, Precision, prepare

if TYPE_CHECKING:
    import numpy as np

    from workflow_scripts.seq2seq.data import Pairs, Sentences
    from workflow_scripts.seq2seq.transformer import Transformer

COLUMNS = (
    *("device", "threads", "seconds", "versions", "units", "layers", "precision", "work", "batch"),
    *("per second", *limit.COLUMNS, "Sockeye", *RATIOS),
)
SCRIPT = Path(__file__).with_name("sockeye_speed.py")


def bench(
    *,
    units: int = 64,
    layers: str = "2:1",
    tokens: int = 2048,
    decoding_batch: int = 32,
    work: list[str] | None = None,
    precision: Precision = "float32",
    threads: int = 1,
    device: Device = "cpu",
    repeats: int = 3,
    updates: int = 10,
    sentences: int = 128,
    vocabulary: int = 8000,
    sockeye: Path | None = None,
    header: bool = False,
) -> None:
    """Print a row for training and one for decoding.

    :param units: units of the model; there are four times as many in feed-forward layers, and a head per 64,
        but at least four
    :param layers: of encoder and decoder
    :param tokens: target tokens of a batch, with padding
    :param decoding_batch: sentences that are decoded together
    :param work: training, decoding; both if not given
    :param precision: number format of our matrix products; Sockeye's is float32
    :param threads: threads on the CPU
    :param device: where to compute
    :param repeats: how often each measurement is made
    :param updates: updates per measurement of training, after two that do not count
    :param sentences: sentences per measurement of decoding, after a batch that does not count
    :param vocabulary: symbols
    :param sockeye: an environment with Sockeye
    :param header: print the head of the table first
    """
    resolved = prepare(device, precision, threads)
    where = resolved.device
    clock = clock_for(threads, cuda=where.type == "cuda")
    pairs = _pairs(vocabulary)
    encoder, decoder = map(int, layers.split(":"))
    sizes = {"units": units, "heads": max(4, units // 64), "feed_forward": 4 * units}

    def model() -> Transformer:
        import torch

        from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes

        made = Transformer(
            TransformerSizes(vocabulary, **sizes, encoder_layers=encoder, decoder_layers=decoder)
        )
        made.initialise(torch.Generator().manual_seed(1))
        return made

    def training() -> Work:
        from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining

        schedule = Schedule(
            seed=1,
            dropout=0.1,
            learning_rate=0.0002,
            batch_size=tokens,
            evaluate_every=1000,
            reduce_after=8,
            reduce_factor=0.9,
            stop_after=60,
            max_updates=1000,
            gradient_clip=0.0,
            batch_by="tokens",
            label_smoothing=0.1,
        )
        ours = TranslatorTraining(model(), pairs, pairs, schedule, where, resolved.dtype)
        chosen = ours._batches(0)

        def steps(batches: list[np.ndarray]) -> None:
            for which in batches:
                ours.step(which)

        counted = chosen[2 : updates + 2]
        words = sum(map(pairs.target.predictions, counted))
        return Work(lambda: steps(chosen[:2]), lambda: steps(counted), words)

    def decoding() -> Work:
        import torch

        from workflow_scripts.seq2seq.data import END
        from workflow_scripts.seq2seq.search import Search

        endless = model()
        with torch.no_grad():
            endless.output_bias[END] = -1e9
        mean, _ = pairs.ended().ratio()
        search = Search(
            [endless], beam_size=5, length_penalty=1.0, max_ratio=mean, device=where, dtype=resolved.dtype
        )
        sources = _lists(pairs.source)[:sentences]

        first = sources[:decoding_batch]
        return Work(lambda: search(first, decoding_batch), lambda: search(sources, decoding_batch), sentences)

    if header:
        print_row(COLUMNS)
        print_row(["---"] * len(COLUMNS))
    folder = Path(tempfile.mkdtemp(prefix="bench-transformer-"))
    _write(folder, pairs, sentences)
    options = {**sizes, "layers": layers, "tokens": tokens, "updates": updates, "batch": decoding_batch}
    options |= {"threads": threads, "cuda": where.type == "cuda"}
    for name in work or ["training", "decoding"]:
        ours = {"training": training, "decoding": decoding}[name]()
        theirs = elsewhere(sockeye, SCRIPT, folder, name, options) if sockeye else None
        found = turns(name, partial(ours.speed, clock, where), theirs, repeats)
        median = statistics.median(mine for mine, _ in found)
        most = ours.limit(limit.peak(where, resolved.dtype, clock))
        batch = f"{tokens:,} tokens" if name == "training" else f"{decoding_batch} sentences"
        print_row(
            [
                *(name_of(where), str(threads), seconds_of(clock), versions_here(), str(units), layers),
                *(resolved.facts()["precision"], name, batch),
                f"{median:,.1f} {'tokens' if name == 'training' else 'sentences'}",
                *limit.cells(most, median),
                *(beside(found, most) if sockeye else [""] * (1 + len(RATIOS))),
            ]
        )
    shutil.rmtree(folder)


def _pairs(vocabulary: int) -> Pairs:
    import numpy as np

    from workflow_scripts.seq2seq.data import END, Pairs, Sentences

    random = np.random.default_rng(1)
    lengths = random.integers(5, 31, 20_000)

    def side(lengths: np.ndarray) -> Sentences:
        starts = np.concatenate([[0], lengths.cumsum()])
        return Sentences(random.integers(END + 1, vocabulary, starts[-1], dtype=np.int32), starts)

    return Pairs(side(lengths), side(np.rint(lengths * random.uniform(0.8, 1.2, 20_000)).astype(int)))


def _lists(side: Sentences) -> list[list[int]]:
    return [side.ids[a:b].tolist() for a, b in zip(side.starts[:-1], side.starts[1:], strict=True)]


def _write(folder: Path, pairs: Pairs, sentences: int) -> None:
    """The same pairs as text: symbol 17 is the word 17."""
    sources, targets = map(_lists, (pairs.source, pairs.target))
    parts = {"train": slice(None), "dev": slice(2), "test": slice(sentences)}
    for part, chosen in parts.items():
        for name, lists in (("source", sources), ("target", targets)):
            lines = "".join(f"{' '.join(map(str, words))}\n" for words in lists[chosen])
            (folder / f"{part}.{name}").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    run(bench)
