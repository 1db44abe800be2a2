"""Translators of random numbers, and the search once more, as slowly and plainly as possible."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from workflow_scripts.core.files import write_lines
from workflow_scripts.seq2seq.data import Pairs, Sentences
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.plain_model import PlainModel
from workflow_scripts.seq2seq.search import Search
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.seq2seq.updates import TranslatorTraining
from workflow_scripts.text.learn import learn
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.symbols import BEGIN, END

SMALL = Sizes(37, 6, 8, 10)
CPU = torch.device("cpu")


def search(
    *models: Model | Transformer,
    beam: int = 5,
    alpha: float = 1.0,
    ratio: float = 1.5,
    dtype: torch.dtype = torch.float32,
) -> Search:
    """The search with the settings that most tests share."""
    return Search(models, beam_size=beam, length_penalty=alpha, max_ratio=ratio, device=CPU, dtype=dtype)


def random_model(seed: int, sizes: Sizes = SMALL, spread: float = 1.0) -> Model:
    """A model with every parameter off its first value; a larger spread makes it surer of its words."""
    generator = torch.Generator().manual_seed(seed)
    model = Model(sizes)
    model.initialise(generator)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.1).mul_(spread)
    return model


SMALL_TRANSFORMER = TransformerSizes(
    vocabulary=37, units=8, heads=2, feed_forward=12, encoder_layers=2, decoder_layers=2
)


def random_transformer(
    seed: int, sizes: TransformerSizes = SMALL_TRANSFORMER, spread: float = 1.0
) -> Transformer:
    """A model with every parameter off its first value; a larger spread makes it surer of its words."""
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(sizes)
    model.initialise(generator)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.1)
        model.embedding.mul_(spread)
    return model


def random_translators(folder: Path, texts: Path) -> None:
    """Write a text model of English sentences, and two models for it: 1.safetensors and 2.safetensors."""
    learn(
        folder / "text",
        texts=[texts],
        languages=["en"],
        vocabulary_size=320,
        tags=["<2formal>", "<2informal>"],
        seed=1,
    )
    pipeline = Pipeline.load(folder / "text")
    for seed in (1, 2):
        model = Model(Sizes(len(pipeline.vocabulary), 8, 8, 8))
        model.initialise(torch.Generator().manual_seed(seed))
        facts = {"vocabulary": pipeline.digest, "length_ratio": 1.0, "length_ratio_deviation": 0.1}
        model.write(folder / f"{seed}.safetensors", facts)


def random_pairs(seed: int, count: int, words: int, longest: int = 9) -> Pairs:
    """Random ids behind the special ones."""
    generator = torch.Generator().manual_seed(seed)

    def side() -> Sentences:
        lengths = torch.randint(1, longest + 1, (count,), generator=generator).tolist()
        return Sentences.of(
            [torch.randint(END + 1, words, (n,), generator=generator).tolist() for n in lengths]
        )

    return Pairs(side(), side())


def put_backwards(folder: Path, tag: str = "") -> None:
    """Write a vocabulary and piece files in which the target is the source backwards, without its tag."""
    words = [f"w{n}" for n in range(30)]
    symbols = ["<pad>", "<unk>", "<s>", "</s>", *tag.split(), *words]
    write_lines(folder / "vocabulary.txt", symbols)
    random = np.random.default_rng(1)
    for part, count in (("train", 100), ("dev", 12)):
        texts = [list(random.choice(words, random.integers(2, 9))) for _ in range(count)]
        write_lines(folder / f"{part}.source", [f"{tag}{' '.join(text)}" for text in texts])
        write_lines(folder / f"{part}.target", [" ".join(text[::-1]) for text in texts])


def sentences(side: Sentences) -> list[list[int]]:
    return [side.ids[a:b].tolist() for a, b in zip(side.starts[:-1], side.starts[1:], strict=True)]


@torch.no_grad()
def plain_search(
    models: Sequence[Any],
    source: Sequence[int],
    beam: int,
    alpha: float,
    ratio: float,
    plainly: Callable[[Any, Sequence[int]], Any] = PlainModel,
) -> tuple[list[int], float]:
    """Beam search over Python lists, without dropping anything early."""
    plain = [plainly(model, source) for model in models]
    source_end = models[0].source_end
    opened = [(0.0, [], [one.first for one in plain])]
    ended: list[tuple[float, list[int]]] = []
    limit = max(2, math.ceil((len(source) + 1) * ratio)) if source_end else math.ceil(len(source) * ratio) + 1
    for length in range(1, limit + 1):
        found = []
        for score, words, states in opened:
            steps = [one.step(s, [BEGIN, *words][-1]) for one, s in zip(plain, states, strict=True)]
            logs = torch.stack([step[0].exp() for step in steps]).mean(0).log()
            end = END + 1 if source_end and length == limit else len(logs)
            for word in range(END + (length == 1), end):
                found.append((score + logs[word].item(), [*words, word], [step[1] for step in steps]))
        found.sort(key=lambda one: -one[0])
        opened = []
        for score, words, states in found[: beam - len(ended)]:
            if words[-1] == END or length == limit:
                ended.append((score / length**alpha, words))
            else:
                opened.append((score, words, states))
    score, words = max(ended, key=lambda one: one[0])
    return (words[:-1] if words[-1] == END else words), score


def learn_by_heart(training: TranslatorTraining) -> None:
    """Train on the dev pairs until no other targets, all together, are as likely as theirs."""
    assert training.dev is not None
    targets = training.dev.target.lengths
    words = int(targets.sum()) + len(targets)
    # As long as it takes, whatever the processor's last digits are; it ended with each of twenty seeds.
    while training.perplexity(training.dev) ** words > 2:
        assert training.update < 4000
        for _ in range(20):
            training.step(np.arange(len(targets)))
