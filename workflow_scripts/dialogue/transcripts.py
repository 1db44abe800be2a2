"""Command: transcripts for raters: dialogues with systems' responses (Hu et al., 2022, Section V-B)."""

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
    """Write each rewritten dialogue with each system's responses, with its original and its impolite user.

    Each row also has the input of simulated raters: whether the evaluator counts the dialogue as a success,
    and the mean F1 over turns of the system's states (by values) and of its responses (by words), both
    against the annotation. A system with more training data is not shown with original users, as in the
    paper. Raises InputError for a system without a row or without responses.

    :param table: CSV to write: dialogue, system, users (original, impolite), goal, text (a line for each
        utterance), success (1 or 0), understood, fitting (0 to 1, 4 decimals)
    :param responses: manifest of the files of responses, as for dialogue.compare; only first trainings count
    :param systems: names of the systems to show
    :param polite: the dialogues with their original users, JSON lines as `multiwoz.data` describes them
    :param impolite: the rewritten dialogues
    """
    listed = {name: trainings[0] for name, trainings in read_responses(responses).items()}
    if missing := [name for name in systems if name not in listed]:
        raise InputError(f"no row of '{missing[0]}'", path=responses)
    originals = {dialogue.id: dialogue for dialogue in read_dialogues(polite)}
    rude = read_dialogues(impolite)
    if unknown := [dialogue.id for dialogue in rude if dialogue.id not in originals]:
        raise InputError(f"dialogue {unknown[0]!r} is not in {polite}", path=impolite)
    database = load_database(*databases)
    rows: list[list[object]] = []
    for name in systems:
        base, *files = listed[name]
        for users, file, known in (
            (ORIGINAL, files[0], list(originals.values())),
            (IMPOLITE, files[1], rude),
        ):
            if file == NONE:
                raise InputError(f"'{name}' has no responses to {users} users", path=responses)
            if users == ORIGINAL and base != NONE:
                continue
            answers = read_outputs(Path(file), known)
            shown = known if users == IMPOLITE else [originals[dialogue.id] for dialogue in rude]
            verdicts = score(shown, answers, database).verdicts
            for item in shown:
                facts = [int(verdicts[item.id].success), *_shares(item, answers[item.id])]
                rows.append([item.id, name, users, goal_of(item), text_of(item, answers[item.id]), *facts])
    print(f"{len(rows)} transcripts of {len(rude)} dialogues", file=sys.stderr)
    write_csv(table, COLUMNS, rows)


def goal_of(dialogue: Dialogue) -> str:
    """The goal of a user, a line for each domain: `hotel: area = north; asks for phone`."""
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
    """The F1 of states and of responses' words against the annotation, on average over the turns."""
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


def _f1(predicted: Counter[Any], gold: Counter[Any]) -> float:
    """Twice the shared elements, divided by all elements of both; 1 if both are empty."""
    total = predicted.total() + gold.total()
    return 2 * (predicted & gold).total() / total if total else 1.0


if __name__ == "__main__":
    run(transcripts)
