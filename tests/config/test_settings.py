import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from workflow_scripts.config import folders, reference, settings, systems, values
from workflow_scripts.core.errors import InputError

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_both_scales_are_valid(demo, paper):
    assert settings.load(demo).scale == "demo"
    assert settings.load(paper).scale == "paper"
    schema = json.loads((ROOT / "config/schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(demo, schema)
    jsonschema.validate(paper, schema)


def test_the_paper_overlay_holds_the_papers_settings(paper):
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
    assert isinstance(tag, systems.TranslateTrainTag) and tag.seeds == [1, 2, 3, 4]
    multi, back = values.systems["multi-task-tag-style"], values.systems["backtranslate"]
    assert isinstance(multi, systems.MultiTask) and multi.repeat == 10
    assert isinstance(back, systems.BackTranslate) and back.directions == "both"
    assert tag.input == multi.input == back.input == "rule-based"
    dlsm, unmt = values.systems["dlsm"], values.systems["unmt"]
    assert isinstance(dlsm, systems.UnsupervisedSystem) and isinstance(unmt, systems.UnsupervisedSystem)
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


def test_rows_stand_in_the_order_of_config_yaml(demo):
    assert [system.label for system in settings.load(demo).systems.values()] == [
        *["GOLD STANDARD", "COPY", "RULE-BASED", "ROUND-TRIP MT", "TRANSLATE TRAIN TAG"],
        *["MULTI-TASK TAG-STYLE", "BACKTRANSLATE", "UNMT", "DLSM", "UNMT (IN-DOMAIN)", "DLSM (IN-DOMAIN)"],
    ]


def test_a_base_is_trained_on_translated_pairs(demo):
    demo["systems"]["translate-train-tag"]["pairs"] = "mine/{lang}"
    with pytest.raises(InputError, match=r"style\.base: 'translate-train-tag' has pairs of its own"):
        settings.load(demo)
    demo["systems"]["translate-train-tag"]["pairs"] = "mine/{language}"
    with pytest.raises(
        InputError, match=r"'systems\.translate-train-tag\.pairs'.*only placeholder is \{lang\}"
    ):
        settings.load(demo)


def test_an_own_row_stands_after_all_others_whatever_its_kind(demo):
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


def told_of(demo: dict[str, Any], places: list[tuple[str, ...]], value: object) -> list[str]:
    """What is said of a configuration with one value in several places, a line each."""
    changed = copy.deepcopy(demo)
    for *path, last in places:
        inner = changed
        for key in path:
            inner = inner[key]
        inner[last] = [value] if isinstance(inner[last], list) else value
    with pytest.raises(InputError) as error:
        settings.load(changed)
    return str(error.value).splitlines()


def test_no_number_is_larger_than_any_experiment(demo):
    """Every number has an upper bound, also those that only config/paper.yaml gives."""
    free = {"informal_below", "threshold", "max_cost", "length_penalty", "lm_weight"}
    places = [place for place in numbers(demo) if place[-1] not in free]
    told = told_of(demo, places, 10**12)
    assert len(told) == len(places) > 100
    for place in places:
        assert any(f"'{'.'.join(place)}" in line and "input should be less than" in line for line in told), (
            place
        )


@pytest.mark.parametrize("value", [True, float("nan"), float("inf"), "inf"])
def test_no_number_is_a_boolean_or_infinite(demo, value):
    places = list(numbers(demo))
    told = told_of(demo, places, value)
    assert len(told) == len(places) > 100
    for place in places:
        assert any(f"'{'.'.join(place)}" in line for line in told), place


def keys_of(model: type[settings.Section]) -> Iterator[tuple[str, Any]]:
    """The keys of a section and of those within it, each with its section's name, and what is known of it."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, settings.Section):
            yield from keys_of(field.annotation)
        else:
            yield f"{model.__name__}.{name}", field


def test_every_number_of_the_model_refuses_booleans():
    """Also those that config.yaml does not give."""
    for model in (settings.Settings, *settings.KINDS_OF["systems"].values()):
        for name, field in keys_of(model):
            assert field.annotation not in (int, float) or values.NoBoolean in field.metadata, name


def test_the_page_documents_every_key():
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
            # A section that may be null is one key, which has its own in brackets.
            shown = re.sub(r"\(keys .*?; or null\)", "(section or null)", line.split("|")[3])
            documented = re.findall(r"`([\w.]+)` \(", shown)
            assert sorted(documented) == sorted(keys - {"kind", "label", "languages"}), kind
        assert all(f"`{name}`" in part for name in ("kind", "label"))


def test_schema_and_reference_page_are_up_to_date(tmp_path):
    reference.write(
        tmp_path / "schema.json",
        tmp_path / "page.md",
        demo=ROOT / "config.yaml",
        paper=ROOT / "config/paper.yaml",
    )
    hint = "run `make configuration`"
    assert (tmp_path / "schema.json").read_text() == (ROOT / "config/schema.json").read_text(), hint
    assert (tmp_path / "page.md").read_text() == (ROOT / "docs/configuration.md").read_text(), hint


def test_every_key_has_a_description():
    for name, field in keys_of(settings.Settings):
        assert field.description or name.endswith(".kind"), name


def test_a_number_may_come_as_text(demo):
    demo["evaluation"]["resamples"] = "500"
    assert settings.load(demo).evaluation.resamples == 500


def test_own_systems_are_the_last_rows(demo):
    mine = {"mine": {"label": "MINE", "kind": "outputs", "path": "x"}}
    names = list(demo["systems"])
    assert list(settings.load({**demo, "systems": {**mine, **demo["systems"]}}).systems) == [*names, "mine"]


def test_the_path_of_outputs_may_name_the_language(demo):
    demo["systems"]["mine"] = {"label": "MINE", "kind": "outputs", "path": "x/{lang}/{lang}.txt"}
    assert settings.load(demo).in_rows()[-1] == "mine"


def test_rows_do_not_order(demo):
    demo.update(rows=["dlsm-in-domain", "unmt", "copy"], languages=["pt"])
    assert settings.load(demo).in_rows() == ["copy", "unmt"]


def test_folders_that_are_not_there_are_named_at_once(demo, tmp_path):
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


def test_a_relative_mirror_is_in_the_checkout(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo["mirror"] = "resources"
    assert folders.missing(settings.load(demo)) == []
    demo["human"]["ratings"] = "resources"
    assert folders.missing(settings.load(demo)) == ["configuration: human.ratings: no such folder: resources"]


def test_every_folder_of_the_users_that_jobs_read_is_looked_for(demo):
    """Wherever the model has one, in rows too."""
    nowhere = {"kind": "folder", "path": "no/where"}
    encoders = [
        demo["formality"],
        demo["style"]["judge"],
        demo["dialogue"]["similarity"],
        demo["politeness"]["classifiers"]["xlmr"],
    ]
    for section in encoders:
        section["encoder"] = {**section["encoder"], **nowhere}
    for name in ("mintl", "ubar"):
        row = demo["dialogue"]["systems"][name]
        row["model"] = {**row["model"], **nowhere, "kind": "folder" if name == "mintl" else "scratch"}
    demo["style"]["fluency"]["model"] = {**demo["style"]["fluency"]["model"], **nowhere}
    unused = demo["politeness"]["classifiers"]["xlmr-plain"]
    unused["encoder"] = {**unused["encoder"], **nowhere}
    assert not unused["inputs"]
    model = {"kind": "transformers", "name": "no/where"}
    demo["systems"]["llm"] = {"label": "LLM", "kind": "prompted", "model": model}
    lines = folders.missing(settings.load(demo))
    assert sorted(line.split(": ")[1] for line in lines) == [
        "dialogue.similarity.encoder.path",
        "dialogue.systems.mintl.model.path",
        "formality.encoder.path",
        "politeness.classifiers.xlmr.encoder.path",
        "style.fluency.model.path",
        "style.judge.encoder.path",
        "systems.llm.model.name",
    ]
    assert all(": no such folder: no/where" in line for line in lines)
    (line,) = [line for line in lines if "llm" in line]
    assert line.endswith("; a checkpoint of the hub needs a revision, its commit")


@pytest.mark.parametrize("used", [{"backend": "hf"}, {"backends": {"fr": "hf"}}])
def test_a_translator_without_a_commit_is_a_folder_here(demo, tmp_path, used):
    translation = demo["translation"]
    pinned = {"checkpoint": "org/name", "revision": "0123456789" * 4}
    here, unpinned = {"checkpoint": str(tmp_path)}, {"checkpoint": "org/name"}
    translation["hf"]["directions"] = {"en-it": pinned, "it-en": here, "en-fr": unpinned}
    assert folders.missing(settings.load(demo)) == []
    translation.update(used)
    assert folders.missing(settings.load(demo)) == [
        "configuration: translation.hf.directions.en-fr.checkpoint: no such folder: org/name; a checkpoint of"
        " the hub needs a revision, its commit"
    ]


def test_a_gguf_file_that_is_not_there_is_looked_for(demo, tmp_path):
    """But not one that comes out of a package; a folder is no file."""
    file = tmp_path / "small.gguf"
    model = {"kind": "gguf", "name": str(file)}
    demo["systems"]["llm"] = {"label": "LLM", "kind": "prompted", "model": model}
    packaged = {"kind": "gguf", "name": "other.gguf", "package": "some-model==1.0", "digest": "0" * 64}
    demo["politeness"]["prompted"] = {"asked": {"label": "ASKED", "inputs": ["target"], "model": packaged}}
    line = (
        f"configuration: systems.llm.model.name: no such file: {file}; the name of a gguf model is its file"
    )
    assert folders.missing(settings.load(demo)) == [line]
    file.mkdir()
    assert folders.missing(settings.load(demo)) == [line]
    file.rmdir()
    file.touch()
    assert folders.missing(settings.load(demo)) == []


def test_unmt_and_dlsm_are_the_released_code_at_the_papers_scale_only(demo, paper):
    """Section 5.2: "we use the open-sourced implementations"."""
    for given, expected in ((demo, False), (paper, True)):
        systems = settings.load(given).systems
        released = {name: system.released for name, system in systems.items() if hasattr(system, "released")}
        assert released == dict.fromkeys(("unmt", "dlsm", "unmt-in-domain", "dlsm-in-domain"), expected)


def settings_of(section: dict[str, Any], before: str = "") -> Iterator[tuple[str, object]]:
    """The settings below a section by their whole names; an empty section has none."""
    for key, value in section.items():
        if isinstance(value, dict):
            yield from settings_of(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def left_out(page: str) -> dict[str, re.Pattern[str]]:
    """What docs/settings.md says it leaves out: a place -> the pattern of all settings there and below."""
    found = {}
    for sections, keys in re.findall(
        r"^\| (none|`[^|]+`) \| (`[^|]+`) \| [^|]+ \|$", page, flags=re.MULTILINE
    ):
        for section in re.findall("`([^`]+)`", sections) or [""]:
            for key in re.findall("`([^`]+)`", keys):
                place = f"{section}.{key}".lstrip(".")
                found[place] = re.compile(re.escape(place).replace(r"\*", r"[^.]+") + r"(\..+)?")
    return found


def test_every_setting_has_its_origin_or_is_left_out_by_name(paper):
    """docs/settings.md: all settings of the paper's scale, their values, and where each is from."""
    found = settings.load(paper).model_dump()
    expected = dict(settings_of(found))
    text, _, end = (ROOT / "docs/settings.md").read_text(encoding="utf-8").partition("\n## Left out\n")
    places = left_out(end)
    gone = {name: [key for key in expected if pattern.fullmatch(key)] for name, pattern in places.items()}
    assert [name for name, keys in gone.items() if not keys] == []
    rows = re.findall(r"^\| `([^`]+)` \| (.+?) \| (.+) \|$", text, flags=re.MULTILINE)
    told = {key: value for key, value, _ in rows}
    assert len(rows) == len(told) and all(origin.strip() for *_, origin in rows)
    left = {key for keys in gone.values() for key in keys}
    shown = {None: "none", "": "empty"}
    assert told == {
        key: shown[value] if value in (None, "") else str(value)
        for key, value in expected.items()
        if key not in left
    }
    # What the reasons rest on: the kinds of encoders and models, the backend, the corpus that is read.
    for key in left:
        section = re.match(r"(.+\.(?:encoder|model))\.", key)
        if section and not key.startswith("translation."):
            kind = "package" if section[1] == "dialogue.similarity.encoder" else "hub"
            assert told[f"{section[1]}.kind"] == kind, key
    assert found["corpora"]["impolite"] != "transfer"
    others = {name.split(".")[1] for name in places if name.startswith("translation.")}
    assert others | {found["translation"]["backend"]} == {
        key for key, value in found["translation"].items() if isinstance(value, dict) and value
    }
    assert not found["politeness"]["prompted"]
