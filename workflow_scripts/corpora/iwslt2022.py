"""Command: submissions to IWSLT 2022's formality control task, in the order of the test set here."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel, write_lines
from workflow_scripts.corpora.cocoa import DOMAINS, path_of
from workflow_scripts.corpora.cocoa_release import read_text

# The order of the domains in the shared task's test set; CoCoA-MT has the first two in reverse order.
ORDER = ("topical_chat", "telephony", "call_center")


def read_submission(out: Path, *, submission: Path, source: Path, corpus: Path | None = None) -> None:
    """Write a submission's translations line by line with the test set, domains in the corpus' order.

    Without a corpus the order is the shared task's. Carriage returns at the end of lines are removed. Raises
    InputError if the shared task's sentences are not those of the corpus in any domain, if the number of
    translations differs, and for an empty line.

    :param out: text file to write
    :param submission: its translations, one a line
    :param source: the English side of the shared task's test set
    :param corpus: CoCoA-MT in the same language, as `corpora.cocoa_release` writes it, if it has the language
    """
    sources, translations = read_text(source), read_text(submission)
    if len(translations) != len(sources):
        raise InputError(f"{len(translations)} translations for {len(sources)} sentences", path=submission)
    if corpus is None:
        write_lines(out, translations)
        return
    by_domain: dict[str, list[str]] = {}
    start = 0
    for domain in ORDER:
        path = path_of(corpus, "test", domain, "en")
        (sentences,) = read_parallel(path)
        end = start + len(sentences)
        if sources[start:end] != sentences:
            raise InputError(f"lines {start + 1} to {end} are not those of {path}", path=source)
        by_domain[domain] = translations[start:end]
        start = end
    if start != len(sources):
        raise InputError(f"{len(sources)} lines, but the domains have {start}", path=source)
    write_lines(out, (line for domain in DOMAINS["test"] for line in by_domain[domain]))


if __name__ == "__main__":
    run(read_submission)
