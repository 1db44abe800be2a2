"""Command: Table 7 of CoCoA-MT, examples where the level changes more than what marks it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from workflow_scripts.control.data import LEVELS, read_outputs, read_test_set, read_translations
from workflow_scripts.control.matching import COMPARED, label
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.cocoa_mt.accuracies import GENERIC, labels_of
from workflow_scripts.text.markers import phrases


def table7(
    table: Path,
    *,
    test_sets: list[Path],
    outputs: list[Path],
    languages: list[str],
    systems: Path,
    examples: int,
    leave_out: list[str] | None = None,
) -> None:
    """Write the pairs of translations of one system that differ in most words besides marked ones.

    Both have to be as they were asked for by M-Acc (mode `released`). Words are parted at spaces; those of a
    marked phrase of either reference do not count. Each place of the test set stands there once.

    :param table: CSV to write: lang, system, source, informal, formal
    :param test_sets: source.txt of the test set of each language; its other files lie beside it
    :param outputs: manifest of the outputs of each language: system, level, run, output
    :param languages: codes of the target languages, in the order of the rows
    :param systems: CSV: system, label
    :param examples: pairs per language
    :param leave_out: systems that are asked for no level, or that are the references
    """
    names, rows = labels_of(systems), []
    for language, files in by_language(languages, test_sets=test_sets, outputs=outputs).items():
        tests = read_test_set(files["test_sets"].parent)
        marked = list(zip(*(tests.annotated[level] for level in LEVELS), strict=True))
        texts: dict[tuple[str, str], dict[str, list[str]]] = {}
        for one in read_outputs(files["outputs"], (*LEVELS, *GENERIC)):
            if one.level in LEVELS and one.system not in (leave_out or []):
                found = read_translations(one.path, len(tests.source))
                texts.setdefault((one.system, one.run), {})[one.level] = found
        pairs: list[tuple[int, int, list[str]]] = []
        for (system, _), levels in texts.items():
            if len(levels) < len(LEVELS):
                continue
            for place, two in enumerate(zip(*(levels[level] for level in LEVELS), strict=True)):
                found = [label(text, *marked[place], mode=COMPARED, language=language) for text in two]
                if found == ["FORMAL", "INFORMAL"]:
                    row = [language, names[system], tests.source[place], two[1], two[0]]
                    pairs.append((further(two, marked[place]), place, row))
        # The first of those that differ as much, and of each source the one that differs most.
        pairs.sort(key=lambda pair: (-pair[0], pair[1]))
        best = {place: row for _, place, row in reversed(pairs)}
        ranked = dict.fromkeys(place for _, place, _ in pairs)
        rows += [best[place] for place in list(ranked)[:examples]]
    write_csv(table, ("lang", "system", "source", "informal", "formal"), rows)


def further(two: tuple[str, ...], marked: tuple[str, ...]) -> int:
    """How many words of two translations differ, without those of marked phrases."""
    out = {word for reference in marked for phrase in phrases(reference) for word in phrase.split()}
    one, other = (Counter(word for word in text.split() if word not in out) for text in two)
    return ((one - other) + (other - one)).total()


if __name__ == "__main__":
    run(table7)
