"""The page in the rater's language: its texts, the paper's answers beside them, and how long it takes."""

import json
from typing import Any

import pytest
import yaml

from tests.human.pages import TEXTS, make
from tests.tables import rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.interface import duration, english, translated
from workflow_scripts.human.scales import TASKS

# The beginning of the page's title and of its first sentence, and an answer.
SAYS = {
    "fr": ("Évaluation de phrases : français", "Vous allez voir des phrases", "Très informelle"),
    "it": ("Valutazione di frasi: italiano", "Vedrà delle frasi in italiano", "Molto informale"),
    "pt": ("Avaliação de frases: português", "Você verá frases em português", "Muito informal"),
}


def data_of(text: str) -> dict[str, Any]:
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


@pytest.mark.parametrize("language", SAYS)
def test_the_page_is_in_the_raters_language_and_says_how_long_it_takes(language, made, tmp_path):
    native = {"language": language, "native": TEXTS / f"{language}.yaml", "interface": "native"}
    text = make(tmp_path / "sheet.csv", tmp_path / "page.html", seconds=90, **native)
    title, intro, answer = SAYS[language]
    assert f'<html lang="{language}">' in text and f"<title>{title}</title>" in text and intro in text
    data = data_of(text)
    formality = data["tasks"][0]
    assert formality["labels"][0] == answer and formality["english"] == list(TASKS["formality"].labels)
    # The answers that files hold are those of every page.
    assert formality["values"] == TASKS["formality"].values
    count = len(rows_of(tmp_path / "sheet.csv"))
    # 48 items of a minute and a half, in two batches.
    assert count == 48
    total = "1 h 12 min"
    assert data["times"]["all"] == total
    said = yaml.safe_load((TEXTS / f"{language}.yaml").read_text(encoding="utf-8"))["expected"]
    assert f"<b>{said.format(total=count, time=total)}</b>" in text
    # Nothing of the page's own text is left in English.
    body = text.split("<body>")[1].split("<script")[0]
    for key, word in english(TEXTS / "en.yaml").items():
        if f">{word}<" in body:
            pytest.fail(f"{key}: {word}")


def test_a_language_without_texts_has_the_english_page(made, tmp_path, capsys):
    text = make(tmp_path / "sheet.csv", tmp_path / "page.html", language="de", interface="native")
    assert '<html lang="en">' in text and "Rating sentences: French" in text
    assert "raters/de.yaml: the page is in English" in capsys.readouterr().err
    assert data_of(text)["tasks"][0]["english"] == []
    # As the paper has it, whatever texts there are.
    again = make(
        tmp_path / "sheet.csv", tmp_path / "page.html", native=TEXTS / "fr.yaml", interface="english"
    )
    assert '<html lang="en">' in again and "Very Informal" in again and capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("back: Précédent\n", "", "no key 'back'"),
        ("back: Précédent\n", "back: Précédent\nbakc: x\n", "unknown key 'bakc'"),
        ("  fluency:\n", "  fluidity:\n", "no key 'tasks.fluency'"),
        ("    title: Fluidité\n", "", "no key 'tasks.fluency.title'"),
        ("[Mauvaise, Parfaite]", "[Parfaite]", "'tasks.quality.labels' has 1 texts, the scale has 2"),
        ('["Oui", "Non"]', "[Oui, No]", "'tasks.is_formal.labels' is not a list of texts"),
        ("back: Précédent", "back: no", "'back' is no text"),
        ('"rang {rank}"', '"rang {rang}"', "'rank' has to be filled in with rank"),
        ("back: Précédent", "back: [", "no YAML"),
    ],
)
def test_texts_that_are_not_whole_are_named(old, new, problem, tmp_path):
    path = tmp_path / "fr.yaml"
    text = (TEXTS / "fr.yaml").read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        translated(path, english(TEXTS / "en.yaml"), TASKS.values())
    assert str(error.value).startswith(f"{path}: {problem}") and "\n" not in str(error.value)


def test_a_time_is_in_full_minutes():
    given = {1: "1 min", 60: "1 min", 61: "2 min", 3540: "59 min", 3600: "1 h", 7500: "2 h 5 min"}
    assert {seconds: duration(seconds) for seconds in given} == given
