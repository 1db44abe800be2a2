"""The page of annotators: it shows dialogues, and saves what the reader of the impolite corpus reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.corpora.impolite import SCENARIOS, read_impolite
from workflow_scripts.human.rewriting import rewriting

TURN = {"state": {}, "booked": [], "acts": [], "spans": []}


def make(folder: Path, count: int = 2) -> Path:
    """Two of three dialogues as a page."""
    lines = [
        json.dumps(
            {
                **{"id": f"d{number}", "services": [], "goal": {}},
                "turns": [
                    {**TURN, "user": f"Please, </script> {at}?", "system": f"Yes {at}."} for at in range(2)
                ],
            }
        )
        for number in range(3)
    ]
    write_lines(folder / "dialogues.jsonl", lines)
    return make_page(folder, count=count)


def make_page(folder: Path, **options: Any) -> Path:
    """The page of dialogues that are there."""
    given = {
        "dialogues": folder / "dialogues.jsonl",
        "scenarios": ROOT / "resources/scenarios.csv",
        "template": ROOT / "workflow_scripts/human/rewriting.html",
        **{"count": 1, "seed": 1, "scale": "demo"},
    }
    rewriting(folder / "en.html", **given | options)
    return folder / "en.html"


def test_scenarios_take_turns(tmp_path):
    text = make(tmp_path, 9).read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert [one["scenario"] for one in data["dialogues"]] == [1, 2, 3]
    assert list(map(int, data["scenarios"])) == list(SCENARIOS)
    assert data["id"] == digest(tmp_path / "dialogues.jsonl")[:12]
    # The draw is the same one in any later version.
    assert [one["id"] for one in data["dialogues"]] == ["d1", "d0", "d2"]
    assert data["dialogues"][0]["turns"] == [[f"Please, </script> {at}?", f"Yes {at}."] for at in range(2)]
    assert data["scenarios"]["1"] == "The customer is in a bad mood and sarcastic."
    assert text.count("</script>") == 2 and not any(word in text for word in ("http:", "https:", "fetch("))
    first = (tmp_path / "en.html").read_bytes()
    assert make(tmp_path, 9).read_bytes() == first
    for bad, line in (
        ('{"id": "a", "turns": []}', r"bad\.jsonl:1: .*no turn, or no text.*; make it again"),
        ('{"id": 1, "turns": [{"user": "", "system": ""}]}', "no text"),
        ('{"id": "a", "turns": [{"user": "", "system": 1}]}', "no text"),
        ('{"id": "a"}', r"bad\.jsonl:1: not a dialogue \('turns'\); make it again"),
        ("[]", "not a dialogue"),
        (None, r"bad\.jsonl: no dialogue"),
    ):
        write_lines(tmp_path / "bad.jsonl", [bad] if bad else [])
        with pytest.raises(InputError, match=line):
            make_page(tmp_path, dialogues=tmp_path / "bad.jsonl")
    make(tmp_path)
    for rows, line in (([], r"s\.csv: no scenario"), ([(0, "a")], r"s\.csv:2: .* of 1 or more")):
        with pytest.raises(InputError, match=line):
            make_page(tmp_path, scenarios=put(tmp_path / "s.csv", ("scenario", "text"), rows))
    # Of two scenarios the first is the third dialogue's too.
    make_page(
        tmp_path, count=3, scenarios=put(tmp_path / "s.csv", ("scenario", "text"), [(2, "a"), (5, "b")])
    )
    data = json.loads((tmp_path / "en.html").read_text().split('id="data">')[1].split("</script>")[0])
    assert [one["scenario"] for one in data["dialogues"]] == [2, 5, 2]


@pytest.mark.slow
def test_what_is_saved_is_a_corpus(chromium, tmp_path):
    path = make(tmp_path)
    page = chromium.new_context(accept_downloads=True).new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    fields = page.get_by_label("Customer (impolite)")
    fields.nth(1).fill('Now, "idiot".')
    assert page.locator("#count").inner_text() == "1 of 2 rewritten"
    page.get_by_role("button", name="Next dialogue").click()
    fields.nth(0).fill(" Hurry\nup. ")
    page.get_by_role("button", name="Back").click()
    assert fields.nth(1).input_value() == 'Now, "idiot".'
    with page.expect_download() as download:
        page.get_by_role("button", name="Save rewrites").click()
    assert download.value.suggested_filename == "impolite.jsonl"
    download.value.save_as(tmp_path / "impolite.jsonl")
    assert problems == []
    read_impolite(tmp_path / "impolite.jsonl", tmp_path / "out", dialogues=[tmp_path / "dialogues.jsonl"])
    found = rows_of(tmp_path / "out/rewrites.csv")
    assert [(row["turn"], row["scenario"], row["impolite"]) for row in found] == [
        ("1", "1", 'Now, "idiot".'),
        ("0", "2", "Hurry up."),
    ]
