"""Scores of rated texts: whose, of which files, and with what they are compared."""

import pytest

from workflow_scripts.wiring.politeness import JUDGED
from workflow_scripts.wiring.rated_texts import RatedTexts

from .conftest import Job

LOCAL = {"kind": "gguf", "name": "llm.gguf", "max_tokens": 8}
SENTENCES, REQUESTS = Job(corpus="pt16"), Job(corpus="tydip")


def after(words: list[str], option: str) -> list[str]:
    """The words of an option."""
    start = words.index(option) + 1
    return words[start : next((n for n in range(start, len(words)) if words[n][:2] == "--"), None)]


@pytest.fixture
def rated(wired):
    def build(**overlay):
        wiring = wired(**overlay)
        return RatedTexts(wiring.systems, wiring.politeness)

    return build


def test_of_the_demo_there_is_the_regressor_of_each_language(rated):
    found = rated()
    words = found.options(SENTENCES)
    assert words[0] == "--task=formality" and words[-1] == "--simulated"
    languages = after(words, "--languages")
    assert languages[0] == "en" and set(languages[1:]) == set(found.systems.settings.languages)
    assert set(after(words, "--metrics")) == {"formality"} and set(after(words, "--texts")) == {"PT16"}
    assert after(words, "--against") == after(words, "--scores")
    assert "build/formality/fr/held_out.txt" in found.files(SENTENCES)
    assert {"build/corpora/pt16/test.scores.txt", "build/formality/en/regressor"} <= {*found.files(SENTENCES)}


def test_models_that_rate_formality_join_and_a_judge_in_english_only(rated):
    metrics = ["multi_bleu", "similarity", "formal", "judge_meaning", "judge_formality", "zero_shot"]
    found = rated(languages=["fr"], evaluation={"metrics": metrics, "judge": {"model": LOCAL}})
    words = found.options(SENTENCES)
    named = list(zip(after(words, "--languages"), after(words, "--metrics"), strict=True))
    both = ("formality", "formal", "zero_shot")
    assert sorted(named) == sorted(
        [("en", "judge_formality"), *((lang, name) for lang in ("en", "fr") for name in both)]
    )
    where = dict(
        zip(named, zip(after(words, "--scores"), after(words, "--models"), strict=True), strict=True)
    )
    folder = "build/scorers/judge_formality/en"
    assert where["en", "judge_formality"] == (f"{folder}/held_out.txt", f"{folder}/held_out.judge.csv")
    folder = "build/scorers/zero_shot"
    assert where["fr", "zero_shot"] == (f"{folder}/fr/held_out.txt", f"{folder}/model")
    assert after(words, "--against") == [f"build/formality/{lang}/held_out.txt" for lang in ("en", "fr")]
    assert {path for pair in where.values() for path in pair} < {*found.files(SENTENCES)}


def test_every_row_of_table_3_is_correlated_in_each_language(rated):
    asked = {"llm": {"label": "LLM", "model": LOCAL, "sample": 10}}
    own = {"mine": {"label": "MINE", "path": "{input}.{lang}.txt", "inputs": ["target"], "languages": ["fr"]}}
    found = rated(politeness={"prompted": asked, "outputs": own})
    words = found.options(REQUESTS)
    assert words[0] == "--task=politeness"
    columns = ("--languages", "--texts", "--metrics", "--scores", "--ratings", "--models")
    rows = list(zip(*(after(words, name) for name in columns), strict=True))
    assert list(dict.fromkeys(row[0] for row in rows)) == JUDGED
    own_row = [row[3:] for row in rows if row[2] == "MINE"]
    folder = "build/politeness/mine/seed1/scores"
    gold = "build/politeness/requests/fr.test.scores.txt"
    assert own_row == [(f"{folder}/target.fr.txt", gold, f"{folder}/signature.txt")]
    # The ratings of a sample are beside its scores.
    folder = "build/politeness/llm/seed1/scores"
    asked_rows = {row[:2]: row[3:] for row in rows if row[2] == "LLM"}
    files = (f"{folder}/target.hi.txt", f"{folder}/gold.hi.txt", f"{folder}/signature.txt")
    assert asked_rows["hi", "target"] == files
    name = found.politeness.compared
    assert name and after(words, "--against") == [
        f"build/politeness/{name}/seed1/scores/target.{lang}.txt" for lang in JUDGED
    ]
    made = found.files(REQUESTS)
    assert {folder, f"build/politeness/{name}/seed1/model", gold} < {*made} and len(made) == len({*made})


def test_what_is_no_row_is_not_correlated(rated):
    found = rated(politeness={"rows": ["roberta"]})
    words = found.options(REQUESTS)
    assert len({*after(words, "--metrics")}) == 1 and "--against" not in words
