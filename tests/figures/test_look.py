"""The drawing library: bins, tints, and common properties of saved figures."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.figures.histograms import counted
from workflow_scripts.figures.look import COLOURS, save, styled, tint


@given(st.lists(st.floats(-3, 3), max_size=30))
def test_every_value_has_one_bin(values):
    edges = [-3 + 0.5 * step for step in range(13)]
    counts = counted(values, edges)
    assert sum(counts) == len(values)
    for place, count in enumerate(counts):
        low, high = edges[place], edges[place + 1]
        assert count == sum(low <= v < high or v == high == 3 for v in values)


def test_a_value_outside_all_bins_is_an_error():
    with pytest.raises(ValueError, match=r"3\.1 is not between"):
        counted([3.1], [0.0, 3.0])


def test_tints_go_from_white_to_the_colour():
    for name, colour in COLOURS.items():
        assert tint(name, 0) == tint(name, -1) == "#ffffff"
        assert tint(name, 1) == tint(name, 2) == colour.lower()


def test_a_saved_figure_ignores_the_users_matplotlib_and_has_a_text_alternative(tmp_path):
    import matplotlib
    from matplotlib.figure import Figure

    def draw(path: Path) -> bytes:
        with styled():
            figure = Figure()
            figure.subplots().plot([1, 2], [3, 4], clip_on=True)
            save(figure, path, title="A & B", description='x < y, "z"')
        return path.read_bytes()

    first = draw(tmp_path / "a.svg")
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "other", "axes.facecolor": "red"}):
        assert draw(tmp_path / "b.svg") == first
    root = ElementTree.fromstring(first)
    texts = {child.get("id"): child.text for child in root}
    assert texts["title"] == "A & B" and texts["description"] == 'x < y, "z"'


@pytest.mark.parametrize("text", ["\x01\x08\x0b\x0c\x1b[31m", "\ufffe\uffff", "<b>&amp;", "𝕏 é\t\x85\u2028"])
def test_any_text_gives_well_formed_svg(text, tmp_path):
    from matplotlib.figure import Figure

    with styled():
        figure = Figure()
        figure.subplots().set_xlabel(f"zz{text}zz")
        save(figure, tmp_path / "a.svg", title=text, description=text)
    ElementTree.parse(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").count("zz") >= 2
