"""The page in a real browser; each kind of fault is found."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.report.look import SCHEMES, SIZES, inspect, look
from workflow_scripts.core.errors import InputError


def looked(page: Path, folder: Path) -> subprocess.CompletedProcess:
    """The command, in a process of its own: one process has one browser."""
    command = [sys.executable, "-m", "tests.report.look", page, "--screenshot", folder / "page.png"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
def test_page_has_no_fault_in_a_browser(chromium, small_page, tmp_path):
    done = looked(small_page, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_real_page_has_no_fault_in_a_browser(chromium):
    page = ROOT / "results" / "index.html"
    if not page.exists():
        pytest.skip("results/index.html is not made")
    for width, height in SIZES:
        for scheme in SCHEMES:
            assert inspect(chromium, page, width, height, scheme) == []


# What is put before the end of the page, and what is said about it.
FAULTS = {
    "script": ("<script>nothing.at.all()</script>", "error of a script"),
    "console": ("<script>console.error('oh')</script>", "console: oh"),
    "load": ('<img alt="x" src="none.png">', "loads file:.*none.png"),
    "failed": ('<img alt="x" src="none.png">', "cannot be loaded: file:.*none.png"),
    "sideways": ('<div style="width: 3000px">x</div>', "the page scrolls sideways"),
    "clipped": (
        '<main><div style="overflow: hidden; width: 90px"><p style="width: 300px">x</p></div></main>',
        "clipped: <div>",
    ),
    "unnamed": (
        '<main><div tabindex="0" style="overflow-x: auto; width: 90px"><p style="width: 300px">x</p></div>'
        "</main>",
        "scrolls but has no name",
    ),
    "unfocused": (
        '<main><div aria-label="x" style="overflow-x: auto; width: 90px"><p style="width: 300px">x</p></div>'
        "</main>",
        "scrolls but cannot be focused",
    ),
    "leaves": (
        '<main><table style="table-layout: fixed; width: 60px"><tr><th style="white-space: nowrap">'
        "a very long word indeed</th></tr></table></main>",
        "text leaves its cell",
    ),
    "twice": ('<p id="contents">x</p>', "the id contents stands twice"),
    "nowhere": ('<a href="#nowhere">x</a>', "a link leads nowhere: #nowhere"),
    "no alternative": ('<svg role="img" width="9" height="9"></svg>', "a figure without title"),
    "no alt": ('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC">', "an image without alt"),
    "headless": ("<table><tr><td>x</td></tr></table>", "a table without heads"),
    "headings": ("<h5>x</h5>", "a heading of level 5 after one of level 3"),
    "two titles": ("<h1>x</h1>", "not exactly one h1"),
    "contrast": ('<p style="color: #888; background: #999">x</p>', "contrast 1"),
    "named after nothing": ('<p aria-labelledby="gone">x</p>', "aria-labelledby names gone"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found(chromium, small_page, tmp_path, fault):
    markup, finding = FAULTS[fault]
    broken = tmp_path / "broken.html"
    text = small_page.read_text(encoding="utf-8")
    broken.write_text(text.replace("</body>", f"{markup}</body>"), encoding="utf-8")
    found = inspect(chromium, broken, 390, 800, "light")
    assert any(re.search(finding, one) for one in found), found


@pytest.mark.slow
def test_contrast_is_judged_in_the_dark_too(chromium, small_page, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text(
        small_page.read_text(encoding="utf-8").replace("--ink: #ecebe8", "--ink: #333333"), encoding="utf-8"
    )
    assert inspect(chromium, broken, 1280, 900, "light") == []
    assert any("contrast" in finding for finding in inspect(chromium, broken, 1280, 900, "dark"))


@pytest.mark.slow
def test_findings_end_the_command(chromium, small_page, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text(
        small_page.read_text(encoding="utf-8").replace("</body>", "<h1>x</h1></body>"), encoding="utf-8"
    )
    finished = looked(broken, tmp_path)
    assert finished.returncode == 2 and "390 pixels, dark: not exactly one h1" in finished.stderr
    with pytest.raises(InputError, match="no such file"):
        look(tmp_path / "none.html")
