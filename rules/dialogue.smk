# dialogue: task-oriented dialogues, their databases, and the evaluation of responses.
from workflow_scripts.wiring.dialogue import IMPOLITE_PARTS
from workflow_scripts.wiring.encoders import encoder_options


rule evaluate_references:
    """Inform, Success, BLEU and the combined score of the test set's own responses."""
    input:
        corpora.multiwoz_database_folders(),
        dialogues="build/corpora/multiwoz/test.jsonl",
    output:
        scores="build/dialogue/references/{mode}.scores.csv",
        verdicts="build/dialogue/references/{mode}.verdicts.csv",
    wildcard_constraints:
        mode="standard|older",
    params:
        databases=corpora.multiwoz_databases(),
    shell:
        "python -m workflow_scripts.dialogue.evaluate {output.scores:q} {output.verdicts:q}"
        " --dialogues {input.dialogues:q} --databases {params.databases:q} --mode {wildcards.mode:q} 2> {log:q}"


rule dialogue_sets:
    """The dialogues of Tables VI and VII, with polite and with impolite users."""
    input:
        **(IMPOLITE_PARTS if "impolite" in dialogue.sets else {}),
        test="build/corpora/multiwoz/test.jsonl",
        folds=[
            f"build/corpora/multiwoz/{fold}.jsonl"
            for fold in config["dialogue"]["folds"]
            if fold in corpora.multiwoz_folds
        ],
    output:
        expand("build/dialogue/sets/{users}.jsonl", users=dialogue.sets),
    localrule: True
    params:
        rewritten=words(IMPOLITE_PARTS if "impolite" in dialogue.sets else {}),
    shell:
        "python -m workflow_scripts.dialogue.sets {output:q} --test {input.test:q} --folds {input.folds:q}"
        " {params.rewritten:q} 2> {log:q}"


rule list_responses:
    """A row for each system, or each of its trainings, with the files of its responses."""
    output:
        manifest="build/dialogue/responses.manifest.csv",
    localrule: True
    params:
        # A function, since the paths of systems contain braces.
        rows=lambda wildcards: json.dumps(
            [["system", "base", "polite", "impolite"], *dialogue.listed_responses()]
        ),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule compare_systems:
    """Metrics, intervals and paired tests of all systems, with polite and impolite users."""
    input:
        corpora.multiwoz_database_folders(),
        sets=rules.dialogue_sets.output,
        test="build/corpora/multiwoz/test.jsonl",
        manifest=rules.list_responses.output.manifest,
        responses=lambda wildcards: dialogue.all_responses(),
    output:
        scores="build/dialogue/scores.csv",
    params:
        sets=words(dict(zip(dialogue.sets, rules.dialogue_sets.output))),
        databases=corpora.multiwoz_databases(),
        tests=options(config["evaluation"], "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.dialogue.compare {output.scores:q} --systems {input.manifest:q}"
        " {params.sets:q} --test {input.test:q} --databases {params.databases:q} {params.tests:q}"
        " --seed {params.seed:q} 2> {log:q}"


rule similarity_encoder:
    """The sentence encoder of Figure 3c."""
    output:
        encoder=directory("build/dialogue/similarity/encoder"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        options=lambda wildcards: encoder_options(SETTINGS.dialogue.similarity, [], SETTINGS.seed),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule dialogue_similarity:
    """The similarity of original and impolite users by the sentence encoder."""
    input:
        encoder=rules.similarity_encoder.output.encoder,
        polite="build/dialogue/sets/polite.jsonl",
        impolite="build/dialogue/sets/impolite.jsonl",
    output:
        table="build/dialogue/similarity/cosines.csv",
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=4000),
    params:
        **COMPUTING,
        sizes=options(config["dialogue"]["similarity"], "batch_size", "max_length"),
    shell:
        "python -m workflow_scripts.dialogue.similarity {output.table:q} --polite {input.polite:q}"
        " --impolite {input.impolite:q} --encoder {input.encoder:q} {params.sizes:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"


rule dialogue_transcripts:
    """Rewritten dialogues as raters read them, with responses of some systems."""
    input:
        corpora.multiwoz_database_folders(),
        # With more training data a system is not shown with original users.
        [
            dialogue.responses(name, users)
            for name in dialogue.rated
            for users in dialogue.sets
            if users == "impolite" or dialogue.base(name) == name
        ],
        manifest=rules.list_responses.output.manifest,
        polite="build/dialogue/sets/polite.jsonl",
        impolite="build/dialogue/sets/impolite.jsonl",
    output:
        table="build/dialogue/transcripts.csv",
    localrule: True
    params:
        systems=dialogue.rated,
        databases=corpora.multiwoz_databases(),
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
    localrule: True
    params:
        rewritten=words(IMPOLITE_PARTS),
    shell:
        "python -m workflow_scripts.dialogue.sets {output:q} --test {input.train:q} --folds {input.train:q}"
        " {params.rewritten:q} 2> {log:q}"
