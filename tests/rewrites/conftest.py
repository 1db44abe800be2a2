from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.tables import rows_of
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import write_lines
from workflow_scripts.rewrites.sheets import COLUMNS
from workflow_scripts.text.sentences import train

INFORMAL = ["pls come now", "I LOVE it"]
REFERENCES = [["Please come now.", "I love it"], ["pls come now", "I adore it greatly."]]


def fill(sheet: Path, task: Path, changes: Mapping[int, Mapping[str, str]] | None = None) -> Path:
    """A sheet with a quality in every line; `changes` by line, counted from 0 below the header."""
    rows = rows_of(task)
    for number, row in enumerate(rows):
        row.update({"quality": "acceptable", **(changes or {}).get(number, {})})
    write_csv(sheet, COLUMNS, ([row[name] for name in COLUMNS] for row in rows))
    return sheet


@pytest.fixture
def corpus(tmp_path):
    """Two informal sentences, two sets of rewrites, abbreviations and a sentence splitter."""
    folder = tmp_path / "corpus"

    def write(name: str, text: Sequence[str]) -> Path:
        write_lines(folder / name, text)
        return folder / name

    train(["I like it. You like it.", "They know."], folder / "punkt")
    return {
        "informal": [write("informal.txt", INFORMAL)],
        "references": [write(f"formal.ref{i}.txt", text) for i, text in enumerate(REFERENCES)],
        "abbreviations": [write("en.tsv", ["pls\tplease", "u\tyou"])],
        "punkt": [folder / "punkt"],
    }
