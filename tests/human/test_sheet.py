"""The page of a sheet is complete and self-contained."""

import json
from dataclasses import asdict
from html.parser import HTMLParser

import pytest

from tests.conftest import ROOT
from tests.human.conftest import OUTPUTS
from tests.human.pages import make, requests_sheet
from tests.tables import put
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.human.qualification import qualification
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import HITS, SHEET, read_items


class Tags(HTMLParser):
    """All elements, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_the_page_loads_nothing(made, tmp_path):
    text = make(tmp_path / "sheet.csv", tmp_path / "fr.html")
    reader = Tags()
    reader.feed(text)
    assert not any({"src", "href"} & set(attributes) for _, attributes in reader.found)
    assert not {tag for tag, _ in reader.found} & {"link", "img", "iframe", "object"}
    assert not any(word in text for word in ("url(", "@import", "http:", "https:", "fetch(", "XMLHttp"))
    # A sentence that holds </script> ends nothing: both scripts are the page's own.
    assert [tag for tag, _ in reader.found].count("script") == text.count("</script>") == 2


def test_a_text_that_the_page_lacks_is_named(made, tmp_path):
    english = tmp_path / "en.yaml"
    lines = (ROOT / "resources/raters/en.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
    english.write_text(
        "".join(line for line in lines if not line.startswith("save_anyway")), encoding="utf-8"
    )
    with pytest.raises(InputError, match=r"en\.yaml: no key 'save_anyway'"):
        make(tmp_path / "sheet.csv", tmp_path / "fr.html", english=english)
    assert not (tmp_path / "fr.html").exists()


def test_the_page_knows_no_system_and_no_gold_score(made, tmp_path):
    text = make(tmp_path / "sheet.csv", tmp_path / "fr.html")
    data = text.split('id="data">')[1].split("</script>")[0]
    assert not any(f'"{name}"' in data for name in ("gold", "copy", *OUTPUTS))
    qualification(tmp_path / "test.csv", questions=ROOT / "resources/qualification/fr.csv")
    text = make(tmp_path / "test.csv", tmp_path / "test.html", kind="qualification")
    assert "gold" not in text and "Qualification test: French" in text
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert (data["id"], data["language"], data["hits"]) == (digest(tmp_path / "test.csv")[:12], "fr", False)
    assert [(task["name"], task["title"]) for task in data["tasks"]] == [("formality", "Formality")]
    assert data["tasks"][0]["question"] == TASKS["formality"].question


def test_the_page_has_all_of_an_item(made, tmp_path):
    """`dataclasses.asdict` of the items, with the language of each."""
    text = make(tmp_path / "sheet.csv", tmp_path / "fr.html")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert data["items"] == [
        {**asdict(item), "options": list(item.options), "language": "fr"} for item in made[0]
    ]


def test_the_scales_have_the_papers_words(made, tmp_path):
    """XFORMAL, Section 5.4: each value with its label, the lowest first."""
    text = make(tmp_path / "sheet.csv", tmp_path / "fr.html")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    scales = {
        task["name"]: dict(zip(task["values"], task["labels"], strict=True)) for task in data["tasks"][:3]
    }
    assert scales == {
        "formality": {
            **{"-3": "Very Informal", "-2": "Informal", "-1": "Somewhat Informal", "0": "Neutral"},
            **{"1": "Somewhat Formal", "2": "Formal", "3": "Very Formal"},
        },
        "fluency": {
            **{"1": "Other", "2": "Incomprehensible", "3": "Somewhat Comprehensible"},
            **{"4": "Comprehensible", "5": "Perfect"},
        },
        "meaning": {
            **{"1": "Completely dissimilar", "2": "Not equivalent but on same topic"},
            **{"3": "Not equivalent but share some details", "4": "Roughly equivalent"},
            **{"5": "Mostly equivalent", "6": "Completely equivalent"},
        },
    }


def test_demo_is_marked_and_an_empty_sheet_refused(made, tmp_path):
    assert "DEMO" in make(tmp_path / "sheet.csv", tmp_path / "fr.html", scale="demo")
    assert "DEMO" not in make(tmp_path / "sheet.csv", tmp_path / "fr.html")
    with pytest.raises(InputError, match="no item"):
        make(put(tmp_path / "none.csv", SHEET, []), tmp_path / "none.html")


def test_a_page_of_requests_knows_their_languages(made, tmp_path):
    requests_sheet(tmp_path / "sheet.csv")
    text = make(tmp_path / "sheet.csv", tmp_path / "fr.html", kind="requests")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert "Rating requests: French" in text and data["hits"] is True
    assert [(one["batch"], one["language"]) for one in data["items"]] == [
        *((1, "fr"), (1, "en"), (2, "fr"), (2, "en"))
    ]
    (task,) = data["tasks"]
    assert len(task["values"]) == len(task["labels"]) == 14
    assert (task["values"][0], task["values"][5], task["values"][12]) == ("-3", "-0.5", "3")
    with pytest.raises(InputError, match="no sheet for a page of kind evaluation"):
        make(tmp_path / "sheet.csv", tmp_path / "no.html")


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        (1, "9" * 5000, "is not a count"),
        (1, "²", "is not a count"),
        (3, "polite\u2028ness", "no task 'polite.*did you mean 'politeness'"),
    ],
)
def test_a_damaged_sheet_is_named_in_one_line(field, value, problem, tmp_path):
    row = ["fr-1-1", "1", "1", "politeness", "Oui ?"]
    row[field] = value
    with pytest.raises(InputError, match=problem) as caught:
        read_items(put(tmp_path / "sheet.csv", HITS, [tuple(row)]))
    assert f"{tmp_path / 'sheet.csv'}:2: " in str(caught.value) and len(str(caught.value).splitlines()) == 1
