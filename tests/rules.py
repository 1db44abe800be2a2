"""Print every rule of the workflow as Snakemake reads it: a line of JSON each.

    python -m tests.rules CONFIGFILES

CONFIGFILES is a JSON list. Paths are patterns, with `{wildcards}`.
"""

import json
import sys
from pathlib import Path
from typing import Any

from snakemake.api import SnakemakeApi
from snakemake.settings.types import ConfigSettings, OutputSettings, Quietness, ResourceSettings

ROOT = Path(__file__).parents[1]
# What a profile for a cluster says under `set-resources`.
ON_A_GPU = {"on_a_gpu": {"gres": "gpu:1"}, "train_regressor": {"gres": "gpu:2"}}


def names(files: Any) -> list[str]:
    """The names of a rule's files, in their order; a name may be that of several."""
    return [name for name, _ in sorted(files._get_names(), key=lambda pair: pair[1][0])]


def rules(configfiles: list[str]) -> None:
    """Read the Snakefile with some overlays and print its rules."""
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        workflow = api.workflow(
            resource_settings=ResourceSettings(cores=1, overwrite_resources=ON_A_GPU),
            config_settings=ConfigSettings(configfiles=[ROOT / name for name in configfiles]),
            snakefile=ROOT / "Snakefile",
            workdir=ROOT,
        )
        for rule in workflow._workflow.rules:
            print(
                json.dumps(
                    {
                        "name": rule.name,
                        "file": str(Path(rule.snakefile).relative_to(ROOT)),
                        "docstring": rule.docstring,
                        "input": list(map(str, rule.input)),
                        "output": list(map(str, rule.output)),
                        "log": list(map(str, rule.log)),
                        "conda": rule.conda_env,
                        "benchmark": str(rule.benchmark or ""),
                        "names": {kind: names(getattr(rule, kind)) for kind in ("input", "output")},
                        "params": sorted(rule.params.keys()),
                        "values": {
                            name: value
                            for name, value in rule.params.items()
                            if isinstance(value, (str, list))
                        },
                        "resources": sorted(rule.resources),
                        "amounts": rule.amounts,
                        "gres": str(rule.resources["gres"]) if "gres" in rule.resources else "",
                        "shell": rule.shellcmd,
                        "local": rule.name in workflow._workflow._localrules,
                    }
                )
            )


if __name__ == "__main__":
    rules(json.loads(sys.argv[1]))
