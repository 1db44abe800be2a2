# dialogue: task-oriented dialogues, their databases, and how well responses do.


rule evaluate_references:
    """Inform, Success, BLEU and the combined score of the test set's own responses."""
    input:
        multiwoz_database_folders(),
        dialogues="build/corpora/multiwoz/test.jsonl",
    output:
        scores="build/dialogue/references/{mode}.scores.csv",
        verdicts="build/dialogue/references/{mode}.verdicts.csv",
    log:
        "logs/dialogue/evaluate_references.{mode}.log",
    benchmark:
        "build/benchmarks/dialogue/evaluate_references.{mode}.tsv"
    wildcard_constraints:
        mode="standard|older",
    conda:
        "../envs/main.yaml"
    params:
        databases=multiwoz_databases(),
        code=code_of("dialogue.evaluate"),
    shell:
        "python -m workflow_scripts.dialogue.evaluate {output.scores:q} {output.verdicts:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} --mode {wildcards.mode:q} 2> {log:q}"


localrules:
    dialogue_sets,
    list_responses,


rule dialogue_sets:
    """The dialogues of Tables VI and VII, with polite and with impolite users."""
    input:
        **(IMPOLITE_PARTS if "impolite" in DIALOGUE_SETS else {}),
        test="build/corpora/multiwoz/test.jsonl",
        folds=[f"build/corpora/multiwoz/{fold}.jsonl" for fold in DIALOGUE["folds"] if fold in MULTIWOZ_FOLDS],
    output:
        expand("build/dialogue/sets/{users}.jsonl", users=DIALOGUE_SETS),
    log:
        "logs/dialogue/sets.log",
    benchmark:
        "build/benchmarks/dialogue/sets.tsv"
    conda:
        "../envs/main.yaml"
    params:
        rewritten=words(IMPOLITE_PARTS if "impolite" in DIALOGUE_SETS else {}),
        code=code_of("dialogue.sets"),
    shell:
        "python -m workflow_scripts.dialogue.sets {output:q} --test {input.test:q} --folds {input.folds:q}"
        " {params.rewritten:q} 2> {log:q}"


rule list_responses:
    """A row for each system, with the files of its responses."""
    output:
        manifest="build/dialogue/responses.manifest.csv",
    log:
        "logs/dialogue/list_responses.log",
    benchmark:
        "build/benchmarks/dialogue/list_responses.tsv"
    conda:
        "../envs/main.yaml"
    params:
        # A function, since the paths of systems hold braces.
        rows=lambda wildcards: json.dumps([["system", "base", "polite", "impolite"], *listed_responses()]),
        code=code_of("core.manifest"),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule compare_systems:
    """Metrics, intervals and paired tests of all systems, with polite and impolite users."""
    input:
        multiwoz_database_folders(),
        sets=rules.dialogue_sets.output,
        test="build/corpora/multiwoz/test.jsonl",
        manifest=rules.list_responses.output.manifest,
        responses=lambda wildcards: [
            responses_of(name, users) for name in RESPONDERS for users in DIALOGUE_SETS
        ],
    output:
        scores="build/dialogue/scores.csv",
    log:
        "logs/dialogue/compare.log",
    benchmark:
        "build/benchmarks/dialogue/compare.tsv"
    conda:
        "../envs/main.yaml"
    params:
        sets=words(dict(zip(DIALOGUE_SETS, rules.dialogue_sets.output))),
        databases=multiwoz_databases(),
        tests=options(config["evaluation"], "resamples", "confidence"),
        seed=lookup("seed", within=config),
        code=code_of("dialogue.compare"),
    shell:
        "python -m workflow_scripts.dialogue.compare {output.scores:q} --systems {input.manifest:q}"
        " {params.sets:q} --test {input.test:q} --databases {params.databases:q} {params.tests:q}"
        " --seed {params.seed:q} 2> {log:q}"


rule similarity_encoder:
    """The sentence encoder of Figure 3c."""
    output:
        encoder=directory("build/dialogue/similarity/encoder"),
    log:
        "logs/dialogue/similarity_encoder.log",
    benchmark:
        "build/benchmarks/dialogue/similarity_encoder.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        options=lambda wildcards: encoder_options(SIMILARITY["encoder"], SIMILARITY["max_length"], []),
        code=code_of("encoders.encoder"),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule dialogue_similarity:
    """How alike original and impolite users are to the sentence encoder."""
    input:
        encoder=rules.similarity_encoder.output.encoder,
        polite="build/dialogue/sets/polite.jsonl",
        impolite="build/dialogue/sets/impolite.jsonl",
    output:
        table="build/dialogue/similarity/cosines.csv",
    log:
        "logs/dialogue/similarity.log",
    benchmark:
        "build/benchmarks/dialogue/similarity.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(4000),
        gpu=GPU,
    params:
        sizes=options(SIMILARITY, "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.similarity"),
    shell:
        "python -m workflow_scripts.dialogue.similarity {output.table:q} --polite {input.polite:q}"
        " --impolite {input.impolite:q} --encoder {input.encoder:q} {params.sizes:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"


rule dialogue_transcripts:
    """Rewritten dialogues as raters read them, with responses of some systems."""
    input:
        multiwoz_database_folders(),
        [responses_of(name, users) for name in DIALOGUES_RATED for users in DIALOGUE_SETS],
        manifest=rules.list_responses.output.manifest,
        polite="build/dialogue/sets/polite.jsonl",
        impolite="build/dialogue/sets/impolite.jsonl",
    output:
        table="build/dialogue/transcripts.csv",
    log:
        "logs/dialogue/transcripts.log",
    benchmark:
        "build/benchmarks/dialogue/transcripts.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        systems=DIALOGUES_RATED,
        databases=multiwoz_databases(),
        code=code_of("dialogue.transcripts"),
    shell:
        "python -m workflow_scripts.dialogue.transcripts {output.table:q} --responses {input.manifest:q}"
        " --systems {params.systems:q} --polite {input.polite:q} --impolite {input.impolite:q}"
        " --databases {params.databases:q} 2> {log:q}"


wildcard_constraints:
    users="polite|impolite",


rule rewritten_training_dialogues:
    """The training dialogues that people rewrote impolitely: more data for a system."""
    input:
        **IMPOLITE_PARTS,
        train="build/corpora/multiwoz/train.jsonl",
    output:
        polite="build/dialogue/augmentation/polite.jsonl",
        impolite="build/dialogue/augmentation/impolite.jsonl",
    log:
        "logs/dialogue/augmentation.log",
    benchmark:
        "build/benchmarks/dialogue/augmentation.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        rewritten=words(IMPOLITE_PARTS),
        code=code_of("dialogue.sets"),
    shell:
        "python -m workflow_scripts.dialogue.sets {output:q} --test {input.train:q} --folds {input.train:q}"
        " {params.rewritten:q} 2> {log:q}"


rule dialogue_checkpoint:
    """The language model of the hub, or of a folder, that a system is trained from."""
    output:
        checkpoint=directory("build/dialogue/systems/{system}/checkpoint"),
    log:
        "logs/dialogue/checkpoint.{system}.log",
    benchmark:
        "build/benchmarks/dialogue/checkpoint.{system}.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        source=lambda wildcards: words(
            {key: responder(wildcards)["model"][key] for key in ("kind", "checkpoint", "revision", "path")}
        ),
        code=code_of("encoders.encoder"),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.checkpoint:q} {params.source:q} 2> {log:q}"


rule train_responder:
    """A dialogue system of a language model, trained on dialogues in its own format."""
    input:
        multiwoz_database_folders(),
        dialogues=training_dialogues,
        initial=lambda wildcards: checkpoint_of(wildcards),
    output:
        model=directory("build/dialogue/systems/{system}/model"),
    log:
        "logs/dialogue/train.{system}.log",
    benchmark:
        "build/benchmarks/dialogue/train.{system}.tsv"
    wildcard_constraints:
        system=responders_of("causal", "encoder_decoder"),
    priority: LONG
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(720, DAY),
        gpu=GPU,
    params:
        initial=lambda wildcards: words({"initial": (checkpoint_of(wildcards) or [None])[0]}),
        databases=multiwoz_databases(),
        system=lambda wildcards: responder_options(wildcards, start="model", course="training"),
        seed=lookup("seed", within=config),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.train"),
    shell:
        "python -m workflow_scripts.dialogue.train {output.model:q} --dialogues {input.dialogues:q}"
        " --databases {params.databases:q} {params.system:q} {params.initial:q} --seed {params.seed:q}"
        " {params.torch:q} {params.device:q} --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule released_responder:
    """A dialogue system of the hub, by its commit, or of an archive: its weights as safetensors."""
    input:
        archive=released_archive,
    output:
        model=directory("build/dialogue/systems/{system}/model"),
    log:
        "logs/dialogue/released.{system}.log",
    benchmark:
        "build/benchmarks/dialogue/released.{system}.tsv"
    wildcard_constraints:
        system=responders_of("released"),
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        source=released_options,
        code=code_of("dialogue.released"),
    shell:
        "python -m workflow_scripts.dialogue.released {output.model:q} {params.source:q} 2> {log:q}"


rule respond:
    """What a trained system answers to polite or to impolite users."""
    input:
        multiwoz_database_folders(),
        model=rules.train_responder.output.model,
        dialogues="build/dialogue/sets/{users}.jsonl",
    output:
        responses="build/dialogue/systems/{system}/{users}.json",
    log:
        "logs/dialogue/respond.{system}.{users}.log",
    benchmark:
        "build/benchmarks/dialogue/respond.{system}.{users}.tsv"
    wildcard_constraints:
        system=responders_of("causal", "encoder_decoder", "released"),
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        databases=multiwoz_databases(),
        system=lambda wildcards: responder_options(wildcards, decoding="decoding"),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.respond"),
    shell:
        "python -m workflow_scripts.dialogue.respond {output.responses:q} --model {input.model:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} {params.system:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"


for asked in ("endpoint", "transformers"):

    # What asks a service runs where the network is.
    rule:
        """What a prompted language model answers to polite or to impolite users."""
        name:
            f"answered_{asked}"
        input:
            multiwoz_database_folders(),
            unpack(answered_input),
            dialogues="build/dialogue/sets/{users}.jsonl",
            train="build/corpora/multiwoz/train.jsonl",
        output:
            responses="build/dialogue/systems/{system}/{users}.json",
            facts="build/dialogue/systems/{system}/{users}.prompted.csv",
        log:
            f"logs/dialogue/answered_{asked}.{{system}}.{{users}}.log",
        benchmark:
            f"build/benchmarks/dialogue/answered_{asked}.{{system}}.{{users}}.tsv"
        wildcard_constraints:
            system="|".join(
                re.escape(name)
                for name, one in RESPONDERS.items()
                if one["kind"] == "prompted" and one["model"]["kind"] == asked
            )
            or "(?!)",
        priority: LONG
        localrule: asked == "endpoint"
        conda:
            "../envs/main.yaml"
        threads: config["threads"]
        resources:
            mem_mb=growing(16000),
            runtime=growing(DAY, DAY),
            gpu=GPU if asked == "transformers" else 0,
        params:
            databases=multiwoz_databases(),
            asked=answered_options,
            fetched=prompted_checkpoint,
            settings=untracked(words({"settings": config["prompting"]})),
            cache=CACHE,
            torch=TORCH,
            device=DEVICE,
            seed=lookup("seed", within=config),
            code=code_of("dialogue.prompted"),
        shell:
            "python -m workflow_scripts.dialogue.prompted {output.responses:q} {output.facts:q}"
            " --system {wildcards.system:q} --dialogues {input.dialogues:q} --train {input.train:q}"
            " --databases {params.databases:q} --belief {input.state:q} --response {input.response:q}"
            " {params.asked:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"


rule train_recurrent_responder:
    """A dialogue system that is a recurrent network, trained from random weights."""
    input:
        multiwoz_database_folders(),
        dialogues=training_dialogues,
    output:
        model="build/dialogue/systems/{system}/network.safetensors",
    log:
        "logs/dialogue/train_recurrent.{system}.log",
    benchmark:
        "build/benchmarks/dialogue/train_recurrent.{system}.tsv"
    wildcard_constraints:
        system=responders_of("recurrent"),
    priority: LONG
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(4000),
        runtime=growing(720, DAY),
        gpu=GPU,
    params:
        databases=multiwoz_databases(),
        system=lambda wildcards: recurrent_options(wildcards, network="network", course="training"),
        seed=lookup("seed", within=config),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.train_recurrent"),
    shell:
        "python -m workflow_scripts.dialogue.train_recurrent {output.model:q} --dialogues {input.dialogues:q}"
        " --databases {params.databases:q} {params.system:q} --seed {params.seed:q} {params.torch:q}"
        " {params.device:q} --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule respond_recurrently:
    """What a recurrent network answers to polite or to impolite users."""
    input:
        multiwoz_database_folders(),
        model=rules.train_recurrent_responder.output.model,
        dialogues="build/dialogue/sets/{users}.jsonl",
    output:
        responses="build/dialogue/systems/{system}/{users}.json",
    log:
        "logs/dialogue/respond_recurrently.{system}.{users}.log",
    benchmark:
        "build/benchmarks/dialogue/respond_recurrently.{system}.{users}.tsv"
    wildcard_constraints:
        system=responders_of("recurrent"),
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(4000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        databases=multiwoz_databases(),
        decoding=lambda wildcards: words({"decoding": responder(wildcards)["decoding"]}),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.respond_recurrent"),
    shell:
        "python -m workflow_scripts.dialogue.respond_recurrent {output.responses:q} --model {input.model:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} {params.decoding:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"
