"""Command: Table 13 of XFORMAL, questions and answers of the qualification test for QC2."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.questions import read_questions
from workflow_scripts.human.scales import TASKS
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.signature import signature

KEYS = ("lang", "gold")


@leaf(*KEYS)
def table13(theirs: Printed, *, languages: list[str], questions: list[Path]) -> Rows:
    """Write the questions and their gold scores, and compare the number of questions per score.

    The printed questions are sentences from Yahoo Answers, which may not be redistributed. Ours were written
    for this project, so only the numbers of gold scores can be set beside the paper's, not the sentences.

    :param table: CSV to write: lang, question, text, gold
    :param comparison: CSV to write: lang, gold, printed, ours, difference, comparable, signature; a line for
        each score of the scale, with its number of questions
    :param languages: codes of the tests; printed ones keep the paper's order
    :param questions: CSV per language: question, text, gold
    """
    if len(questions) != len(languages):
        raise InputError(f"{len(questions)} files of questions for {len(languages)} languages")
    scores = range(TASKS["formality"].low, TASKS["formality"].high + 1)
    printed_order = [language for language, _ in theirs if language in languages]
    files = dict(zip(languages, questions, strict=True))
    rows: list[tuple[object, ...]] = []
    cells: Cells = {}
    for language in dict.fromkeys([*printed_order, *languages]):
        test = read_questions(files[language])
        rows += [(language, question.name, question.text, question.gold) for question in test]
        note = f"questions of our own|{signature(files[language], questions=len(test))}"
        for gold in scores:
            count = sum(question.gold == gold for question in test)
            cells[language, str(gold)] = Cell(str(count), note, caveat="questions of our own")
    return Rows(cells, ("lang", "question", "text", "gold"), rows)


if __name__ == "__main__":
    run(table13)
