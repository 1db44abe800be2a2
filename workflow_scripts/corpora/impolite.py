"""Command: replace the users' turns of MultiWOZ with impolite rewrites (Hu et al., 2022, Section III).

The corpus is JSON lines, one dialogue a line; the keys in brackets are optional::

    {"dialogue_id": "PMUL4398.json", ["scenario": 2,] "turns": [{"turn_id": "0", "impolite": "...",
     ["politeness": [2, 1], "content": [5, 5], "fluency": [5, 4]]}]}

`scenario` is the annotator's role-playing scenario of Table I, 1 to 6; `turn_id` is MultiWOZ's, which is even
for users; each of the three ratings has one number from 1 to 5 per rater.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines
from workflow_scripts.core.json_files import json_lines, parse_json
from workflow_scripts.corpora.dialogue_layout import fields, items, plain_id, text_of, write_dialogues

SCENARIOS = range(1, 7)
SCALE = range(1, 6)
RATINGS = ("politeness", "content", "fluency")
COLUMNS = ("dialogue", "turn", "scenario", "original", "impolite", *RATINGS)
# The most bad lines that one message names.
SHOWN = 20


def read_impolite(corpus: Path, out: Path, *, dialogues: list[Path]) -> None:
    """Write ``original.jsonl``, ``impolite.jsonl`` and ``rewrites.csv``: the rewritten dialogues, and turns.

    The first two are the same dialogues in the order of the corpus, in the layout of `multiwoz.data`; in the
    second the corpus' rewrites replace the users' words. The third has a row for each rewritten turn:
    dialogue, turn (number of the pair of turns, from 0), scenario (may be empty), original, impolite, and the
    ratings of each kind, separated by spaces (may be empty). Raises InputError, naming each bad line.

    :param corpus: JSON lines as this module describes them
    :param out: folder to write into
    :param dialogues: files of the dialogues that may be rewritten, as the readers of MultiWOZ write them
    """
    known: dict[str, dict[str, Any]] = {}
    for file in dialogues:
        for number, content in json_lines(file):
            place = f"line {number}"
            dialogue = fields(content, file, place)
            for turn in items(dialogue.get("turns"), file, f"{place}, turns"):
                text_of(fields(turn, file, f"{place}, a turn").get("user"), file, f"{place}, user")
            known[text_of(dialogue.get("id"), file, f"{place}, id")] = dialogue
    rewrites: dict[str, list[tuple[Any, ...]]] = {}
    problems: list[str] = []
    for number, line in enumerate(lines(corpus), 1):
        try:
            content = fields(parse_json(line.encode(), corpus, line=number), corpus, "the line")
            name, rows = _rewrites(corpus, content, known)
            if name in rewrites:
                raise InputError(f"a second dialogue {name!r}")
            rewrites[name] = rows
        except InputError as error:
            problems.append(f"line {number}: {error.problem}")
    if problems:
        rest = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise InputError("; ".join(problems[:SHOWN]) + rest, path=corpus)
    if not rewrites:
        raise InputError("no dialogue", path=corpus)
    write_dialogues(out / "original.jsonl", (known[name] for name in rewrites), corpus)
    write_dialogues(out / "impolite.jsonl", _overlaid(known, rewrites), corpus)
    write_csv(out / "rewrites.csv", COLUMNS, [row for rows in rewrites.values() for row in rows])


def _rewrites(
    path: Path, content: dict[str, Any], known: dict[str, dict[str, Any]]
) -> tuple[str, list[tuple[Any, ...]]]:
    """The id of a line's dialogue, and its rows of `rewrites.csv`."""
    name = plain_id(text_of(content.get("dialogue_id"), path, "dialogue_id"))
    if name not in known:
        raise InputError(f"dialogue_id {name!r} is not in MultiWOZ")
    scenario = content.get("scenario", "")
    if "scenario" in content and (
        not isinstance(scenario, int) or isinstance(scenario, bool) or scenario not in SCENARIOS
    ):
        raise InputError("scenario is not 1 to 6")
    turns = known[name]["turns"]
    rows: dict[int, tuple[Any, ...]] = {}
    for entry in items(content.get("turns"), path, "turns"):
        turn = fields(entry, path, "a turn")
        number = text_of(turn.get("turn_id"), path, "turn_id")
        if number not in {str(2 * at) for at in range(len(turns))}:
            raise InputError(f"turn_id {number[:20]!r} is not a user's turn of {name!r}")
        at = int(number) // 2
        if at in rows:
            raise InputError(f"a second turn_id {number!r}")
        text = " ".join(text_of(turn.get("impolite"), path, f"turn {number}, impolite").split())
        if not text:
            raise InputError(f"turn {number}: no text")
        rows[at] = (name, at, scenario, turns[at]["user"], text, *_ratings(turn, number))
    if not rows:
        raise InputError("no turn")
    return name, [rows[at] for at in sorted(rows)]


def _ratings(turn: dict[str, Any], number: str) -> Iterator[str]:
    """The ratings of a turn, a text for each kind; all three or none."""
    present = [name for name in RATINGS if name in turn]
    if not present:
        yield from [""] * len(RATINGS)
        return
    if len(present) < len(RATINGS):
        raise InputError(f"turn {number}: not all of {', '.join(RATINGS)}")
    count = len(turn[RATINGS[0]]) if isinstance(turn[RATINGS[0]], list) else 0
    for name in RATINGS:
        scores = turn[name]
        if not isinstance(scores, list) or not scores or len(scores) != count:
            raise InputError(f"turn {number}: {name} is not a list of one rating per rater")
        if any(isinstance(score, bool) or score not in SCALE for score in scores):
            raise InputError(f"turn {number}: {name} is not 1 to 5")
        yield " ".join(str(int(score)) for score in scores)


def _overlaid(
    known: dict[str, dict[str, Any]], rewrites: dict[str, list[tuple[Any, ...]]]
) -> Iterator[dict[str, Any]]:
    for name, rows in rewrites.items():
        dialogue = json.loads(json.dumps(known[name]))
        for _, at, _, _, text, *_ in rows:
            dialogue["turns"][at]["user"] = text
        yield dialogue


if __name__ == "__main__":
    run(read_impolite)
