"""The recurrent dialogue systems, and a trained system as a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.config.dialogue import NetworkSizes
from workflow_scripts.core.errors import InputError
from workflow_scripts.responders.damd import Damd, DamdFormat, DamdSystem
from workflow_scripts.responders.labes import Labes, end_of
from workflow_scripts.responders.labes_system import LabesFormat, LabesSystem
from workflow_scripts.responders.lexicon import Lexicon, Name
from workflow_scripts.responders.sessions import Exchange, Session
from workflow_scripts.seq2seq.weights import read_model, write_model

if TYPE_CHECKING:
    from workflow_scripts.seq2seq.device import Resolved

# The kind that the file of a network names.
KIND = "dialogue"
NETWORKS: dict[Name, Any] = {"damd": Damd, "labes": Labes}
FORMATS: dict[Name, Any] = {"damd": DamdFormat, "labes": LabesFormat}
SYSTEMS: dict[Name, Any] = {"damd": DamdSystem, "labes": LabesSystem}


@dataclass(frozen=True)
class Trained:
    """A network with its lexicon."""

    template: Name
    sizes: NetworkSizes
    lexicon: Lexicon
    network: Any

    @property
    def form(self) -> Any:
        """The format in which it reads and writes dialogues."""
        return FORMATS[self.template](self.lexicon)

    def save(self, path: Path) -> None:
        """Write it as one file."""
        facts = {
            "template": self.template,
            "sizes": self.sizes.model_dump(mode="json"),
            **self.lexicon.facts(),
        }
        write_model(path, KIND, self.network, facts)


def load(path: Path, where: Resolved) -> Trained:
    """Read the file that `Trained.save` wrote; InputError for any other file."""

    def build(facts: dict[str, Any]) -> Any:
        sizes = NetworkSizes(**facts["sizes"])
        return NETWORKS[facts["template"]](sizes, Lexicon.from_facts(facts))

    network, facts = read_model(path, KIND, build, "recurrent dialogue system")
    sizes = NetworkSizes(**facts["sizes"])
    return Trained(facts["template"], sizes, Lexicon.from_facts(facts), network.to(where.device))


def lexicon_of(template: Name, dialogues: Sequence[Sequence[tuple[Session, Exchange]]], size: int) -> Lexicon:
    """The words, values and slots of training dialogues; for LABES also the end word of each slot's values.

    Raises InputError if LABES has no slot to learn.
    """
    turns = [turn for dialogue in dialogues for turn in dialogue]
    texts = [text for session, said in turns for text in (session.user, said.act, said.response)]
    values = [
        text
        for session, _ in turns
        for slots in session.state.values()
        for pair in slots.items()
        for text in pair
    ]
    states = [session.state for session, _ in turns]
    ends: list[str] = []
    if template == "labes":
        ends = [end_of(domain, slot) for state in states for domain in state for slot in state[domain]]
        if not ends:
            raise InputError("no training dialogue has a value in its states")
    return Lexicon.of([*texts, *values, *ends], states, size)
