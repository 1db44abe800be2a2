"""The page: complete, self-contained, well-formed, and honest about the demo."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.report.conftest import CODES, METRICS, SYSTEMS, number, put, table7
from workflow_scripts.core.errors import InputError
from workflow_scripts.report.page import page

VOID = {"meta", "link", "br", "img", "hr"}


class Reader(HTMLParser):
    """Checks nesting; gathers elements, and the text of every cell of every table by the table's name."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.table = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.elements.append((tag, named))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.table = named.get("aria-labelledby") or f"table {len(self.tables)}"
            self.tables[self.table] = []
        if tag == "tr":
            self.tables[self.table].append([])
        if tag in ("td", "th"):
            self.tables[self.table][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.tables[self.table][-1][-1] += data


def parsed(path: Path) -> tuple[str, Reader]:
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return text, reader


def test_page_of_all_leaves_loads_nothing_and_runs_nothing(small_page):
    text, reader = parsed(small_page)
    tags = {tag for tag, _ in reader.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed"}
    assert not any("src" in attributes for _, attributes in reader.elements)
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    assert not any(name.startswith("on") for _, attributes in reader.elements for name in attributes)


def test_every_number_of_table7_stands_in_its_cell(small_run, small_page):
    table7(small_run["results"], small_run["printed"], "yes")
    page(small_page, **small_run)
    _, reader = parsed(small_page)
    # Of two rows with one name the upper one: the other is of the human half.
    rows = {cells[0]: cells[1:] for cells in reversed(reader.tables["table7"]) if len(cells) == 13}
    for system in SYSTEMS:
        for place, (metric, lang) in enumerate((m, g) for m in METRICS for g in CODES):
            shown = rows[system][place].replace("*", "").split()
            if (system, metric) == ("GOLD STANDARD", "multi_bleu"):
                assert shown == []
                continue
            mine = number(system, metric, lang)
            if system.startswith("MY"):
                assert shown == [mine]
            else:
                sign, gap = ("▲", "1.5") if lang == "it" else ("▼", "1.0")
                theirs = f"{float(mine) + (-1.5 if lang == 'it' else 1):.1f}".replace("-", "−")
                assert shown == [mine, "printed", theirs, sign, gap]


def test_each_of_our_numbers_leads_to_its_signature(small_run, small_page):
    text, _ = parsed(small_page)
    signatures = dict(re.findall(r'<li id="(table7-from-\d+)"><code>(.*?)</code>', text))
    cells = re.findall(
        r'title="([^"]*)"><span class="ours[^"]*"><a class="from" href="#(table7-from-\d+)"', text
    )
    assert len(cells) > 10 and {name for _, name in cells} <= signatures.keys()
    assert all(note.endswith(signatures[name]) for note, name in cells)


def test_a_leaf_says_what_to_look_at(small_run, small_page):
    leaves = small_run["leaves"]
    head, first, *others = leaves.read_text(encoding="utf-8").splitlines()
    leaves.write_text(
        "\n".join([f"{head},look", f"{first},Look <here>.", *(f"{line}," for line in others)]) + "\n",
        encoding="utf-8",
    )
    page(small_page, **small_run)
    text, _ = parsed(small_page)
    assert text.count('class="look"') == 1 and '<p class="look">Look &lt;here&gt;.</p>' in text


def test_half_that_is_only_printed_stands_below_ours(small_page):
    _, reader = parsed(small_page)
    rows = reader.tables["table7"]
    heads = [cells for cells in rows if cells[0] == "human"]
    assert heads == [["human", "meaning ↑", "formality ↑", "fluency ↑", "overall ↑"]]
    last = rows[-1]
    assert last[0] == "RULE-BASED" and last[1].split() == ["–", "printed", "5.70"]


def test_stars_and_best_systems_of_table7(small_page):
    _, reader = parsed(small_page)
    rows = {cells[0]: cells[1:] for cells in reader.tables["table7"] if len(cells) == 13}
    # Ours has p 0.0247, the printed one a star.
    assert rows["ROUND-TRIP MT"][0].count("*") == 2
    assert "*" not in "".join(rows["MY <LLM> & CO"])
    bold = [a for _, a in reader.elements if a.get("class") == "ours best"]
    assert len(bold) == 12


def test_difference_has_a_side_and_a_strength_where_it_may_be_compared(small_run, small_page):
    def drawn() -> list[tuple[str, str, str]]:
        text = parsed(small_page)[0].partition('class="paper"')[2]
        return re.findall(r'class="gap (higher|lower)" style="--d: ([\d.]+)">([▲▼])', text)

    # Demo: printed numbers beside ours, and not one difference.
    assert drawn() == []
    table7(small_run["results"], small_run["printed"], "yes")
    page(small_page, **small_run)
    strengths = drawn()
    assert {(side, sign) for side, _, sign in strengths} == {("higher", "▲"), ("lower", "▼")}
    assert all(0 < float(strength) <= 1 for _, strength, _ in strengths)


def test_words_that_stand_out_are_strong_and_text_is_escaped(small_page):
    text, _ = parsed(small_page)
    assert "sei <strong>que</strong> ela" in text and "[[" not in text
    assert "atras!! &lt;b&gt;" in text
    assert "Example &lt;outputs&gt; &amp; more" in text and "n:&lt;100&gt;" in text


def test_digests_are_never_shown_as_words(small_page):
    _, reader = parsed(small_page)
    cells = reader.tables["tydip-table11"][-1]
    assert cells[1].split() == ["कृपया", "="]
    assert cells[2].split(maxsplit=1) == ["por", "≠ printed is number 3 of 3"]


def test_long_numbers_are_grouped_and_long_tables_wait(small_page):
    text, reader = parsed(small_page)
    assert reader.tables["cocoa-mt-m-acc"][1][-1].strip() == "125\u202f000"
    assert "The table: 45 rows" in text


@pytest.mark.slow
def test_demo_is_marked_and_the_papers_scale_is_not(small_run, small_page, tmp_path):
    text, _ = parsed(small_page)
    assert "DEMO scale." in text and "<title>DEMO · " in text
    # Once for each paper whose leaves depend on the scale, and at no leaf.
    said = "None of these numbers can be compared with the printed ones."
    assert text.count(said) == text.count("can be compared with the printed ones") - 1 == 1
    assert "not comparable" not in text
    # Of whichever papers: XFORMAL's are not the only ones.
    assert "The numbers that depend on the scale show" in text
    chosen = json.loads(small_run["settings"].read_text())
    small_run["settings"].write_text(json.dumps(chosen | {"scale": "paper"}))
    table7(small_run["results"], small_run["printed"], "yes")
    page(small_page, **small_run)
    text, _ = parsed(small_page)
    assert "DEMO" not in text and said not in text
    assert "0 of 33 equal" in text


@pytest.mark.slow
def test_a_collapsed_system_is_named_above_all(small_run, small_page, tmp_path):
    assert "Collapsed systems" not in parsed(small_page)[0]
    rows = [("a", "distinct", "50.0"), ("c", "distinct", "24.9"), ("c", "self_bleu", "3")]
    table = tmp_path / "scores.csv"
    table.write_text(
        "system,metric,language,value\n"
        + "".join(f"{name},{metric},pt,{value}\n" for name, metric, value in rows)
    )
    page(small_page, **small_run, scores=[table])
    text, _ = parsed(small_page)
    assert "Collapsed systems" in text and "COPY (BR-PT): 25." in " ".join(text.split())


def test_leaves_of_released_data_count_what_is_equal(small_page):
    text, _ = parsed(small_page)
    assert "45 of 45 equal" in text and "1 of 2 equal" in text


def test_sources_seeds_times_versions_and_regressors_are_shown(small_page):
    text, reader = parsed(small_page)
    assert "CC BY 4.0" in text and "https://example.org/tydip" in text
    assert "a" * 12 in text and "a" * 13 not in text
    assert (
        "<dd>those of TRANSLATE TRAIN TAG</dd>" in text and "<dd>1, 2</dd>" in text and "<dd>7</dd>" in text
    )
    assert "1 h 2 min" in text and "812 MB" in text and "NA MB" not in text
    assert "<dt>sacrebleu</dt>" in text
    rows = [cells for table in reader.tables.values() for cells in table]
    # Ours, and what the printed table has of the regressor in this language.
    assert ["BR-PT", "0.81", "0.57", "200"] in rows and ["FR", "–", "–", "0"] in rows


def test_figure_stands_inline_with_its_alternative(small_page):
    text, reader = parsed(small_page)
    assert '<title id="figure1-title">Edits &amp; rewrites</title>' in text
    ids = [a["id"] for _, a in reader.elements if a.get("id")]
    assert len(ids) == len(set(ids))
    assert "<?xml" not in text and text.count("<style") == 1


def test_a_plan_is_shown_with_what_is_extrapolated_and_its_longest_chain(small_run, small_page, tmp_path):
    assert "The plan of a run" not in small_page.read_text(encoding="utf-8")
    plan = tmp_path / "plan.csv"
    plan.write_text("rule,core_hours,extrapolated\nshard,1.5,larger than measured\n")
    plan.with_suffix(".nodes.csv").write_text("nodes,hours,longest_chain_hours\n4,3.25,2.5\n")
    page(tmp_path / "index.html", **small_run, plan=plan)
    text = (tmp_path / "index.html").read_text(encoding="utf-8").split('id="plan"')[1]
    for cell in ("shard", "1.5", "larger than measured", "longest chain hours", "3.25", "2.5"):
        assert f">{cell}</t" in text


def test_graph_is_drawn_and_described_in_words(small_page):
    text, _ = parsed(small_page)
    assert 'id="dag-title"' in text and "After read, train." in text and "Reads &lt;text&gt;." in text


def test_every_link_within_the_page_leads_somewhere(small_page):
    _, reader = parsed(small_page)
    ids = {a["id"] for _, a in reader.elements if a.get("id")}
    links = [a["href"] for tag, a in reader.elements if tag == "a"]
    assert links and all(link[1:] in ids for link in links if link and link.startswith("#"))


def test_page_of_the_same_results_is_the_same(small_run, small_page):
    before = small_page.read_bytes()
    page(small_page, **small_run)
    assert small_page.read_bytes() == before


def test_leaf_without_comparison_is_a_table_of_ours(small_page):
    text, reader = parsed(small_page)
    assert "The paper prints no numbers for it." in text
    assert reader.tables["table8"][0][0] and "table8.compare.csv" not in text


def test_page_names_an_unknown_paper(small_run, tmp_path):
    with pytest.raises(InputError, match="unknown paper 'tydib'"):
        page(tmp_path / "x.html", **(small_run | {"papers": ["tydib"]}))
    assert not (tmp_path / "x.html").exists()


@pytest.mark.slow
def test_command_line_of_the_page(small_run, small_page, module, tmp_path):
    options: list[object] = []
    for name, value in small_run.items():
        options += [f"--{name}", *(value if isinstance(value, list) else [value])]
    finished = module("report.page", tmp_path / "results" / "again.html", *options)
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "results" / "again.html").read_bytes() == small_page.read_bytes()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda settings: settings.pop("scale"), "scale: Field required"),
        (lambda settings: settings.update(systems=[]), "systems: "),
        (lambda settings: settings["systems"]["b"].update(base="x"), "systems.b is made of 'x'"),
        (lambda settings: settings["systems"]["c"].update(label=None), "systems.c.label: "),
        (lambda settings: settings.update(seed=None), "seed: "),
    ],
)
def test_page_names_what_is_wrong_with_the_settings(small_run, tmp_path, change, said):
    settings = json.loads(small_run["settings"].read_text(encoding="utf-8"))
    change(settings)
    small_run["settings"].write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(InputError, match=rf"settings\.json: not the settings of a run .*{re.escape(said)}"):
        page(tmp_path / "index.html", **small_run)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", '"demo"'])
def test_page_names_settings_that_are_none(small_run, tmp_path, text):
    small_run["settings"].write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"settings\.json: not the settings of a run"):
        page(tmp_path / "index.html", **small_run)


@pytest.mark.parametrize(
    ("name", "content", "missing"),
    [
        ("table7.compare.csv", "metric,ours\n", "printed, difference, comparable"),
        ("languages.csv", "name,label\n", "code"),
    ],
)
def test_page_names_a_column_that_is_missing(small_run, tmp_path, name, content, missing):
    path = small_run["results"] / name
    path.write_text(content, encoding="utf-8")
    given = {"languages": path} if name == "languages.csv" else {}
    with pytest.raises(InputError, match=rf"{name}:1: no column {missing}"):
        page(tmp_path / "index.html", **{**small_run, **given})


@pytest.mark.parametrize(("field", "value"), [("spearman", "1e999"), ("n", "-1"), ("language", "xx")])
def test_page_names_a_correlation_that_is_none(small_run, tmp_path, field, value):
    row = {"language": "pt", "spearman": "0.5", "n": "9"}
    put(small_run["spearman"], [tuple(row), tuple((row | {field: value}).values())])
    with pytest.raises(InputError, match=r"spearman\.csv:2: "):
        page(tmp_path / "index.html", **small_run)
    put(small_run["spearman"], [tuple(row), tuple((row | {"spearman": "nan"}).values())])
    page(tmp_path / "index.html", **small_run)
    cells = [
        cell for rows in parsed(tmp_path / "index.html")[1].tables.values() for row in rows for cell in row
    ]
    assert cells and "nan" not in cells
