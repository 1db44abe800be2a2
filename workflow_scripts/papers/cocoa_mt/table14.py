"""Command: Table 14 of CoCoA-MT, system outputs labelled "Other" or "Neutral"."""

from pathlib import Path

from workflow_scripts.control.data import read_outputs, read_test_set, read_translations
from workflow_scripts.control.matching import COMPARED, LABELS, label
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.cocoa_mt.accuracies import GENERIC, labels_of
from workflow_scripts.text.levels import LEVELS

UNDECIDED = LABELS[2:]


def table14(
    table: Path,
    *,
    test_sets: list[Path],
    outputs: list[Path],
    languages: list[str],
    systems: Path,
    examples: int,
) -> None:
    """Write the first translations of the test set that M-Acc labels NEUTRAL or OTHER.

    The labels are those of the mode `released`. Each language and label has at most one row per system, and
    at most `examples` rows.

    :param table: CSV to write: lang, label, system, level (the requested one), source, output
    :param test_sets: source.txt of each language's test set; its other files are in the same folder
    :param outputs: manifest of the outputs of each language: system, level, run, output
    :param systems: CSV: system, label
    :param examples: the most translations per language and label
    """
    names, rows = labels_of(systems), []
    for language, files in by_language(languages, test_sets=test_sets, outputs=outputs).items():
        tests = read_test_set(files["test_sets"].parent)
        marked = [tests.annotated[level] for level in LEVELS]
        firsts: dict[str, dict[str, list[str]]] = {name: {} for name in UNDECIDED}
        for output in read_outputs(files["outputs"], (*LEVELS, *GENERIC)):
            if output.level not in LEVELS:
                continue
            texts = read_translations(output.path, len(tests.source))
            for source, *row in zip(tests.source, texts, *marked, strict=True):
                name = label(row[0], row[1], row[2], mode=COMPARED, language=language)
                if name in UNDECIDED:
                    firsts[name].setdefault(
                        output.system, [names[output.system], output.level, source, row[0]]
                    )
        for name, by_system in firsts.items():
            rows += [[language, name, *row] for row in list(by_system.values())[:examples]]
    write_csv(table, ("lang", "label", "system", "level", "source", "output"), rows)


if __name__ == "__main__":
    run(table14)
