"""Command: ask a language model for the state, then for the response, at each turn of dialogues."""

import random
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.cache import Cache
from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.language_models.texts import BOOKED, NO_BOOKING, NOT_BOOKED
from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import Database, load_database
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.outputs import write_outputs
from workflow_scripts.prompting.job import Backend, ask, used
from workflow_scripts.prompting.models import backend_of, signature_of
from workflow_scripts.prompting.templates import Template, one_line, read_template
from workflow_scripts.responders.natural import (
    NAMES,
    belief_in,
    counts_text,
    natural_belief,
    natural_response,
)
from workflow_scripts.responders.serialise import plain, values_marked
from workflow_scripts.responders.sessions import Exchange, History, Session, gold_sessions, rollout
from workflow_scripts.seq2seq.device import Device, Precision

FACTS = ("system", "signature", "turns", "empty", "refused", "cut")
# The places of the templates: those of the prompt (the first of each only there) and those of an example.
BELIEF_HOLES, BELIEF_EXAMPLE = ("dialogue", "slots"), ("said", "state")
RESPONSE_HOLES = ("dialogue", "state", "database", "booking", "placeholders")
RESPONSE_EXAMPLE = ("said", "response")
NOTHING = "none"
BOOKINGS = {BOOKED: "done", NOT_BOOKED: "not possible", NO_BOOKING: NOTHING}
_PLACEHOLDER = re.compile(r"\[[\w ]+\]")


def prompted(
    target: Path,
    facts: Path,
    *,
    system: str,
    dialogues: Path,
    train: Path,
    databases: list[Path],
    belief: Path,
    response: Path,
    model: Model,
    settings: Prompting,
    cache: Path,
    examples: int,
    history: History,
    oracle_booking: bool = False,
    fetched: Path | None = None,
    seed: int,
    precision: Precision,
    device: Device,
    threads: int,
) -> None:
    """Write a language model's answers to the users of all dialogues, and the states that it predicts.

    An answer without text (a model that refuses, or writes nothing) is an empty state or response. Answers
    are kept in the cache, so that a stopped run continues with the remaining prompts.

    :param target: JSON of the standard evaluator to write
    :param facts: CSV to write: system, signature (model and prompts), turns, empty (answers without text),
        refused (of these), cut (answers that reached the most tokens)
    :param system: name of the system
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param train: training dialogues, the source of slots, placeholders and examples
    :param belief: template of prompts for states: the form of an example, a line ---, and the prompt, with
        {dialogue}, {slots} and {examples}; an example has {said} and {state}
    :param response: template of prompts for responses, with {dialogue}, {state}, {database}, {booking},
        {placeholders} and {examples}; an example has {said} and {response} instead of the dialogue
    :param model: JSON: the model that answers, a section of the configuration
    :param settings: JSON: limits on requests and cost, a section of the configuration
    :param examples: number of example turns in a prompt, the same for all
    :param history: whether it reads the gold responses of the previous turns, or its own
    :param oracle_booking: whether it is told if something is booked in the turn
    :param fetched: transformers: the folder of the model's commit, as core.fetch wrote it
    :param seed: of the examples, and of sampled answers
    :param precision: transformers: number format of matrix products
    :param device: transformers: where to compute
    """
    fix_threads(threads)
    known, taught = read_dialogues(dialogues), read_dialogues(train)
    database = load_database(*databases)
    states = read_template(belief, BELIEF_HOLES, BELIEF_EXAMPLE)
    answers = read_template(response, RESPONSE_HOLES, RESPONSE_EXAMPLE)
    for path, template in ((belief, states), (response, answers)):
        if examples and "{examples}" not in template.prompt:
            raise InputError("a template without {examples}", path=path, fix="or set examples to 0")
    backend = backend_of(
        model, settings, seed=seed, fetched=fetched, precision=precision, device=device, threads=threads
    )
    with about(train):
        forms = forms_of(states, answers, taught, database, examples, seed)
    asked = Asked(backend, cache, settings, forms)
    *_, outputs = rollout(
        asked, known, database, history=history, oracle_domain=False, oracle_booking=oracle_booking
    )
    turns = sum(len(dialogue.turns) for dialogue in known)
    print(
        f"{turns} turns: {asked.empty} answers without text, of them {asked.refused} refused;"
        f" {asked.cut} answers reached {model.max_tokens} tokens",
        file=sys.stderr,
    )
    signature = signature_of(backend, model.name, f"{forms.belief.filled({})}\n{forms.response.filled({})}")
    write_csv(facts, FACTS, [(system, signature, turns, asked.empty, asked.refused, asked.cut)])
    write_outputs(target, outputs)


@dataclass(frozen=True)
class Form:
    """A template with its content that is the same at every turn: texts for some places, and examples."""

    template: Template
    same: dict[str, str]
    shown: list[dict[str, str]]

    def filled(self, values: dict[str, str]) -> str:
        """The prompt of a turn; a place without a text stays as it is."""
        return self.template.filled({**self.same, **values}, self.shown)


@dataclass(frozen=True)
class Forms:
    """The prompts for states and for responses."""

    belief: Form
    response: Form


class Asked:
    """A prompted language model as a system."""

    def __init__(self, backend: Backend, cache: Path, settings: Prompting, forms: Forms) -> None:
        self.backend, self.cache, self.settings, self.forms = backend, cache, settings, forms
        self.left = settings.max_cost
        self.empty = self.refused = self.cut = 0

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after each user's words."""
        form = self.forms.belief
        prompts = [form.filled({"dialogue": said(session)}) for session in sessions]
        return [belief_in(plain(line)) for line in self._lines(prompts, form.template.label)]

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """An empty act and the response, given state, database and booking."""
        form = self.forms.response
        prompts = [form.filled({"dialogue": said(session), **_known(session)}) for session in sessions]
        return [("", plain(line)) for line in self._lines(prompts, form.template.label)]

    def _lines(self, prompts: Sequence[str], label: str) -> list[str]:
        """The first line of each answer; all prompts of a job together may cost `max_cost`."""
        parts = (self.backend.name, self.backend.model, self.backend.parameters.key())
        with closing(Cache(self.cache, *parts)) as store:
            new = set(prompts) - store.find(set(prompts)).keys()
        allowed = self.settings.model_copy(update={"max_cost": self.left})
        answers = ask(self.backend, prompts, self.cache, allowed)
        if self.backend.price is not None:
            sent, got, _ = used(self.backend, {prompt: answers[prompt] for prompt in new})
            self.left = max(0.0, self.left - self.backend.price.of(sent, got))
        lines = []
        for prompt in prompts:
            answer = answers[prompt]
            lines.append("" if answer.refused else one_line(answer.text, label, ""))
            self.empty += not lines[-1]
            self.refused += answer.refused
            self.cut += answer.finish == "length"
        return lines


def said(session: Session) -> str:
    """The dialogue up to the user's last words, a line for each utterance; responses are delexicalised."""
    lines = []
    for exchange in session.past:
        lines += [f"User: {exchange.user}", f"System: {natural_response(exchange.response)}"]
    return "\n".join([*lines, f"User: {session.user}"])


def _known(session: Session) -> dict[str, str]:
    return {
        "state": natural_belief(session.state) or NOTHING,
        "database": counts_text(session.counts) or NOTHING,
        "booking": BOOKINGS[session.booking],
    }


def forms_of(
    belief: Template, response: Template, train: Sequence[Dialogue], database: Database, count: int, seed: int
) -> Forms:
    """The prompts with the slots and placeholders of the training dialogues, and examples of them."""
    shown = _drawn(train, database, count, seed)
    rows = [{"said": said(session), **_known(session)} for session, _ in shown]
    responses = [natural_response(exchange.response) for _, exchange in shown]
    return Forms(
        Form(belief, {"slots": _slots(train)}, rows),
        Form(
            response,
            {"placeholders": ", ".join(_placeholders(train))},
            [{**row, "response": text} for row, text in zip(rows, responses, strict=True)],
        ),
    )


def _drawn(
    train: Sequence[Dialogue], database: Database, count: int, seed: int
) -> list[tuple[Session, Exchange]]:
    """Turns of different training dialogues."""
    if count > len(train):
        raise InputError(f"{len(train)} training dialogues, but {count} examples are asked for")
    draw = random.Random(seed)
    return [draw.choice(gold_sessions(dialogue, database)) for dialogue in draw.sample(train, count)]


def _slots(train: Sequence[Dialogue]) -> str:
    """The domains and slots of states, `hotel: area, stars; train: day`."""
    names: dict[str, set[str]] = {}
    for dialogue in train:
        for turn in dialogue.turns:
            for domain, slots in turn.state.items():
                names.setdefault(domain, set()).update(NAMES.get(slot, slot) for slot in slots)
    return "; ".join(f"{domain}: {', '.join(sorted(names[domain]))}" for domain in sorted(names))


def _placeholders(train: Sequence[Dialogue]) -> list[str]:
    """The placeholders of the training responses, sorted."""
    texts = (
        natural_response(values_marked(delexicalise(turn))) for dialogue in train for turn in dialogue.turns
    )
    return sorted({name for text in texts for name in _PLACEHOLDER.findall(text)})


if __name__ == "__main__":
    run(prompted)
