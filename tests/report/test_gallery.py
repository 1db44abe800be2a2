"""The gallery: copied and kept leaves, refusals, and each fault of a gallery is named."""

import json
import os
import re
import subprocess
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.galleries import GALLERY, LEAVES, RESOURCES, needed
from tests.report.conftest import SETTINGS, SVG, put
from workflow_scripts.core.csv_files import header_of, read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.scatter import look
from workflow_scripts.leaves.registry import load, load_papers
from workflow_scripts.report import kept
from workflow_scripts.report.beside import beside
from workflow_scripts.report.facts import revision
from workflow_scripts.report.gallery import gallery
from workflow_scripts.report.gallery_pages import EMPTY, overview, page

COMPARED = ("lang", "printed", "ours", "difference", "ci_low", "ci_high", "comparable", "signature")
HEADER = ("leaf", "paper", "number", "kind", "caption", "corpora", "scaled", "texts")
ROWS = [
    ("one/table1", "one", "Table 1", "table", "Counts", "", "", ""),
    ("one/table2", "one", "Table 2", "table", "Examples <&>", "", "", "text"),
    ("one/table3", "one", "Table 3", "table", "Texts", "", "", "all"),
    ("figure1", "one", "Figure 1", "figure", "Bars", "", "", ""),
]
PLOT = ("one", "counts", "one/table1", "cells", "lang=fr|pt", "lang", "", "Counts of <one>", "count")
SENTENCE = "Could you please tell me whether you have time to look at the page that I wrote yesterday?"


@pytest.fixture
def small(tmp_path):
    """The arguments of `gallery` for a run of four leaves, and the printed tables."""
    results = tmp_path / "run/results"
    tables = tmp_path / "resources"
    put(
        tables / "papers.csv", [("paper", "label", "scaled", "citation"), ("one", "ONE", "yes", "One (2021)")]
    )
    put(tables / "leaves.csv", [HEADER, *ROWS])
    columns = ("paper", "name", "leaf", "form", "where", "label", "series", "title", "axis")
    put(tables / "plots.csv", [columns, PLOT])
    put(tables / "sources.csv", [("id", "corpus"), ("corpus-a", "corpus"), ("corpus-b", "corpus")])
    for leaf in ("one/table1", "figure1"):
        cells = [("fr", "10", "12", "2", "11", "13", "no: open, other data", "n:3")]
        cells += [("pt", "5", "5", "0", "", "", "yes", "n:3"), ("it", "7", "", "", "", "", "no: open", "")]
        put(results / f"{leaf}.compare.csv", [COMPARED, *cells])
        put(results / f"{leaf}.csv", [("lang", "count"), ("fr", "12"), ("pt", "5")])
        name = leaf.rpartition("/")[2]
        put(
            tables / f"printed/one/{name}.csv",
            [("lang", "printed"), ("fr", "10"), ("pt", "5"), ("it", "7")],
        )
    put(results / "one/table2.csv", [("lang", "text", "score"), ("fr", SENTENCE, "0.5")])
    put(results / "one/table3.csv", [("lang", "text"), ("fr", SENTENCE)])
    (results / "figure1.svg").write_text(SVG, encoding="utf-8")
    for name in os.listdir(results / "one"):
        os.utime(results / "one" / name, (1_700_000_000,) * 2)
    (results / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    facts = ("leaf", "source", "version", "licence")
    used = [("one/table1", f"corpus-{part}", "1.0", "CC BY") for part in "ab"]
    put(results / "sources.csv", [facts, *used])
    jobs = {
        "build/text": ("read", [], 100.0, 103.5),
        "build/model": ("train", ["build/text/fr.txt"], 110.0, 150.0),
        "build/model.log": ("train", ["build/text/fr.txt"], 110.0, 150.0),
        "results/one/table1.csv": (
            "t1",
            ["build/model", "build/model.log"],
            1_700_000_000.0,
            1_700_000_001.0,
        ),
    }
    for name, (rule, inputs, start, end) in jobs.items():
        path = tmp_path / "run/.snakemake/metadata" / urlsafe_b64encode(name.encode()).decode()
        path.parent.mkdir(parents=True, exist_ok=True)
        record = {"rule": rule, "input": inputs, "starttime": start, "endtime": end}
        path.write_text(json.dumps(record), encoding="utf-8")
    return {
        "results": results,
        **{name: tables / f"{name}.csv" for name in ("leaves", "plots", "sources")},
    }


def rescale(small: dict[str, Any], scale: str) -> None:
    path = small["results"] / "settings.json"
    path.write_text(json.dumps({**SETTINGS, "scale": scale}), encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def recommit(folder: Path) -> None:
    """As if an earlier commit had made all leaves."""
    rows = kept.read_kept(folder).values()
    kept.write_kept(folder, [replace(row, commit="0123456789ab") for row in rows])


def test_a_run_is_copied_without_text_of_corpora(small, tmp_path):
    folder = tmp_path / "gallery"
    gallery(folder, **small)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {
        *("leaves.csv", "one/table1.csv", "one/table1.compare.csv", "one/table2.csv"),
        *("one/figure1.csv", "one/figure1.compare.csv", "one/figure1.svg", "one/plots/counts.svg"),
    }
    for name in ("table1.csv", "table1.compare.csv"):
        assert (folder / "one" / name).read_bytes() == (small["results"] / "one" / name).read_bytes()
    assert (folder / "one/table2.csv").read_text() == "lang,score\nfr,0.5\n"
    rows = kept.read_kept(folder)
    assert list(rows) == [row[0] for row in ROWS]
    row = rows["one/table1"]
    # Each job once, whatever it made: 3.5 + 40 + 1 seconds.
    assert (row.seconds, row.date, row.scale) == ("44", "2023-11-14", "open")
    assert row.commit == revision(ROOT) and row.processor
    assert (row.source, row.caveats) == ("corpus 1.0 (CC BY)", "other data (1 cell)")
    assert rows["one/table2"].seconds == ""
    drawn = (folder / "one/plots/counts.svg").read_text()
    assert "Counts of &lt;one&gt;" in drawn and "fr: 12 (printed 10). pt: 5 (printed 5)." in drawn


def test_some_leaves_are_renewed_and_others_keep_their_rows(small, tmp_path):
    folder = tmp_path / "gallery"
    gallery(folder, **small)
    recommit(folder)
    edit(small["results"] / "one/table2.csv", "0.5", "0.6")
    rescale(small, "demo")
    gallery(folder, **small, only=["one/table2"])
    rows = kept.read_kept(folder)
    assert [rows[name].scale for name in rows] == ["open", "demo", "open", "open"]
    assert rows["one/table1"].commit == "0123456789ab" != rows["one/table2"].commit
    assert "0.6" in (folder / "one/table2.csv").read_text()
    # All, but what is as it was keeps the commit that made it.
    rescale(small, "open")
    gallery(folder, **small)
    rows = kept.read_kept(folder)
    assert rows["one/table1"].commit == "0123456789ab" != rows["one/table2"].commit
    with pytest.raises(InputError, match="no leaf 'one/tabel1'; did you mean 'one/table1'"):
        gallery(folder, **small, only=["one/tabel1"])


@pytest.mark.slow
def test_a_leaf_that_is_gone_leaves_nothing(small, tmp_path):
    folder = tmp_path / "gallery"
    gallery(folder, **small)
    put(small["leaves"], [HEADER, *ROWS[:2], *ROWS[3:]])
    gallery(folder, **small, only=["figure1"])
    assert "one/table3" not in kept.read_kept(folder)
    put(small["leaves"], [HEADER, *ROWS[:1], *ROWS[2:]])
    gallery(folder, **small, only=["figure1"])
    assert not (folder / "one/table2.csv").exists() and (folder / "one/table1.csv").exists()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda r: (r / "one/table3.csv").unlink(), "no one/table3.csv in this run; make them first"),
        (
            lambda r: (r / "one/table1.compare.csv").unlink(),
            "no one/table1.compare.csv in this run; make them first",
        ),
        (lambda r: edit(r / "one/table2.csv", "text", "sentence"), "no column text; correct `texts`"),
        (lambda r: edit(r / "sources.csv", "corpus-b", "corpus-c"), "unknown source 'corpus-c'"),
        (lambda r: edit(r / "figure1.svg", "</svg>", "<script/></svg>"), "loads and runs nothing"),
        (
            lambda r: edit(r / "figure1.svg", "</svg>", f"<text>{'x' * 500_000}</text></svg>"),
            "figures of more than 400 kB: one/figure1.svg: 501 kB; draw fewer points",
        ),
        (
            lambda r: put(r / "one/table1.csv", [("lang", "count"), *[("fr", "1234567")] * 500_000]),
            "would have 5.5 MB, more than 5 MB; the largest files: one/table1.csv 5.5 MB",
        ),
    ],
)
def test_nothing_is_written_where_a_run_is_wrong(small, tmp_path, damage, problem):
    damage(small["results"])
    with pytest.raises(InputError, match=problem):
        gallery(tmp_path / "gallery", **small)
    assert not (tmp_path / "gallery").exists()


def sentence(folder: Path) -> None:
    """A column that nobody has declared."""
    put(folder / "one/table2.csv", [("lang", "request"), ("fr", SENTENCE)])


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "demo": (lambda f: edit(f / "leaves.csv", ",open,", ",demo,"), "one/table1: of scale demo, not open"),
    "changes": (lambda f: edit(f / "leaves.csv", "0123456789ab", "01 and changes"), "of no commit"),
    "leaf": (
        lambda f: edit(f / "leaves.csv", "one/table1", "one/table9"),
        "one/table9: no leaf of this name",
    ),
    "not kept": (lambda f: edit(f / "leaves.csv", "one/table1", "one/table9"), "one/table1: not kept"),
    "missing": (lambda f: (f / "one/table1.csv").unlink(), "one/table1.csv: missing"),
    "stray": (lambda f: put(f / "one/old.csv", [("a",)]), "one/old.csv: of no leaf"),
    "text": (lambda f: edit(f / "one/table2.csv", "lang", "text"), "one/table2: text of corpora in 'text'"),
    "sentence": (sentence, "one/table2: line 2 is as long as a sentence"),
    "printed": (
        lambda f: edit(f / "one/table1.compare.csv", "10,12", "11,12"),
        "is printed as '10', not '11'",
    ),
    "keys": (lambda f: edit(f / "one/table1.compare.csv", "lang", "language"), "other keys than lang"),
    "cell": (lambda f: edit(f / "one/table1.compare.csv", "fr,", "de,"), "no longer kept: fr"),
    "plot": (lambda f: (f / "one/plots/counts.svg").unlink(), "one/plots/counts.svg: not drawn"),
    "size": (lambda f: put(f / "one/figure1.csv", [("a",), *[("1" * 60,)] * 90_000]), "more than 5 MB"),
}


@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_each_fault_of_a_gallery_is_named(small, tmp_path, fault):
    folder = tmp_path / "gallery"
    gallery(folder, **small)
    recommit(folder)
    leaves = load(small["leaves"])
    plots = kept.read_plots(small["plots"], {leaf.name: leaf for leaf in leaves})
    if not fault:
        assert kept.problems(folder, leaves, plots, tmp_path / "resources/printed") == []
        return
    damage, problem = FAULTS[fault]
    damage(folder)
    found = kept.problems(folder, leaves, plots, tmp_path / "resources/printed")
    assert any(problem in line for line in found), found


def test_the_page_of_a_paper_shows_every_leaf_and_the_scale(small, tmp_path):
    folder = tmp_path / "gallery"
    leaves, papers = load(small["leaves"]), load_papers(small["leaves"].with_name("papers.csv"))
    plots = kept.read_plots(small["plots"], {leaf.name: leaf for leaf in leaves})
    assert page(folder, "one", leaves, {}, plots) == EMPTY
    assert "| [ONE](one.md) | 0 of 4 | – | 0 | 0 | 0 | 0 |" in overview(folder, papers, leaves, {})
    gallery(folder, **small)
    rows = kept.read_kept(folder)
    text = page(folder, "one", leaves, rows, plots)
    assert "warning" not in text and "44 seconds" in text and rows["one/table1"].date in text
    assert "<td>fr</td><td>10</td><td>12 [11, 13]</td><td>2</td><td>no: 1</td>" in text
    assert "Why cells are not comparable: 1 open, other data; 2 open." in text
    assert "3 cells, 2 with both numbers, 1 comparable, 1 of these the same" in text
    assert SENTENCE not in text
    advised = [replace(leaves[0], look="Look *here*.")]
    assert "\n\nLook \\*here\\*.\n" in page(folder, "one", advised, rows, plots)
    links = re.findall(r"\]\(([^)]+)\)", text) + re.findall(r"\{image\} (\S+)", text)
    assert len(links) == 7 and all((folder / link).is_file() for link in links)
    assert "| [ONE](one.md) | 4 of 4 | open | 6 | 4 | 2 | 2 |" in overview(folder, papers, leaves, rows)
    rescale(small, "demo")
    gallery(folder, **small)
    text = page(folder, "one", leaves, kept.read_kept(folder), plots)
    assert text.startswith("```{warning}\nNumbers of the scale demo")


@pytest.mark.parametrize("form", ["rows", "cells"])
def test_printed_numbers_are_drawn_beside_ours(tmp_path, form):
    rows = [
        ("a b", "x", "1.5", "2.5", "1", "2.0", "3.0", "yes", ""),
        ("b", "x", "", "9", "", "", "", "no", ""),
    ]
    rows += [("c", "y", "4%", "4%", "0", "", "", "yes", ""), ("d", "x", "6", "word", "", "", "", "no", "")]
    comparison = put(tmp_path / "t.csv", [("model", "metric", *COMPARED[1:]), *rows])
    where = {"comparison": comparison, "form": form, "label": ["model"], "title": "T", "axis": "A"}
    figure = tmp_path / "t.svg"
    beside(figure, where=["metric=x|y"], series="metric", **where)
    text = figure.read_text()
    assert "x a b: 2.5 (printed 1.5)." in text and "y c: 4 (printed 4)." in text and "word" not in text
    assert ("x b: 9 (not printed)" in text) == (form == "rows")
    beside(figure, where=["metric=z"], **where)
    assert kept.NOTHING in figure.read_text()
    with pytest.raises(InputError, match=r"no key 'lang'; known: model, metric"):
        beside(figure, where=["lang=fr"], **where)


def test_a_series_has_one_look_in_all_plots_of_a_table(tmp_path):
    """Also where the first one has no number."""
    rows = [
        ("p", metric, system, printed, "2.5", *[""] * (len(COMPARED) - 3))
        for metric, systems in (("x", ("A", "B", "C")), ("y", ("B", "C")))
        for system, printed in zip(systems, ("1", "2", "3"), strict=False)
    ]
    comparison = put(tmp_path / "t.csv", [("model", "metric", "system", *COMPARED[1:]), *rows])
    wanted = {"comparison": comparison, "form": "cells", "label": ["model"], "series": "system"}
    for metric in ("x", "y"):
        beside(tmp_path / f"{metric}.svg", where=[f"metric={metric}"], title="T", axis="A", **wanted)
    blue, vermillion, green = (str(look(place)["color"]).lower() for place in range(3))
    x, y = ((tmp_path / f"{metric}.svg").read_text() for metric in ("x", "y"))
    assert all(colour in x for colour in (blue, vermillion, green))
    assert blue not in y and vermillion in y and green in y


def test_plots_of_the_papers_are_of_keys_that_exist():
    plots = kept.read_plots(RESOURCES / "plots.csv", LEAVES)
    assert len({plot.path for plot in plots}) == len(plots)
    for plot in plots:
        assert plot.paper == LEAVES[plot.leaf].paper
        header = header_of(RESOURCES / "printed" / LEAVES[plot.leaf].printed)
        used = {*(part.partition("=")[0] for part in plot.where), *plot.label, *filter(None, [plot.series])}
        assert used <= set(header[: header.index("printed")]), plot


@pytest.mark.parametrize(("place", "problem"), [(2, "no leaf 'x'"), (3, "unknown form 'x'; known: rows")])
def test_a_plot_of_nothing_is_refused(small, place, problem):
    columns = header_of(small["plots"])
    put(small["plots"], [tuple(columns), (*PLOT[:place], "x", *PLOT[place + 1 :])])
    with pytest.raises(InputError, match=f"plots.csv:2: {problem}"):
        kept.read_plots(small["plots"], {leaf.name: leaf for leaf in load(small["leaves"])})


def test_texts_are_columns_of_leaves():
    rows = {row["leaf"]: row["texts"] for _, row in read_rows(RESOURCES / "leaves.csv", ("leaf", "texts"))}
    assert rows["tydip/table8"] == "request translation" and rows["cocoa-mt/table1"] == kept.ALL
    assert all(kept.ALL not in text.split() or text == kept.ALL for text in rows.values())


def test_the_kept_gallery_is_of_the_leaves_of_today():
    folder = needed()
    plots = kept.read_plots(RESOURCES / "plots.csv", LEAVES)
    assert kept.problems(folder, list(LEAVES.values()), plots, RESOURCES / "printed") == []


def test_every_paper_has_a_page():
    papers = load_papers(RESOURCES / "papers.csv")
    assert {path.stem for path in GALLERY.glob("*.md")} == {"index", *papers}


def test_make_runs_what_is_asked_and_copies_it():
    """`make -n` shows what the target would do."""

    def dry(*words: str, **values: str) -> str:
        outer = ("TUVOUS_", "MAKE", "MFLAGS", "LEAVES", "GALLERY", "ARGS")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(outer)} | values
        command = ["make", "-n", "-o", ".venv/.main", "gallery", *words]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return " ".join(done.stdout.replace("\\\n", " ").split())

    whole, named = dry(), dry("LEAVES=table7 tydip/table3", TUVOUS_MIRROR="/a/mirror")
    assert "--directory runs/open --configfile config/open.yaml -- all results/settings.json" in whole
    assert "report.gallery docs/gallery --results runs/open/results" in whole and "--only" not in whole
    goals = "results/table7.csv results/tydip/table3.csv results/table7.compare.csv"
    goals += " results/tydip/table3.compare.csv results/sources.csv results/settings.json"
    assert f'--config mirror="/a/mirror" -- {goals}' in named and "--only table7 tydip/table3" in named
    other = dry("GALLERY=g", "GALLERY_RUN=r", "ARGS=--configfile tiny.yaml")
    # The last --configfile counts.
    assert "--directory r --configfile config/open.yaml --configfile tiny.yaml -- all" in other
    assert "report.gallery g --results r/results" in other


def test_a_signature_may_be_longer_than_a_name(small, tmp_path):
    folder = tmp_path / "gallery"
    gallery(folder, **small)
    recommit(folder)
    leaves = load(small["leaves"])
    plots = kept.read_plots(small["plots"], {leaf.name: leaf for leaf in leaves})
    put(folder / "one/table2.csv", [("lang", "signature"), ("fr", "raters|task:formality|" * 9)])
    assert kept.problems(folder, leaves, plots, tmp_path / "resources/printed") == []
