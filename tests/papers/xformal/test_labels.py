"""A label may be any line of text: it is shown unchanged in tables, figures, LaTeX and on the page."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.conftest import METRICS, ROOT
from tests.manifests import labelled
from tests.papers.xformal.conftest import LANGUAGES, MADE_WITH, PRINTED, SYSTEMS
from tests.tables import rows_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import write_lines
from workflow_scripts.evaluation.reruns import HEADER
from workflow_scripts.papers.xformal.figure3 import figure3
from workflow_scripts.papers.xformal.figure4 import figure4
from workflow_scripts.papers.xformal.table7 import table7
from workflow_scripts.papers.xformal.table7_compare import compare
from workflow_scripts.report.figure import inline
from workflow_scripts.report.latex import latex

HARD = [
    *(
        "-x",
        "--help",
        "{x}",
        "{lang}",
        r"$\frac{$",
        "$a_b$",
        r"\input{x}",
        "_under",
        "_legend_",
        "%s",
        "# no",
    ),
    *(' onclick="alert(1)"', 'id="figure_1"', "url(#a)", "<script>alert(1)</script>", "[[bold]]", "a,b;c"),
]
# Each system gets some label; every label has its turn.
TURNS = [HARD[i : i + len(SYSTEMS)] for i in range(0, len(HARD), len(SYSTEMS))]


@pytest.fixture(params=TURNS, ids=range(len(TURNS)))
def labels(request):
    """By system; what is left has a plain one."""
    return {**SYSTEMS, **dict(zip(SYSTEMS, request.param, strict=False))}


def shown(path: Path) -> list[str]:
    """What stands in a figure."""
    return [one.text or "" for one in ElementTree.parse(path).iter() if one.tag.endswith("}text")]


def test_tables_have_it(labels, inputs, tmp_path):
    inputs["systems"] = labelled(tmp_path / "rows.csv", labels)
    table7(tmp_path / "t.csv", **inputs, languages=list(LANGUAGES), metrics=METRICS)
    assert [row["system"] for row in rows_of(tmp_path / "t.csv")] == list(labels.values())
    compare(tmp_path / "c.csv", **inputs, printed=PRINTED, scale="demo", **MADE_WITH)
    assert set(labels.values()) <= {row["system"] for row in rows_of(tmp_path / "c.csv")}
    write_csv(tmp_path / "short.csv", ("system", "text"), [(label, label) for label in labels.values()])
    resources = ROOT / "resources"
    latex(
        tmp_path / "short.csv",
        tmp_path / "t.tex",
        leaf="table7",
        leaves=resources / "leaves.csv",
        languages=resources / "languages.csv",
        scale="paper",
    )
    assert "textbf{bold}" not in (tmp_path / "t.tex").read_text(encoding="utf-8")
    if shutil.which("pdflatex"):
        document = (
            r"\documentclass{article}\usepackage{booktabs}",
            r"\begin{document}\input{t}\end{document}",
        )
        write_lines(tmp_path / "all.tex", document)
        words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]


def test_figures_have_it(labels, tmp_path):
    names = list(labels.values())
    for i in range(len(names)):
        write_lines(tmp_path / f"{i}.txt", [f"Bonjour mot{i}.", "Oui."])
    texts = [("fr", label, str(tmp_path / f"{i}.txt")) for i, label in enumerate(names)]
    write_csv(tmp_path / "texts.csv", ("language", "label", "text"), texts)
    figure3(tmp_path / "f3.svg", tmp_path / "f3.csv", texts=tmp_path / "texts.csv")
    # Rows and columns of the grid.
    assert all(shown(tmp_path / "f3.svg").count(label) == 2 for label in names)
    rows = [(system, "run0", "1.0", "2.0", "3.0", "s", "1") for system in labels]
    write_csv(tmp_path / "reruns.csv", HEADER, rows)
    figure4(
        *(tmp_path / name for name in ("f4.svg", "f4.csv", "f4.compare.csv")),
        languages=["fr"],
        reruns=[tmp_path / "reruns.csv"],
        systems=labelled(tmp_path / "systems.csv", labels),
        lines=[],
        baseline="rule-based",
        printed=PRINTED.with_name("figure4.csv"),
        scale="demo",
        **MADE_WITH,
    )
    assert [text for text in shown(tmp_path / "f4.svg") if text in names] == names
    assert [row["system"] for row in rows_of(tmp_path / "f4.csv")] == names
    # On the page they stand as texts, whatever attribute they look like.
    for name in ("f3", "f4"):
        drawn = ElementTree.fromstring(inline(tmp_path / f"{name}.svg", "t1"))
        assert set(names) <= {one.text for one in drawn.iter()}
