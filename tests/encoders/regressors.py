"""Small regressors that several files of tests train, and their settings."""

import random
from pathlib import Path

from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.score import score
from workflow_scripts.encoders.train import train

SIZES = {"vocabulary_size": 300, "layers": 1, "hidden": 32, "heads": 2, "max_length": 24, "seed": 1}
TRAINING = {
    **{"learning_rate": 3e-3, "epochs": 3, "batch_size": 16, "max_length": 128, "seed": 2},
    **{"objective": "values", "device": "cpu", "precision": "float32", "threads": 1},
}
SCORING = {"max_length": 128, "device": "cpu", "precision": "float32", "threads": 1}


def rated(count: int, seed: int) -> tuple[list[str], list[float]]:
    """Sentences that are the more formal the fewer slang words they hold."""
    rng = random.Random(seed)
    slang, polite = (
        ["tipo", "cara", "vc", "blz", "né"],
        ["senhor", "portanto", "gostaria", "cordialmente", "ção"],
    )
    texts, scores = [], []
    for _ in range(count):
        words = [
            rng.choice(polite if rng.random() < share else slang)
            for share in [rng.random()] * rng.randint(2, 9)
        ]
        texts.append(" ".join(words))
        scores.append(round(6 * sum(word in polite for word in words) / len(words) - 3, 3))
    return texts, scores


def put_rated(folder: Path) -> None:
    """Rated sentences, and an encoder from scratch."""
    for name, seed, count in (("train", 1, 300), ("test", 2, 200)):
        texts, scores = rated(count, seed)
        write_lines(folder / f"{name}.txt", texts)
        write_lines(folder / f"{name}.scores", map(str, scores))
    encoder(folder / "encoder", kind="scratch", texts=[folder / "train.txt"], **SIZES)


def trained(world: Path, folder: Path, **options) -> Path:
    settings = {**TRAINING, "checkpoints": folder.parent / f"{folder.name}.checkpoints", **options}
    train(world / "encoder", folder, sentences=world / "train.txt", scores=world / "train.scores", **settings)
    return folder


def scored(folder: Path, regressor: Path, texts: list[str], batch_size: int = 16, **options) -> list[str]:
    write_lines(folder / "in.txt", texts)
    settings = {**SCORING, **options}
    score(regressor, sources=[folder / "in.txt"], targets=[folder / "out"], batch_size=batch_size, **settings)
    return read_lines(folder / "out")
