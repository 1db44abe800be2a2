"""Runs in eole's environment: how fast it trains on and decodes what bench/seq2seq.py has written.

    python eole_speed.py FOLDER WORK OPTIONS

FOLDER has training.json, a list of batches, each a list of sources and one of targets, and decoding.json, a
list of batches of sources, each of one length; sentences are lists of ids, from 4 on. OPTIONS are JSON:
vocabulary, units, dropout, gradient_clip, learning_rate, members (models that decode together), threads and
cuda, which is false.

The last line written is the number of target tokens (training, with </s>) or of sentences (decoding, beam 5)
per second. The first two updates and the first batch of sentences do not count. eole's own trainer, optimiser
and translator do the work; what they did is counted, and it is an error if it is not what was asked for.

The model is the nearest to ours that eole has: bidirectional LSTM encoder, LSTM decoder with input feeding
and MLP attention, a layer each, one matrix for both embeddings and the output layer. Its weights are random,
and it cannot end a sentence before its limit, a word more than the source has.
"""

import json
from pathlib import Path
from typing import Any

import torch
from eole.config.run import PredictConfig, TrainConfig
from eole.decoders.ensemble import EnsembleModel
from eole.inputters.inputter import dict_to_vocabs
from eole.models.model import get_model_class
from eole.predict import GNMTGlobalScorer, Translator
from eole.trainer import build_trainer
from eole.utils import Statistics
from eole.utils.optimizers import Optimizer
from torch.nn.utils.rnn import pad_sequence
from turns import Clock, answer

SPECIAL = {"pad_token": "<blank>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
PADDING, _, BEGIN, END = range(4)


def configured(options: dict[str, Any]) -> tuple[TrainConfig, dict[str, Any]]:
    """The settings of model and training, and the vocabulary, with the ids of the other side."""
    units = options["units"]
    layer = {"layers": 1, "hidden_size": units}
    decoder = {"decoder_type": "rnn", "tgt_word_vec_size": units, "global_attention": "mlp", **layer}
    model = {
        "architecture": "custom",
        "hidden_size": units,
        "embeddings": {"word_vec_size": units},
        "share_embeddings": True,
        "share_decoder_embeddings": True,
        "encoder": {"encoder_type": "brnn", "src_word_vec_size": units, **layer},
        "decoder": {**decoder, "bidirectional_encoder": True},
    }
    training = {
        "optim": "adam",
        "learning_rate": options["learning_rate"],
        "max_grad_norm": options["gradient_clip"],
        "dropout": [options["dropout"]],
    }
    config = TrainConfig(src_vocab="-", share_vocab=True, data={}, model=model, training=training)
    symbols = [*SPECIAL.values(), *map(str, range(len(SPECIAL), options["vocabulary"]))]
    return config, dict_to_vocabs({"src": symbols, "tgt": symbols, "specials": SPECIAL})


def source_of(sentences: list[list[int]]) -> dict[str, Any]:
    """A batch of sources as eole's iterator makes it, padded."""
    padded = pad_sequence(list(map(torch.tensor, sentences)), batch_first=True, padding_value=PADDING)
    return {"src": padded, "srclen": torch.tensor(list(map(len, sentences)))}


def batch_of(sources: list[list[int]], targets: list[list[int]]) -> dict[str, Any]:
    """A batch of pairs as eole's iterator makes it, padded."""
    ended = [torch.tensor([BEGIN, *target, END]) for target in targets]
    return {
        **source_of(sources),
        "tgt": pad_sequence(ended, batch_first=True, padding_value=PADDING),
        "images": None,
        "prefix_len": None,
        "cid": ["bench"] * len(sources),
        "cid_line_number": list(range(len(sources))),
    }


def training_speed(folder: Path, options: dict[str, Any], clock: Clock) -> float:
    """Target tokens per second of updates, from batch to new parameters."""
    config, vocabs = configured(options)
    kind = get_model_class(config.model)
    model = kind.for_training(config.model, vocabs, config.training, device_id=-1)
    trainer = build_trainer(config, -1, model, vocabs, Optimizer.from_config(model, config))
    batches = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    statistics, wanted, begun = Statistics(), 0, 0.0
    for number, (sources, targets) in enumerate(batches):
        if number == 2:
            statistics, wanted, begun = Statistics(), 0, clock()
        wanted += sum(len(target) + 1 for target in targets)
        trainer._train_step([batch_of(sources, targets)], len(sources), statistics, Statistics())
    seconds = clock() - begun
    if statistics.n_tokens != wanted:
        raise SystemExit(f"eole counts {statistics.n_tokens} target tokens, not {wanted}")
    return wanted / seconds


def decoding_speed(folder: Path, options: dict[str, Any], clock: Clock) -> float:
    """Sentences per second."""
    config, vocabs = configured(options)
    kind = get_model_class(config.model)
    given = PredictConfig(model_path="-", src="-", beam_size=5, max_length_ratio=0)
    given.model = config.model
    models = []
    for _ in range(options["members"]):
        models.append(kind.build(config.model, vocabs, given))
        for parameter in models[-1].parameters():
            torch.nn.init.uniform_(parameter, -0.1, 0.1)
        with torch.no_grad():
            models[-1].generator.bias[END] = -1e9
    # eole's default, which is the faster one: the mean of what the models give before their softmax.
    whole = models[0] if len(models) == 1 else EnsembleModel(models)
    scorer = GNMTGlobalScorer.from_config(given)
    translator = Translator(whole.eval(), vocabs, given, config.model, device_id=-1, global_scorer=scorer)
    batches = json.loads((folder / "decoding.json").read_text(encoding="utf-8"))

    def decode(sources: list[list[int]]) -> None:
        translator.max_length = len(sources[0]) + 1
        found = translator.predict_batch(source_of(sources), attn_debug=False)["predictions"]
        lengths = {len(best[0]) for best in found}
        if len(found) != len(sources) or lengths != {len(sources[0]) + 1}:
            raise SystemExit(f"{len(found)} outputs of {lengths} words for {len(sources)} sources")

    decode(batches[0])
    begun = clock()
    for sources in batches:
        decode(sources)
    return sum(map(len, batches)) / (clock() - begun)


if __name__ == "__main__":
    answer({"training": training_speed, "decoding": decoding_speed})
