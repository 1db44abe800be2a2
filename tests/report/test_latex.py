"""Leaves for LaTeX: their content, and that LaTeX can set them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.conftest import put
from workflow_scripts.report.latex import SPECIAL, escape, latex

NASTY = "100% & $5 #1 a_b {c} ~d ^e \\f <g> |h| \"i\" -- `` '' ?` [j] * é ç ã ß"


def made(small_run: dict[str, Any], tmp_path: Path, leaf: str, scale: Any = "demo") -> str:
    target = tmp_path / "out.tex"
    table = small_run["results"] / f"{leaf}.csv"
    latex(table, target, leaf=leaf, leaves=small_run["leaves"], languages=small_run["languages"], scale=scale)
    return target.read_text(encoding="utf-8")


def test_table_has_grouped_heads_between_booktabs_rules(small_run, tmp_path):
    text = made(small_run, tmp_path, "table7")
    assert [r for r in re.findall(r"\\(\w+rule)", text) if r != "cmidrule"] == [
        "toprule",
        "midrule",
        "bottomrule",
    ]
    assert r"& \multicolumn{3}{c}{self-BLEU} & \multicolumn{3}{c}{formality}" in text
    assert r"\cmidrule(lr){3-5} \cmidrule(lr){6-8}" in text
    assert r"section & system & BR-PT & IT & FR" in text
    assert r"\begin{tabular}{llrrrrrrrrrrrr}" in text
    assert r"\label{tab:table7}" in text and r"MY \textless{}LLM\textgreater{} \& CO" in text


def test_every_row_has_as_many_cells_as_columns(small_run, tmp_path):
    for leaf in ("table7", "table8", "figure1", "cocoa-mt/m-acc"):
        text = made(small_run, tmp_path, leaf)
        spec = re.search(r"\\begin\{tabular\}\{(.*)\}", text)
        assert spec is not None
        count = len(re.sub(r"p\{[^}]*\}", "l", spec[1]))
        body = text.partition("\\midrule")[2].partition("\\bottomrule")[0].strip().splitlines()
        assert body and all(len(re.findall(r"(?<!\\)&", row)) == count - 1 for row in body)


def test_p_values_become_stars(small_run, tmp_path):
    text = made(small_run, tmp_path, "table7")
    rows = {row.split(" & ")[1]: row for row in text.splitlines() if row.startswith("    automatic")}
    assert rows["ROUND-TRIP MT"].count("$^{*}$") == 12 and "$^" not in rows["RULE-BASED"]
    assert r"$^{*}$: $p < 0.05$" in text


def test_only_numbers_of_another_scale_say_so(small_run, tmp_path):
    assert r"\textbf{Demo scale:" in made(small_run, tmp_path, "table7")
    assert r"\textbf{Demo" not in made(small_run, tmp_path, "table7", "paper")
    assert r"\textbf{Demo" not in made(small_run, tmp_path, "cocoa-mt/m-acc")


def test_open_numbers_say_so(small_run, tmp_path):
    assert r"\textbf{Open scale: not comparable" in made(small_run, tmp_path, "table7", "open")


def test_a_table_of_many_columns_takes_the_page(small_run, tmp_path):
    for leaf, environment in (("table7", "table*"), ("table8", "table")):
        text = made(small_run, tmp_path, leaf)
        assert rf"\begin{{{environment}}}[t]" in text and rf"\end{{{environment}}}" in text


def test_long_text_has_width_and_words_are_marked(small_run, tmp_path):
    text = made(small_run, tmp_path, "table8")
    assert r"p{0.70\linewidth}" in text and r"sei \textbf{que} ela" in text


@given(st.text(alphabet=st.one_of(st.sampled_from(NASTY), st.characters(exclude_categories=["Cc", "Cs"]))))
def test_escaped_text_is_read_as_the_text_and_holds_no_command(text):
    commands = {command: character for character, command in SPECIAL.items()}
    found = "|".join(map(re.escape, sorted(commands, key=len, reverse=True)))
    parts = re.split(f"({found}|{{}})", escape(text))
    # Every second part is a command, or the nothing that keeps two characters apart.
    assert not set("".join(parts[::2])) & set(SPECIAL)
    assert "".join(commands.get(part, "" if part == "{}" else part) for part in parts) == re.sub(
        r"\s+", " ", text
    )
    assert not re.search("--|``|''|,,", escape(text))


def test_command_line_of_latex(small_run, module, tmp_path):
    arguments = [
        small_run["results"] / "table7.csv",
        tmp_path / "a.tex",
        "--leaf",
        "table7",
        "--scale",
        "demo",
    ]
    arguments += ["--leaves", small_run["leaves"], "--languages", small_run["languages"]]
    finished = module("report.latex", *arguments)
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "a.tex").read_text() == made(small_run, tmp_path, "table7")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex: install texlive-latex-base")
def test_latex_sets_every_leaf(small_run, tmp_path):
    put(small_run["results"] / "table8.csv", [("row", "text"), ("A", NASTY), ("[B] *", NASTY * 4)])
    names = ("table7", "table8", "figure1", "cocoa-mt/m-acc")
    tables = "\n".join(made(small_run, tmp_path, leaf) for leaf in names)
    (tmp_path / "all.tex").write_text(
        "\\documentclass[twocolumn]{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{tables}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert finished.returncode == 0, finished.stdout[-2000:]
    assert "Undefined" not in finished.stdout and (tmp_path / "all.pdf").stat().st_size > 1000
