"""Print the jobs behind some files as Snakemake sees them: a line of JSON each.

    python -m tests.workflow.dag FOLDER CONFIG CONFIGFILES TARGETS

CONFIG (what --config would set), CONFIGFILES and TARGETS are JSON. A target that no rule makes is left out.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings


def jobs(folder: Path, config: dict, configfiles: list[str], targets: list[str]) -> None:
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(config=config, configfiles=[Path(f) for f in configfiles]),
            snakefile=folder / "Snakefile",
            workdir=folder,
        )
        rules = list(workflow._workflow.rules)
        made = {target for target in targets if any(rule.is_producer(target) for rule in rules)}
        dag = workflow.dag(DAGSettings(targets=made, forceall=True))
        # Whatever it prints, afterwards the jobs are there.
        with redirect_stdout(sys.stderr):
            dag.printd3dag()
        for job in workflow._workflow.dag.jobs:
            names = {"input": list(map(str, job.input)), "output": list(map(str, job.output))}
            params = {name: str(value) for name, value in job.params.items()}
            print(json.dumps({"rule": job.rule.name, "params": params, **names}))


if __name__ == "__main__":
    jobs(Path(sys.argv[1]), *map(json.loads, sys.argv[2:]))
