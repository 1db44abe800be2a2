"""Templates of prompts, and the part of an answer that is used."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.prompting.templates import Template, one_line, read_template

HOLES, PAIR = ("source", "language"), ("informal", "formal")


def template(folder: Path, text: str) -> Path:
    path = folder / "prompt.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_projects_own_template():
    form = read_template(ROOT / "resources/prompts/formal.txt", HOLES, PAIR)
    pairs = [{"informal": "slt {source}", "formal": "Bonjour."}, {"informal": "b", "formal": "B."}]
    found = form.filled({"language": "French", "source": "c {language}"}, pairs)
    first, *rest = found.split("\n\n")
    assert "informal French sentence" in first
    # What stands in a text is no place.
    assert rest == [
        "Informal: slt {source}\nFormal: Bonjour.",
        "Informal: b\nFormal: B.",
        "Informal: c {language}\nFormal:",
    ]
    assert form.filled({"language": "French", "source": "c"}, []) == f"{first}\n\nInformal: c\nFormal:"
    assert form.label == "Formal:"


def test_an_example_has_its_own_texts_where_the_prompt_has_some_too():
    form = Template("{examples}{state}:", "{state} = {said} ({language})")
    examples = [{"state": "then", "said": "hi"}, {"said": "ho"}]
    found = form.filled({"state": "now", "language": "fr"}, examples)
    assert found == "then = hi (fr)\n\nnow = ho (fr)\n\nnow:"


def test_a_template_may_be_the_prompt_alone(tmp_path):
    form = read_template(template(tmp_path, "Formal,\nplease:\n{source} {1} {}\n"), HOLES, PAIR)
    assert form.filled({"source": "x"}, []) == "Formal,\nplease:\nx {1} {}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Say it.", "a template without {source}"),
        ("{sorce}", "no place '{sorce}' is known; did you mean 'source'"),
        ("{source}\n---\n{source}", "no place '{source}' is known"),
        ("{examples}{source}", "{examples} without the form of one"),
        ("---\n{examples}{source}", "{examples} without the form of one"),
    ],
)
def test_wrong_templates(tmp_path, text, problem):
    with pytest.raises(InputError) as found:
        read_template(template(tmp_path, text), HOLES, PAIR)
    assert problem in str(found.value) and "prompt.txt: " in str(found.value)


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Bonjour.", "Bonjour."),
        ("\n\n  Bonjour,\tMadame. \r\nInformal: and so on", "Bonjour, Madame."),
        ("Formal: Bonjour.", "Bonjour."),
        ("Formal:\nBonjour.", "Bonjour."),
        ("« Bonjour. »", "Bonjour."),
        ('"Oui" et "non"', 'Oui" et "non'),
        ("<think>Hm.\nWhat?</think>\nBonjour.", "Bonjour."),
        ("<think>Without end", ""),
        ("", ""),
        (" \n\t\n", ""),
        ('""', ""),
        ("a\u2028b\x0bc", "a"),
    ],
)
def test_one_line_of_an_answer(answer, line):
    assert one_line(answer, "Formal:", "salut") == line


def test_quotes_of_the_source_stay():
    assert one_line('"Bonjour."', "", '"slt"') == '"Bonjour."'


@given(st.text(), st.text(max_size=10), st.text(max_size=10))
def test_an_output_is_one_line(answer, label, source):
    line = one_line(answer, label, source)
    assert line == " ".join(line.split()) and len(line.splitlines()) <= 1
