"""The overlay of released and pretrained models, run on tiny checkpoints that a local hub serves."""

import csv
import json
import shutil
from functools import partial

import pytest
import torch
import yaml
from safetensors.torch import load_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.hub import hub
from tests.seq2seq.sockeye_files import write_sockeye
from tests.transfer.test_fine_tune import marian, mbart, mt5
from tests.workflow.tiny import CONFIG, ROOT
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.files import read_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.text.moses import tokenise
from workflow_scripts.text.symbols import SPECIAL

pytestmark = pytest.mark.slow
BERT = "google-bert/bert-base-multilingual-cased"
CHECKPOINTS = {
    "Helsinki-NLP/opus-mt-en-ROMANCE": marian,
    "Helsinki-NLP/opus-mt-ROMANCE-en": marian,
    "google/mt5-small": mt5,
    # The translators, which were not trained, write as much as they can.
    "facebook/mbart-large-50": partial(mbart, positions=512),
}
FEW = {"epochs": 1, "max_updates": 2, "batch_size": 4}


def named(settings: object) -> dict[str, str]:
    """The checkpoints of the hub that settings name, with their commits."""
    found: dict[str, str] = {}
    if isinstance(settings, dict):
        if settings.get("revision"):
            found[settings["checkpoint"]] = settings["revision"]
        for value in settings.values():
            found |= named(value)
    return found


def pickled(folder):
    """The same checkpoint without safetensors, as these four are at their commits."""
    weights = folder / "model.safetensors"
    torch.save(load_file(weights), folder / "pytorch_model.bin")
    weights.unlink()
    return folder


@pytest.fixture(scope="module")
def repositories(tmp_path_factory):
    """Tiny checkpoints by the names and commits of the overlay."""
    folder = tmp_path_factory.mktemp("hub")
    both = [yaml.safe_load((ROOT / name).read_text("utf-8")) for name in ("config/hub.yaml", "config.yaml")]
    commits = named(both[1]) | named(both[0])
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
    served[BERT, commits[BERT]] = folder / "bert"
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


def test_the_overlay_runs_on_tiny_checkpoints(finished, repositories, tmp_path, monkeypatch):
    folder = tmp_path / "checkout"
    shutil.copytree(finished.folder, folder, symlinks=True)
    texts = [f"build/corpora/generic/fr/train.{side}.txt" for side in ("en", "target")]
    done = finished.run(folder, "--cores", 2, *CONFIG, "--", *texts)
    assert done.returncode == 0, done.stderr[-3000:]
    sides = [(folder / path, language) for path, language in zip(texts, ("en", "fr"), strict=True)]
    put_sockeye(folder / "models/model.en-fr", sides)
    plain = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    tiny = {
        "scale": "demo",
        "device": "cpu",
        "corpora": plain["corpora"],
        "transfer": {"copying": None},
        "formality": {"max_length": 16, "epochs": 1},
        # Ratings whose translations say nothing teach nothing: all sentences are formal.
        "filtering": {"informal_below": -3.0},
        "systems": {
            name: {"languages": ["fr"], "max_length": 12, "beam_size": 2, "training": FEW}
            for name in ("mt5", "mbart")
        },
        "human": {"systems": ["rule-based", "round-trip-mt"]},
        "rows": ["copy", "rule-based", "round-trip-mt", "mt5", "mbart"],
        "control": {
            "languages": ["fr"],
            "generic": {"sockeye": {"fr": "models/model.en-fr"}},
            "tuning": {"batch_size": 64},
            "upsampling": {
                "figure1": {"language": "fr", "copies": [1]},
                "figure2": {"language": "fr", "copies": [2]},
            },
            "genders": {"language": "fr"},
            "systems": {"none": {"languages": ["fr"]}, "cocoa-mt": {"languages": ["fr"], "seeds": [1]}},
            "rows": ["references", "none", "cocoa-mt"],
        },
    }
    (folder / "few.yaml").write_text(json.dumps(tiny), encoding="utf-8")
    overlays = ["--configfile", "config.yaml", "config/open.yaml", "config/hub.yaml", "tiny.yaml", "few.yaml"]
    goals = ["results/table7.csv", "results/cocoa-mt/table6.csv", "results/cocoa-mt/table6.compare.csv"]
    with hub(repositories) as (address, asked):
        monkeypatch.setenv("HF_ENDPOINT", address)
        # A process of its own: the address is read when the hub's library is loaded.
        done = finished.run(folder, "--cores", 2, *overlays, "--", *goals, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    for name, commit in repositories:
        assert any(f"/{name}/resolve/{commit}/" in path for path in asked), name
    with (folder / goals[0]).open(encoding="utf-8", newline="") as stream:
        table = {row["system"]: row for row in csv.DictReader(stream)}
    assert all(table[name]["multi_bleu_fr"] for name in ("ROUND-TRIP MT", "MT5-SMALL", "MBART-50"))
    with (folder / goals[1]).open(encoding="utf-8", newline="") as stream:
        assert {row["system"] for row in csv.DictReader(stream)} == {"references", "none", "CoCoA-MT"}
    # What was not trained as the paper's is not compared with it.
    cells = [
        row for _, row in read_rows(folder / goals[2], ("system", "comparable", "lang", "printed", "ours"))
    ]
    reasons = {
        row["comparable"] for row in cells if row["system"] == "none" and row["printed"] and row["ours"]
    }
    assert reasons and all(
        "trained on unknown data (models/model.en-fr, of Sockeye)" in one for one in reasons
    )
    # Other weights are read again.
    monkeypatch.delenv("HF_ENDPOINT")
    codes = folder / "models/model.en-fr/bpe_codes"
    codes.write_text(codes.read_text("utf-8").rpartition("\n")[0].rpartition("\n")[0] + "\n", "utf-8")
    done = finished.run(folder, "-n", *overlays, "--", goals[1])
    assert "rule read_sockeye" in done.stdout and "rule train_tuned" in done.stdout
