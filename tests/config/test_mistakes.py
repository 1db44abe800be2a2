"""Each mistake in the settings is one line that tells what is right."""

from collections.abc import Callable

import pytest
import yaml

from tests.conftest import ROOT
from workflow_scripts.config import kinds, settings
from workflow_scripts.core.errors import InputError


@pytest.mark.parametrize(
    ("system", "change", "message"),
    [
        ("multi-task-tag-style", {"base": "copy"}, "'copy' is of kind copy, not translate_train_tag"),
        ("backtranslate", {"base": "translate-train"}, "did you mean 'translate-train-tag'?"),
        ("backtranslate", {"directions": "forth"}, "backtranslate.directions"),
        ("unmt", {"input": "unmt"}, "reads, in the end, its own output"),
        ("unmt", {"corpus": "yahoo-fr"}, "set languages: [fr]"),
        ("dlsm", {"languages": ["xx"]}, "unknown 'xx'"),
    ],
)
def test_a_system_that_cannot_be_is_named(demo, system, change, message):
    demo["systems"][system].update(change)
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert message in str(error.value) and f"systems.{system}" in str(error.value)


def test_systems_that_read_each_other_are_refused(demo):
    demo["systems"]["translate-train-tag"]["input"] = "backtranslate"
    demo["systems"]["backtranslate"]["input"] = "translate-train-tag"
    with pytest.raises(InputError, match="its own output"):
        settings.load(demo)


def prompted(**model: object) -> dict[str, object]:
    """A system that is a language model."""
    given = {"kind": "endpoint", "name": "m", "address": "https://host/v1"}
    return {"llm": {"label": "LLM", "kind": "prompted", "model": {**given, **model}}}


def finetuned(model: dict[str, object] | None = None, **changes: object) -> dict[str, object]:
    """A system that is a pretrained model from scratch."""
    row = yaml.safe_load((ROOT / "config/finetuned.yaml").read_text(encoding="utf-8"))["systems"]["mt5"]
    return {"mt5": {**row, "model": {**row["model"], "kind": "scratch", **(model or {})}, **changes}}


def translator(model: dict[str, object] | None = None, **changes: object) -> dict[str, object]:
    """The same as a system of CoCoA-MT's tables."""
    return finetuned(model, **changes)


def translations(path: str, *languages: str) -> dict[str, object]:
    """Translations of one's own in some languages."""
    return {"label": "MINE", "kind": "outputs", "path": path, "languages": list(languages)}


MISTAKES: dict[str, Callable[[dict], object]] = {
    "unknown key 'filtering.bicleaner.treshold'; did you mean 'threshold'?": lambda c: c["filtering"][
        "bicleaner"
    ].update(treshold=1.0),
    "unknown key 'sead'; did you mean 'seed'?": lambda c: c.update(sead=1),
    "unknown key 'systems.mine.pth'; did you mean 'path'?": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "outputs", "path": "x", "pth": "y"}
    ),
    "unknown key 'systems.copy.labl'; did you mean 'label'?": lambda c: c["systems"]["copy"].update(
        labl="COPY"
    ),
    "'systems.mine.kind' is 'output'; did you mean 'outputs'?": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "output", "path": "x"}
    ),
    "key 'systems.mine.kind' is missing; known: backtranslate, copy": lambda c: c["systems"].update(
        mine={"label": "MINE", "path": "x"}
    ),
    # Rows of config/hub.yaml without config/open.yaml below it.
    "key 'control.systems.half.kind' is missing; config/open.yaml or config/paper.yaml has the whole row:"
    " give that overlay before this one": lambda c: c["control"]["systems"].update(half={"seeds": [1]}),
    "key 'fluency.order' is missing": lambda c: c["fluency"].pop("order"),
    "'evaluation.resamples' is 'many': input should be a valid integer": lambda c: c["evaluation"].update(
        resamples="many"
    ),
    "unknown language 'es'; known: fr, it, pt": lambda c: c.update(languages=["es"]),
    "evaluation.judge: judge_meaning asks a language model; name one": lambda c: c["evaluation"].update(
        metrics=["judge_meaning"]
    ),
    "evaluation.scorers.formal.formal": lambda c: c["evaluation"]["scorers"]["formal"].update(formal="1"),
    "evaluation.scorers.zero_shot.revision": lambda c: c["evaluation"]["scorers"]["zero_shot"].update(
        revision="main"
    ),
    "evaluation.metrics: no metric 'chrff'; did you mean 'chrf'?": lambda c: c["evaluation"].update(
        metrics=["chrff"]
    ),
    "evaluation.baseline: no system 'rule_based'; did you mean 'rule-based'?": lambda c: c[
        "evaluation"
    ].update(baseline="rule_based"),
    "'systems' has the key 'my.llm': use letters": lambda c: c["systems"].update(
        {"my.llm": {"label": "MINE", "kind": "outputs", "path": "x"}}
    ),
    "'seed' is 4294967296: input should be less than 4294967296": lambda c: c.update(seed=2**32),
    "'systems.unmt.seeds' is [1, 1]: 1 is repeated": lambda c: c["systems"]["unmt"].update(seeds=[1, 1]),
    "'systems.unmt.seeds.0' is -1: input should be greater": lambda c: c["systems"]["unmt"].update(
        seeds=[-1]
    ),
    "'systems.unmt.seeds.1' is 4294967296: input should be less": lambda c: c["systems"]["unmt"].update(
        seeds=[0, 2**32]
    ),
    "'languages' is ['fr', 'fr']: fr is repeated": lambda c: c.update(languages=["fr", "fr"]),
    "'systems.unmt.languages' is ['fr', 'fr']": lambda c: c["systems"]["unmt"].update(languages=["fr", "fr"]),
    "'human.systems' is ['unmt', 'unmt']": lambda c: c["human"].update(systems=["unmt", "unmt"]),
    "systems.dlsm.label: 'UNMT' is the label of 'unmt'": lambda c: c["systems"]["dlsm"].update(label="UNMT "),
    "systems.copy.label: 'INFORMAL' is the label of a text that is not a system": lambda c: c["systems"][
        "copy"
    ].update(label="INFORMAL"),
    "'systems.copy.label' is ' ': a label is needed": lambda c: c["systems"]["copy"].update(label=" "),
    "'systems.copy.label' is 'A\\nB': a text is one line": lambda c: c["systems"]["copy"].update(
        label="A\nB"
    ),
    "formality.encoder.heads: 3 heads cannot share 128 units evenly": lambda c: c["formality"][
        "encoder"
    ].update(heads=3),
    "politeness.classifiers.xlmr.encoder.heads: 3 heads cannot share 64 units evenly": lambda c: c[
        "politeness"
    ]["classifiers"]["xlmr"]["encoder"].update(heads=3),
    "politeness.classifiers.xlmr.encoder.path: needed when": lambda c: c["politeness"]["classifiers"]["xlmr"][
        "encoder"
    ].update(kind="folder"),
    "formality.encoder.kind: 'sentences' is for politeness.classifiers only": lambda c: c["formality"][
        "encoder"
    ].update(kind="sentences"),
    "politeness.classifiers.roberta.label: 'XLMR' is the label of 'xlmr'": lambda c: c["politeness"][
        "classifiers"
    ]["roberta"].update(label="XLMR"),
    "'politeness.translated.0' is 'en'": lambda c: c["politeness"].update(translated=["en"]),
    "unknown key 'politeness.classifiers.xlmr.inptus'; did you mean 'inputs'?": lambda c: c["politeness"][
        "classifiers"
    ]["xlmr"].update(inptus=[]),
    "unknown key 'prompting.prices.m.inptu'; did you mean 'input'?": lambda c: c["prompting"].update(
        prices={"m": {"input": 1.0, "output": 1.0, "inptu": 1.0}}
    ),
    "'systems.mine.path' is 'x/{language}': the only placeholder is {lang}": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "outputs", "path": "x/{language}"}
    ),
    "'systems.mine.path' is '{lang}/{}'": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "outputs", "path": "{lang}/{}"}
    ),
    "'human.ratings' is 'r/{lang}': a path without a placeholder is needed": lambda c: c["human"].update(
        ratings="r/{lang}"
    ),
    "'mirror' is '': a path is needed": lambda c: c.update(mirror=""),
    "'cache' is '': a path is needed": lambda c: c.update(cache=""),
    "'licensed' is '-rf': a path that begins with -": lambda c: c.update(licensed="-rf"),
    "'systems.mine.path' is './-x': a path that begins with -": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "outputs", "path": "./-x"}
    ),
    "'translation.hf.prefix' is 'a\\x00b': a text is one line": lambda c: c["translation"]["hf"].update(
        prefix="a\0b"
    ),
    "'systems' has the key '-h': use letters": lambda c: c["systems"].update({"-h": c["systems"]["copy"]}),
    "unknown key 'a\\nb'": lambda c: c.update({"a\nb": 1}),
    "'corpora.gyafc_language' is '$(id)'": lambda c: c["corpora"].update(gyafc_language="$(id)"),
    "'filtering.shards' is 100000000: input should be less": lambda c: c["filtering"].update(shards=10**8),
    "'formality.folds' is 10000000: input should be less": lambda c: c["formality"].update(folds=10**7),
    "'fluency.memory' is '300%'": lambda c: c["fluency"].update(memory="300%"),
    "unknown key 'systems.unmt.noise.blnk'; did you mean 'blank'?": lambda c: c["systems"]["unmt"].update(
        noise={**c["systems"]["unmt"]["noise"], "blnk": 0.1}
    ),
    "rows: no system 'copi'; did you mean 'copy'?": lambda c: c.update(rows=["copi"]),
    "'rows' is ['copy', 'copy']: copy is repeated": lambda c: c.update(rows=["copy", "copy"]),
    "'rows' is []": lambda c: c.update(rows=[]),
    "no row exists in pt: see rows": lambda c: c.update(rows=["unmt-in-domain"], languages=["pt"]),
    "'systems.llm.model.address' is not shown: only https keeps keys": lambda c: c["systems"].update(
        prompted(address="http://host/v1")
    ),
    "'systems.llm.model.address' is not shown: an address has no name": lambda c: c["systems"].update(
        prompted(address="https://me:pw@host/v1")
    ),
    "an endpoint needs an address": lambda c: c["systems"].update(prompted(address=None)),
    "key is for models of kind endpoint only": lambda c: c["systems"].update(
        prompted(kind="gguf", address=None, key="KEY")
    ),
    "prompting.prices: no price of 'm'; set it": lambda c: c["systems"].update(prompted()),
    "prompting.prices: no price of 'dialogues'; set it": lambda c: c["dialogue"]["systems"].update(
        prompted(name="dialogues")
    ),
    "'formality.encoder.ngrams': shortest is larger than longest": lambda c: c["formality"]["encoder"].update(
        ngrams={**c["formality"]["encoder"]["ngrams"], "shortest": 9, "longest": 1}
    ),
    "a text has at most 4,096 bytes: it is a part of a command": lambda c: c["style"]["systems"][
        next(iter(c["style"]["systems"]))
    ].update(prompt="x" * 200_000),
    "'systems.copy.label' is 'éééé": lambda c: c["systems"]["copy"].update(label="é" * 2049),
    "'cache' is '~/x': ~ is put in by a shell only": lambda c: c.update(cache="~/x"),
    "'systems.mine.path' is '~me/{lang}.txt': ~ is put in by a shell only": lambda c: c["systems"].update(
        mine={"label": "MINE", "kind": "outputs", "path": "~me/{lang}.txt"}
    ),
    "'systems.llm.model': ~ is put in by a shell only": lambda c: c["systems"].update(
        prompted(kind="gguf", address=None, name="~/x.gguf")
    ),
    "'languages': write a list: a set has": lambda c: c.update(languages={"fr", "it"}),
    "'systems.unmt.seeds': write a list": lambda c: c["systems"]["unmt"].update(seeds=frozenset({1, 2})),
    "dlsm.label: 'UNMT' is the label of 'unmt'": lambda c: c["systems"]["dlsm"].update(
        label="UN\u200bMT\u2060"
    ),
    "copy.label: 'INFORMAL' is the label of": lambda c: c["systems"]["copy"].update(label="INFORMAL\ufe0f"),
    "dlsm.label: 'é' is the label of 'unmt'": lambda c: (
        c["systems"]["dlsm"].update(label="e\u0301"),
        c["systems"]["unmt"].update(label="\u00e9"),
    ),
    "'systems.copy.label' is '\u2800\u3164': a label is needed": lambda c: c["systems"]["copy"].update(
        label="\u2800\u3164"
    ),
    "'dialogue.systems.mintl.decoding': max_context is smaller": lambda c: c["dialogue"]["systems"][
        "mintl"
    ].update(decoding={**c["dialogue"]["systems"]["mintl"]["decoding"], "max_context": 1}),
    "model.key is the name of a variable": lambda c: c["systems"].update(prompted(key="sk-secret")),
    "'prompting.prices.m.input' is -1: input should be greater": lambda c: c["prompting"].update(
        prices={"m": {"input": -1, "output": 0}}
    ),
    "control.genders.feminine: 'cocoa-mt' is not a system of kind tuned with gender: feminine": lambda c: c[
        "control"
    ]["genders"].update(feminine="cocoa-mt"),
    "control.genders.base: 'nobody' is not a system of kind generic": lambda c: c["control"][
        "genders"
    ].update(base="nobody"),
    "'control.genders.language' is 'de'": lambda c: c["control"]["genders"].update(language="de"),
    "'demo.winomt' is 3": lambda c: c["demo"].update(winomt=3),
    "systems.mt5.prompt: {style} is missing: the model learns to write both": lambda c: c["systems"].update(
        finetuned(prompt="formal: ")
    ),
    "'systems.mt5.prompt' is '{style} {lang}': the only placeholder is {style}": lambda c: c[
        "systems"
    ].update(finetuned(prompt="{style} {lang}")),
    "systems.mt5.model.heads: 3 heads cannot share 64 units": lambda c: c["systems"].update(
        finetuned({"heads": 3})
    ),
    "systems.mt5.model.path: needed when systems.mt5.model.kind is 'folder'": lambda c: c["systems"].update(
        finetuned({"kind": "folder", "path": None})
    ),
    "systems.mt5.model.checkpoint: needed when systems.mt5.model.kind is 'hub'": lambda c: c[
        "systems"
    ].update(finetuned({"kind": "hub"})),
    "'systems.mt5.model.revision' is 'main': give the 40 hexadecimal digits": lambda c: c["systems"].update(
        finetuned({"kind": "hub", "checkpoint": "google/mt5-small", "revision": "main"})
    ),
    "'formality.encoder.revision' is 'main': give the 40 hexadecimal": lambda c: c["formality"][
        "encoder"
    ].update(kind="hub", revision="main"),
    "formality.encoder.checkpoint: needed when formality.encoder.kind is 'hub'": lambda c: c["formality"][
        "encoder"
    ].update(kind="hub", checkpoint=""),
    "dialogue.similarity.encoder.revision: needed when dialogue.similarity.encoder.kind is 'hub'": lambda c: (
        c["dialogue"]["similarity"]["encoder"].update(kind="hub", revision="")
    ),
    "style.fluency.model.revision: needed when style.fluency.model.kind is 'hub'": lambda c: c["style"][
        "fluency"
    ]["model"].update(kind="hub", revision=""),
    "'translation.hf.directions.en-fr.revision' is 'main'": lambda c: c["translation"]["hf"].update(
        directions={"en-fr": {"checkpoint": "x", "revision": "main"}}
    ),
    "'translation.hf.checkpoint' is ''": lambda c: c["translation"]["hf"].update(checkpoint=""),
    "'control.systems.mt5.prompt' is '{style}: ': the only placeholder is {level}": lambda c: c["control"][
        "systems"
    ].update(translator(prompt="{style}: ")),
    "control.systems.mt5.prompt: {level} is missing: the model learns to write both": lambda c: c["control"][
        "systems"
    ].update(translator(prompt="translate: ")),
    "control.systems.mt5.model.heads: 3 heads cannot share 64 units": lambda c: c["control"][
        "systems"
    ].update(translator({"heads": 3})),
    "'systems.mt5.codes.fr' is 'fr XX': a token has no white space": lambda c: c["systems"].update(
        finetuned(codes={"fr": "fr XX"})
    ),
    "path x/{lang}.{level}.{domain}.txt: ko-2023 has no domains; leave {domain} out": lambda c: c["control"][
        "systems"
    ].update(mine=translations("x/{lang}.{level}.{domain}.txt", "ko-2023")),
    "'control.systems.mine.languages.0' is 'ko-2022'": lambda c: c["control"]["systems"].update(
        mine=translations("x/{lang}.{level}.txt", "ko-2022")
    ),
    "alexa has outputs in hi, ja; set languages": lambda c: c["control"]["systems"].update(
        mine={
            **{"label": "MINE", "kind": "iwslt2022", "team": "alexa", "number": 1},
            "languages": ["ru-2022"],
        }
    ),
    "'systems.mt5.model.path' is 'models/{style}': the only placeholder is {lang}": lambda c: c[
        "systems"
    ].update(finetuned({"kind": "folder", "path": "models/{style}"})),
    "systems.mt5.lora.rank: 65 is more than the 64 units of layers": lambda c: c["systems"].update(
        finetuned(lora={"rank": 65})
    ),
    "systems.mt5.lora.layers: no linear layer 'q_proj'; known: k, o, q, v, wi, wo": lambda c: c[
        "systems"
    ].update(finetuned(lora={"layers": ["q", "q_proj"]})),
    "MT5-SMALL: segments has ru-2023, which is not among its languages": lambda c: c["control"][
        "systems"
    ].update(translator(languages=["ko-2023"], segments={"ru-2023": "ko-2023"})),
    "MT5-SMALL: segments of another language, ko-2023 for ru-2023, need a model of both": lambda c: c[
        "control"
    ]["systems"].update(
        translator(
            model={"kind": "folder", "path": "models/{lang}"},
            languages=["ru-2023"],
            segments={"ru-2023": "ko-2023"},
        )
    ),
    "control.systems.mt5.lora.layers: no linear layer 'f1'; known: ": lambda c: c["control"][
        "systems"
    ].update(translator(family="bart", lora={"layers": ["f1"]})),
    "'systems.mt5.lora.layers' is []: list should have at least 1 item": lambda c: c["systems"].update(
        finetuned(lora={"layers": []})
    ),
    "unknown key 'systems.mt5.lora.ranks'; did you mean 'rank'?": lambda c: c["systems"].update(
        finetuned(lora={"ranks": 4})
    ),
    "systems.mt5.training: null, but a model from scratch has random weights; name a checkpoint": lambda c: c[
        "systems"
    ].update(finetuned(training=None)),
    "systems.mt5.lora: adapters need a training, but systems.mt5.training is null": lambda c: c[
        "systems"
    ].update(finetuned({"kind": "folder", "path": "x"}, training=None, lora={})),
    "control.systems.mt5.lora: adapters need a training": lambda c: c["control"]["systems"].update(
        translator({"kind": "folder", "path": "x"}, training=None, lora={"rank": 4})
    ),
    "control.systems.mt5.seeds: a model that is not trained has one run; give seeds: [1]": lambda c: c[
        "control"
    ]["systems"].update(translator({"kind": "folder", "path": "x"}, training=None, seeds=[1, 2])),
    "systems.mt5.input: no system 'nobody'": lambda c: c["systems"].update(finetuned(input="nobody")),
    "systems.translate-train-tag.input: no system 'rules'": lambda c: c["systems"][
        "translate-train-tag"
    ].update(input="rules"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_named_with_what_is_right(message, demo):
    MISTAKES[message](demo)
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_key_that_stands_in_the_settings_is_not_shown(demo):
    demo["systems"].update(prompted(key="sk-secret"))
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert "sk-secret" not in str(error.value)


@pytest.mark.parametrize("address", ["https://host/v1", "http://127.0.0.1:8080/v1", "http://[::1]/v1"])
def test_addresses_of_models(demo, address):
    demo["systems"].update(prompted(address=address, key="A_KEY"))
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    assert settings.load(demo).in_rows()[-1] == "llm"


def test_an_unreadable_file_beside_the_overlays_is_none_of_them(tmp_path, monkeypatch):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/a.yaml").write_text("x: [1", encoding="utf-8")
    (tmp_path / "config/b.yaml").write_bytes(b"x: \xff")
    (tmp_path / "config/c.yaml").write_text("rows: {mine: {kind: copy}}", encoding="utf-8")
    monkeypatch.setattr(kinds, "CHECKOUT", tmp_path)
    assert "config/c.yaml has the whole row" in kinds.kind_problem("rows.mine", {}, ["copy"])


def test_several_mistakes_give_several_lines(demo):
    demo.update(sead=1)
    demo["fluency"].pop("order")
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert len(str(error.value).splitlines()) == 2
