"""Pages from templates: texts are escaped, data can be read again, bad templates are told."""

import json

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.pages import write_page

HOSTILE = "</script><img src=x onerror=alert(1)> & é"


def test_texts_and_data_stay_what_they_are(tmp_path):
    template = tmp_path / "a.html"
    template.write_text("<p>{{ text }}</p><script>{{ data|tojson }}</script>", encoding="utf-8")
    write_page(tmp_path / "page.html", template, text=HOSTILE, data={"z": HOSTILE, "a": [1]})
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<") == 4 and "é" in page
    data = json.loads(page.split("<script>")[1].split("</script>")[0])
    assert data == {"z": HOSTILE, "a": [1]} and list(data) == ["z", "a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "a.html: no such template"),
        ('{% extends "base.html" %}', "base.html: no such template"),
        ("one\n{% if %}", "a.html:2: no template: "),
    ],
)
def test_bad_templates_are_told(tmp_path, text, message):
    if text is not None:
        (tmp_path / "a.html").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        write_page(tmp_path / "page.html", tmp_path / "a.html")
    assert not (tmp_path / "page.html").exists()
