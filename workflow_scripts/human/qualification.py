"""Command: the qualification test as a sheet (XFORMAL, appendix L)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.human.questions import read_questions
from workflow_scripts.human.sheets import Item, write_items


def qualification(sheet: Path, *, questions: Path) -> None:
    """Write the questions as items of the task formality, without their gold scores.

    :param sheet: CSV to write: item (the question's name), batch, task, informal, rewrite, text
    :param questions: CSV: question, text, gold
    """
    write_items(
        sheet,
        [Item(question.name, 1, "formality", text=question.text) for question in read_questions(questions)],
    )


if __name__ == "__main__":
    run(qualification)
