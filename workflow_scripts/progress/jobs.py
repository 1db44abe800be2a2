"""The jobs of a run as one line of progress, in the place of Snakemake's own lines on them.

Snakemake's log file, below `.snakemake/log`, stays complete.
"""

import logging
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.progress.estimate import Estimate
from workflow_scripts.progress.line import SILENCE, Line, about, clock

# What Snakemake says beside its events, and nobody waits for.
CHATTER = re.compile(
    r"(Using shell|Provided |Rules claiming|Conda environments|Singularity containers|Group jobs|Job stats"
    r"|Select jobs|Execute \d+ jobs|Building DAG|Assuming unrestricted|Elapsed time|Would remove temporary"
    r"|Removing temporary|Touching output)"
)
NOTHING = "Nothing to be done"
QUIET = (
    "workflow_started",
    "resources_info",
    "shellcmd",
    "job_info",
    "group_info",
    "job_started",
    "job_finished",
)
TICK = 1.0


class JobsHandler(logging.Handler):
    """Shows a run's events as a line; whatever is a warning, an error or an answer goes to `inner`.

    Where jobs are only listed (`runs` says no), everything does. `at_end` gives the last text of a run that
    had nothing to do.
    """

    def __init__(
        self,
        inner: logging.Handler,
        line: Line,
        known: dict[str, float],
        *,
        runs: Callable[[], bool],
        at_end: Callable[[], str],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.inner, self.line, self.runs, self.at_end, self.now = inner, line, runs, at_end, now
        self.estimate = Estimate(known)
        self._rules: dict[int, tuple[str, str]] = {}
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def emit(self, record: logging.LogRecord) -> None:
        """Take in an event of Snakemake, or pass a message on."""
        event = str(getattr(record, "event", None) or "")
        message = record.getMessage() if record.msg else ""
        if not self.runs():
            self.inner.handle(record)
            return
        if record.levelno < logging.WARNING:
            self._take(event, record)
            if event in (*QUIET, "run_info", "progress") or CHATTER.match(message):
                return
        self.line.hide()
        self.inner.handle(record)
        if message.startswith(NOTHING):
            self.say(self.at_end())

    def _take(self, event: str, record: logging.LogRecord) -> None:
        values = record.__dict__
        now = self.now()
        if event == "run_info":
            counts = {rule: count for rule, count in values["stats"].items() if rule != "total"}
            self.estimate.jobs = counts
            self.estimate.began = self.estimate.began or now
            self.say(f"{self.estimate.total} jobs to run")
            if not self._ticker.is_alive():
                self._ticker.start()
        elif event == "job_info":
            found = " ".join(str(value) for value in values["wildcards"].values())
            self._rules[values["jobid"]] = (values["rule_name"], found)
            self.estimate.start(values["jobid"], values["rule_name"], now)
        elif event == "job_finished":
            self.estimate.end(values["job_id"], now)
        if event in ("run_info", "job_info", "job_finished"):
            self._draw()

    def _draw(self) -> None:
        estimate, now = self.estimate, self.now()
        if not estimate.total:
            return
        left, passed = estimate.left(now), now - estimate.began
        share = estimate.done / estimate.total
        text = f"{estimate.done} of {estimate.total} jobs, {clock(passed)}"
        if left is not None and estimate.done < estimate.total:
            text += f", {about(left)} left"
        if self.line.live and left is not None and passed + left > 0:
            share = passed / (passed + left)
        newest = " ".join(self._rules[max(estimate.running)]) if estimate.running else ""
        if estimate.done or self.line.live or passed > SILENCE:
            self.line.show(text, share, newest.strip())

    def _tick(self) -> None:
        while not self._over.wait(TICK):
            self.acquire()
            try:
                if not self._over.is_set():
                    self._draw()
            finally:
                self.release()

    def say(self, text: str) -> None:
        """Write a text of one or more lines, none if it is empty."""
        self.line.say(text)

    def close(self) -> None:
        """The end of the run."""
        self._over.set()
        self.line.hide()
        self.inner.close()
        super().close()


def seconds_of(path: Path) -> dict[str, float]:
    """The seconds that jobs of each rule took in some run: CSV with rule, seconds."""
    return {row["rule"]: float(row["seconds"]) for _, row in read_rows(path, ("rule", "seconds"))}


def install(seconds: Path, *, runs: Callable[[], bool], at_end: Callable[[], str]) -> JobsHandler | None:
    """Put the line into the place of Snakemake's handler for the terminal; None if there is none."""
    logger = logging.getLogger("snakemake.logging")
    for inner in logger.handlers:
        if isinstance(inner, logging.StreamHandler) and getattr(inner, "stream", None) in (
            sys.stderr,
            sys.stdout,
        ):
            handler = JobsHandler(inner, Line(inner.stream), seconds_of(seconds), runs=runs, at_end=at_end)
            logger.removeHandler(inner)
            logger.addHandler(handler)
            return handler
    return None
