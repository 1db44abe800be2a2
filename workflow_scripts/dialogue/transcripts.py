"""Command: dialogues as raters read them, with systems' responses (Hu et al., 2022, Section V-B)."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.compare import IMPOLITE, NONE, ORIGINAL, read_responses
from workflow_scripts.dialogue.evaluate import score
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import load_database
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.outputs import Output, read_outputs

COLUMNS = (
    *("dialogue", "system", "users", "goal", "text"),
    *("success", "understood", "fitting"),
)


def transcripts(
    table: Path,
    *,
    responses: Path,
    systems: list[str],
    polite: Path,
    impolite: Path,
    databases: list[Path],
) -> None:
    """Write each rewritten dialogue as each system has it, with its original and with its impolite user.

    Beside it stands what simulated raters start from: whether the dialogue succeeds to the evaluator, the
    share of its turns' annotated values that the system's states have and the other way round (F1), and the
    same of the words of responses and annotated ones. A system with more training data is not shown with
    original users, as in the paper. Raises InputError for a system without a row or without responses.

    :param table: CSV to write: dialogue, system, users (original, impolite), goal, text (a line for each
        utterance), success (1 or 0), understood, fitting (0 to 1, 4 decimals)
    :param responses: manifest of the files of responses, as for dialogue.compare; first trainings are shown
    :param systems: names of those that are shown
    :param polite: the dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param impolite: the rewritten ones
    :param databases: files <domain>_db.json
    """
    listed = {name: trainings[0] for name, trainings in read_responses(responses).items()}
    if missing := [name for name in systems if name not in listed]:
        raise InputError(f"no row of '{missing[0]}'", path=responses)
    own = {one.id: one for one in read_dialogues(polite)}
    rude = read_dialogues(impolite)
    if strange := [one.id for one in rude if one.id not in own]:
        raise InputError(f"dialogue {strange[0]!r} is not in {polite}", path=impolite)
    database = load_database(*databases)
    rows: list[list[object]] = []
    for name in systems:
        base, *files = listed[name]
        for users, file, known in (
            (ORIGINAL, files[0], list(own.values())),
            (IMPOLITE, files[1], rude),
        ):
            if file == NONE:
                raise InputError(f"'{name}' has no responses to {users} users", path=responses)
            if users == ORIGINAL and base != NONE:
                continue
            given = read_outputs(Path(file), known)
            shown = known if users == IMPOLITE else [own[one.id] for one in rude]
            verdicts = score(shown, given, database).verdicts
            for one in shown:
                facts = [int(verdicts[one.id].success), *_shares(one, given[one.id])]
                rows.append([one.id, name, users, goal_of(one), text_of(one, given[one.id]), *facts])
    print(f"{len(rows)} transcripts of {len(rude)} dialogues", file=sys.stderr)
    write_csv(table, COLUMNS, rows)


def goal_of(dialogue: Dialogue) -> str:
    """What a user is to find out, a line for each domain: `hotel: area = north; asks for phone`."""
    lines = []
    for domain, goal in dialogue.goal.items():
        wanted = [f"{slot} = {value}" for slot, value in goal.informable.items()]
        asked = [f"asks for {', '.join(goal.requestable)}"] if goal.requestable else []
        lines.append(f"{domain}: {'; '.join([*wanted, *asked]) or 'anything'}")
    return "\n".join(lines)


def text_of(dialogue: Dialogue, answers: Sequence[Output]) -> str:
    """The user's words and the system's responses, which have placeholders for values."""
    return "\n".join(
        f"User: {turn.user}\nSystem: {answer.response}"
        for turn, answer in zip(dialogue.turns, answers, strict=True)
    )


def _shares(dialogue: Dialogue, answers: Sequence[Output]) -> list[str]:
    """How well states and responses agree with the annotated ones, on average over the turns."""
    understood = fitting = 0.0
    for turn, answer in zip(dialogue.turns, answers, strict=True):
        states = turn.state if answer.state is None else answer.state
        pairs = [
            Counter((domain, slot, value) for domain, slots in state.items() for slot, value in slots.items())
            for state in (states, turn.state)
        ]
        understood += _f1(*pairs)
        fitting += _f1(*(Counter(text.lower().split()) for text in (answer.response, delexicalise(turn))))
    return [f"{total / len(dialogue.turns):.4f}" for total in (understood, fitting)]


def _f1(found: Counter[Any], right: Counter[Any]) -> float:
    """Twice the shared elements by all of both; 1 for two empty ones."""
    total = found.total() + right.total()
    return 2 * (found & right).total() / total if total else 1.0


if __name__ == "__main__":
    run(transcripts)
