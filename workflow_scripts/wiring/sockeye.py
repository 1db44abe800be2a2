"""Models that Sockeye has trained, which a user puts in place (`control.generic.sockeye`)."""

import os

# The files of such a model.
SOCKEYE_FILES = ["params.best", "config", "vocab.src.0.json", "vocab.trg.0.json", "bpe_codes"]
# What `downloads.unpinned` calls these models.
SOCKEYE = "sockeye"


def sockeye_paths(folder: str) -> list[str]:
    """The files of the model in a folder."""
    return [f"{folder}/{name}" for name in SOCKEYE_FILES]


def sockeye_problem(lang: str, folder: str, *, accepted: bool) -> str | None:
    """One line on a file of a language's model that is not there, or on checksums that nobody knows.

    `accepted`: the first checksums are taken, and recorded beside the folder.
    """
    setting = f"configuration: control.generic.sockeye.{lang}"
    for path in sockeye_paths(folder):
        if not os.path.isfile(path):
            return (
                f"{setting}: no such file: {path}; IWSLT 2022's are assets of"
                " https://github.com/amazon-science/contrastive-controlled-mt/releases"
            )
    record = f"{os.path.normpath(folder)}.sha256"
    if accepted or os.path.isfile(record):
        return None
    return (
        f"{setting}: no checksums of the files in {folder} are known: make sure that their authors published"
        f" these files, and add {SOCKEYE} to downloads.unpinned, which records the checksums in {record}"
    )
