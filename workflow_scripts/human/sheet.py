"""Command: a task sheet as a page that a rater opens in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import header_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.core.pages import write_page
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import HITS, read_items


def sheet(
    page: Path,
    *,
    items: Path,
    template: Path,
    language: str,
    language_name: str,
    kind: Literal["evaluation", "qualification", "requests", "dialogues"],
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write one HTML file that needs no network and no server.

    The rater gives a name, chooses a batch, and rates its items task by task, in an order of their own.
    Progress stays in the browser; the ratings are saved as a CSV that `human.ratings` reads. Requests stay in
    the order of their sheet, and their ratings have the HIT in a column more (`politeness.ratings`). Raises
    InputError for a sheet without items, and for one that is not of its kind.

    :param page: HTML to write
    :param items: the sheet as a CSV
    :param template: the page without its items
    :param language: the code of the sentences' language; names of saved files begin with it
    :param language_name: its name
    :param kind: of the evaluation, the qualification test, of requests in HITs, or of dialogues
    :param scale: at demo scale the page says so
    """
    rows = read_items(items)
    if not rows:
        raise InputError("no item", path=items)
    if (header_of(items) == list(HITS)) != (kind == "requests"):
        raise InputError(f"no sheet for a page of kind {kind}", path=items)
    data = {
        # Progress belongs to one version of the sheet.
        "id": digest(items)[:12],
        "language": language,
        "hits": kind == "requests",
        "tasks": [
            {
                "name": task.name,
                "title": task.title,
                "question": task.question,
                "values": task.values,
                "labels": task.labels,
            }
            for task in TASKS.values()
            if any(row.task == task.name for row in rows)
        ],
        "items": [
            {
                "item": row.item,
                "batch": row.batch,
                "task": row.task,
                "informal": row.informal,
                "rewrite": row.rewrite,
                "source": row.source,
                "goal": row.goal,
                "text": row.text,
                "language": row.item.split("-")[0] if kind == "requests" else language,
                "options": row.options,
            }
            for row in rows
        ],
    }
    write_page(page, template, kind=kind, scale=scale, language_name=language_name, data=data)


if __name__ == "__main__":
    run(sheet)
