"""Command: measure the distance and the types of edits of every rewrite of one language."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.files import progress, read_parallel
from workflow_scripts.rewrites.abbreviations import Abbreviations
from workflow_scripts.rewrites.edits import TYPES, EditFinder
from workflow_scripts.rewrites.pairs import COLUMNS
from workflow_scripts.text.lexical import led_of_tokens, tokens
from workflow_scripts.text.sentences import load_splitter


def measure(
    table: Path,
    *,
    informal: Path,
    references: list[Path],
    language: str,
    abbreviations: Path,
    punkt: Path,
) -> None:
    """Write one line per rewrite: character Levenshtein distance, LeD and types of edits (Section 4).

    The distance counts inserted, deleted and replaced code points of the raw texts. LeD is computed as by
    `lexical.led`, types of edits as by `edits`.

    :param table: CSV to write: sentence (from 1), reference (from 0), levenshtein, led, then 0 or 1 for each
        type of edit
    :param informal: informal sentences, one per line
    :param references: their rewrites, one file per set, parallel to `informal`
    :param language: code, for Moses' tokeniser
    :param abbreviations: lines of an abbreviation, a tab and its expansion
    :param punkt: folder with the language's sentence splitter
    """
    from rapidfuzz.distance import Levenshtein

    sources, *rewrites = read_parallel(informal, *references, filled=True)
    find = EditFinder(load_splitter(punkt), Abbreviations.load(abbreviations))
    split, *others = (tokens(texts, language) for texts in (sources, *rewrites))
    differences = [led_of_tokens(split, other) for other in others]
    rows = (
        [
            *(number + 1, reference),
            *(Levenshtein.distance(source, texts[number]), f"{differences[reference][number]:.6f}"),
            *(int(edits[name]) for name in TYPES),
        ]
        for number, source in enumerate(progress(sources, f"edits {language}"))
        for reference, texts in enumerate(rewrites)
        for edits in (find(source, texts[number]),)
    )
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(measure)
