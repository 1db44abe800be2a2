"""The page: complete, self-contained, well-formed, and honest about the demo."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.tables.conftest import LANGUAGES, PRINTED, put, read
from workflow_scripts.tables.compare import compare
from workflow_scripts.tables.page import page
from workflow_scripts.tables.table7 import table7

VOID = {"meta", "link", "br", "img", "hr"}


class Reader(HTMLParser):
    """Checks nesting and gathers elements and the cells of the first table."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.tables = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        self.tables += tag == "table"
        if tag == "tr" and self.tables == 1:
            self.rows.append([])
        if tag in ("td", "th") and self.tables == 1:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.tables == 1 and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


@pytest.fixture
def files(inputs: dict[str, Any], tmp_path: Path) -> dict[str, Path]:
    """The inputs of the page."""
    table7(tmp_path / "table.csv", **inputs, languages=list(LANGUAGES))
    compare(tmp_path / "compare.csv", **inputs, printed=PRINTED, scale="demo")
    spearman = [("pt", "0.8123", 200), ("it", "0.7", 200), ("fr", "", 0)]
    sanity = [("pt", "en-pt", "45.1256", 100, "nrefs:1|case:mixed|<tok>")]
    return {
        "compare": tmp_path / "compare.csv",
        "spearman": put(tmp_path / "spearman.csv", ("language", "spearman", "n"), spearman),
        "sanity": put(tmp_path / "sanity.csv", ("language", "direction", "bleu", "n", "signature"), sanity),
        "table": tmp_path / "table.csv",
        "printed": PRINTED,
    }


def load(files: dict[str, Path], tmp_path: Path, scale: Any = "demo") -> tuple[str, Reader]:
    """The page as text and as parsed."""
    page(tmp_path / "page.html", **files, scale=scale)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return text, reader


def row(reader: Reader, label: str) -> list[str]:
    """The cells of the first row with a label."""
    return next(
        ["".join(cell.split("\n")) for cell in cells[1:]] for cells in reader.rows if cells[0] == label
    )


def test_page_loads_nothing_and_runs_nothing(files: dict[str, Path], tmp_path: Path) -> None:
    text, reader = load(files, tmp_path)
    tags = {tag for tag, _ in reader.elements}
    assert not tags & {"script", "link", "img", "iframe"}
    assert not any({"src", "href"} & set(attributes) for _, attributes in reader.elements)
    assert "url(" not in text and "@import" not in text
    assert any(attributes.get("name") == "viewport" for _, attributes in reader.elements)


def test_every_printed_and_every_own_number_stands_in_its_row(files: dict[str, Path], tmp_path: Path) -> None:
    _, reader = load(files, tmp_path)
    # Method, four metrics with three languages each, in the paper's order.
    assert [cell.strip() for cell in reader.rows[1]] == ["BR-PT", "IT", "FR"] * 4
    places = [
        f"{metric}_{lang}"
        for metric in ("self_bleu", "formality", "perplexity", "multi_bleu")
        for lang in LANGUAGES
    ]
    sections = [i for i, cells in enumerate(reader.rows) if cells[0] in ("automatic", "human")]
    for cell in read(files["compare"]):
        start = sections[0] if cell["section"] == "automatic" else sections[1]
        cells = next(cells for cells in reader.rows[start:] if cells[0] == cell["system"])
        shown = cells[1 + places.index(f"{cell['metric']}_{cell['lang']}")].replace("*", "").split()
        assert shown == [cell["ours"] or "–", cell["printed"] or "–"]


def test_a_system_of_one_language_has_empty_cells_in_the_others(
    files: dict[str, Path], french_only: dict[str, Any], tmp_path: Path
) -> None:
    table7(files["table"], **french_only, languages=list(LANGUAGES))
    compare(files["compare"], **french_only, printed=PRINTED, scale="demo")
    _, reader = load(files, tmp_path)
    shown = row(reader, "UNMT (IN-DOMAIN)")
    assert len(shown) == 12
    for place, cell in enumerate(shown):
        assert bool(cell) == (LANGUAGES[place % 3] == "fr")
    assert "52.8*" in shown[2].split()[-1]
    assert row(reader, "DLSM (IN-DOMAIN)")[:2] == ["", ""]


def test_marks_of_both_tables(files: dict[str, Path], tmp_path: Path) -> None:
    text, reader = load(files, tmp_path)
    # p 0.0247 and a printed star; RULE-BASED has none; MY LLM has p 0.3.
    assert row(reader, "ROUND-TRIP MT")[0].count("*") == 2
    assert "*" not in "".join(row(reader, "RULE-BASED")) + "".join(row(reader, "MY <LLM> & CO"))
    assert "p 0.0247 (Holm)" in text
    without = {name: path for name, path in files.items() if name not in ("table", "printed")}
    text, reader = load(without, tmp_path)
    assert "*" not in "".join(cell for cells in reader.rows for cell in cells)
    assert "not shown for ours" in text


def test_best_of_ours_is_bold_without_gold(files: dict[str, Path], tmp_path: Path) -> None:
    text, _ = load(files, tmp_path)
    # Numbers grow with the row: the last system is best, but for perplexity the first that is a system.
    bold = text.count('"ours best"')
    assert bold == 12
    rules = text.split(">RULE-BASED</th>")[1].split("</tr>")[0]
    assert rules.count('"ours best"') == 3


def test_shade_follows_the_sign_of_the_difference(files: dict[str, Path], tmp_path: Path) -> None:
    _, reader = load(files, tmp_path)
    noted = {a["title"]: a.get("class") or "" for tag, a in reader.elements if tag == "td" and a.get("title")}
    higher = [
        kind for title, kind in noted.items() if "difference +" in str(title) and "+0.0" not in str(title)
    ]
    lower = [kind for title, kind in noted.items() if "difference -" in str(title)]
    assert higher and all("higher" in kind for kind in higher)
    assert lower and all("lower" in kind for kind in lower)


def test_demo_is_marked_and_the_papers_scale_is_not(files: dict[str, Path], tmp_path: Path) -> None:
    text, reader = load(files, tmp_path)
    assert any(attributes.get("class") == "banner" for _, attributes in reader.elements)
    assert "<b>DEMO</b>" in text and "<title>DEMO · " in text
    text, reader = load(files, tmp_path, "paper")
    assert not any(attributes.get("class") == "banner" for _, attributes in reader.elements)
    assert "DEMO" not in text
    assert "<b>OPEN</b>" in load(files, tmp_path, "open")[0]


def test_regressors_backend_and_signatures_are_shown(files: dict[str, Path], tmp_path: Path) -> None:
    text, _ = load(files, tmp_path)
    assert '<td>0.81</td><td class="quiet">0.64</td>' in text
    assert '>45.13</td><td class="quiet">37.16</td>' in text
    assert "formality|n:100" in text


def test_labels_and_signatures_are_escaped(files: dict[str, Path], tmp_path: Path) -> None:
    text, _ = load(files, tmp_path)
    assert "MY &lt;LLM&gt; &amp; CO" in text and "MY <LLM>" not in text
    assert "case:mixed|&lt;tok&gt;" in text


def test_page_is_the_same_each_time(files: dict[str, Path], tmp_path: Path) -> None:
    assert load(files, tmp_path)[0] == load(files, tmp_path)[0]


def test_command_line_of_page(files: dict[str, Path], tmp_path: Path, module: Callable) -> None:
    names = ("compare", "spearman", "sanity")
    options = [part for name in names for part in (f"--{name}", files[name])]
    finished = module("tables.page", tmp_path / "page.html", *options, "--scale", "demo")
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "page.html").stat().st_size > 20_000


def test_gold_is_not_bold_even_when_it_ties_with_the_best(files: dict[str, Path], tmp_path: Path) -> None:
    rows = read(files["compare"])
    for cell in rows:
        if cell["ours"] and cell["metric"] == "perplexity":
            cell["ours"] = "5.00"
    files["compare"] = put(files["compare"], tuple(rows[0]), [tuple(cell.values()) for cell in rows])
    text, _ = load(files, tmp_path)
    gold = text.split(">GOLD STANDARD</th>")[1].split("</tr>")[0]
    assert "5.00" in gold and '"ours best"' not in gold
    assert text.split(">RULE-BASED</th>")[1].split("</tr>")[0].count('"ours best"') == 3
