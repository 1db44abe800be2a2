"""Command: count a native speaker's judgments of the rewrites of one language."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.rewrites.labels import BOXES, QUALITIES, Source
from workflow_scripts.rewrites.shares import COLUMNS, EDIT, QUALITY
from workflow_scripts.rewrites.sheets import read_sheet, read_task


def judged_rewrites(table: Path, *, sheet: Path, task: Path, language: str, source: Source) -> None:
    """Check an annotated sheet against its task, and count (the manual half of Table 4; Appendix J).

    :param table: CSV to write: lang, source, kind (edit or quality), name, count (rewrites with it), rewrites
    :param sheet: the filled-in sheet
    :param task: the empty sheet
    :param source: manual, or simulated
    """
    judged = list(read_sheet(sheet, read_task(task)).values())
    counts = [(EDIT, name, sum(judgment.edits[name] for judgment in judged)) for name in BOXES]
    counts += [(QUALITY, name, sum(judgment.quality == name for judgment in judged)) for name in QUALITIES]
    write_csv(table, COLUMNS, ([language, source, *count, len(judged)] for count in counts))


if __name__ == "__main__":
    run(judged_rewrites)
