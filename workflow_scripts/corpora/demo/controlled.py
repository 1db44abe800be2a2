"""Command: the demo world's CoCoA-MT, in the layout of the released corpus."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.corpora.cocoa import DOMAINS, kinds_of
from workflow_scripts.corpora.cocoa_files import names_of
from workflow_scripts.corpora.demo.situations import LANGUAGES
from workflow_scripts.corpora.demo.templates import Sentence, read_script


def make_controlled(
    out: Path,
    *,
    texts: Path,
    content: Path,
    seed: int,
    controlled_train: int,
    controlled_test: int,
) -> None:
    """Write the corpus in its released layout, in all languages of the demo; same arguments, same bytes.

    A segment is a template filled from the lists of contents. The test sources are the same in every
    language, and none is in the training data or in the generic bitext.
    Raises InputError for a mistake in the templates, and if they give fewer sentences than asked for.

    :param out: folder to write
    :param texts: YAML: by domain, templates in all languages
    :param controlled_train: training segments of each domain
    :param controlled_test: test segments of each domain
    """
    script = read_script(texts, content, seed)
    sizes = {"train": controlled_train, "test": controlled_test}
    with writing_folder(out) as folder:
        for split, domains in DOMAINS.items():
            for domain in domains:
                random = Random(f"controlled {seed} {split} {domain}")
                drawn = script.draw([domain], split, sizes[split], random)
                for language in LANGUAGES[1:]:
                    _write(folder, drawn, split, domain, language)


def _write(folder: Path, sentences: Sequence[Sentence], split: str, domain: str, language: str) -> None:
    for kind in kinds_of(language):
        short, long = names_of(folder, split, domain, kind, language)
        style, _, variant = kind.partition(".")
        lines = (
            sentence.source()
            if kind == "en"
            else sentence.reference(
                language, style, feminine=variant == "feminine", marked=variant == "annotated"
            )
            for sentence in sentences
        )
        # As in the release: names of test data lack the language at the end, except in Portuguese.
        write_lines(long if split == "train" or language == "pt" else short, lines)


if __name__ == "__main__":
    run(make_controlled)
