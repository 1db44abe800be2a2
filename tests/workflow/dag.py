"""Print the jobs behind some files as Snakemake sees them: a line of JSON each.

    python -m tests.workflow.dag FOLDER CONFIG CONFIGFILES TARGETS

CONFIG (what --config would set), CONFIGFILES and TARGETS are JSON. A target that no rule makes is left out.
A job's `tracked` params are those that Snakemake compares with what it has noted of a finished job.
"""

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, DAGSettings, OutputSettings, Quietness, ResourceSettings

from tests.workflow import forks

ROOT = Path(__file__).parents[2]


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
            # A list is the words of a command.
            params = {
                name: list(map(str, value)) if isinstance(value, list) else str(value)
                for name, value in job.params.items()
            }
            tracked = sorted(map(str, job.non_derived_params))
            names["log"] = list(map(str, job.log))
            told = {"rule": job.rule.name, "params": params, "tracked": tracked, "shell": job.shellcmd}
            told["local"] = job.rule.name in workflow._workflow._localrules
            told["priority"] = job.rule.priority
            print(json.dumps({**told, **names}))


def ask(folder: Path, config: dict[str, Any], files: list[str], targets: list[str]) -> list[dict[str, Any]]:
    """The jobs behind the targets that some rule makes, from a process of its own."""
    words = [json.dumps(value) for value in (config, ["config.yaml", *files], targets)]
    done = forks.run(ROOT, [str(folder), *words], module="tests.workflow.dag")
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    jobs(Path(sys.argv[1]), *map(json.loads, sys.argv[2:]))
