"""The page of annotators: it shows dialogues, and saves what the reader of the impolite corpus reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.human.conftest import rows_of
from tests.human.test_sheet import browser as browser
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
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
    rewriting(
        folder / "en.html",
        dialogues=folder / "dialogues.jsonl",
        scenarios=ROOT / "resources/scenarios.csv",
        template=ROOT / "workflow_scripts/human/rewriting.html",
        count=count,
        seed=1,
        scale="demo",
    )
    return folder / "en.html"


def test_scenarios_take_turns(tmp_path: Path) -> None:
    text = make(tmp_path, 9).read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    assert [one["scenario"] for one in data["dialogues"]] == [1, 2, 3]
    assert list(map(int, data["scenarios"])) == list(SCENARIOS)
    assert text.count("</script>") == 2 and not any(word in text for word in ("http:", "https:", "fetch("))
    first = (tmp_path / "en.html").read_bytes()
    assert make(tmp_path, 9).read_bytes() == first
    for bad, line in (('{"id": "a", "turns": []}', "no turn"), ('{"id": "a"}', "'turns'"), ("[]", "not a d")):
        write_lines(tmp_path / "bad.jsonl", [bad])
        with pytest.raises(InputError, match=line):
            rewriting(
                tmp_path / "en.html",
                dialogues=tmp_path / "bad.jsonl",
                scenarios=ROOT / "resources/scenarios.csv",
                template=ROOT / "workflow_scripts/human/rewriting.html",
                count=1,
                seed=1,
                scale="demo",
            )


def test_what_is_saved_is_a_corpus(browser: Any, tmp_path: Path) -> None:
    path = make(tmp_path)
    page = browser.new_context(accept_downloads=True).new_page()
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
