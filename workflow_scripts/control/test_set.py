"""Command: the test set that translators under control are measured by, from CoCoA-MT's canonical folder."""

from pathlib import Path

from workflow_scripts.control.data import KINDS
from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_parallel, write_lines, writing_folder
from workflow_scripts.text.levels import TEST_DOMAINS


def make_test_set(out: Path, *, corpus: Path) -> None:
    """Write the test data of all domains one after the other, and which domain a line is of.

    Raises InputError for files that are missing, of different lengths, or have an empty line.

    :param out: folder to write: source.txt, domains.txt, and for both levels formal.txt (masculine, where
        gender shows) and formal.annotated.txt; parallel by line
    :param corpus: one language as `corpora.cocoa_release` writes it
    """
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    names = {"source": "en", **{kind: kind for kind in KINDS if kind not in ("source", "domains")}}
    for domain in TEST_DOMAINS:
        paths = [corpus / f"test.{domain}.{name}.txt" for name in names.values()]
        for kind, lines in zip(names, read_parallel(*paths, filled=True), strict=True):
            texts[kind] += lines
        texts["domains"] += [domain] * (len(texts["source"]) - len(texts["domains"]))
    with writing_folder(out) as part:
        for kind, lines in texts.items():
            write_lines(part / f"{kind}.txt", lines)


if __name__ == "__main__":
    run(make_test_set)
