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
