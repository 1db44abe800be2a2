# responders: the systems, from training or released weights to their responses.


wildcard_constraints:
    # The first training has no number, so that files of a single one are just the system's.
    training=r"(?:\.run[1-9]\d*)?",


rule own_responses:
    """Responses of a system of one's own, after checking that they fit the dialogues."""
    input:
        responses=dialogue.own_responses,
        dialogues="build/dialogue/sets/{users}.jsonl",
    output:
        responses="build/responders/{system}/{users}.json",
    wildcard_constraints:
        system=dialogue.of_kinds("outputs"),
    localrule: True
    resources:
        step="copy",
    shell:
        "python -m workflow_scripts.responders.own_responses {output.responses:q} --responses {input.responses:q}"
        " --dialogues {input.dialogues:q} 2> {log:q}"


rule responder_checkpoint:
    """The language model of the hub, or of a folder, that a system is trained from."""
    output:
        folder=directory("build/responders/{system}/checkpoint"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        source=dialogue.source,
    shell:
        "python -m workflow_scripts.encoders.encoder {output.folder:q} {params.source:q} 2> {log:q}"


rule train_responder:
    """A dialogue system of a language model, trained on dialogues in its own format."""
    input:
        corpora.multiwoz_database_folders(),
        dialogues="build/corpora/multiwoz/train.jsonl",
        further=dialogue.further,
        initial=dialogue.checkpoint,
    output:
        model=directory("build/responders/{system}{training}/model"),
    wildcard_constraints:
        system=dialogue.of_kinds("causal", "encoder_decoder"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=720),
        step="train_responder",
        counts="epochs of responder",
        weights="input",
    params:
        **COMPUTING,
        further=dialogue.further_option,
        initial=dialogue.initial_option,
        databases=corpora.multiwoz_databases(),
        system=lambda wildcards: dialogue.options(wildcards, start="model", course="training"),
        seed=dialogue.seed,
    shell:
        "python -m workflow_scripts.responders.train {output.model:q} --dialogues {input.dialogues:q}"
        " {params.further:q} --databases {params.databases:q} {params.system:q} {params.initial:q} --seed {params.seed:q}"
        " {params.torch:q} {params.device:q} --checkpoints build/checkpoints/responders 2> {log:q}"


rule released_responder:
    """A dialogue system of the hub, by its commit, or of an archive: its weights as safetensors."""
    input:
        archive=dialogue.archive,
    output:
        model=directory("build/responders/{system}/model"),
    wildcard_constraints:
        system=dialogue.of_kinds("released"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        source=dialogue.released_options,
    shell:
        "python -m workflow_scripts.responders.released {output.model:q} {params.source:q} 2> {log:q}"


rule respond:
    """The responses of a trained system to polite or to impolite users."""
    input:
        corpora.multiwoz_database_folders(),
        model=rules.train_responder.output.model,
        dialogues="build/dialogue/sets/{users}.jsonl",
    output:
        responses="build/responders/{system}{training}/{users}.json",
    wildcard_constraints:
        system=dialogue.of_kinds("causal", "encoder_decoder", "released"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        step="respond",
        counts="turns of responder",
    params:
        **COMPUTING,
        databases=corpora.multiwoz_databases(),
        system=lambda wildcards: dialogue.options(wildcards, decoding="decoding"),
    shell:
        "python -m workflow_scripts.responders.respond {output.responses:q} --model {input.model:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} {params.system:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"


for asked in ("endpoint", "transformers"):

    rule:
        """The responses of a prompted language model to polite or to impolite users."""
        name:
            f"answered_{asked}"
        input:
            corpora.multiwoz_database_folders(),
            unpack(dialogue.asked_input),
            dialogues="build/dialogue/sets/{users}.jsonl",
            train="build/corpora/multiwoz/train.jsonl",
        output:
            responses="build/responders/{system}/{users}.json",
            facts="build/responders/{system}/{users}.prompted.csv",
        wildcard_constraints:
            system=asked_of(dialogue.systems, asked),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"answered ({asked})",
            counts="asked of responders",
        params:
            **ASKING,
            databases=corpora.multiwoz_databases(),
            asked=dialogue.asked_options,
        shell:
            "python -m workflow_scripts.responders.prompted {output.responses:q} {output.facts:q}"
            " --system {wildcards.system:q} --dialogues {input.dialogues:q} --train {input.train:q}"
            " --databases {params.databases:q} --belief {input.state:q} --response {input.response:q}"
            " {params.asked:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"


rule train_recurrent_responder:
    """A dialogue system that is a recurrent network, trained from random weights."""
    input:
        corpora.multiwoz_database_folders(),
        dialogues="build/corpora/multiwoz/train.jsonl",
        further=dialogue.further,
    output:
        model="build/responders/{system}{training}/network.safetensors",
    wildcard_constraints:
        system=dialogue.of_kinds("recurrent"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=4000, runtime=720),
        step="train_responder",
        counts="epochs of responder",
        weights="responder",
    params:
        **COMPUTING,
        further=dialogue.further_option,
        databases=corpora.multiwoz_databases(),
        system=lambda wildcards: dialogue.options(wildcards, network="network", course="training"),
        seed=dialogue.seed,
    shell:
        "python -m workflow_scripts.responders.train_recurrent {output.model:q} --dialogues {input.dialogues:q}"
        " {params.further:q} --databases {params.databases:q} {params.system:q} --seed {params.seed:q} {params.torch:q}"
        " {params.device:q} --checkpoints build/checkpoints/responders 2> {log:q}"


rule respond_recurrently:
    """The responses of a recurrent network to polite or to impolite users."""
    input:
        corpora.multiwoz_database_folders(),
        model=rules.train_recurrent_responder.output.model,
        dialogues="build/dialogue/sets/{users}.jsonl",
    output:
        responses="build/responders/{system}{training}/{users}.json",
    wildcard_constraints:
        system=dialogue.of_kinds("recurrent"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=4000, runtime=240),
        step="respond",
        counts="turns of responder",
    params:
        **COMPUTING,
        databases=corpora.multiwoz_databases(),
        decoding=lambda wildcards: words({"decoding": dialogue.trained(wildcards).decoding}),
    shell:
        "python -m workflow_scripts.responders.respond_recurrent {output.responses:q} --model {input.model:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} {params.decoding:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"
