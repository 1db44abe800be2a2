"""Print, as JSON, the rules of the workflow and which of some paths they make, as Snakemake sees them.

    python -m tests.made FOLDER PATHS

PATHS is a JSON list; nothing is run.
"""

import json
import sys
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, OutputSettings, Quietness, ResourceSettings


def made(folder: Path, paths: list[str]) -> dict[str, list[str]]:
    """The names of all rules; the paths that a rule makes, or below which it makes something."""
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[folder / "config.yaml"]),
            snakefile=folder / "Snakefile",
            workdir=folder,
        )
        rules = list(workflow._workflow.rules)
    outputs = [str(output) for rule in rules for output in rule.output]
    return {
        "rules": [rule.name for rule in rules],
        "made": [
            path
            for path in paths
            if any(rule.is_producer(path) for rule in rules)
            or any(output.startswith(path.rstrip("/") + "/") for output in outputs)
        ],
    }


if __name__ == "__main__":
    print(json.dumps(made(Path(sys.argv[1]), json.loads(sys.argv[2]))))
