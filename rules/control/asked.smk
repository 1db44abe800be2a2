# control: language models that are prompted to translate at a level.

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
            counts="asked of control",
        params:
            **ASKING,
            python=python_of,
            asked=translators.asked_options,
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.system:q} --template {input.template:q} {params.asked:q}"
            " {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
