"""How fast each step is: `resources/rates.csv`, measured on one machine and editable."""

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.planning.amounts import Amount
from workflow_scripts.planning.counts import LINES

COLUMNS = ("step", "unit", "start", "per_second", "gpu_times", "updates", "largest", "measured", "machine")
# The step whose rate is that of all rules of text without a row of their own, which are short.
OTHERS = "others"
# An amount this many times the largest measured one is extrapolated.
FAR = 10


@dataclass(frozen=True)
class Rate:
    """The speed of a step on one core."""

    step: str
    unit: str
    start: float
    """Seconds before the first unit."""
    per_second: float
    """Units per second; 0 if a job of any size takes the same time."""
    gpu_times: float
    """How many times as fast one GPU is; 0 if the step does not use one. Assumed, not measured."""
    updates: float
    """After how many updates such a training stops by itself; 0: as the settings say. Assumed."""
    largest: float
    """The largest number of units with which it was measured; 0 if it is guessed."""
    measured: str
    """How it was measured, or where the guess is from."""
    machine: str
    """On which machine."""

    def seconds(self, amount: Amount, gpu: bool) -> float:
        """Seconds of a job on one core, or on one GPU."""
        speed = self.per_second * (self.gpu_times if gpu and self.gpu_times else 1)
        return self.start + (amount.units / speed if speed else 0)

    def doubts(self, amount: Amount, gpu: bool) -> list[str]:
        """The assumptions behind the time of a job that no measurement supports."""
        doubts = []
        if not self.largest:
            doubts.append("guessed rate")
        elif self.per_second and amount.units > FAR * self.largest:
            doubts.append("larger than measured")
        if gpu and self.gpu_times:
            doubts.append("no GPU measured")
        return doubts


def read_rates(path: Path) -> dict[str, Rate]:
    """The rates by step.

    InputError for a wrong column, a repeated step, a field that is not a number, and without a row for short
    jobs.
    """
    rates: dict[str, Rate] = {}
    for line, (step, unit, *numbers, measured, machine) in read_keyed(path, COLUMNS):
        start, per_second, gpu_times, updates, largest = (number(text or "0", path, line) for text in numbers)
        rates[step] = Rate(step, unit, start, per_second, gpu_times, updates, largest, measured, machine)
    if OTHERS not in rates:
        raise InputError(f"no row '{OTHERS}', for short jobs", path=path, fix="get the file's last version")
    return rates


def rate_of(rule: str, amount: Amount, rates: Mapping[str, Rate]) -> Rate:
    """The rate of a rule's jobs: of their step, or of all short ones.

    InputError if neither has a row, or if the row counts in another unit.
    """
    rate = rates.get(amount.step)
    if rate is None and amount.unit == LINES:
        rate = rates.get(OTHERS)
    if rate is None:
        raise InputError(
            f"rule {rule}: the table of rates has no step '{amount.step}'",
            fix="add a row, or name a step that it has under `resources` of the rule: step=...",
        )
    if rate.unit != amount.unit:
        raise InputError(
            f"rule {rule}: its step '{amount.step}' counts in '{amount.unit}', the table of rates in"
            f" '{rate.unit}'",
            fix=f"measure the row again in '{amount.unit}', or name a step that counts in '{rate.unit}' under"
            " `resources` of the rule: step=...",
        )
    return rate


def write_rates(path: Path, rates: Iterable[Rate]) -> None:
    """Write the rates by the names of their steps."""
    rows = [
        [f"{value:.4g}" if isinstance(value, float) else value for value in astuple(rate)]
        for rate in sorted(rates, key=lambda rate: rate.step)
    ]
    write_csv(path, COLUMNS, rows)
