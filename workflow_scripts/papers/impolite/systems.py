"""The scores of the systems by label, for Tables VI and VII of Hu et al. (2022)."""

from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.dialogue.compare import COLUMNS
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.statistics.metrics import DIALOGUE, Metric

METRICS = {metric.label: metric.name for metric in DIALOGUE.values()}
DECIMALS, P_DECIMALS = Metric.decimals, 4


@dataclass(frozen=True)
class Score:
    """A metric of a system on some dialogues."""

    value: float
    interval: tuple[float, float]
    # The Holm-adjusted p-value and the row it is tested against; both empty without a test.
    p_holm: str
    against: str
    # The dialogue states it is judged by: the system's own, or those of the test set (gold).
    states: str
    signature: str

    def cell(self, caveat: str = "") -> Cell:
        """The score as the tables show it."""
        low, high = (rounded(bound, DECIMALS) for bound in self.interval)
        tested = f"|p_holm:{self.p_holm} against {self.against}" if self.p_holm else ""
        return Cell(rounded(self.value, DECIMALS), f"{self.signature}{tested}", caveat, interval=(low, high))


# Label, dialogues (test, original, impolite) and metric.
Scored = dict[tuple[str, str, str], Score]


def read_scores(scores: Path, systems: Path) -> tuple[Scored, list[str]]:
    """The scores that `dialogue.compare` wrote, by label, and the labels in order.

    :param systems: manifest: system, label
    """
    labels = {name: label for name, label in read_manifest(systems, ("system", "label"))}
    by_label: Scored = {}
    for line, row in read_keyed(scores, COLUMNS, keys=3):
        system, dialogues, metric, value, low, high, against, _, p_holm, _, states, signature = row
        if system not in labels:
            raise InputError(f"'{system}' is not a system of {systems}", path=scores, line=line)
        interval = (number(low, scores, line), number(high, scores, line))
        shown = rounded(number(p_holm, scores, line), P_DECIMALS) if p_holm else ""
        by_label[labels[system], dialogues, metric] = Score(
            number(value, scores, line), interval, shown, against, states, signature
        )
    return by_label, list(labels.values())
