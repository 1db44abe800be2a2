"""Command: Inform, Success, BLEU and the combined score of a system's responses on MultiWOZ.

The metric is that of Nekvinda and Dušek (2021), "Shades of BLEU, Flavours of Success: The Case of MultiWOZ".
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.dialogue.success import NAMES, Judged, Mode, Verdict, judge
from workflow_scripts.multiwoz.belief import active_domains
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues
from workflow_scripts.multiwoz.database import Database, load_database
from workflow_scripts.multiwoz.delex import delexicalise
from workflow_scripts.multiwoz.normalise import responses
from workflow_scripts.multiwoz.normalise import state as normal_state
from workflow_scripts.multiwoz.outputs import Output, Outputs, read_outputs
from workflow_scripts.statistics.metrics import DIALOGUE, Bleu, Combined, Inform, Metric, Success

METRICS = tuple(DIALOGUE)
DECIMALS = Metric.decimals


@dataclass(frozen=True)
class Scores:
    """The scores of a system, 0 to 100, combined 0 to 200; and its verdicts by dialogue."""

    inform: float
    success: float
    bleu: float
    verdicts: dict[str, Verdict]
    # The signature of sacreBLEU.
    signature: str
    # Normalised responses and references, turn by turn, as BLEU reads them.
    texts: tuple[list[str], list[str]]
    # Percentage of turns whose whole normalised state is right (joint goal accuracy).
    states: float

    @property
    def placeholders(self) -> int:
        """The number of responses with a placeholder, which Success looks for."""
        return sum(bool(NAMES.search(text)) for text in self.texts[0])

    def without_placeholders(self, name: str) -> str:
        """A warning if no response has a placeholder; otherwise an empty string."""
        if self.placeholders:
            return ""
        return (
            f"warning: {name}: 0 of {len(self.texts[0])} responses have a placeholder such as [value_phone]:"
            " no dialogue that asks for something can succeed; write placeholders in place of values"
        )

    @property
    def combined(self) -> float:
        """Mehri et al. (2019)."""
        return 0.5 * (self.inform + self.success) + self.bleu


def evaluate(
    scores: Path,
    verdicts: Path,
    *,
    dialogues: Path,
    databases: list[Path],
    outputs: Path | None = None,
    mode: Mode = "standard",
    gold_states: bool = False,
    partial: bool = False,
) -> None:
    """Score a system's outputs, or the references themselves.

    :param scores: CSV to write: metric, value, signature; with the metric `states`, the percentage of turns
        whose whole state is right, if the outputs are judged by their own states
    :param verdicts: CSV to write: dialogue, inform, success (1 or 0), in the order of the test set
    :param dialogues: the test set, JSON lines as `multiwoz.data` describes them
    :param outputs: JSON of the standard evaluator; by default the test set's own responses, delexicalised
    :param mode: standard, or older: a domain matches if any of its offers fits, and BLEU splits at spaces
    :param gold_states: judge with the states of the test set, even where the outputs have states
    :param partial: accept outputs that lack dialogues or the last turns of some, and score the rest
    """
    known = read_dialogues(dialogues)
    answers = read_outputs(outputs, known, partial=partial) if outputs else references(known)
    scored = score(known, answers, load_database(*databases), mode=mode, gold_states=gold_states)
    if warning := scored.without_placeholders(str(outputs or "the test set")):
        print(warning, file=sys.stderr)
    write_csv(
        verdicts,
        ("dialogue", Inform.name, Success.name),
        [[name, int(verdict.inform), int(verdict.success)] for name, verdict in scored.verdicts.items()],
    )
    gold = found_gold(answers, gold_states)
    facts = f"n:{len(scored.verdicts)}|mode:{mode}|states:{'gold' if gold else 'own'}"
    signatures = {Bleu.name: scored.signature, Combined.name: f"{facts}|{scored.signature}"}
    write_csv(
        scores,
        ("metric", "value", "signature"),
        [
            [metric, f"{getattr(scored, metric):.{DECIMALS}f}", signatures.get(metric, facts)]
            for metric in (METRICS if gold else (*METRICS, "states"))
        ],
    )


def references(dialogues: Sequence[Dialogue]) -> Outputs:
    """The test set's own responses as a system's outputs, without states."""
    return {dialogue.id: [Output(delexicalise(turn)) for turn in dialogue.turns] for dialogue in dialogues}


def found_gold(answers: Outputs, gold_states: bool) -> bool:
    """Whether outputs are judged with the test set's states: on request, or since a turn has no state."""
    return gold_states or any(turn.state is None for turns in answers.values() for turn in turns)


def score(
    dialogues: Sequence[Dialogue],
    answers: Outputs,
    database: Database,
    *,
    mode: Mode = "standard",
    gold_states: bool = False,
) -> Scores:
    """The scores of `answers` on the dialogues and turns that it contains.

    If any turn has no state, the states of the test set are used for all turns; if any turn does not name its
    domains, those of all turns are derived from the states (`belief.active_domains`).
    """
    gold = found_gold(answers, gold_states)
    said = all(turn.active is not None for turns in answers.values() for turn in turns)
    dialogues = [dialogue for dialogue in dialogues if dialogue.id in answers]
    theirs = responses([turn.response for dialogue in dialogues for turn in answers[dialogue.id]])
    ours = responses(
        [delexicalise(turn) for dialogue in dialogues for turn in dialogue.turns[: len(answers[dialogue.id])]]
    )
    verdicts: dict[str, Verdict] = {}
    begin = right = 0
    for dialogue in dialogues:
        turns = answers[dialogue.id]
        annotated = [normal_state(turn.state) for turn in dialogue.turns[: len(turns)]]
        states = annotated if gold else [normal_state(turn.state or {}) for turn in turns]
        right += sum(map(eq, states, annotated))
        texts = theirs[begin : begin + len(turns)]
        begin += len(turns)
        about = [turn.active or () for turn in turns] if said else active_domains(states)
        judged = [Judged(*parts) for parts in zip(texts, states, about, strict=True)]
        verdicts[dialogue.id] = judge(dialogue, judged, database, mode)
    bleu, signature = corpus_bleu(theirs, ours, mode)
    count = len(verdicts)
    return Scores(
        100 * sum(verdict.inform for verdict in verdicts.values()) / count,
        100 * sum(verdict.success for verdict in verdicts.values()) / count,
        bleu,
        verdicts,
        signature,
        (theirs, ours),
        100 * right / len(theirs),
    )


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[str], mode: Mode) -> tuple[float, str]:
    """BLEU of normalised responses, 0 to 100, and its signature; mode older splits words only at spaces."""
    from sacrebleu.metrics import BLEU

    metric = BLEU() if mode == "standard" else BLEU(tokenize="none", smooth_method="none", force=True)
    bleu = metric.corpus_score(list(hypotheses), [list(references)]).score
    return float(bleu), str(metric.get_signature())


if __name__ == "__main__":
    run(evaluate)
