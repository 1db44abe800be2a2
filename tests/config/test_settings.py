from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from snakemake.utils import update_config

from workflow_scripts.config import folders, reference, settings, systems, values
from workflow_scripts.config.languages import COLUMNS, languages
from workflow_scripts.core.errors import InputError

ROOT = Path(__file__).parents[2]


DEMO = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def demo() -> dict[str, Any]:
    return copy.deepcopy(DEMO)


@pytest.fixture
def paper(demo: dict[str, Any]) -> dict[str, Any]:
    # As Snakemake merges them: systems that share settings by an alias of YAML have copies of their own.
    merged: dict[str, Any] = {}
    update_config(merged, demo)
    update_config(merged, yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8")))
    return merged


def test_both_scales_are_valid(demo: dict, paper: dict) -> None:
    assert settings.load(demo).scale == "demo"
    assert settings.load(paper).scale == "paper"
    schema = json.loads((ROOT / "config/schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(demo, schema)
    jsonschema.validate(paper, schema)


def test_the_paper_overlay_holds_the_papers_settings(paper: dict) -> None:
    """The hyper-parameters of appendix D and the sizes of Table 6, as the paper and its code give them."""
    values = settings.load(paper)
    model = values.transfer.model
    assert (model.embedding, model.hidden, model.attention) == (512, 512, 512)
    assert (model.dropout, model.learning_rate, model.batch_size) == (0.2, 3e-4, 64)
    assert (model.checkpoint_every, model.reduce_after, model.stop_after) == (1000, 3, 8)
    assert values.transfer.vocabulary_size == 32_000
    assert values.transfer.decoding.beam_size == 5
    assert values.filtering.samples.lm == values.filtering.samples.multi_task == 2_000_000
    assert values.filtering.bicleaner.threshold == 0.5
    assert (values.formality.epochs, values.formality.learning_rate) == (5, 5e-5)
    assert "multilingual-cased" in values.formality.encoder.checkpoint
    tag = values.systems["translate-train-tag"]
    assert isinstance(tag, systems.Tag) and tag.seeds == [1, 2, 3, 4]
    multi, back = values.systems["multi-task-tag-style"], values.systems["backtranslate"]
    assert isinstance(multi, systems.MultiTask) and multi.repeat == 10
    assert isinstance(back, systems.BackTranslate) and back.directions == "both"
    assert tag.input == multi.input == back.input == "rule-based"
    dlsm, unmt = values.systems["dlsm"], values.systems["unmt"]
    assert isinstance(dlsm, systems.Unpaired) and isinstance(unmt, systems.Unpaired)
    assert (dlsm.lm_weight, unmt.lm_weight) == (0.1, 0.0)
    assert unmt.noise.model_dump() == {"blank": 0.2, "drop": 0.1, "shuffle": 3}
    assert len(unmt.seeds) == len(dlsm.seeds) == 4
    one = values.unsupervised.model
    assert (one.embedding, one.hidden, one.pool, one.batch_size) == (128, 512, 5, 16)
    assert (one.dropout, one.learning_rate, one.evaluate_every, one.stop_after) == (0.3, 1e-3, 1500, 6)
    assert (one.anneal_epochs, one.max_sample, one.max_gumbel, one.warmup_updates) == (3, 100, 20, 0)
    prior = values.unsupervised.prior
    assert (prior.embedding, prior.hidden, prior.dropout, prior.batch_size) == (128, 512, 0.3, 32)
    assert (prior.learning_rate, prior.evaluate_every, prior.reduce_after, prior.decays) == (1, 2500, 5, 5)
    samples = values.filtering.samples
    assert (samples.backtranslate, samples.unsupervised, samples.in_domain) == (2_000_000, 110_000, 2_000_000)


def test_rows_stand_in_the_order_of_config_yaml(demo: dict) -> None:
    assert [system.label for system in settings.load(demo).systems.values()] == [
        *["GOLD STANDARD", "COPY", "RULE-BASED", "ROUND-TRIP MT", "TRANSLATE TRAIN TAG"],
        *["MULTI-TASK TAG-STYLE", "BACKTRANSLATE", "UNMT", "DLSM", "UNMT (IN-DOMAIN)", "DLSM (IN-DOMAIN)"],
    ]


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
def test_a_system_that_cannot_be_is_named(demo: dict, system: str, change: dict, message: str) -> None:
    demo["systems"][system].update(change)
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert message in str(error.value) and f"systems.{system}" in str(error.value)


def test_a_base_is_trained_on_translated_pairs(demo: dict) -> None:
    demo["systems"]["translate-train-tag"]["pairs"] = "mine/{lang}"
    with pytest.raises(InputError, match=r"style\.base: 'translate-train-tag' has pairs of its own"):
        settings.load(demo)
    demo["systems"]["translate-train-tag"]["pairs"] = "mine/{language}"
    with pytest.raises(
        InputError, match=r"'systems\.translate-train-tag\.pairs'.*only placeholder is \{lang\}"
    ):
        settings.load(demo)


def test_systems_that_read_each_other_are_refused(demo: dict) -> None:
    demo["systems"]["translate-train-tag"]["input"] = "backtranslate"
    demo["systems"]["backtranslate"]["input"] = "translate-train-tag"
    with pytest.raises(InputError, match="its own output"):
        settings.load(demo)


def test_an_own_row_stands_after_all_others_whatever_its_kind(demo: dict) -> None:
    """As Snakemake merges an overlay: what it adds and what it changes come first."""
    names = list(demo["systems"])
    again = {"second": {**demo["systems"]["unmt"], "label": "SECOND"}, "dlsm": demo["systems"]["dlsm"]}
    assert list(settings.load({**demo, "systems": {**again, **demo["systems"]}}).systems) == [
        *names,
        "second",
    ]


def numbers(values: dict[str, Any], place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The places of all numbers in a configuration; of a list of numbers that of its first."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from numbers(value, (*place, key))
        elif isinstance(value, list):
            yield from [(*place, key)] if value and isinstance(value[0], int | float) else []
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield (*place, key)


def test_no_number_is_larger_than_any_experiment(demo: dict) -> None:
    """Every number has an upper bound, also those that only config/paper.yaml gives."""
    for *path, last in numbers(demo):
        inner = demo
        for key in path:
            inner = inner[key]
        value = [10**12] if isinstance(inner[last], list) else 10**12
        changed, inner[last] = inner[last], value
        if last not in ("informal_below", "threshold", "max_cost", "length_penalty", "lm_weight"):
            with pytest.raises(InputError, match="input should be less than"):
                settings.load(demo)
        inner[last] = changed


@pytest.mark.parametrize("value", [True, float("nan"), float("inf"), "inf"])
def test_no_number_is_a_boolean_or_infinite(demo: dict, value: object) -> None:
    places = list(numbers(demo))
    changed = copy.deepcopy(demo)
    for *path, last in places:
        inner = changed
        for key in path:
            inner = inner[key]
        inner[last] = [value] if isinstance(inner[last], list) else value
    with pytest.raises(InputError) as error:
        settings.load(changed)
    told = str(error.value).splitlines()
    assert len(told) == len(places) > 100
    for place in places:
        assert any(f"'{'.'.join(place)}" in line for line in told), place


def test_every_number_of_the_model_refuses_booleans() -> None:
    """Also those that config.yaml does not give."""

    def check(model: type[settings.Section]) -> None:
        for name, field in model.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, settings.Section):
                check(field.annotation)
            elif field.annotation in (int, float):
                assert values.NoBoolean in field.metadata, f"{model.__name__}.{name}"

    for model in (settings.Settings, *systems.KINDS.values()):
        check(model)


def test_the_page_documents_every_key() -> None:
    """Counted in the document and in the model: each section's keys, and those of each kind of system."""
    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    place = ""
    for line in page.splitlines():
        if line.startswith("## "):
            place = line.removeprefix("## ").replace("Top level", "")
            found[place] = []
        elif match := re.match(r"\| `([\w-]+)` \|", line):
            found[place].append(match[1])

    def expect(model: type[settings.Section], place: str) -> Iterator[tuple[str, list[str]]]:
        inner = {
            name: field.annotation
            for name, field in model.model_fields.items()
            if isinstance(field.annotation, type) and issubclass(field.annotation, settings.Section)
        }
        yield place, [name for name in model.model_fields if name not in inner]
        for name, section in inner.items():
            yield from expect(section, f"{place}.{name}".lstrip("."))

    expected = dict(expect(settings.Settings, ""))
    for place, kinds in settings.KINDS_OF.items():
        expected[place.rpartition(".")[0]].remove("systems")
        expected[place] = list(kinds)
    assert {key: names for key, names in found.items() if names} == {
        key: names for key, names in expected.items() if names
    }
    for place, kinds in settings.KINDS_OF.items():
        part = page.partition(f"\n## {place}\n")[2].partition("\n## ")[0]
        for kind, model in kinds.items():
            (line,) = re.findall(rf"^\| `{kind}` \|.*$", part, re.MULTILINE)
            keys = {f"{inner}.{name}".lstrip(".") for inner, names in expect(model, "") for name in names}
            documented = re.findall(r"`([\w.]+)` \(", line.split("|")[3])
            assert sorted(documented) == sorted(keys - {"kind", "label", "languages"}), kind
        assert all(f"`{name}`" in part for name in ("kind", "label"))


def test_schema_and_reference_page_are_up_to_date(tmp_path: Path) -> None:
    reference.write(
        tmp_path / "schema.json",
        tmp_path / "page.md",
        demo=ROOT / "config.yaml",
        paper=ROOT / "config/paper.yaml",
    )
    hint = "run `make configuration`"
    assert (tmp_path / "schema.json").read_text() == (ROOT / "config/schema.json").read_text(), hint
    assert (tmp_path / "page.md").read_text() == (ROOT / "docs/configuration.md").read_text(), hint


def test_every_key_has_a_description() -> None:
    def check(model: type[settings.Section]) -> None:
        for name, field in model.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, settings.Section):
                check(field.annotation)
            elif name != "kind":
                assert field.description, f"{model.__name__}.{name}"

    check(settings.Settings)


def prompted(**model: object) -> dict[str, object]:
    """A system that is a language model."""
    given = {"kind": "endpoint", "name": "m", "address": "https://host/v1"}
    return {"llm": {"label": "LLM", "kind": "prompted", "model": {**given, **model}}}


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
    "key 'fluency.order' is missing": lambda c: c["fluency"].pop("order"),
    "'evaluation.resamples' is 'many': input should be a valid integer": lambda c: c["evaluation"].update(
        resamples="many"
    ),
    "unknown language 'es'; known: fr, it, pt": lambda c: c.update(languages=["es"]),
    "evaluation.baseline: no system 'rule_based'; did you mean 'rule-based'?": lambda c: c[
        "evaluation"
    ].update(baseline="rule_based"),
    "'systems' has the key 'my.llm': use letters": lambda c: c["systems"].update(
        {"my.llm": {"label": "MINE", "kind": "outputs", "path": "x"}}
    ),
    "'seed' is 4294967296: input should be less than 4294967296": lambda c: c.update(seed=2**32),
    "'systems.unmt.seeds' is [1, 1]: 1 stands there twice": lambda c: c["systems"]["unmt"].update(
        seeds=[1, 1]
    ),
    "'systems.unmt.seeds.0' is -1: input should be greater": lambda c: c["systems"]["unmt"].update(
        seeds=[-1]
    ),
    "'systems.unmt.seeds.1' is 4294967296: input should be less": lambda c: c["systems"]["unmt"].update(
        seeds=[0, 2**32]
    ),
    "'languages' is ['fr', 'fr']: fr stands there twice": lambda c: c.update(languages=["fr", "fr"]),
    "'systems.unmt.languages' is ['fr', 'fr']": lambda c: c["systems"]["unmt"].update(languages=["fr", "fr"]),
    "'human.systems' is ['unmt', 'unmt']": lambda c: c["human"].update(systems=["unmt", "unmt"]),
    "systems.dlsm.label: 'UNMT' is the label of 'unmt'": lambda c: c["systems"]["dlsm"].update(label="UNMT "),
    "systems.copy.label: 'INFORMAL' is the label of a text that is no system": lambda c: c["systems"][
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
    "'human.ratings' is 'r/{lang}': a folder has no placeholder": lambda c: c["human"].update(
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
    "'rows' is ['copy', 'copy']: copy stands there twice": lambda c: c.update(rows=["copy", "copy"]),
    "'rows' is []": lambda c: c.update(rows=[]),
    "no row exists in pt: see rows": lambda c: c.update(rows=["unmt-in-domain"], languages=["pt"]),
    "'systems.llm.model.address' is 'http://host/v1': only https keeps keys": lambda c: c["systems"].update(
        prompted(address="http://host/v1")
    ),
    "'systems.llm.model.address' is 'https://me:pw@host/v1': an address has no name": lambda c: c[
        "systems"
    ].update(prompted(address="https://me:pw@host/v1")),
    "an endpoint needs an address": lambda c: c["systems"].update(prompted(address=None)),
    "key is for models of kind endpoint only": lambda c: c["systems"].update(
        prompted(kind="gguf", address=None, key="KEY")
    ),
    "prompting.prices: no price of 'm'; set it": lambda c: c["systems"].update(prompted()),
    "model.key is the name of a variable": lambda c: c["systems"].update(prompted(key="sk-secret")),
    "'prompting.prices.m.input' is -1: input should be greater": lambda c: c["prompting"].update(
        prices={"m": {"input": -1, "output": 0}}
    ),
    "control.genders.feminine: 'cocoa-mt' is no system of kind tuned with gender: feminine": lambda c: c[
        "control"
    ]["genders"].update(feminine="cocoa-mt"),
    "control.genders.base: 'nobody' is no system of kind generic": lambda c: c["control"]["genders"].update(
        base="nobody"
    ),
    "'control.genders.language' is 'de'": lambda c: c["control"]["genders"].update(language="de"),
    "'demo.winomt' is 3": lambda c: c["demo"].update(winomt=3),
    "systems.translate-train-tag.input: no system 'rules'": lambda c: c["systems"][
        "translate-train-tag"
    ].update(input="rules"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_named_with_what_is_right(message: str, demo: dict) -> None:
    MISTAKES[message](demo)
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_key_that_stands_in_the_settings_is_not_shown(demo: dict) -> None:
    demo["systems"].update(prompted(key="sk-secret"))
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert "sk-secret" not in str(error.value)


@pytest.mark.parametrize("address", ["https://host/v1", "http://127.0.0.1:8080/v1", "http://[::1]/v1"])
def test_addresses_of_models(demo: dict, address: str) -> None:
    demo["systems"].update(prompted(address=address, key="A_KEY"))
    demo["prompting"]["prices"] = {"m": {"input": 0, "output": 0}}
    assert settings.load(demo).in_rows()[-1] == "llm"


def test_a_number_may_come_as_text(demo: dict) -> None:
    demo["evaluation"]["resamples"] = "500"
    assert settings.load(demo).evaluation.resamples == 500


def test_own_systems_are_the_last_rows(demo: dict) -> None:
    mine = {"mine": {"label": "MINE", "kind": "outputs", "path": "x"}}
    names = list(demo["systems"])
    assert list(settings.load({**demo, "systems": {**mine, **demo["systems"]}}).systems) == [*names, "mine"]


def test_the_path_of_outputs_may_name_the_language(demo: dict) -> None:
    demo["systems"]["mine"] = {"label": "MINE", "kind": "outputs", "path": "x/{lang}/{lang}.txt"}
    assert settings.load(demo).in_rows()[-1] == "mine"


def test_rows_do_not_order(demo: dict) -> None:
    demo.update(rows=["dlsm-in-domain", "unmt", "copy"], languages=["pt"])
    assert settings.load(demo).in_rows() == ["copy", "unmt"]


def test_folders_that_are_not_there_are_named_at_once(demo: dict, tmp_path: Path) -> None:
    demo["mirror"] = demo["human"]["ratings"] = str(tmp_path)
    assert folders.missing(settings.load(demo)) == []
    demo["politeness"]["dumps"] = demo["politeness"]["raters"]["dump_ratings"] = str(tmp_path / "no")
    assert [line.split(": ")[1] for line in folders.missing(settings.load(demo))] == [
        *("politeness.dumps", "politeness.raters.dump_ratings"),
    ]
    demo["politeness"]["dumps"] = demo["politeness"]["raters"]["dump_ratings"] = None
    demo["mirror"] = demo["formality"]["encoder"]["path"] = str(tmp_path / "none")
    assert folders.missing(settings.load(demo)) == [f"configuration: mirror: no such folder: {tmp_path}/none"]
    demo["formality"]["encoder"]["kind"] = "folder"
    assert [line.split(": ")[1] for line in folders.missing(settings.load(demo))] == [
        "mirror",
        "formality.encoder.path",
    ]


def test_a_relative_mirror_is_in_the_checkout(
    demo: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    demo["mirror"] = "resources"
    assert folders.missing(settings.load(demo)) == []
    demo["human"]["ratings"] = "resources"
    assert folders.missing(settings.load(demo)) == ["configuration: human.ratings: no such folder: resources"]


HEADER = ",".join(COLUMNS)
FRENCH = "fr" + ",x" * (len(COLUMNS) - 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}\n{FRENCH}\n{FRENCH}\n", "table.csv:3: a second row of language 'fr'"),
        (
            f"{HEADER.replace(',punkt', '')}\n{FRENCH[:-2]}\n",
            f"table.csv:1: no column punkt; needed: {', '.join(COLUMNS)}",
        ),
        ("", "table.csv: empty file; the first line names the columns"),
        (f"{HEADER}\n{FRENCH},more\n", f"table.csv:2: {len(COLUMNS) + 1} fields instead of {len(COLUMNS)}"),
        (f"{HEADER}\nfr,French\n", f"table.csv:2: 2 fields instead of {len(COLUMNS)}"),
        (f"{HEADER}\n{FRENCH[2:]}\n", "table.csv:2: '' is no code of a language; write 2 or 3 letters a-z"),
    ],
)
def test_a_wrong_table_of_languages_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        languages(path)
    assert str(error.value) == f"{tmp_path}/{message}"


def test_the_table_of_languages_may_have_further_columns(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{HEADER},another\n{FRENCH},fra\n", encoding="utf-8")
    assert languages(path)["fr"]["another"] == "fra"


def test_several_mistakes_give_several_lines(demo: dict) -> None:
    demo.update(sead=1)
    demo["fluency"].pop("order")
    with pytest.raises(InputError) as error:
        settings.load(demo)
    assert len(str(error.value).splitlines()) == 2


def test_every_setting_of_a_training_at_the_papers_scale_has_its_origin(paper: dict) -> None:
    """The last table of docs/differences.md: the same settings and values, and where each is from."""
    found = settings.load(paper).model_dump()

    def leaves(section: dict, before: str) -> Iterator[tuple[str, object]]:
        for key, value in section.items():
            if isinstance(value, dict):
                yield from leaves(value, f"{before}{key}.")
            else:
                yield f"{before}{key}", value

    expected = {"precision": found["precision"]}
    for name in ("transfer", "unsupervised", "formality", "politeness", "fluency"):
        expected |= leaves(found[name], f"{name}.")
    for name, system in found["systems"].items():
        # In-domain systems are the same on other text.
        same = name.removesuffix("-in-domain")
        if system["kind"] in ("translate_train_tag", "multi_task", "backtranslate", "unsupervised"):
            for key, value in leaves(system, f"systems.{same}."):
                assert expected.setdefault(key, value) == value or key.endswith(
                    (".label", ".languages", ".corpus")
                )
    # What a row is called and reads, and encoders of other kinds.
    other = (
        r"systems\..*\.(label|languages|kind|input|base|corpus)"
        r"|(formality|politeness\..*)\.encoder\.(?!kind|checkpoint|revision).*"
        r"|politeness\.classifiers\..*\.(label|inputs|reads)"
        # As the others, but for `released`.
        r"|politeness\.classifiers\..*-plain\..*"
    )
    expected = {key: value for key, value in expected.items() if not re.fullmatch(other, key)}
    text = (ROOT / "docs/differences.md").read_text(encoding="utf-8").split("and where they are from")[1]
    rows = re.findall(r"^\| `([^`]+)` \| (.+?) \| (.+) \|$", text, flags=re.MULTILINE)
    assert len(rows) == len(expected) > 60
    told = {key: value for key, value, _ in rows}
    assert told == {key: "none" if value is None else str(value) for key, value in expected.items()}
    assert all(origin.strip() for *_, origin in rows)
