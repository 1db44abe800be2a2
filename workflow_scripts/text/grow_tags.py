"""Command: add tags to a text model, so that a model of the old vocabulary can be tuned to them."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import writing_folder
from workflow_scripts.text.models import read_text_model
from workflow_scripts.text.subwords import check_tags


def grow_tags(old: Path, new: Path, *, tags: list[str]) -> None:
    """Append tags to the vocabulary; ids, and rows of embeddings, do not change.

    A model that starts from one with the old vocabulary gets new rows for them (CoCoA-MT, Section 4). Text is
    split as before, and never into a tag. Raises InputError for a tag that is already a piece.

    :param old: the text model to start from, of text.learn or text.grow
    :param new: the text model to write: the files of `old` with a longer vocabulary.txt
    :param tags: symbols such as <2formal>
    """
    check_tags(tags)
    tagged = read_text_model(old).tagged(tags)
    new.parent.mkdir(parents=True, exist_ok=True)
    with writing_folder(new) as part:
        tagged.save(part)
    print(f"{new}: {len(tagged.vocabulary)} symbols, the last {len(tags)} of them new", file=sys.stderr)


if __name__ == "__main__":
    run(grow_tags)
