"""Command: convert one target language of the released CoCoA-MT into the canonical layout."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines, writing_folder
from workflow_scripts.corpora.cocoa import DOMAINS, kinds_of, path_of
from workflow_scripts.corpora.cocoa_files import official_path
from workflow_scripts.text.levels import LEVELS
from workflow_scripts.text.markers import is_malformed, untagged

BYTE_ORDER_MARK = "\ufeff"


def read(folder: Path, out: Path, *, language: str) -> None:
    """Write one language as ``{split}.{domain}.{kind}.txt`` (see `corpora.cocoa`), and count its markers.

    Text stays as it is, except that a byte order mark and carriage returns at the end of lines are removed.
    Malformed markers stay too; stderr reports how many annotated lines have one.
    Raises InputError if a file is missing or exists under two names, is not UTF-8, is empty or has an empty
    line, if files of a domain differ in length, or if an annotated line is not its reference with markers.

    :param folder: the repository's files, or its folder CoCoA-MT
    :param out: folder to write; an existing one is replaced
    """
    malformed = 0
    with writing_folder(out) as part:
        for split, domains in DOMAINS.items():
            for domain in domains:
                paths = {
                    kind: official_path(folder, split, domain, kind, language) for kind in kinds_of(language)
                }
                texts = {kind: read_text(path) for kind, path in paths.items()}
                check_parallel(paths, texts)
                malformed += sum(
                    is_malformed(line) for level in LEVELS for line in texts[f"{level}.annotated"]
                )
                for kind, text in texts.items():
                    write_lines(path_of(part, split, domain, kind), text)
    print(f"{language}: {malformed} annotated lines with malformed markers", file=sys.stderr)


def read_text(path: Path) -> list[str]:
    """The lines of a released file; InputError if there are none or one is empty."""
    text = [line.rstrip("\r") for line in lines(path)]
    if text:
        text[0] = text[0].removeprefix(BYTE_ORDER_MARK)
    else:
        raise InputError("empty file", path=path, fix="download the corpus again")
    for number, line in enumerate(text, 1):
        if not line.strip():
            raise InputError("empty line", path=path, line=number, fix="every line needs a sentence")
    return text


def check_parallel(paths: dict[str, Path], texts: dict[str, list[str]]) -> None:
    """Raise InputError unless files match line by line: the source `en`, and references of both levels."""
    counts = {kind: len(text) for kind, text in texts.items()}
    for kind, count in counts.items():
        if count != counts["en"]:
            raise InputError(f"{count} lines, but {paths['en'].name} has {counts['en']}", path=paths[kind])
    for level in LEVELS:
        kind = f"{level}.annotated"
        for number, (plain, annotated) in enumerate(zip(texts[level], texts[kind], strict=True), 1):
            if untagged(annotated) != plain:
                raise InputError(
                    f"without its markers it is not this line of {paths[level].name}",
                    path=paths[kind],
                    line=number,
                    fix="download the corpus again",
                )


if __name__ == "__main__":
    run(read)
