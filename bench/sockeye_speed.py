"""Runs in Sockeye's environment: how fast it trains and decodes what bench/transformer.py has written.

    python sockeye_speed.py FOLDER WORK OPTIONS

FOLDER has train.source and train.target; dev.source and dev.target, of a pair or two; and test.source.
OPTIONS are JSON: units, heads, feed_forward, layers (such as 20:2), tokens (of a batch), updates, batch
(sentences that are decoded together), threads, cuda.

The last line written is the number of target tokens (training, with </s>) or of sentences (decoding, beam 5)
per second: of processor time with one thread on a CPU, else of time. The first two updates and the first
batch of sentences do not count, since the model is traced there.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import torch
from sockeye import constants, inference, model, train, training
from turns import Clock, answer


def trained(folder: Path, options: dict, output: Path, **further: object) -> None:
    """Run sockeye-train."""
    given = {
        "source": folder / "train.source",
        "target": folder / "train.target",
        "validation-source": folder / "dev.source",
        "validation-target": folder / "dev.target",
        "output": output,
        "decoder": "ssru_transformer",
        "num-layers": options["layers"],
        "transformer-model-size": options["units"],
        "transformer-attention-heads": options["heads"],
        "transformer-feed-forward-num-hidden": options["feed_forward"],
        "batch-type": "max-word",
        "batch-size": options["tokens"],
        "batch-sentences-multiple-of": 1,
        "gradient-clipping-type": "none",
        "checkpoint-interval": 1_000_000,
        "decode-and-evaluate": 0,
        "seed": 1,
        **further,
    }
    words = [f"--{name}={value}" for name, value in given.items()]
    sys.argv = ["sockeye-train", *words, "--shared-vocab", *([] if options["cuda"] else ["--use-cpu"])]
    train.main()


def training_speed(folder: Path, options: dict, clock: Clock) -> float:
    """Target tokens per second of updates, from batch to new parameters."""
    step = training.EarlyStoppingTrainer._step
    seen: list[tuple[int, float]] = []

    def timed(self: Any, batch: Any) -> bool:
        begun = clock()
        done = step(self, batch)
        if options["cuda"]:
            torch.cuda.synchronize()
        words = int((batch.labels[constants.TARGET_LABEL_NAME] != constants.PAD_ID).sum())
        seen.append((words, clock() - begun))
        return done

    training.EarlyStoppingTrainer._step = timed
    shutil.rmtree(folder / "model", ignore_errors=True)
    trained(folder, options, folder / "model", **{"max-updates": options["updates"] + 2})
    counted = seen[2:]
    return sum(words for words, _ in counted) / sum(seconds for _, seconds in counted)


def decoding_speed(folder: Path, options: dict, clock: Clock) -> float:
    """Sentences per second, by a random model that cannot end a sentence before its limit."""
    if not (folder / "model").exists():
        trained(folder, options, folder / "model", **{"max-updates": 1})
    device = torch.device("cuda" if options["cuda"] else "cpu")
    loaded, sources, targets = model.load_model(str(folder / "model"), inference_only=True, device=device)
    with torch.no_grad():
        loaded.output_layer.bias[constants.EOS_ID] = -1e9
    translator = inference.Translator(
        device=device,
        ensemble_mode="linear",
        scorer=inference.CandidateScorer(1.0, 0.0),
        batch_size=options["batch"],
        beam_size=5,
        beam_search_stop=constants.BEAM_SEARCH_STOP_ALL,
        models=[loaded],
        source_vocabs=sources,
        target_vocabs=targets,
        max_output_length_num_stds=0,
    )
    lines = (folder / "test.source").read_text(encoding="utf-8").splitlines()
    # Of like length, as the other side has them.
    inputs = [
        inference.make_input_from_plain_string(number, line)
        for number, line in enumerate(sorted(lines, key=lambda line: -len(line.split())))
    ]
    translator.translate(inputs[: options["batch"]])
    begun = clock()
    for start in range(0, len(inputs), options["batch"]):
        translator.translate(inputs[start : start + options["batch"]])
    return len(inputs) / (clock() - begun)


if __name__ == "__main__":
    answer({"training": training_speed, "decoding": decoding_speed})
