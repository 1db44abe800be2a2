from types import SimpleNamespace

import pytest

from .conftest import Wired

PAPER = {"gyafc": "1.0", "xformal": "1.0"}


def test_a_licensed_corpus_is_awaited_as_its_check_and_others_as_files(demo):
    licensed = next(row for row in demo.run.registry if row.access == "on request")
    other = Wired({"licensed": "/data", "corpora": {licensed.corpus.replace("-", "_"): licensed.version}})
    part = licensed.part
    assert other.corpora.awaited(licensed.corpus, part) == f"build/corpora/licensed/{licensed.id}.txt"
    assert other.corpora.official(licensed.corpus, part) == f"/data/{licensed.path}"
    assert demo.corpora.awaited("gyafc") == demo.corpora.official("gyafc")
    assert demo.corpora.official("gyafc").startswith("build/corpora/demo/")


def test_the_configured_references_are_files_of_gyafc(wired):
    assert wired(corpora={"gyafc_references": 1}).corpora.gyafc == [
        *("train.informal", "train.formal", "dev.informal", "dev.formal"),
        *("dev.formal.ref0", "dev.informal.ref0"),
    ]


def test_only_some_of_uos_submissions_are_constrained(demo):
    def path(number: str) -> str:
        job = SimpleNamespace(team="uos", target="de", number=number, level="formal")
        return demo.corpora.submission(job)

    assert "/constrained/" in path("2") and "/unconstrained/" in path("3")


def test_a_submission_in_a_shared_tasks_language_is_in_no_order_of_the_corpus(demo):
    corpora = demo.corpora
    job = SimpleNamespace(team="umd", target="ru-2022", number="1", level="formal")
    assert corpora.submission(job).endswith(
        "EN-RU/unconstrained/formality/blind-test/formality-control-1.formal.ru"
    )
    assert corpora.submitted_source(job).endswith("/en-ru/formality-control.test.en-ru.en")
    assert corpora.submitted_order(job) == []
    job.target = "de"
    assert corpora.submitted_order(job) == ["build/corpora/cocoa-mt/de"]
    for year in ("2022", "2023"):
        options = corpora.shared_task(SimpleNamespace(lang=f"ru-{year}"))
        assert f"/IWSLT{year}/data/test" in options[0] and options[1] == "--language=ru"


def test_ntrex_is_tested_on_and_the_rest_trained_on(wired):
    corpora = wired(corpora={"open_bitext": ["tatoeba", "ntrex"]}).corpora
    assert list(corpora.open_generic("fr", "wmt")) == ["ntrex"]
    assert "tatoeba" in corpora.open_generic("fr", "train")
    assert "ntrex" not in corpora.open_generic("fr", "train")


@pytest.mark.parametrize(
    ("version", "made"),
    [("none", ("", [])), ("transfer", ("build/users/corpus/impolite.jsonl",) * 2)],
)
def test_without_a_corpus_of_people_there_is_one_of_a_transfer_or_none(wired, version, made):
    path, awaited = wired(corpora={"impolite": version}).corpora.impolite()
    assert (path, awaited) == (made[0], [made[1]] if version == "transfer" else [])


def test_the_splitter_of_english_lies_among_those_of_all_languages(wired):
    corpora = wired(corpora={"punkt": "nltk"}).corpora
    found = [corpora.punkt_model(lang, "p") for lang in ("en", "fr")]
    assert found == ["p/punkt_tab/english", "p/punkt_tab/french"]


def test_yahoo_answers_of_the_demo_are_in_no_table_of_another_scale(demo, wired):
    assert demo.corpora.yahoo_languages == demo.run.settings.languages
    assert wired(scale="open").corpora.yahoo_languages == []
