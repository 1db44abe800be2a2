"""The picture of Table 3, and the one that the README shows."""

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.papers.tydip.picture import NEEDED, ROW, interval, picture

NAMES = ROOT / "resources/printed/tydip/languages.csv"
PRINTED = ROOT / "resources/printed/tydip/table3.csv"


def described(figure: Path) -> str:
    (text,) = re.findall(r"<desc id=\"description\">(.*?)</desc>", figure.read_text(encoding="utf-8"))
    return text


def drawn(folder: Path, cells: list[tuple[str, str, str, str]]) -> str:
    rows = [
        row
        for lang, printed, ours, why in cells
        for row in (
            ("Majority", "-", "accuracy", lang, "", "0.500", "no: open", "n:250"),
            (*ROW, lang, printed, ours, why, "n:250|seeds:1"),
        )
    ]
    write_csv(folder / "c.csv", NEEDED, rows)
    picture(folder / "p.svg", comparison=folder / "c.csv", names=NAMES)
    return described(folder / "p.svg")


def test_languages_with_both_numbers_are_drawn_the_best_first(tmp_path):
    cells = [
        ("hu", "0.812", "0.524", "no: open, not a language of the encoder"),
        ("en", "0.892", "0.852", "no: open"),
        ("ko", "0.784", "", "no: open"),
        ("avg", "0.825", "0.6", "no: open"),
    ]
    assert drawn(tmp_path, cells) == "English: 0.852 (printed 0.892). Hungarian: 0.524 (printed 0.812)."
    assert "language unknown to its encoder" in (tmp_path / "p.svg").read_text(encoding="utf-8")
    drawn(tmp_path, cells[1:])
    assert "language unknown" not in (tmp_path / "p.svg").read_text(encoding="utf-8")


def test_a_table_without_the_row_is_one_line(tmp_path):
    with pytest.raises(InputError, match="no number of XLMR, target, accuracy"):
        drawn(tmp_path, [])


def test_intervals_are_wilsons():
    # Newcombe (1998), Table I, method 3: 81 of 263, and 15 of 148.
    assert interval(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert interval(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)


def test_the_picture_of_the_readme_has_the_printed_numbers():
    said = described(ROOT / "docs/table3.svg")
    printed = [
        row["printed"] for _, row in read_rows(PRINTED, ("lang",)) if _row(row) and row["lang"] != "avg"
    ]
    assert sorted(re.findall(r"printed ([0-9.]+)\)", said)) == sorted(printed)


def _row(row: dict[str, str]) -> bool:
    return (row["model"], row["input"], row["measure"]) == ROW
