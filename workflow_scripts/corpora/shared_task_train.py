"""Command: training segments of IWSLT's shared tasks on formality control, in the canonical layout."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines, writing_folder
from workflow_scripts.corpora.cocoa import KINDS, path_of
from workflow_scripts.corpora.cocoa_files import official_path
from workflow_scripts.corpora.cocoa_release import check_parallel, read_text
from workflow_scripts.text.levels import OF_COCOA, TRAIN_DOMAINS, language_of


def read_shared_task_train(out: Path, *, folder: Path, language: str, tested: Path | None = None) -> None:
    """Write ``train.{domain}.{kind}.txt`` as `corpora.cocoa_release` does; the release has no test domains.

    Segments whose English sentence is tested are left out: the release has their test references among its
    training data. Raises InputError for a file that is missing, is not UTF-8, is empty or has an empty line,
    for files of different lengths, for an annotated line that is not its reference with markers, and if no
    segment of a domain is left.

    :param out: folder to write; an existing one is replaced
    :param folder: the shared task's folder of the training sets, such as IWSLT2023/data/train; of a language
        of CoCoA-MT, the folder of its release
    :param tested: the English sentences of the test set in this language, one a line; without them all
        segments stay
    """
    seen = set() if tested is None else set(read_lines(tested, filled=True))
    count = left_out = 0
    with writing_folder(out) as part:
        for domain in TRAIN_DOMAINS:
            paths = {kind: released_path(folder, domain, kind, language) for kind in KINDS}
            texts = {kind: read_text(path) for kind, path in paths.items()}
            check_parallel(paths, texts)
            kept = [place for place, source in enumerate(texts["en"]) if source not in seen]
            if not kept:
                raise InputError("every sentence is in the test set", path=paths["en"])
            count += len(texts["en"])
            left_out += len(texts["en"]) - len(kept)
            for kind, text in texts.items():
                write_lines(path_of(part, "train", domain, kind), (text[place] for place in kept))
    print(
        f"{language}: {count} segments, {left_out} of them left out, since they are tested", file=sys.stderr
    )


def released_path(folder: Path, domain: str, kind: str, language: str) -> Path:
    """The file of a domain and a kind, of the shared task or of CoCoA-MT."""
    if language in map(language_of, OF_COCOA):
        return official_path(folder, "train", domain, kind, language)
    ending = kind if kind == "en" else f"{kind}.{language}"
    return folder / f"en-{language}" / f"formality-control.train.{domain}.en-{language}.{ending}"


if __name__ == "__main__":
    run(read_shared_task_train)
