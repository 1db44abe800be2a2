"""The work of jobs that train and ask classifiers of requests and controlled translators."""

import re
from functools import cache
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config.control import Finetuned as Controlled
from workflow_scripts.config.systems import Finetuned
from workflow_scripts.core.errors import InputError
from workflow_scripts.planning.amounts import Amount, Amounts
from workflow_scripts.planning.dialogues import parameters, system_of
from workflow_scripts.planning.rates import read_rates
from workflow_scripts.planning.volumes import read_volumes

PARTS = [f"build/politeness/requests/{name}.{{}}.txt" for name in ("en.train", "hi.test", "fr.test")]
REQUESTS = [
    *(PARTS[0].format(kind) for kind in ("sentences", "labels")),
    *(path.format(kind) for path in PARTS[1:] for kind in ("sentences", "scores")),
]


@cache
def declared() -> dict[str, dict[str, str]]:
    """The `counts` and `weights` of the rules of each step, without the kind of model in its name."""
    texts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules").rglob("*.smk"))
    found = re.findall(r'\bstep=f?"([^"]+?)(?: \(.*)?",((?:\s+(?:counts|weights)="[^"]+",)*)', texts)
    return {step: dict(re.findall(r'(\w+)="([^"]+)"', words)) for step, words in found}


def job(
    step: str, inputs: list[str], outputs: list[str], lines: str = "", **wildcards: str
) -> dict[str, Any]:
    """A job of a rule of this step."""
    words = {"counts": "lines", "weights": "", **declared().get(step.partition(" (")[0], {})}
    return {
        **{"rule": step, "step": step, "lines": lines, "params": {}, **words},
        **{"input": inputs, "output": outputs, "wildcards": wildcards},
    }


@pytest.fixture
def settings():
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


def amounts_of(settings: dict[str, Any]) -> Amounts:
    """After the job that writes the requests."""
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    found.of(job("tydip_requests", [], REQUESTS, "tydip"))
    return found


@pytest.mark.parametrize(
    ("encoder", "version", "step", "units"),
    [
        # Two layers of 64 units on the outer quartiles of 240 requests.
        ({}, "demo", "train classifier", 120 * 15 * 2 * 12 * 64**2 * 40 / 1e9),
        # Lines of requests and labels.
        ({"kind": "ngrams"}, "demo", "train classifier (light)", 240),
        # RoBERTa-large on those that were released.
        (
            {"kind": "hub"},
            "dfc6306",
            "train classifier (large)",
            1927 * 15 * 24 * 12 * 1024**2 * 40 * 1.5 / 1e9,
        ),
    ],
)
def test_a_training_counts_epochs_requests_and_the_encoder(settings, encoder, version, step, units):
    settings["corpora"]["tydip"] = version
    settings["politeness"]["classifiers"]["roberta"]["encoder"] |= encoder
    amount = amounts_of(settings).of(job("train classifier", REQUESTS[:2], ["m"], classifier="roberta"))
    assert amount.step == step
    assert amount.units == pytest.approx(units)


def test_a_scoring_and_a_sample_that_is_asked_about(settings):
    found = amounts_of(settings)
    texts = [path.format("sentences") for path in PARTS[1:]]
    amount = found.of(job("score classifier", texts, ["s"], classifier="roberta"))
    assert amount.step == "score classifier"
    assert amount.units == pytest.approx(2 * 40 * 2 * 12 * 64**2 * 40 / 1e9)
    for sample, units in ((None, 80), (12, 24)):
        model = {"kind": "gguf", "name": "x", "max_tokens": 1}
        settings["politeness"]["prompted"] = {"llm": {"sample": sample, "model": model}}
        gold = [path.format("scores") for path in PARTS[1:]]
        amount = found.of(job("asked (gguf)", [*texts, *gold], ["s"], classifier="llm"))
        # Each language's requests, not their scores.
        assert amount.step == "asked (gguf)" and amount.units == units


@pytest.mark.parametrize("kind", ["counts", "lines", "weights"])
def test_a_word_by_which_nothing_is_counted_is_an_error(settings, kind):
    message = rf'rule shard: unknown word {kind}="dozens"'
    with pytest.raises(InputError, match=message):
        amounts_of(settings).of({**job("shard", ["x"], ["y"]), kind: "dozens"})


def test_files_of_ones_own_are_copied(settings):
    """At a rate that is known."""
    texts = [path.format("sentences") for path in PARTS[1:]]
    amount = amounts_of(settings).of(job("copy", ["mine.txt", *texts], ["taken"]))
    assert (amount.step, amount.unit, amount.units) == ("copy", "line", 80)
    assert read_rates(ROOT / "resources/rates.csv")["copy"].doubts(amount, gpu=False) == []


def test_each_model_of_an_ensemble_decodes(settings):
    found = amounts_of(settings)
    found.texts.lines["informal.txt"] = 50
    model = settings["transfer"]["model"] | {"embedding": 64, "hidden": 32}
    settings["transfer"] |= {"model": model, "vocabulary_size": 1000, "decoding": {"beam_size": 5}}
    # Two encoders, a decoder and the output's words, for each of 14 tokens.
    network = 8 * 32 * (64 + 32) + 4 * 32 * (64 + 3 * 32) + 32 * 1000
    for count in (1, 3):
        inputs = ["text", "informal.txt", *(f"{n}.safetensors" for n in range(count))]
        amount = found.of(job("decode", inputs, ["run0.txt"], system="one", lang="fr"))
        assert (amount.step, amount.units) == ("decode", pytest.approx(50 * network * count * 5 * 14 / 1e9))


# A Transformer of 64 units, 256 in feed-forward layers, 2 + 1 layers: multiplications for a source token
# (with keys and values for the decoder) and for a target token (1,500 words).
SOURCE = 2 * (4 * 64**2 + 2 * 64 * 256) + 2 * 64**2
TARGET = 4 * 64**2 + 2 * 64 * 256 + 64 * 1500
GENERIC = [f"build/corpora/generic/it/train.{side}.txt" for side in ("en", "target")]
TEST = "build/control/test/it/source.txt"


def tuned(found: Amounts, system: str) -> Amount:
    """The training of a tuned model, after the job that writes its pairs."""
    pairs = [f"{system}.{side}.txt" for side in ("source", "target")]
    found.of(job("tuning_pairs", GENERIC, pairs, "tuned", system=system, lang="it", run="0"))
    return found.of(job("tune transformer", ["t", *pairs, "m"], ["n.safetensors"], system=system, lang="it"))


def test_translators_under_control_in_the_demo(settings):
    found = amounts_of(settings)
    found.of(job("read_generic", ["zip"], GENERIC, "generic", target="it", part="train"))
    sides = [f"build/control/generic/it/train.{side}.txt" for side in ("en", "target")]
    dev = [path.replace("train", "dev") for path in sides]
    assert found.of(job("sample_generic", GENERIC, [*dev, *sides], "sample", lang="it")).units == 140_000
    assert [found.texts.lines[path] for path in (*dev, *sides)] == [200, 200, 4000, 4000]
    amount = found.of(job("train transformer", ["t", *sides], ["m.safetensors", "l.tsv"], lang="it"))
    assert (amount.step, amount.unit) == ("train transformer", "billion multiplications")
    assert amount.units == pytest.approx(1000 * 512 * 3 * (SOURCE + TARGET) / 1e9)
    assert amount.disk == 4 * (SOURCE + TARGET)
    # 400 labelled pairs, five times, and as many generic ones; Figure 1 has other numbers of copies.
    for system, lines in (("cocoa-mt", 4000), ("cocoa-mt.x2", 1600), ("rules-unique", 4000)):
        amount = tuned(found, system)
        assert amount.step == "tune transformer"
        assert amount.units == pytest.approx(lines * 14 * 3 * (SOURCE + TARGET) / 1e9)
    found.of(job("controlled_test", ["corpus"], [TEST], "cocoa-mt"))
    for levels, lines in ((["formal", "informal"], 300), (["none", "none"], 150)):
        # At either level; without levels once.
        decoding = job("decode transformer", ["t", "m", TEST, TEST], ["1.txt", "2.txt"], lang="it")
        amount = found.of({**decoding, "params": {"levels": levels}})
        assert amount.step == "decode transformer"
        assert amount.units == pytest.approx(lines * 14 * (SOURCE + 5 * TARGET) / 1e9)


def test_the_pairs_of_the_web_at_paper_scale(settings):
    """Of ParaCrawl's German pairs 20 million are drawn; JParaCrawl has 10 million."""
    settings["corpora"]["generic"] = "web"
    settings["control"]["generic"]["train_sentences"] = 20_000_000
    found = amounts_of(settings)
    for language, rule, lines in (("de", "read_generic", 278_300_000), ("ja", "read_jparacrawl", 10_000_000)):
        pairs = [f"build/corpora/generic/{language}/train.{side}.txt.gz" for side in ("en", "target")]
        found.of(job(rule, ["archive"], pairs, "generic", target=language))
        sample = [f"build/control/generic/{language}/train.{side}.txt" for side in ("en", "target")]
        assert found.of(job("sample_generic", pairs, sample, "sample", lang=language)).units == 2 * lines
        assert [found.texts.lines[path] for path in sample] == [min(lines, 20_000_000)] * 2
    test_set = [f"build/corpora/generic/de/wmt.{side}.txt" for side in ("en", "target")]
    found.of(job("read_test_set", ["archive"], test_set, "generic", target="de", part="wmt"))
    assert found.texts.lines[test_set[0]] == 2000
    assert tuned(found, "cocoa-mt").step == "tune transformer"


def test_translators_under_control_of_released_data(settings):
    settings["corpora"]["cocoa_mt"] = "441e23a"
    settings["control"]["systems"]["cocoa-mt"]["size"] = None
    found = amounts_of(settings)
    found.of(job("read_generic", ["folder"], GENERIC, "generic", target="fr", part="train"))
    amount = tuned(found, "cocoa-mt")
    # 400 segments at either level; half of the pairs are longer.
    assert amount.units == pytest.approx(8000 * (14 + 34) / 2 * 3 * (SOURCE + TARGET) / 1e9)
    settings["control"]["generic"]["model"]["units"] = 512
    assert tuned(found, "rules").step == "tune transformer (large)"


def test_a_model_on_disk_has_the_size_of_its_own_network_or_is_an_assumption(settings):
    found = amounts_of(settings)
    responder = found.of(job("train_responder", ["texts"], ["network.safetensors"], system="damd"))
    assert responder.disk == 4 * parameters(system_of(settings, "damd")) > 0
    unknown = found.of(job("train_dast", ["texts"], ["dast.safetensors"]))
    assert (unknown.disk, unknown.assumed) == (0, ("size of a model on disk",))


def test_a_fine_tuning_counts_both_directions_and_the_checkpoint(settings):
    model = {"kind": "folder", "path": "x"}
    row = Finetuned(label="T5", kind="finetuned", model=model).model_dump()
    settings["systems"]["mt5"] = row
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    found.texts.lines |= {"informal": 100, "formal": 100, "source": 30}
    token = 8 * 12 * 512**2 + 512 * 250112
    for kind, step in (("hub", " (large)"), ("scratch", "")):
        row["model"] |= {"kind": kind, "checkpoint": "google/mt5-small"}
        if kind == "scratch":
            token = 2 * 12 * 64**2 + 64 * 1000
        tuned = found.of(job("fine_tune", ["informal", "formal"], ["model"], system="mt5"))
        decoded = found.of(job("rewrite", ["model", "source"], ["out"], system="mt5"))
        assert tuned.step == f"fine_tune{step}"
        assert decoded.step == f"rewrite{step}"
        # Three epochs; a multiplication in training counts three times; 14 tokens a side.
        assert tuned.units == pytest.approx(3 * 3 * 200 * 2 * 14 * token / 1e9)
        assert decoded.units == pytest.approx(30 * 14 * 6 * token / 1e9)


def test_a_translator_is_fine_tuned_on_both_levels(settings):
    own = Controlled(label="T5", kind="finetuned", model={"kind": "scratch"}).model_dump()
    settings["control"]["systems"]["mt5"] = own
    settings["demo"]["controlled_train"] = 20
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    made = "build/control/tuned/mt5/fr/run0.model"
    tuned = found.of(job("fine_tune", ["corpus"], [made], system="mt5", run="0"))
    token = 2 * 12 * 64**2 + 64 * 1000
    assert tuned.step == "fine_tune"
    # Three epochs; a multiplication in training counts three times; 14 tokens a side.
    assert tuned.units == pytest.approx(3 * 3 * 2 * 2 * 20 * 2 * 14 * token / 1e9)


def test_a_translator_as_it_is_is_counted_once_for_both_levels(settings):
    model = {"kind": "hub", "checkpoint": "facebook/mbart-large-50", "revision": "a1" * 20}
    own = Controlled(label="MBART", kind="finetuned", model=model, training=None).model_dump()
    settings["control"]["systems"]["plain"] = own
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    test = "build/control/test/ru-2022/source.txt"
    found.of(job("shared_task_test", [], [test], "shared-task", lang="ru-2022"))
    outputs = [f"build/control/outputs/plain/ru-2022/{level}/run0.txt" for level in ("formal", "informal")]
    checkpoint = "build/control/pretrained/plain"
    written = found.of(job("rewrite", [checkpoint, test], outputs, system="plain", lang="ru-2022"))
    token = 12 * 12 * 1024**2 + 1024 * 250054
    assert written.step == "rewrite (large)"
    assert written.units == pytest.approx(600 * 14 * 6 * token / 1e9)
    assert [found.texts.lines[path] for path in outputs] == [600, 600]


def test_translators_of_shared_tasks_have_the_released_segments_at_every_scale(settings):
    own = Controlled(label="T5", kind="finetuned", model={"kind": "scratch"}).model_dump()
    settings["control"]["systems"]["mt5"] = own
    settings["demo"]["controlled_train"] = 20
    found = Amounts(settings, read_volumes(ROOT / "resources/volumes.csv", settings), {}, {})
    test = "build/control/test/ko-2023/source.txt"
    found.of(job("shared_task_test", [], [test], "shared-task", lang="ko-2023"))
    made = "build/control/tuned/mt5/ko-2023/run0.model"
    tuned = found.of(job("fine_tune", ["corpus"], [made], system="mt5", run="0", lang="ko-2023"))
    output = "build/control/outputs/mt5/ko-2023/formal/run0.txt"
    written = found.of(job("rewrite", [made, test], [output], system="mt5", lang="ko-2023"))
    token = 2 * 12 * 64**2 + 64 * 1000
    assert tuned.units == pytest.approx(3 * 3 * 2 * 400 * 2 * 14 * token / 1e9)
    assert written.units == pytest.approx(600 * 14 * 6 * token / 1e9)
    # Their classifier has XLM-R's base size, whatever the encoder of formality is.
    folder = "build/control/classified/ko-2023"
    scored = found.of(job("score formality", ["model", output], [folder], lang="ko-2023"))
    assert scored.step == "score formality (large)"
    assert scored.units == pytest.approx(600 * 12 * 12 * 768**2 * 14 * 1.5 / 1e9)
