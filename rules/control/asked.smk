# control: language models that are asked to translate at a level.
from workflow_scripts.wiring.control import CONTROL_OUTPUTS, LEVELS, TARGETS
from workflow_scripts.wiring.language_models import asked_of, fetched
from workflow_scripts.wiring.places import python_of

for asked in ("endpoint", "gguf", "transformers"):

    # What asks a service runs where the network is.
    rule:
        """A language model that is asked to translate the test set at one level, with examples of the training segments."""
        name:
            f"controlled_{asked}"
        input:
            unpack(control.asked_input),
            source="build/control/test/{lang}/source.txt",
        output:
            target=CONTROL_OUTPUTS,
            facts="build/control/outputs/{system}/{lang}/{level}/run{run}.prompted.csv",
        log:
            f"logs/control/controlled_{asked}.{{system}}.{{lang}}.{{level}}.{{run}}.log",
        benchmark:
            f"build/benchmarks/control/controlled_{asked}.{{system}}.{{lang}}.{{level}}.{{run}}.tsv"
        wildcard_constraints:
            system=asked_of(control.systems, asked),
            lang="|".join(TARGETS),
            level="|".join(LEVELS),
        priority: LONG
        localrule: asked == "endpoint"
        conda:
            "../../envs/main.yaml"
        threads: config["threads"]
        resources:
            mem_mb=growing(16000),
            runtime=growing(DAY, DAY),
            gpu=GPU if asked == "transformers" else 0,
        params:
            python=python_of,
            asked=control.asked_options,
            fetched=fetched,
            settings=untracked(words({"settings": config["prompting"]})),
            cache=CACHE,
            torch=TORCH,
            device=DEVICE,
            seed=lookup("seed", within=config),
            code=code_of("transfer.prompt"),
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.system:q} --template {input.template:q} {params.asked:q}"
            " {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
