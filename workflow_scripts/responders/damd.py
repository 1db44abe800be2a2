"""DAMD (Zhang et al., 2020): three decoders in turn write belief, act and response as spans of words.

The act decoder reads the states of the belief decoder, and the response decoder reads the states of both,
so that gradients pass through all of them. Where several acts are right in similar states, each turn learns
all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from workflow_scripts.config.dialogue import NetworkSizes, RecurrentCourse, RecurrentDecoding
from workflow_scripts.core.files import chunks
from workflow_scripts.language_models.texts import BOOKINGS, FOUND
from workflow_scripts.multiwoz.belief import State, apply
from workflow_scripts.responders.copying import Decoder, Embedding, Encoder, Joint, Source, matrix
from workflow_scripts.responders.lexicon import ENDS, PAD, STARTS, Delexicaliser, Lexicon, Words
from workflow_scripts.responders.serialise import belief_of, belief_text
from workflow_scripts.responders.sessions import Exchange, Session

# How many rows the database has, and whether booking failed or succeeded; without a database, all zeros.
POINTER = (*FOUND[:-1], BOOKINGS[1], BOOKINGS[0])
# The sources that each decoder attends to, and the sources it copies from.
READ = {
    "belief": ("user", "before", "previous"),
    "act": ("delexicalised", "belief"),
    "response": ("delexicalised", "belief", "act"),
}
COPIED = {
    "belief": ("user", "before", "previous"),
    "act": ("belief",),
    "response": ("delexicalised", "belief", "act"),
}


@dataclass
class DamdTurn:
    """A turn in words: the inputs, the targets, and other acts that are right in a similar state."""

    user: list[int]
    delexicalised: list[int]
    # The response and the belief of the previous turn; empty at the first turn.
    before: list[int]
    previous: list[int]
    pointer: list[float]
    belief: list[int] = field(default_factory=list)
    act: list[int] = field(default_factory=list)
    response: list[int] = field(default_factory=list)
    # Domain, slots, database, booking and the slots the user changed; None for turns of several domains.
    alike: str | None = None
    others: list[list[int]] = field(default_factory=list)

    @property
    def length(self) -> int:
        """The number of words."""
        return sum(map(len, (self.user, self.before, self.previous, self.belief, self.act, self.response)))


class Damd(nn.Module):
    """The network: three encoders, three decoders, one embedding."""

    # A turn needs nothing but annotation of the previous turn.
    turn_by_turn = False

    def __init__(self, sizes: NetworkSizes, lexicon: Lexicon) -> None:
        """`lexicon`: the vocabulary."""
        super().__init__()
        self.copying = sizes.copying
        hidden, words = sizes.hidden, lexicon.words.size
        self.embedding = Embedding(words, sizes.embedding)
        # Encoders of users' words, of delexicalised texts (users' words, responses), and of spans.
        self.users, self.texts, self.spans = (Encoder(sizes.embedding, hidden) for _ in range(3))
        self.dropout = nn.Dropout(sizes.dropout)
        self.decoders = nn.ModuleDict(
            {
                name: Decoder(
                    *(words, sizes.embedding, hidden, read, COPIED[name]),
                    extra=0 if name == "belief" else len(POINTER),
                )
                for name, read in READ.items()
            }
        )

    def embed(self, words: Tensor) -> Tensor:
        """Vectors of words, with dropout."""
        vectors: Tensor = self.dropout(self.embedding(words))
        return vectors

    def read(self, turns: Sequence[DamdTurn]) -> tuple[dict[str, Source], dict[str, Tensor]]:
        """The sources of turns that decoders attend to, and the decoders' initial states."""
        device = self.embedding.weight.device
        encoders = {
            "user": self.users,
            "delexicalised": self.texts,
            "before": self.texts,
            "previous": self.spans,
        }
        sources, last = {}, {}
        for name, encoder in encoders.items():
            words = matrix([getattr(turn, name) for turn in turns], device)
            sources[name], directions = encoder(words, self.embed(words))
            last[name] = directions.sum(0)
        user, text = last["user"], last["delexicalised"]
        return sources, {"belief": user, "act": text, "response": text}

    def taught(
        self,
        task: str,
        target: Tensor,
        initial: Tensor,
        sources: dict[str, Source],
        pointer: Tensor | None,
        start: int,
    ) -> tuple[Joint, Tensor]:
        """The distributions of a span's words given the previous words, and the decoder's states."""
        decoder: Decoder = self.decoders[task]  # type: ignore[assignment]
        first = torch.full_like(target[:, :1], start)
        inputs = self.embed(torch.cat([first, target[:, :-1]], dim=1))
        states = decoder.states(inputs, initial, sources, pointer)
        return decoder.joint(states, decoder.columns(sources, self.copying)), states

    def loss(self, turns: Sequence[DamdTurn], words: Words, course: RecurrentCourse) -> Tensor:
        """The sum of the mean cross-entropies per word of beliefs, acts, responses and other right acts."""
        sources, initial = self.read(turns)
        pointer = self.embedding.weight.new_tensor([turn.pointer for turn in turns])
        losses = []
        for task, start in STARTS.items():
            target = matrix([getattr(turn, task) for turn in turns], pointer.device)
            numbers = None if task == "belief" else pointer
            joint, states = self.taught(task, target, initial[task], sources, numbers, words.number(start))
            losses.append(_mean(joint.of(target), target))
            sources[task] = Source(target, states)
        drawn = [(row, act) for row, turn in enumerate(turns) for act in _some(turn.others, course.acts)]
        if drawn:
            rows = torch.tensor([row for row, _ in drawn], device=pointer.device)
            target = matrix([act for _, act in drawn], pointer.device)
            some = {name: sources[name].rows(rows) for name in READ["act"]}
            first = words.number(STARTS["act"])
            joint, _ = self.taught("act", target, initial["act"][rows], some, pointer[rows], first)
            losses.append(_mean(joint.of(target), target))
        return torch.stack(losses).sum()

    def write(
        self,
        task: str,
        initial: Tensor,
        sources: dict[str, Source],
        pointer: Tensor | None,
        words: Words,
        limit: int,
    ) -> Source:
        """The words a decoder writes greedily, and the states that produced them."""
        decoder: Decoder = self.decoders[task]  # type: ignore[assignment]
        start = torch.full((len(initial),), words.number(STARTS[task]), device=initial.device)
        end = words.number(ENDS[task])
        return decoder.greedy(
            *(self.embedding, self.embedding(start), end, limit, initial, sources, pointer),
            columns=decoder.columns(sources, self.copying),
            words=len(words.names),
        )


def _mean(logs: Tensor, target: Tensor) -> Tensor:
    return -logs[target != PAD].mean()


def _some(others: list[list[int]], samples: int) -> list[list[int]]:
    """At most `samples` of the others, drawn with torch's generator."""
    if len(others) <= samples:
        return others
    return [others[place] for place in torch.randperm(len(others))[:samples].tolist()]


class DamdFormat:
    """The formats in which DAMD reads and writes dialogues."""

    def __init__(self, lexicon: Lexicon) -> None:
        """`lexicon`: the words, and the values to delexicalise in users' words."""
        self.words, self.delexicalise = lexicon.words, Delexicaliser(lexicon.values)

    def turn(self, session: Session) -> DamdTurn:
        """The inputs of a session, with no targets."""
        numbers, past = self.words.numbers, session.past
        return DamdTurn(
            numbers(session.user, ENDS["user"]),
            numbers(self.delexicalise(session.user), ENDS["user"]),
            numbers(past[-1].response, ENDS["response"]) if past else [],
            numbers(belief_text(session.before), ENDS["belief"]) if past else [],
            pointer_of(session),
        )

    def examples(self, dialogues: Sequence[Sequence[tuple[Session, Exchange]]]) -> list[DamdTurn]:
        """All turns of dialogues, each with the other acts of similar turns.

        Two turns are similar if they have the same single domain, the same slots in the state, the same
        database and booking tokens, and the same slots changed by the user.
        """
        turns = []
        for session, exchange in (pair for dialogue in dialogues for pair in dialogue):
            turn = self.turn(session)
            turn.belief = self.words.numbers(belief_text(session.state), ENDS["belief"])
            turn.act = self.words.numbers(exchange.act, ENDS["act"])
            turn.response = self.words.numbers(exchange.response, ENDS["response"])
            turn.alike = alike(session)
            turns.append(turn)
        acts: dict[str, dict[tuple[int, ...], None]] = {}
        for turn in turns:
            if turn.alike is not None:
                acts.setdefault(turn.alike, {})[tuple(turn.act)] = None
        for turn in turns:
            turn.others = [list(act) for act in acts.get(turn.alike or "", {}) if list(act) != turn.act]
        return turns


def pointer_of(session: Session) -> list[float]:
    """The number of rows in the database and whether something is booked, as six numbers."""
    return [float(mark in (session.found, session.booking)) for mark in POINTER]


def alike(session: Session) -> str | None:
    """The key that similar turns share; None if a turn has several domains."""
    changed = {
        domain: sorted(
            slot for slot, value in slots.items() if session.before.get(domain, {}).get(slot) != value
        )
        for domain, slots in session.state.items()
        if slots != session.before.get(domain)
    }
    if len(changed) > 1 or len(session.state) != 1:
        return None
    ((domain, slots),) = session.state.items()
    return repr((domain, sorted(slots), session.found, session.booking, changed.get(domain, [])))


class DamdSystem:
    """DAMD as a system: greedy, in batches of dialogues."""

    def __init__(self, network: Damd, form: DamdFormat, decoding: RecurrentDecoding) -> None:
        """`decoding`: how long its texts may be."""
        self.network, self.form, self.decoding = network.eval(), form, decoding
        # The sources and initial states of the sessions that `beliefs` read last, by batch.
        self._kept: list[tuple[dict[str, Source], dict[str, Tensor]]] = []

    def beliefs(self, sessions: Sequence[Session]) -> list[State]:
        """The state after each user's words."""
        self._kept, states = [], []
        with torch.inference_mode():
            for part in chunks(sessions, self.decoding.batch_size):
                sources, initial = self.network.read([self.form.turn(session) for session in part])
                written = self._write("belief", initial, sources, None, self.decoding.max_belief)
                self._kept.append((sources, initial))
                states += [apply(belief_of(text), {}) for text in written]
        return states

    def answers(self, sessions: Sequence[Session]) -> list[tuple[str, str]]:
        """Act and response of the same sessions, given state, database and booking."""
        answers: list[tuple[str, str]] = []
        batches = chunks(sessions, self.decoding.batch_size)
        with torch.inference_mode():
            for part, (sources, initial) in zip(batches, self._kept, strict=True):
                pointer = initial["act"].new_tensor([pointer_of(session) for session in part])
                acts = self._write("act", initial, sources, pointer, self.decoding.max_act)
                limit = self.decoding.max_response
                answers += zip(acts, self._write("response", initial, sources, pointer, limit), strict=True)
        return answers

    def _write(
        self,
        task: str,
        initial: dict[str, Tensor],
        sources: dict[str, Source],
        pointer: Tensor | None,
        limit: int,
    ) -> list[str]:
        words = self.form.words
        sources[task] = self.network.write(task, initial[task], sources, pointer, words, limit)
        return [words.text(row) for row in sources[task].words.tolist()]
