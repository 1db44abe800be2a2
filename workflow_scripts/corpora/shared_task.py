"""Command: a test set of IWSLT's shared tasks on formality control, in a language that CoCoA-MT lacks."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora.cocoa import KINDS
from workflow_scripts.corpora.cocoa_release import check_parallel, read_text
from workflow_scripts.text.levels import LEVELS


def read_shared_task(out: Path, *, folder: Path, language: str) -> None:
    """Write the sources and the references of both levels as `control.test_set` does, in their order.

    The release does not say which domain a sentence is of: all are of the part `all`. Raises InputError for a
    file that is missing, is not UTF-8, is empty or has an empty line, for files of different lengths, and
    for an annotated line that is not its reference with markers.

    :param out: folder to write: source.txt, domains.txt, and for both levels formal.txt and
        formal.annotated.txt; parallel by line
    :param folder: the shared task's folder of the test sets, such as IWSLT2022/data/test
    """
    stem = folder / f"en-{language}" / f"formality-control.test.en-{language}"
    names = {kind: kind if kind == "en" else f"{kind}.{language}" for kind in KINDS}
    paths = {kind: stem.with_name(f"{stem.name}.{name}") for kind, name in names.items()}
    texts = {kind: read_text(path) for kind, path in paths.items()}
    check_parallel(paths, texts)
    with writing_folder(out) as part:
        write_lines(part / "source.txt", texts["en"])
        write_lines(part / "domains.txt", ["all"] * len(texts["en"]))
        for level in LEVELS:
            for kind in (level, f"{level}.annotated"):
                write_lines(part / f"{kind}.txt", texts[kind])


if __name__ == "__main__":
    run(read_shared_task)
