# What comes before the settings are read. No rule stands here.
import sys

sys.path.insert(0, workflow.basedir)
from workflow_scripts.config import files
from workflow_scripts.core.errors import InputError


def stop(problem):
    """Bad input, found before the first job: one line, exit code 2, no traceback."""
    print(f"error: {problem}", file=sys.stderr)
    sys.stderr.flush()
    sys.exit(2)


try:
    files.check_files([f"{workflow.basedir}/config.yaml", *workflow.overwrite_configfiles])
except InputError as problem:
    stop(problem)
