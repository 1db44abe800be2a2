"""The output of a run: the real workflow, in a file and in a terminal."""

import io
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import pytest

from workflow_scripts.progress.jobs import TICK, JobsHandler, seconds_of
from workflow_scripts.progress.line import Line
from workflow_scripts.progress.measure import measure

Run = Callable[..., subprocess.CompletedProcess]
TABLE = "results/table13.csv"


def said(done: subprocess.CompletedProcess) -> list[str]:
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.slow
def test_a_run_in_a_file_is_short_and_ends_with_the_table(project, snakemake):
    done = snakemake(project, "--cores", 1, "--", TABLE)
    assert done.returncode == 0, done.stderr
    lines = said(done)
    assert "1 jobs to run" in lines
    assert [line.split(",")[0] for line in lines if " of 1 jobs" in line] == ["1 of 1 jobs"]
    table = lines.index(TABLE)
    assert lines[table + 1].split() == ["lang", "question", "text", "gold"]
    assert any("make results/index.html" in line for line in lines[table:])
    assert not any("rule table13" in line or "jobid" in line for line in lines)
    # Snakemake's own log is complete, and says how long jobs took.
    (log,) = (project / ".snakemake/log").glob("*.log")
    assert "rule table13:" in log.read_text()
    measure(log, project / "seconds.csv")
    assert set(seconds_of(project / "seconds.csv")) == {"table13"}

    again = said(snakemake(project, "--cores", 1, "--", TABLE))
    assert any(line.startswith("Nothing to be done") for line in again)
    assert TABLE in again


@pytest.mark.slow
def test_a_long_job_is_not_silent_in_a_file(monkeypatch):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    stream = io.StringIO()
    handler = JobsHandler(
        logging.NullHandler(),
        Line(stream),
        {"train": 60.0},
        runs=lambda: True,
        at_end=lambda: "",
        now=lambda: now,
    )

    def tell(event: str, **values: object) -> None:
        handler.handle(logging.makeLogRecord({"levelno": logging.INFO, "event": event, **values}))

    tell("run_info", stats={"train": 1, "score": 1, "total": 2})
    tell("job_info", jobid=1, rule_name="train", wildcards={})
    handler._over.wait(3 * TICK)
    assert stream.getvalue() == "2 jobs to run\n"
    now = 400.0
    limit = perf_counter() + 20
    while stream.getvalue().count("\n") < 2 and perf_counter() < limit:
        handler._over.wait(TICK / 10)
    handler.close()
    assert stream.getvalue().splitlines()[1] == "0 of 2 jobs, 6:40"


@pytest.mark.slow
def test_a_failed_job_is_told_with_its_log(project, snakemake):
    (project / "resources/abbreviations/fr.tsv").write_text("no tab\n")
    done = snakemake(project, "--cores", 1, "--", "build/transfer/fr/rule-based/run0.txt")
    assert done.returncode == 1
    lines = said(done)
    assert "Error in rule rule_based:" in lines
    assert any(line.startswith("error: ") and "fr.tsv" in line for line in lines)
    assert not any("make results/index.html" in line for line in lines)


@pytest.mark.slow
def test_a_terminal_has_one_line_with_the_running_job(project):
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "snakemake", "--cores", "1", "--", TABLE]
    with subprocess.Popen(words, cwd=project, stdout=theirs, stderr=theirs) as job:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
    os.close(ours)
    assert job.returncode == 0, seen.decode()
    drawn = [line for line in seen.decode().split("\r\x1b[K") if line.startswith("[")]
    assert any("0 of 1 jobs" in line and "table13" in line for line in drawn)
    assert TABLE in seen.decode()
