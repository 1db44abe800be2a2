"""Command: let a trained system answer dialogues, turn by turn."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.config.dialogue import Decoding, RecurrentDecoding
from workflow_scripts.core.command import run
from workflow_scripts.core.files import progress
from workflow_scripts.language_models.model import Kind, LanguageModel, load
from workflow_scripts.language_models.texts import Task
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import Database, load_database
from workflow_scripts.multiwoz.outputs import Outputs, write_outputs
from workflow_scripts.responders.sessions import Session, System, rollout
from workflow_scripts.responders.templates import TEMPLATES, Name, Template
from workflow_scripts.seq2seq.device import Device, Precision, prepare


class Answering:
    """A language model as a system: it writes beliefs and answers in its format, greedily."""

    def __init__(self, model: LanguageModel, template: Template, decoding: Decoding) -> None:
        """`template`: the system's format; `decoding`: how long its inputs and outputs may be."""
        self.model, self.template, self.decoding = model, template, decoding
        for part in model.models:
            part.eval()

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after each user's words."""
        prompts = [self.template.belief_prompt(session) for session in sessions]
        written = self._written("belief", prompts, self.decoding.max_belief)
        return [
            self.template.belief_of(session, text) for session, text in zip(sessions, written, strict=True)
        ]

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """Act and response, given state, database and booking."""
        prompts = [self.template.response_prompt(session) for session in sessions]
        starts = [self.template.response_start(session) for session in sessions]
        limit = self.decoding.max_response
        written = self._written("response", prompts, limit, starts if any(starts) else None)
        return [self.template.answer_of(text) for text in written]

    def _written(
        self, task: Task, prompts: Sequence[str], limit: int, starts: Sequence[str] | None = None
    ) -> list[str]:
        return self.model.write(
            *(task, prompts, self.template.ends[task], limit),
            longest=self.decoding.max_context,
            batch_size=self.decoding.batch_size,
            starts=starts,
            begin=self.template.begins.get(task, ""),
        )


def respond(
    target: Path,
    *,
    model: Path,
    dialogues: Path,
    databases: list[Path],
    kind: Kind,
    template: Name,
    decoding: Decoding,
    device: Device,
    precision: Precision,
    threads: int,
) -> None:
    """Write a system's answers to the users of all dialogues, and its states.

    :param target: JSON of the standard evaluator to write
    :param model: folder that responders.train wrote
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param kind: of the language model
    :param template: the system's format
    :param decoding: the inputs it reads, and the largest length of its outputs
    """
    where = prepare(device, precision, threads)
    known = read_dialogues(dialogues)
    database = load_database(*databases)
    system = Answering(load(model, kind, where), TEMPLATES[template](), decoding)
    write_outputs(target, answered(system, known, database, decoding))


def answered(
    system: System, dialogues: Sequence[Dialogue], database: Database, decoding: Decoding | RecurrentDecoding
) -> Outputs:
    """A system's answers to all dialogues; prints its speed on stderr."""
    outputs: Outputs = {}
    longest = max(len(dialogue.turns) for dialogue in dialogues)
    begin = time.perf_counter()
    turns = rollout(
        system,
        dialogues,
        database,
        history=decoding.history,
        oracle_domain=decoding.oracle_domain,
        oracle_booking=decoding.oracle_booking,
    )
    for so_far in progress(turns, "turns", longest, unit="turn"):
        outputs = so_far
    seconds = time.perf_counter() - begin
    count = sum(map(len, outputs.values()))
    print(f"{count} turns in {seconds:.1f} s, {count / seconds:.1f} per second", file=sys.stderr)
    return outputs


if __name__ == "__main__":
    run(respond)
