"""Command: how long the jobs of each rule took, from a log file of Snakemake."""

import re
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines

TIME = re.compile(r"\[(\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4})\]")
RULE = re.compile(r"(?:local)?rule (\w+):")
JOB = re.compile(r"    jobid: (\d+)")
ENDED = re.compile(r"Finished jobid: (\d+) ")


def measure(log: Path, table: Path) -> None:
    """Write the mean seconds of each rule's finished jobs, at least 1: the log has whole seconds.

    Raises InputError if no job ended.

    :param log: a file of `.snakemake/log`, of a run without `--quiet`
    :param table: CSV to write: rule, seconds
    """
    now = datetime.min
    rule = ""
    began: dict[str, tuple[str, datetime]] = {}
    took: defaultdict[str, list[float]] = defaultdict(list)
    for line in lines(log):
        if match := TIME.fullmatch(line):
            now = datetime.strptime(match[1], "%a %b %d %H:%M:%S %Y")
        elif match := RULE.fullmatch(line):
            rule = match[1]
        elif match := JOB.fullmatch(line):
            began[match[1]] = (rule, now)
        elif (match := ENDED.match(line)) and match[1] in began:
            name, then = began.pop(match[1])
            took[name].append((now - then).total_seconds())
    if not took:
        raise InputError("no job ended", path=log, fix="give the log of a whole run")
    rows = [(name, f"{max(1.0, fmean(times)):.0f}") for name, times in sorted(took.items())]
    write_csv(table, ("rule", "seconds"), rows)


if __name__ == "__main__":
    run(measure)
