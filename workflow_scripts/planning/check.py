"""Command: the plan of a finished run beside what it took; `make plan-check` calls it."""

from pathlib import Path
from statistics import median

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.planning.plan import ROOT
from workflow_scripts.planning.rates import read_rates
from workflow_scripts.planning.rates_of import measured_jobs

COLUMNS = ("rule", "jobs", "planned_seconds", "measured_seconds", "ratio")
# Rules that took less in all say more about starting Python than about the plan.
LEAST = 10.0
FACTOR = 2.0


def check(
    target: Path,
    *,
    folder: Path,
    targets: list[str],
    rates: Path = ROOT / "resources/rates.csv",
    same_machine: bool = False,
) -> None:
    """Write the planned and the measured seconds of each rule of a finished run.

    The rates are of another machine, unless `same_machine` is set: how much faster this one is (the median
    over the rules that took more than ten seconds) is taken out of the ratios. Raises InputError, with the
    rules, if the plan of one that took more than ten seconds is off by more than a factor of two.

    :param target: CSV to write: the slowest rule first
    :param folder: of the run
    :param targets: what it made
    :param rates: CSV of measured rates
    :param same_machine: whether the rates were measured on this machine
    """
    sums: dict[str, tuple[int, float, float]] = {}
    for job, seconds in measured_jobs(folder.resolve(), targets, read_rates(rates)):
        count, planned, taken = sums.get(job.rule, (0, 0.0, 0.0))
        sums[job.rule] = (count + 1, planned + job.seconds, taken + seconds)
    long = {rule: planned / taken for rule, (_, planned, taken) in sums.items() if taken > LEAST}
    if not long:
        raise InputError("no rule of this run took ten seconds", path=folder)
    speed = 1.0 if same_machine else median(long.values())
    rows = [
        (rule, count, f"{planned:.1f}", f"{taken:.1f}", f"{planned / taken / speed:.2f}")
        for rule, (count, planned, taken) in sorted(sums.items(), key=lambda item: -item[1][2])
    ]
    write_csv(target, COLUMNS, rows)
    print(f"{'rule':28}{'jobs':>5}{'planned':>10}{'measured':>10}{'ratio':>7}")
    for row in rows:
        if row[0] in long:
            print(f"{row[0]:28}{row[1]:5}{row[2]:>10}{row[3]:>10}{row[4]:>7}")
    print(f"{len(long)} rules took over {LEAST:.0f} s; this machine is {speed:.2f} times as fast")
    wrong = [rule for rule, ratio in long.items() if not 1 / FACTOR <= ratio / speed <= FACTOR]
    if wrong:
        raise InputError(f"the plan is off by more than a factor of {FACTOR:.0f} for {', '.join(wrong)}")


if __name__ == "__main__":
    run(check)
