"""The site of the documents: dead links end `make docs`, and faults of pages, search and menu are named."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.report.site import inspect_site, look_at_site
from workflow_scripts.core.errors import InputError
from workflow_scripts.report.kept import Kept, write_kept

ENVIRONMENT = (
    Path(".venvs") / f"docs-{hashlib.sha256((ROOT / 'envs/docs.txt').read_bytes()).hexdigest()[:10]}"
)
# What is added to a page, and what Sphinx says about it.
DEAD = {
    "[page](docs/nowhere.md)": "docs/nowhere.md",
    "[heading](docs/scales.md#nowhere)": "'nowhere'",
    "[file](resources/nowhere.csv)": "resources/nowhere.csv",
    "![picture](docs/nowhere.svg)": "docs/nowhere.svg",
}


def put_leaf(folder: Path) -> None:
    """A gallery of one leaf, with characters of which Markdown would make something."""
    told = "a *b* <c> [d](e) $f$ `g`"
    write_kept(folder, [Kept("tydip/table10", "0123456789ab", "2027-01-01", told, "120", "open", told, told)])
    (folder / "tydip").mkdir(exist_ok=True)
    (folder / "tydip/table10.csv").write_text("lang,mean\nhi,2\n", encoding="utf-8")
    header = "lang,metric,printed,ours,difference,comparable,signature\n"
    row = f"hi,a_b * <c>,1,2,1,no: {told},x\n"
    (folder / "tydip/table10.compare.csv").write_text(header + row, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ENVIRONMENT / ".done").exists(), reason="make docs has made no environment")
def test_what_is_dead_ends_make_docs(tmp_path):
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "LICENSE", "CITATION.cff"):
        shutil.copy2(ROOT / name, tmp_path)
    for name in ("docs", "envs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "results").mkdir()
    shutil.copy2(ROOT / "results/README.md", tmp_path / "results")
    for name in (".venvs", "config", "config.yaml", "profiles", "resources", "workflow_scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    with (tmp_path / "README.md").open("a", encoding="utf-8") as stream:
        stream.write("\n" + "\n\n".join(DEAD) + "\n")
    (tmp_path / "docs/lost.md").write_text("# Lost\n", encoding="utf-8")
    put_leaf(tmp_path / "docs/gallery")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    # Not made again where a checkout has given the lock file a newer time.
    command = ["make", "--old-file", str(ENVIRONMENT / ".done"), "docs"]
    done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True)
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line]
    assert done.returncode != 0 and not (tmp_path / "build/site").exists()
    for said in (*DEAD.values(), "docs/lost.md"):
        assert any(said in line for line in warnings), (said, done.stderr)
    # What the gallery adds to its pages has no fault.
    assert len(warnings) == len(DEAD) + 1, warnings
    page = (tmp_path / "build/site.partial/docs/gallery/tydip.html").read_text(encoding="utf-8")
    for said in (
        "Table 10: Statistics",
        "120 seconds",
        "<td>hi, a_b * &lt;c&gt;</td><td>1</td><td>2</td>",
        "table10.csv",
    ):
        assert said in page, said


@pytest.mark.slow
def test_faults_of_a_site_are_named(chromium, tmp_path):
    (tmp_path / "index.html").write_text(
        '<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><h1>x</h1>'
        '<form action="search.html"><input type="search" name="q" aria-label="x"></form>'
        '<script src="http://127.0.0.1:9/far.js"></script></body></html>',
        encoding="utf-8",
    )
    (tmp_path / "search.html").write_text("<p>nothing</p>", encoding="utf-8")
    found = "\n".join(inspect_site(chromium, tmp_path, "M-Acc", patience=1000))
    for said in (
        "loads http://127.0.0.1:9/far.js",
        "search for M-Acc has no result",
        "menu of the narrow window",
    ):
        assert said in found
    with pytest.raises(InputError, match="no such file"):
        look_at_site(tmp_path / "none")
