"""Command: the checked configuration of a run, as one file."""

import json
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing


def resolved(target: Path, *, configuration: str) -> None:
    """Write the configuration, overlays and command line included, with sorted keys.

    :param target: JSON to write; snakemake takes it as `--configfile`
    :param configuration: the same as JSON in one line
    """
    try:
        settings = json.loads(configuration)
    except json.JSONDecodeError as error:
        raise InputError(f"the configuration is not JSON ({error})") from None
    with writing(target) as stream:
        json.dump(settings, stream, ensure_ascii=False, indent=2, sort_keys=True)
        stream.write("\n")


if __name__ == "__main__":
    run(resolved)
