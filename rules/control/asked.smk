# control: language models that are prompted to translate at a level.
from workflow_scripts.wiring.control import CONTROL_OUTPUTS, LEVELS, TEST_SETS
from workflow_scripts.wiring.language_models import MODEL_KINDS, asked_of
from workflow_scripts.wiring.places import python_of

for asked in MODEL_KINDS:

    rule:
        """A language model that is prompted to translate the test set at one level, with training segments."""
        name:
            f"controlled_{asked}"
        input:
            unpack(translators.asked_input),
            source="build/control/test/{lang}/source.txt",
        output:
            target=CONTROL_OUTPUTS,
            facts="build/control/outputs/{system}/{lang}/{level}/run{run}.prompted.csv",
        log:
            f"logs/control/controlled_{asked}.{{system}}.{{lang}}.{{level}}.{{run}}.log",
        wildcard_constraints:
            system=asked_of(control.systems, asked),
            lang=one_of(TEST_SETS),
            level=one_of(LEVELS),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"controlled ({asked})",
        params:
            **ASKING,
            python=python_of,
            asked=translators.asked_options,
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.system:q} --template {input.template:q} {params.asked:q}"
            " {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
