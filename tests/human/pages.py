"""Pages of sheets."""

from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.tables import put
from workflow_scripts.human.sheet import sheet
from workflow_scripts.human.sheets import HITS, Entry, Item

Made = tuple[list[Item], list[Entry]]
TEMPLATE = ROOT / "workflow_scripts/human/sheet.html"
TEXTS = ROOT / "resources/raters"


def make(items: Path, page: Path, **options: Any) -> str:
    """The page of a sheet as a text."""
    known = {
        "language": "fr",
        "language_name": "French",
        "kind": "evaluation",
        "scale": "paper",
        "seconds": 15,
        "english": TEXTS / "en.yaml",
    }
    sheet(page, items=items, template=TEMPLATE, **known | options)
    return page.read_text(encoding="utf-8")


def requests_sheet(path: Path) -> Path:
    """Two HITs of two requests, one of them English."""
    rows = [
        (f"{code}-{line}-{hit}", hit, 1, "politeness", f"{code} {line}. Oui ?")
        for hit in (1, 2)
        for code, line in (("fr", hit), ("en", 7))
    ]
    return put(path, HITS, rows)
