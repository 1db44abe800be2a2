"""Command: Table 7 of CoCoA-MT, examples of induced formality features beyond grammatical register."""

from collections import Counter
from pathlib import Path

from workflow_scripts.control.data import read_outputs, read_test_set, read_translations
from workflow_scripts.control.matching import COMPARED, label
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.cocoa_mt.accuracies import GENERIC, labels_of
from workflow_scripts.text.levels import LEVELS
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
    """Write the pairs of translations of one system that differ in the most words outside marked phrases.

    Both must have the requested level by M-Acc (mode `released`). Words are split at spaces; those of a
    marked phrase of either reference do not count. Each segment of the test set appears at most once.

    :param table: CSV to write: lang, system, source, informal, formal
    :param test_sets: source.txt of each language's test set; its other files are in the same folder
    :param outputs: manifest of the outputs of each language: system, level, run, output
    :param systems: CSV: system, label
    :param examples: pairs per language
    :param leave_out: systems without a requested level, or which are the references
    """
    names, rows = labels_of(systems), []
    for language, files in by_language(languages, test_sets=test_sets, outputs=outputs).items():
        tests = read_test_set(files["test_sets"].parent)
        marked = list(zip(*(tests.annotated[level] for level in LEVELS), strict=True))
        texts: dict[tuple[str, str], dict[str, list[str]]] = {}
        for output in read_outputs(files["outputs"], (*LEVELS, *GENERIC)):
            if output.level in LEVELS and output.system not in (leave_out or []):
                translations = read_translations(output.path, len(tests.source))
                texts.setdefault((output.system, output.run), {})[output.level] = translations
        pairs: list[tuple[int, int, list[str]]] = []
        for (system, _), levels in texts.items():
            if len(levels) < len(LEVELS):
                continue
            for place, pair_texts in enumerate(zip(*(levels[level] for level in LEVELS), strict=True)):
                labels = [
                    label(text, *marked[place], mode=COMPARED, language=language) for text in pair_texts
                ]
                if labels == ["FORMAL", "INFORMAL"]:
                    row = [language, names[system], tests.source[place], pair_texts[1], pair_texts[0]]
                    pairs.append((further(pair_texts, marked[place]), place, row))
        # Ties keep the order of the test set; each segment keeps the pair that differs most.
        pairs.sort(key=lambda pair: (-pair[0], pair[1]))
        best = {place: row for _, place, row in reversed(pairs)}
        ranked = dict.fromkeys(place for _, place, _ in pairs)
        rows += [best[place] for place in list(ranked)[:examples]]
    write_csv(table, ("lang", "system", "source", "informal", "formal"), rows)


def further(two: tuple[str, ...], marked: tuple[str, ...]) -> int:
    """The number of words that differ between two translations, without those of marked phrases."""
    ignored = {word for reference in marked for phrase in phrases(reference) for word in phrase.split()}
    first, second = (Counter(word for word in text.split() if word not in ignored) for text in two)
    return ((first - second) + (second - first)).total()


if __name__ == "__main__":
    run(table7)
