from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.text.levels import SHARED_TASKS

from .conftest import Job, Wired


def test_figures_have_systems_with_other_copies_and_seeds_of_their_own(demo):
    control = demo.control
    figure = control.settings.upsampling.figure1
    names = control.upsampled("figure1")
    more = f"{figure.system}.x{figure.copies[0]}"
    assert names[more] == figure.copies[0] == control.tuned[more].copies
    assert control.tuned[more].seeds == figure.seeds
    assert control.tuned[more].data == control.tuned[figure.system].data
    assert more not in control.systems
    untuned = [control.systems[name].kind for name, copies in names.items() if not copies]
    assert untuned == ["generic"]
    runs = [run for name, level, run, _ in control.upsampled_runs("figure1") if name == more]
    assert len(set(runs)) == len(figure.seeds)


def test_a_generic_model_needs_pairs_unless_its_languages_are_named(wired):
    control = wired(corpora={"generic": "web"}).control
    generic = next(name for name, one in control.systems.items() if one.kind == "generic")
    assert generic in control.systems_in("ja") and generic not in control.systems_in("pt")
    named = wired(corpora={"generic": "web"}, control={"systems": {generic: {"languages": ["pt"]}}}).control
    assert generic in named.systems_in("pt") and generic not in named.systems_in("ja")


def test_ted_is_a_test_set_of_the_web_in_japanese_only(wired):
    control = wired(corpora={"generic": "web"}).control
    assert {lang: control.sets_of(lang) for lang in ("de", "ja")} == {"de": ["wmt"], "ja": ["wmt", "ted"]}


def test_sets_are_translated_where_a_row_translates_them(wired):
    without = wired(control={"rows": ["references"]}).control
    assert without.sets_translated(Job(lang="fr")) == []
    # Figures have systems of their own.
    assert without.sets_translated(Job(lang="fr", figure="figure1")) == ["wmt", "ted"]


def test_own_translations_are_asked_for_by_level_domain_and_run(wired):
    path = "build/{lang}/{level}/{domain}.{run}.txt"
    own = {"label": "MINE", "kind": "outputs", "path": path, "count": 2}
    control = wired(control={"systems": {"mine": own}}).control
    assert control.own_outputs(Job(system="mine", lang="de", level="formal", run="1")) == [
        f"build/de/formal/{domain}.1.txt" for domain in ("telephony", "topical_chat", "call_center")
    ]


@pytest.mark.parametrize(("gender", "ending"), [("masculine", ""), ("feminine", ".feminine")])
def test_a_tuned_system_learns_from_references_of_its_gender(wired, gender, ending):
    own = {"label": "MINE", "kind": "tuned", "data": "contrastive", "copies": 1, "seeds": [1]}
    control = wired(control={"systems": {"mine": {**own, "gender": gender, "languages": ["fr"]}}}).control
    options = control.segments(Job(system="mine", lang="fr"))
    assert f"build/corpora/cocoa-mt-demo/fr/train.telephony.formal{ending}.txt" in options
    assert control.labelled_by_rules(Job(system="mine", lang="fr")) == []


def test_a_fine_tuned_translator_learns_both_levels_and_is_told_which_to_write(wired):
    model = {"kind": "folder", "path": "models/mbart"}
    own = {"label": "MINE", "kind": "finetuned", "model": model, "seeds": [4, 5], "source_code": "en_XX"}
    own |= {"codes": {"fr": "fr_XX"}, "prompt": "{level} please: "}
    translators = wired(control={"systems": {"mine": own}}).translators
    job = Job(system="mine", lang="fr", level="informal", run="1")
    learned = translators.fine_tuning(job)
    train = "build/corpora/cocoa-mt-demo/fr/train"

    def after(option: str, count: int = 4) -> list[str]:
        return learned[learned.index(option) + 1 :][:count]

    assert set(zip(after("--sources"), after("--targets"), after("--prompts"), strict=True)) == {
        (f"{train}.{domain}.en.txt", f"{train}.{domain}.{level}.txt", f"{level} please: ")
        for level in ("formal", "informal")
        for domain in ("telephony", "topical_chat")
    }
    told = translators.translating(job)
    assert "--prompt=informal please: " in told
    assert {"--source-code=en_XX", "--target-code=fr_XX"} <= set(learned) & set(told)
    # A language without a token: no option.
    assert not any("target" in word for word in translators.translating(Job(job, lang="pt")))
    assert translators.checkpoint(job) == ["build/control/pretrained/mine"]
    assert [path for path in translators.control.asked_in(job) if "mine" in path] == [
        f"build/control/outputs/mine/fr/{level}/run{run}.finetuned.csv"
        for level in ("formal", "informal")
        for run in (0, 1)
    ]


def test_the_test_sets_of_shared_tasks_have_the_references_and_systems_that_name_them(wired):
    path = "build/{lang}.{level}.txt"
    own = {"label": "MINE", "kind": "outputs", "path": path, "languages": ["it", "ko-2023"]}
    team = {"label": "UoS", "kind": "iwslt2022", "team": "uos", "number": 4, "languages": ["ru-2022"]}
    control = wired(control={"systems": {"mine": own, "uos-4": team}}).control
    assert {name: control.systems_in(name) for name in SHARED_TASKS} == {
        "ru-2022": ["references", "uos-4"],
        "ko-2023": ["references", "mine"],
        "pt-2023": ["references"],
        "ru-2023": ["references"],
        "vi-2023": ["references"],
    }
    assert "mine" in control.systems_in("it") and "uos-4" not in control.systems_in("it")
    assert control.own_outputs(Job(system="mine", lang="ko-2023", level="formal", run="0")) == [
        "build/ko-2023.formal.txt"
    ]


MODEL = {"kind": "folder", "path": "models/mbart"}
TUNED = {"label": "TUNED", "kind": "finetuned", "model": MODEL, "codes": {"ko": "ko_KR", "ru": "ru_RU"}}


def test_a_translator_is_tuned_on_the_segments_of_a_shared_task(wired):
    own = {**TUNED, "languages": ["ko-2023", "ru-2023"], "segments": {"ru-2023": "ko-2023"}}
    translators = wired(control={"systems": {"mine": own}}).translators
    control = translators.control
    assert control.systems_in("ko-2023") == ["references", "mine"] == control.systems_in("ru-2023")
    assert "mine" not in control.systems_in("fr") + control.systems_in("vi-2023")
    job = Job(system="mine", lang="ko-2023", level="formal", run="0")
    assert translators.training_corpus(job) == "build/corpora/iwslt2023/ko-2023"
    learned = translators.fine_tuning(job)
    assert "build/corpora/iwslt2023/ko-2023/train.topical_chat.informal.txt" in learned
    assert "--target-code=ko_KR" in learned
    # Russian by the model that has learnt Korean.
    for lang, code in (("ko-2023", "ko_KR"), ("ru-2023", "ru_RU")):
        one = Job(job, lang=lang)
        assert translators.tuned_translator(one) == "build/control/tuned/mine/ko-2023/run0.model"
        assert f"--target-code={code}" in translators.translating(one)
        assert control.asked_in(one)[0] == f"build/control/outputs/mine/{lang}/formal/run0.finetuned.csv"


def test_a_translator_as_it_is_has_one_translation_for_both_levels(wired):
    own = {**TUNED, "training": None, "source_code": "en_XX", "languages": ["fr", "ru-2022"]}
    # As of a row that it is like; segments are not read.
    own["segments"] = {"ru-2023": "ko-2023"}
    told = {**own, "label": "TOLD", "prompt": "to {level}: "}
    translators = wired(control={"systems": {"mine": own, "told": told}}).translators
    control = translators.control
    job = Job(system="mine", lang="ru-2022", run="0")
    place = "build/control/pretrained/mine"
    assert translators.tuned_translator(job) == place == translators.checkpoint(job)[0]
    options = {"--prompt=", "--made=pretrained:folder", "--source-code=en_XX", "--target-code=ru_RU"}
    assert options <= set(translators.translating(job))
    other = Job(job, system="told", level="informal")
    assert translators.tuned_translator(other) == "build/control/pretrained/told"
    assert "--prompt=to informal: " in translators.translating(other)
    folder = "build/control/outputs"
    assert control.asked_in(job) == [
        f"{folder}/mine/ru-2022/run0.finetuned.csv",
        *(f"{folder}/told/ru-2022/{level}/run0.finetuned.csv" for level in ("formal", "informal")),
    ]
    # Both levels are rows of the manifest; the labels of raters do not depend on a level that it is not told.
    assert [level for name, level, *_ in control.runs("ru-2022") if name == "mine"] == ["formal", "informal"]
    assert "mine" in control.unasked and "told" not in control.unasked
    assert control.of_kind("finetuned", alike=True) == "mine"
    assert control.of_kind("finetuned", alike=False) == "told"
    assert control.of_kind("finetuned") == "mine|told"


def test_a_translator_as_it_is_may_have_a_folder_for_each_language(wired):
    model = {"kind": "folder", "path": "build/{lang}/marian"}
    own = {**TUNED, "training": None, "model": model, "languages": ["ru-2022", "ru-2023", "ko-2023"]}
    translators = wired(control={"systems": {"mine": own}}).translators
    for name, lang in (("ru-2022", "ru"), ("ru-2023", "ru"), ("ko-2023", "ko")):
        place = f"build/control/pretrained/mine.{lang}"
        assert translators.tuned_translator(Job(system="mine", lang=name, run="0")) == place
        assert translators.given_checkpoint(Job(system="mine", ending=f".{lang}")) == [f"build/{lang}/marian"]


def test_european_portuguese_is_cocoa_mts_at_every_scale(wired):
    codes = {"pt": "pt_XX", "pt-2023": "pt_PT"}
    tuned = {**TUNED, "languages": ["pt", "pt-2023"], "codes": codes}
    path = "build/{lang}.{level}.{domain}.txt"
    mine = {"label": "MINE", "kind": "outputs", "path": path, "languages": ["pt-2023"]}
    translators = wired(control={"systems": {"tuned": tuned, "mine": mine}}).translators
    job = Job(system="tuned", lang="pt-2023", level="formal", run="0")
    assert translators.training_corpus(job) == "build/corpora/iwslt2023/pt-2023"
    assert translators.training_corpus(Job(job, lang="pt")) == "build/corpora/cocoa-mt-demo/pt"
    assert "--target-code=pt_PT" in translators.translating(job)
    assert "--target-code=pt_XX" in translators.translating(Job(job, lang="pt"))
    assert translators.control.own_outputs(Job(job, system="mine")) == [
        f"build/pt-2023.formal.{domain}.txt" for domain in ("telephony", "topical_chat", "call_center")
    ]


def test_a_language_model_is_shown_segments_of_a_shared_task(wired):
    model = {"kind": "gguf", "name": "models/m.gguf", "max_tokens": 9}
    shown = {"label": "SHOWN", "kind": "prompted", "model": model, "languages": ["vi-2023"], "examples": 2}
    asked = {**shown, "label": "ASKED", "languages": ["vi-2023", "ru-2022"], "examples": 0}
    translators = wired(control={"systems": {"shown": shown, "asked": asked}}).translators
    assert translators.control.systems_in("vi-2023") == ["references", "shown", "asked"]
    job = Job(system="shown", lang="vi-2023", level="informal", run="0")
    assert translators.asked_input(job)["pairs"] == "build/corpora/iwslt2023/vi-2023"
    told = translators.asked_options(job)
    assert "--language=Vietnamese" in told
    assert "build/corpora/iwslt2023/vi-2023/train.telephony.informal.txt" in told
    russian = Job(job, system="asked", lang="ru-2022")
    assert "pairs" not in translators.asked_input(russian)
    assert "--language=Russian" in translators.asked_options(russian)


def test_a_classifier_scores_the_translations_of_shared_tasks_where_one_is_named(wired, demo, tmp_path):
    job = Job(lang="ko-2023")
    assert demo.control.classified(job) == demo.control.classified_input(job) == []
    assert demo.control.classified_options(job) == []
    control = wired(control={"classifier": {"path": str(tmp_path)}}).control
    folder = "build/control/classified/ko-2023"
    files = [f"{folder}/references/{level}.run0.txt" for level in ("formal", "informal")]
    assert control.classified(job) == files and len(control.runs("ko-2023")) == 2
    assert control.classified_input(job) == [folder, "build/control/classifier"]
    signature = "--classifier=build/control/classifier/signature.txt"
    assert control.classified_options(job) == ["--classified", *files, signature]
    # Not in languages of CoCoA-MT.
    assert control.classified_options(Job(lang="it")) == []


def test_segments_that_are_tested_are_left_out_unless_they_are_asked_for(wired, demo):
    assert demo.control.tested_sentences == {"tested": "build/control/test/{lang}/source.txt"}
    assert wired(control={"tested_segments": True}).control.tested_sentences == {}


def ratings(folder: Path, *names: str) -> dict[str, Any]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return {"control": {"raters": {"ratings": str(folder)}}}


def test_ratings_are_those_of_the_sheets_that_people_sent(demo, tmp_path):
    simulated = demo.translation_raters
    lang = simulated.languages["labels"][0]
    raters = Wired(ratings(tmp_path, f"labels/{lang}-ana.csv")).translation_raters
    assert (raters.simulated, raters.rated("labels"), raters.rated("formal")) == (False, [lang], [])
    given, rated = raters.judged("labels")
    assert rated == [(lang, "labels")] and list(given) == ["sheets", "item_keys", "ratings"]
    assert simulated.simulated


@pytest.mark.parametrize(
    ("name", "told"), [("lables/de.csv", "ratings are in the folders labels"), (".x", "no file of ratings")]
)
def test_ratings_elsewhere_stop_the_run(tmp_path, capsys, name, told):
    with pytest.raises(SystemExit):
        Wired(ratings(tmp_path, name))
    assert told in capsys.readouterr().err
