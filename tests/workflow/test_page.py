"""The page of all papers (docs/snakemake.md), at the smallest sizes, with released data of a mirror."""

import shutil

import pytest

from tests.report.look import BROWSERS, look
from workflow_scripts.leaves.registry import load, load_papers

from .conftest import CONFIG, ROOT
from .tiny import copy_run, snakemake

pytestmark = pytest.mark.long
PAPERS = "report={papers: [xformal, pt16, tydip, cocoa-mt, impolite]}"
# Classifiers of requests, whose sizes the tiny run leaves as they are.
SMALL = "politeness={seeds: [1], classifiers: {roberta: {epochs: 1}, roberta-plain: {epochs: 1}}}"


@pytest.fixture(scope="module")
def page(finished_whole, mirror, tmp_path_factory):
    """The page, in a copy of the tiny run: other tests go on with the run as it is."""
    folder = tmp_path_factory.mktemp("page") / "checkout"
    copy_run(finished_whole.folder, folder)
    settings = [*CONFIG, "--config", f"mirror={mirror}", PAPERS, SMALL]
    done = snakemake(folder, "--cores", 2, *settings, "--", "results/index.html")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder / "results/index.html"


def test_every_leaf_of_every_paper_is_on_it(page):
    text = page.read_text(encoding="utf-8")
    leaves = load(ROOT / "resources/leaves.csv")
    assert {leaf.paper for leaf in leaves} == set(load_papers(ROOT / "resources/papers.csv"))
    missing = [leaf.name for leaf in leaves if f'<h3 id="{leaf.anchor}">' not in text]
    assert missing == []


@pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason=f"no browser ({', '.join(BROWSERS)}): install chromium"
)
def test_it_has_no_fault_in_a_browser(page):
    look(page)
