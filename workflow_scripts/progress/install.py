"""Install packages, and show how far it is: `python -m workflow_scripts.progress.install LOG PYTHON ...`.

This runs before anything is installed, on any Python from 3.11 on: it imports the standard library only.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from workflow_scripts.core.installers import Installer, installers
from workflow_scripts.progress.line import Line, clock

STEP = 0.3


def install(log: Path, python: Path, arguments: list[str]) -> int:
    """Install into the environment of `python`; return the exit code, and after a failure show the end.

    Neither uv nor pip says how many packages it has installed; their folders say that.

    :param log: file to write
    :param python: an interpreter
    :param arguments: those of `pip install`
    """
    began = time.monotonic()
    site = _site(python)
    before = _installed(site)
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"installing Python packages into {site.parents[2]} (log: {log})", file=sys.stderr, flush=True)
    code = 1
    with log.open("w", encoding="utf-8") as stream:
        for installer in installers(python):
            code = _run(installer, arguments, log, stream.fileno(), site, began)
            if not code:
                break
    if not code:
        new = _installed(site) - before
        print(f"{new} packages installed in {clock(time.monotonic() - began)}", file=sys.stderr, flush=True)
    return code


def _run(installer: Installer, arguments: list[str], log: Path, stream: int, site: Path, began: float) -> int:
    """Run one installer to its end, also after Ctrl-C, and show the end of a failure; its exit code."""
    line = Line(sys.stderr)
    before, start = _installed(site), log.stat().st_size
    job = subprocess.Popen(
        [*installer.command, *arguments],
        stdout=stream,
        stderr=stream,
        env={**os.environ, **installer.variables},
    )
    try:
        while job.poll() is None:
            time.sleep(STEP)
            _show(line, _said(log, start), _installed(site) - before, clock(time.monotonic() - began))
    except KeyboardInterrupt:
        job.wait()
        raise
    finally:
        line.hide()
    if job.returncode:
        print(*_said(log, start).splitlines()[-20:], sep="\n", file=sys.stderr)
        print(f"{installer.name} failed", file=sys.stderr, flush=True)
    return job.returncode


def _site(python: Path) -> Path:
    """Where an interpreter's packages lie."""
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())


def _installed(site: Path) -> int:
    return len(list(site.glob("*.dist-info")))


def _said(log: Path, start: int) -> str:
    return log.read_bytes()[start:].decode(errors="replace")


def _show(line: Line, said: str, new: int, passed: str) -> None:
    """Show how far it is; pip and uv say how many packages they install when these are there."""
    if prepared := re.search(r"^Prepared (\d+) packages?", said, re.MULTILINE):
        total = int(prepared[1])
    elif last := re.search(r"^Installing collected packages:.*", said, re.MULTILINE):
        total = last[0].count(",") + 1
    else:
        found = len(re.findall(r"^(?:Collecting |Requirement already| Downloaded )", said, re.MULTILINE))
        line.show(f"{found} packages found, {passed}" if found else passed, 0.5 * found / (found + 30))
        return
    # Downloads are about half of it.
    line.show(f"{min(new, total)} of {total} packages installed, {passed}", 0.5 + 0.5 * min(1.0, new / total))


if __name__ == "__main__":
    try:
        sys.exit(install(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
    except KeyboardInterrupt:
        sys.exit(130)
