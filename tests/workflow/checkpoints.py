"""Tiny checkpoints as the hub and IWSLT 2022 have theirs."""

import json
from functools import partial

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.encoders.masked_models import masked_model
from tests.encoders.test_released import checkpoint as classifier
from tests.seq2seq.sockeye_files import write_sockeye
from tests.transfer.test_fine_tune import marian, mbart, mt5
from workflow_scripts.core.files import read_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.text.moses import tokenise
from workflow_scripts.text.symbols import SPECIAL

BERT = "google-bert/bert-base-multilingual-cased"
MASKED = "FacebookAI/xlm-roberta-base"
SENTENCES = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
CHECKPOINTS = {
    "Helsinki-NLP/opus-mt-en-ROMANCE": marian,
    "Helsinki-NLP/opus-mt-ROMANCE-en": marian,
    "google/mt5-small": mt5,
    # The translators, which were not trained, write as much as they can.
    "facebook/mbart-large-50": partial(mbart, positions=512),
    "s-nlp/xlmr_formality_classifier": partial(classifier, labels={0: "LABEL_0", 1: "LABEL_1"}),
}


def pickled(folder):
    """The same checkpoint without safetensors, as these are at their commits."""
    weights = folder / "model.safetensors"
    torch.save(load_file(weights), folder / "pytorch_model.bin")
    weights.unlink()
    return folder


def put_checkpoints(folder, commits):
    """Write checkpoints into a folder; each one's place by its name and its commit, which `commits` has."""
    served = {}
    torch.manual_seed(1)
    for number, (name, make) in enumerate(CHECKPOINTS.items()):
        (folder / str(number)).mkdir()
        served[name, commits[name]] = pickled(make(folder / str(number) / "model"))
    texts = folder / "texts.txt"
    texts.write_text("Olá , tudo bem ?\nC'est trop bien ça !\nChe bello .\n" * 20, encoding="utf-8")
    sizes = {
        "vocabulary_size": 100,
        "layers": 1,
        "hidden": 16,
        "heads": 2,
        "lowercase": False,
        "max_length": 16,
        "seed": 1,
    }
    encoder(folder / "bert", kind="scratch", texts=[texts], **sizes)
    for name in (BERT, SENTENCES):
        served[name, commits[name]] = folder / "bert"
    served[MASKED, commits[MASKED]] = masked_model(folder / "masked")
    return served


def put_sockeye(folder, texts):
    """A small model with random weights in Sockeye's files, whose merges are learnt from texts."""
    tokens = [line for path, language in texts for line in tokenise(read_lines(path), language, dashes=False)]
    learner = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    learner.pre_tokenizer = pre_tokenizers.Split(" ", "removed")
    learner.train_from_iterator(
        tokens, trainers.BpeTrainer(vocab_size=200, end_of_word_suffix="</w>", show_progress=False)
    )
    told = json.loads(learner.to_str())["model"]
    pieces = [
        part.removesuffix("</w>") if part.endswith("</w>") else f"{part}@@" for part in sorted(told["vocab"])
    ]
    symbols = [*SPECIAL, *pieces]
    model = Transformer(TransformerSizes(len(symbols), 16, 2, 16, 2, 1))
    model.initialise(torch.Generator().manual_seed(1))
    write_sockeye(folder, model, symbols, [" ".join(pair) for pair in told["merges"]])
