# What comes before the settings are read. No rule stands here.
import os
import signal
import sys

sys.path.insert(0, workflow.basedir)
from workflow_scripts.config import files
from workflow_scripts.core.errors import InputError


def stop(problem):
    """Bad input, found before the first job: one line, exit code 2, no traceback."""
    print(f"error: {problem}", file=sys.stderr)
    sys.stderr.flush()
    sys.exit(2)


def hang_up(number, frame):
    """The terminal was closed: the run ends as with Ctrl-C, so that no job goes on and no lock stays."""
    if os.getpgrp() == os.getpid():
        # Ctrl-C reaches the jobs too; the signal of a terminal that closes reaches the first process only.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.killpg(os.getpgrp(), signal.SIGINT)
    raise KeyboardInterrupt


# Not under nohup, which ignores it.
if workflow.is_main_process and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
    signal.signal(signal.SIGHUP, hang_up)

try:
    files.check_files([f"{workflow.basedir}/config.yaml", *workflow.overwrite_configfiles])
except InputError as problem:
    stop(problem)
