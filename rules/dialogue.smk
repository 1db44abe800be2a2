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
        **(REWRITTEN if len(DIALOGUE_SETS) > 1 else {}),
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
        rewritten=words(REWRITTEN if len(DIALOGUE_SETS) > 1 else {}),
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
