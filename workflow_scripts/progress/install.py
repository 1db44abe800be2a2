"""Run pip, and show how far it is: `python -m workflow_scripts.progress.install LOG python -m pip ...`.

This runs before anything is installed, on any Python from 3.11 on: it imports the standard library only.
"""

import subprocess
import sys
import time
from pathlib import Path

from workflow_scripts.progress.line import Line, clock

INSTALLING = "Installing collected packages:"
STEP = 0.3


def install(log: Path, command: list[str]) -> int:
    """Run `pip install ...` with its output in `log`; return its exit code, and after a failure show the end.

    pip says which packages it found, but not which it has installed; their folders say that.

    :param log: file to write
    :param command: the interpreter and its arguments
    """
    line = Line(sys.stderr)
    began = time.monotonic()
    site = _site(command[0])
    before = len(_installed(site))
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"installing Python packages into {site.parents[2]} (log: {log})", file=sys.stderr, flush=True)
    with log.open("w", encoding="utf-8") as stream:
        job = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT)
        try:
            while job.poll() is None:
                time.sleep(STEP)
                _show(line, log, len(_installed(site)) - before, clock(time.monotonic() - began))
        except KeyboardInterrupt:
            job.wait()
            line.hide()
            return 130
    line.hide()
    if job.returncode:
        print(
            *log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:], sep="\n", file=sys.stderr
        )
        return job.returncode
    new = len(_installed(site)) - before
    print(f"{new} packages installed in {clock(time.monotonic() - began)}", file=sys.stderr, flush=True)
    return 0


def _site(python: str) -> Path:
    """Where an interpreter's packages lie."""
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())


def _installed(site: Path) -> list[Path]:
    return list(site.glob("*.dist-info"))


def _show(line: Line, log: Path, new: int, passed: str) -> None:
    said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    found = sum(text.startswith(("Collecting ", "Requirement already")) for text in said)
    last = next((text for text in reversed(said) if text.startswith(INSTALLING)), "")
    if last:
        total = last.count(",") + 1
        # Downloads are about half of it.
        line.show(
            f"{min(new, total)} of {total} packages installed, {passed}", 0.5 + 0.5 * min(1.0, new / total)
        )
    else:
        line.show(f"{found} packages found, {passed}", 0.5 * found / (found + 30))


if __name__ == "__main__":
    sys.exit(install(Path(sys.argv[1]), sys.argv[2:]))
