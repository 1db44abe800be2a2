from typing import Any

import pytest

from workflow_scripts.wiring.encoders import encoder_options
from workflow_scripts.wiring.politeness import TYDIP, FormalityTexts
from workflow_scripts.wiring.request_raters import DUMP_CORPUS, RequestRaters

from .conftest import Job, Wired

OWN = {"label": "MINE", "path": "build/{input}.{lang}.txt", "inputs": ["target", "en"]}


def test_what_was_run_elsewhere_needs_no_translation_and_no_seed(wired):
    politeness = wired(politeness={"outputs": {"mine": {**OWN, "languages": ["fr"]}}}).politeness
    path = "build/politeness/requests/fr.test.sentences.txt"
    assert politeness.judged("mine") == [("target", "fr", path), ("en", "fr", path)]
    assert politeness.own_scores(Job(classifier="mine")) == ["build/target.fr.txt", "build/en.fr.txt"]
    assert (politeness.seed_told("mine", 1), politeness.encoder_behind("mine")) == ("none", "outputs")
    assert len(politeness.score_folders("mine")) == 1


def test_english_requests_are_their_own_translations(wired):
    politeness = wired(politeness={"translated": ["fr"]}, translation={"backend": "nmt"}).politeness
    name = next(name for name, one in politeness.trained.items() if "en" in one.inputs)
    assert [row for row in politeness.judged(name) if row[0] == "en"] == [
        ("en", "en", "build/politeness/requests/en.test.sentences.txt"),
        ("en", "fr", "build/translation/requests/fr.txt"),
    ]


def test_a_training_without_chance_has_one_seed(demo):
    for name, one in demo.politeness.trained.items():
        alone = one.encoder.kind in ("ngrams", "sentences")
        assert len(demo.politeness.seeds(name)) == (1 if alone else len(demo.politeness.settings.seeds))


def test_a_classifier_that_reads_translations_only_is_compared_with_nothing(wired):
    name = wired().politeness.compared
    assert name
    other = wired(politeness={"classifiers": {name: {"inputs": ["en"]}}}).politeness
    assert (other.compared, other.formality_classifier) == (None, None)


def test_an_encoder_is_told_what_its_kind_reads(wired):
    def options(kind: str) -> list[str]:
        return encoder_options(wired(formality={"encoder": {"kind": kind}}).run.settings.formality, ["t"], 7)

    assert options("hub")[0] == "--kind=hub" and not any("seed" in word for word in options("hub"))
    assert {"--seed=7", "--texts", "t"} <= set(options("scratch"))
    assert any(word.startswith("--penalty") for word in options("ngrams"))


def test_without_gyafc_rated_sentences_take_its_place(wired):
    def texts(**corpora: Any) -> FormalityTexts:
        run = wired(corpora=corpora)
        return FormalityTexts(run.run, run.corpora)

    assert texts().texts["en.informal"] == "build/corpora/gyafc/test.informal.txt"
    without = texts(gyafc="cocoa-mt")
    assert without.texts["dev.formal"] == "build/politeness/sides/train.formal.txt"
    assert "en.formal.ref0" not in without.texts and "fr.formal.ref0" in without.texts


def raters(**setting: str) -> RequestRaters:
    return Wired({"politeness": {"raters": setting}}).request_raters


def test_ratings_of_people_come_before_those_of_dumps_and_simulated_ones(tmp_path):
    for name in ("requests/fr.csv", "dumps/hi-ana.csv"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    both = {"ratings": str(tmp_path / "requests"), "dump_ratings": str(tmp_path / "dumps")}
    assert (raters(**both).kind, raters(**both).languages) == ("people", ["fr"])
    dumps = raters(dump_ratings=both["dump_ratings"])
    assert (dumps.kind, dumps.corpus) == ("dumps", DUMP_CORPUS)
    assert dumps.shown == ["build/politeness/rated/hi.ratings.csv"]
    assert (raters().kind, raters().languages) == ("simulated", TYDIP)


def test_a_folder_without_ratings_stops_the_run(tmp_path, capsys):
    with pytest.raises(SystemExit):
        raters(ratings=str(tmp_path))
    assert "no file of ratings in the folder" in capsys.readouterr().err
