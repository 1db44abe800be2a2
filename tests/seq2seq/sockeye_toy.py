"""Runs in Sockeye's environment: train a toy `ssru_transformer`, and say what it predicts.

    python sockeye_toy.py FOLDER

FOLDER has tokens in train.source.tok, train.target.tok, dev.source.tok and dev.target.tok. Written there: the
same in pieces (train.source, ...), model/ (Sockeye's, with bpe_codes), and toy.npz with the vocabulary, the
ratio of lengths, the log-probabilities of the dev pairs (log0, log1, ...), and the outputs of beam search for
the dev sources with their scores.
"""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch
from sockeye import data_io, model, vocab
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

MODEL = {
    "decoder": "ssru_transformer",
    "num-layers": "2:2",
    "transformer-model-size": 32,
    "transformer-attention-heads": 4,
    "transformer-feed-forward-num-hidden": 64,
}
TRAINING = {
    "batch-type": "max-word",
    "batch-size": 300,
    "batch-sentences-multiple-of": 1,
    "max-updates": 250,
    "checkpoint-interval": 125,
    "initial-learning-rate": 0.004,
    "learning-rate-warmup": 20,
    "decode-and-evaluate": 0,
    "seed": 1,
}


def run(module: str, *flags: str, **options: object) -> str:
    """Run a command of Sockeye."""
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", f"sockeye.{module}", *flags, *given]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def to_pieces(folder: Path) -> Path:
    """Learn merges from the training texts, and split all texts; returns the file of merges."""
    codes = folder / "bpe_codes"
    both = [folder / f"train.{side}.tok" for side in ("source", "target")]
    text = io.StringIO("".join(path.read_text() for path in both))
    with codes.open("w") as stream:
        learn_bpe(text, stream, num_symbols=30)
    with codes.open() as stream:
        bpe = BPE(stream)
    for path in sorted(folder.glob("*.tok")):
        lines = path.read_text().splitlines()
        path.with_suffix("").write_text("".join(f"{bpe.process_line(line)}\n" for line in lines))
    return codes


def main(folder: Path) -> None:
    """Train, score and translate."""
    codes = to_pieces(folder)
    texts = {
        "source": folder / "train.source",
        "target": folder / "train.target",
        "validation-source": folder / "dev.source",
        "validation-target": folder / "dev.target",
    }
    run("train", "--shared-vocab", "--use-cpu", output=folder / "model", **texts, **MODEL, **TRAINING)
    shutil.copy(codes, folder / "model")
    options = {"models": folder / "model", "beam-size": 5, "batch-size": 16, "output-type": "json"}
    lines = run("translate", "--use-cpu", input=folder / "dev.source", **options).splitlines()
    outputs = [json.loads(line) for line in lines]

    trained, sources, _ = model.load_model(str(folder / "model"), inference_only=False)
    trained.eval()
    ids = sources[0]
    found = {}
    for number, (source, target) in enumerate(
        zip(
            *((folder / f"dev.{side}").read_text().splitlines() for side in ("source", "target")), strict=True
        )
    ):
        read = [*data_io.tokens2ids(source.split(), ids), vocab.C.EOS_ID]
        predicted = [vocab.C.BOS_ID, *data_io.tokens2ids(target.split(), ids)]
        with torch.inference_mode():
            logits = trained(
                torch.tensor(read).view(1, -1, 1),
                torch.tensor([[len(read), 0]]),
                torch.tensor(predicted).view(1, -1, 1),
                torch.tensor([len(predicted)]),
            )["logits"]
        found[f"log{number}"] = logits[0].log_softmax(-1).numpy()
    statistics = trained.config.config_data.data_statistics
    np.savez(
        folder / "toy.npz",
        vocabulary=np.array(sorted(ids, key=ids.get)),
        ratio=np.array([statistics.length_ratio_mean, statistics.length_ratio_std]),
        outputs=np.array([one["translation"] for one in outputs]),
        scores=np.array([one["score"] for one in outputs]),
        **found,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
