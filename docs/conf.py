"""Sphinx: the site is README.md and the other documents as they stand, with an order for the sidebar."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from pygments.lexers.special import TextLexer  # noqa: E402

from workflow_scripts import __version__  # noqa: E402
from workflow_scripts.leaves.registry import load, load_papers  # noqa: E402
from workflow_scripts.report import gallery_pages, kept  # noqa: E402

# README.md shows no contents on GitHub: they are appended to it when Sphinx reads it.
CONTENTS = {
    "Run it": "docs/scales docs/experiments docs/snakemake docs/clusters docs/raters",
    "Results": "docs/gallery/index docs/gallery/xformal docs/gallery/pt16 docs/gallery/tydip"
    " docs/gallery/cocoa-mt docs/gallery/impolite",
    "Papers": "docs/papers/xformal docs/papers/tydip docs/papers/cocoa-mt docs/papers/impolite",
    "Add your own": "docs/systems docs/language-models docs/extending",
    "Reference": "docs/configuration docs/settings results/README docs/differences docs/platforms"
    " docs/dialogues docs/dependencies docs/glossary CHANGELOG",
    "For developers": "docs/architecture docs/benchmarks CONTRIBUTING docs/decisions/README",
}

project = "tuvous"
release = __version__
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "results/README.md"]
extensions = ["myst_parser"]
# Links to headings, with the anchors that GitHub gives them.
myst_heading_anchors = 4
highlight_language = "none"
smartquotes = False  # quotes in a setting stay what YAML reads
html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["site.css", "site.js"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_use_index = False
html_favicon = "icon.svg"
html_search_scorer = str(ROOT / "docs/scorer.js")


def _append_contents(_app: Any, document: str, source: list[str]) -> None:
    if document == "docs/decisions/README":
        source[0] += "\n\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
    if document.startswith("docs/gallery/"):
        source[0] += f"\n\n{_results(Path(document).name)}"
    if document == root_doc:
        source[0] += "\n\n```{toctree}\n:hidden:\n\nStart <self>\n```\n"
        for caption, pages in CONTENTS.items():
            listed = pages.replace(" ", "\n")
            source[0] += f"\n\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"


def _results(page: str) -> str:
    """What the gallery keeps: of all papers on its index, of one paper on that paper's page."""
    folder, registry = ROOT / "docs/gallery", ROOT / "resources/leaves.csv"
    leaves, rows = load(registry), kept.read_kept(folder)
    papers = load_papers(registry.with_name("papers.csv"))
    if page == "index":
        return gallery_pages.overview(folder, papers, leaves, rows)
    plots = kept.read_plots(registry.with_name("plots.csv"), {leaf.name: leaf for leaf in leaves})
    return gallery_pages.page(folder, page, leaves, rows, plots)


def setup(app: Any) -> None:
    """Sphinx calls this when it has read the settings."""
    app.connect("source-read", _append_contents)
    app.add_lexer("csv", TextLexer)
