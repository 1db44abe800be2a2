"""Command: a task sheet as a page that a rater opens in a browser."""

import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import header_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.core.pages import write_page
from workflow_scripts.human import interface as interfaces
from workflow_scripts.human.interface import NAME, duration
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import HITS, read_items
from workflow_scripts.leaves.comparison import Scale


def sheet(
    page: Path,
    *,
    items: Path,
    template: Path,
    english: Path,
    native: Path | None = None,
    interface: Literal["native", "english"] = "english",
    seconds: int,
    language: str,
    language_name: str,
    kind: Literal["evaluation", "qualification", "requests", "dialogues"],
    scale: Scale,
) -> None:
    """Write one HTML file that needs no network and no server.

    The rater gives a name, chooses a batch, and rates its items task by task, in a random order. Progress
    stays in the browser; the ratings are saved as a CSV that `human.ratings` reads. Requests keep the order
    of their sheet, and their ratings have the HIT in a further column (`politeness.ratings`). The page is in
    the language of the sentences if there are texts for it, with the English answers beside the translated
    ones, and states how long it takes. Raises InputError for a sheet without items, for a sheet of another
    kind, and for incomplete texts.

    :param page: HTML to write
    :param items: the sheet as a CSV
    :param template: the page without its items
    :param english: the page's texts in English
    :param native: the same in the language of the sentences, with all tasks, if there is a translation
    :param interface: whether the page is in the language of the sentences, or in English
    :param seconds: expected time per item
    :param language: the code of the sentences' language; names of saved files begin with it
    :param language_name: the name of that language
    :param kind: of the evaluation, the qualification test, of requests in HITs, or of dialogues
    :param scale: at demo scale the page states it
    """
    rows = read_items(items)
    if not rows:
        raise InputError("no item", path=items)
    if (header_of(items) == list(HITS)) != (kind == "requests"):
        raise InputError(f"no sheet for a page of kind {kind}", path=items)
    texts: dict[str, Any] = dict(interfaces.english(english))
    translations: dict[str, Any] = {}
    if interface == "native" and native:
        texts = interfaces.translated(native, texts, TASKS.values())
        translations = texts.pop("tasks")
    elif interface == "native" and language != "en":
        print(f"no {english.parent / language}.yaml: the page is in English", file=sys.stderr)
    texts["language"] = texts["language"] if translations else language_name
    sizes = Counter(str(row.batch) for row in rows)
    data: dict[str, Any] = {
        # Progress belongs to one version of the sheet.
        "id": digest(items)[:12],
        "language": language,
        "hits": kind == "requests",
        "texts": texts,
        "times": {name: duration(count * seconds) for name, count in [*sizes.items(), ("all", len(rows))]},
        "tasks": [
            {
                "name": task.name,
                "title": task.title,
                "question": task.question,
                "values": task.values,
                "labels": task.labels,
                # The paper's own text, beside its translation.
                "english": task.labels if translations else [],
                **translations.get(task.name, {}),
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
    filled = {
        **{"language": texts["language"], "total": len(rows), "time": data["times"]["all"]},
        "tasks": ", ".join(task["title"].lower() for task in data["tasks"]),
    }
    write_page(
        page,
        template,
        kind=kind,
        scale=scale,
        interface=language if translations else "en",
        # Only these appear in the page's own text; its script fills in the others.
        texts=_Texts(
            native if translations and native else english,
            {
                key: NAME.sub(lambda name: str(filled.get(name[1], name[0])), text)
                for key, text in texts.items()
            },
        ),
        data=data,
    )


class _Texts(dict[str, str]):
    """The texts of a file; InputError, naming it, if the file lacks a text that the page needs."""

    def __init__(self, path: Path, texts: dict[str, str]) -> None:
        super().__init__(texts)
        self.path = path

    def __missing__(self, key: str) -> str:
        raise InputError(f"no key '{key}'", path=self.path)


if __name__ == "__main__":
    run(sheet)
