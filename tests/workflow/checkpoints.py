"""Tiny checkpoints as the hub, an archive and IWSLT 2022 have theirs."""

import json
from functools import partial

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.encoders.masked_models import masked_model
from tests.encoders.test_released import checkpoint as classifier
from tests.responders.released_files import put_augpt, put_pptod
from tests.seq2seq.sockeye_files import write_sockeye
from tests.transfer.checkpoints import marian, mbart, mt5
from workflow_scripts.core.files import read_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.language_models.scratch import from_scratch
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.text.moses import tokenise
from workflow_scripts.text.symbols import SPECIAL

BERT = "google-bert/bert-base-multilingual-cased"
MASKED = "FacebookAI/xlm-roberta-base"
JUDGE = "google-bert/bert-base-uncased"
SENTENCES = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
TYDIP = "Genius1237/xlm-roberta-large-tydip"
# The folder of PPTOD's archives.
PPTOD = "E2E"
# Stored as pickles.
PICKLES = {
    "Helsinki-NLP/opus-mt-en-ROMANCE": marian,
    "Helsinki-NLP/opus-mt-ROMANCE-en": marian,
    "google/mt5-small": mt5,
    # The translators, which were not trained, write as much as they can.
    "facebook/mbart-large-50": partial(mbart, positions=512),
    "s-nlp/xlmr_formality_classifier": partial(classifier, labels={0: "LABEL_0", 1: "LABEL_1"}),
}


def pretrained(folder, kind, bart=False):
    """A language model of T5's, BART's or GPT-2's kind, which knows no format of dialogues."""
    sizes = {"vocabulary_size": 300, "layers": 1, "hidden": 8, "heads": 2, "dropout": 0.0}
    folder.mkdir()
    from_scratch(kind, ["a cheap hotel"], [], prepare("cpu", "float32", 1), **sizes, seed=1, bart=bart).save(
        folder
    )
    return folder


# Stored as safetensors; AuGPT's with what is no part of the model.
OTHERS = {
    MASKED: masked_model,
    "FacebookAI/xlm-roberta-large": masked_model,
    "FacebookAI/roberta-large": partial(masked_model, family="roberta"),
    "google-t5/t5-small": partial(pretrained, kind="encoder_decoder"),
    "google-t5/t5-large": partial(pretrained, kind="encoder_decoder"),
    "facebook/bart-large": partial(pretrained, kind="encoder_decoder", bart=True),
    "distilbert/distilgpt2": partial(pretrained, kind="causal"),
    "openai-community/gpt2-large": partial(pretrained, kind="causal"),
    "jkulhanek/augpt-mw-21": put_augpt,
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
    for number, (name, make) in enumerate({**PICKLES, **OTHERS}.items()):
        (folder / str(number)).mkdir()
        made = make(folder / str(number) / "model")
        served[name, commits[name]] = pickled(made) if name in PICKLES else made
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
    for name in (BERT, JUDGE, SENTENCES):
        served[name, commits[name]] = folder / "bert"
    # What resources/sources.csv has, file by file, without a commit.
    served[TYDIP, "main"] = classifier(folder / "tydip", {0: "impolite", 1: "polite"})
    (folder / "tydip/special_tokens_map.json").write_text(json.dumps({"unk_token": "<unk>"}), "utf-8")
    (folder / "pptod").mkdir()
    put_pptod(folder / "pptod/epoch_9_best_ckpt.zip")
    served["pptod", PPTOD] = folder / "pptod"
    return served


def redirect(checkout, address):
    """Let the registry of a copied checkout name the local server, which speaks no https."""
    table, code = (
        checkout / name for name in ("resources/sources.csv", "workflow_scripts/corpora/sources/registry.py")
    )
    for file, old, new in (
        (table, "https://huggingface.co/", f"{address}/"),
        (table, f"https://pptod.s3.amazonaws.com/{PPTOD}/", f"{address}/pptod/resolve/{PPTOD}/"),
        (code, '.startswith("https://")', '.startswith("http")'),
    ):
        text = file.read_text(encoding="utf-8")
        assert old in text, old
        file.write_text(text.replace(old, new), encoding="utf-8")


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
