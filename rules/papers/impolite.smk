# The rule of Hu et al. (2022) besides those of its leaves in workflow_scripts/wiring/papers/impolite.py.
use rule list_responses as list_impolite with:
    output:
        manifest="build/papers/impolite/systems.manifest.csv",
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(
            [["system", "label"], *([name, dialogue.systems[name].label] for name in dialogue.rows)]
        ),
