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
    """A row for each system, or each of its trainings, with the files of its responses."""
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
        responses=lambda wildcards: all_responses(),
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
        # With more training data a system is not shown with original users.
        [
            responses_of(name, users)
            for name in DIALOGUES_RATED
            for users in DIALOGUE_SETS
            if users == "impolite" or "of" not in RESPONDERS[name]
        ],
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
