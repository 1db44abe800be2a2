"""Command: Figure 3 of TyDiP, model accuracy and annotator accuracy on politeness prediction."""

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.fields import number
from workflow_scripts.figures.boxes import Box, Panel, boxes, five_numbers
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.tydip.unreleased import NO_RATINGS, REMARKS, Raters
from workflow_scripts.politeness.corpus import ENGLISH
from workflow_scripts.politeness.measures import COLUMNS as MEASURED
from workflow_scripts.politeness.raters_accuracy import OTHERS, read_accuracies

COLUMNS = ("lang", "others", "n", "mean", "p5", "q1", "median", "q3", "p95", "classifier", "gap", "note")
DECIMALS = 4
# The statements of Section 3 on the figure: the number of languages whose gap is at least, or above, a size.
AT_LEAST, ABOVE, MEAN = (
    "languages with a gap of 0.10 or more",
    "languages with a gap above 0.15",
    "mean accuracy",
)
NO_CLASSIFIER = "no classifier"


@leaf("metric", drawn=True)
def figure3(
    *,
    accuracies: Path,
    languages: list[str],
    measures: Path | None = None,
    raters: Raters = "people",
    simulated_english: bool = False,
) -> Rows:
    """Draw how often one rater's label agrees with the others', beside a classifier's accuracy.

    English, which the paper does not show, is the Stanford Politeness Corpus, with five raters: one against
    two of the others, and against all four. `gap` is the raters' mean accuracy minus the classifier's.

    The figure prints no numbers. Section 3 says in how many of the nine languages the gap is 10 points or
    more, and above 15, and that raters' accuracy hovers around 90%; these are compared if every language has
    raters and a classifier.

    :param table: CSV to write: lang, others, n (requests), mean, p5, q1, median, q3, p95 (over simulations),
        classifier, gap, note
    :param accuracies: the file that politeness.raters_accuracy wrote
    :param languages: codes of the languages with raters, in the order of the boxes, after English
    :param measures: the file that politeness.measures wrote for the classifier, if there is one
    :param raters: the source of the ratings
    :param simulated_english: whether the English raters are simulated
    """
    rated = read_accuracies(accuracies)
    models = _models(measures) if measures else {}
    drawn, rows = [], []
    means = {code: fmean(rated[code, OTHERS[0]][1]) for code in languages if (code, OTHERS[0]) in rated}
    statements = _statements(means, models, languages, raters)
    for language, others in [
        *((ENGLISH, others) for others in OTHERS),
        *((code, OTHERS[0]) for code in languages),
    ]:
        count, values = rated.get((language, others), (0, []))
        model = models.get(language)
        english = language == ENGLISH
        drawn.append(Box(f"{language} ({others})" if english else language, values, model))
        raters_here: Raters = ("simulated" if simulated_english else "people") if english else raters
        note = REMARKS[raters_here]
        numbers = five_numbers(values)
        gap = rounded(numbers[0] - model, DECIMALS) if values and model is not None else ""
        texts = [rounded(value, DECIMALS) if values else "" for value in numbers]
        shown = "" if model is None else rounded(model, DECIMALS)
        rows.append([language, others, count or "", *texts, shown, gap, note if values else NO_RATINGS])
    title = "Accuracy of raters and of a classifier on the binary test parts (TyDiP, Figure 3)"
    spoken = [
        f"{row[0]}, {row[1]} others: raters {row[3] or 'unknown'}, classifier {row[9] or 'none'}."
        for row in rows
    ]

    @drawing
    def draw() -> Drawn:
        made = boxes([Panel("", drawn)], columns=1, label="accuracy", mark="XLMR, input target")
        made.suptitle(REMARKS[raters], fontsize=8)
        return Drawn(made, title=title, description=" ".join(spoken))

    return Rows(statements, COLUMNS, rows, draw=draw)


def _statements(
    means: Mapping[str, float], models: Mapping[str, float], languages: list[str], raters: Raters
) -> Cells:
    """Our numbers for the statements of Section 3; empty, with the reason, if a language lacks one."""
    facts = f"languages:{len(languages)}|gap:raters-classifier"
    if not set(languages) <= means.keys():
        return {(name,): Cell("", "", NO_RATINGS) for name in (AT_LEAST, ABOVE, MEAN)}
    cells: Cells = {(MEAN,): Cell(rounded(fmean(means.values()), DECIMALS), facts, REMARKS[raters])}
    if set(languages) <= models.keys():
        gaps = [rounded(means[code] - models[code], DECIMALS) for code in languages]
        cells[AT_LEAST,] = Cell(str(sum(float(gap) >= 0.1 for gap in gaps)), facts, REMARKS[raters])
        cells[ABOVE,] = Cell(str(sum(float(gap) > 0.15 for gap in gaps)), facts, REMARKS[raters])
    else:
        cells |= {(name,): Cell("", "", NO_CLASSIFIER) for name in (AT_LEAST, ABOVE)}
    return cells


def _models(path: Path) -> dict[str, float]:
    """The mean accuracy over the seeds on untranslated requests, by language."""
    values: dict[str, list[float]] = {}
    for line, (input_language, language, _, _, accuracy, *_) in read_csv(path, MEASURED):
        if input_language == "target":
            values.setdefault(language, []).append(number(accuracy, path, line))
    return {language: fmean(accuracies) for language, accuracies in values.items()}


if __name__ == "__main__":
    run(figure3)
