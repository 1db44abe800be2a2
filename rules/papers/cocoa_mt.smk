# The leaves of CoCoA-MT (Nadejde et al., 2022) that its released data give.
# The paper's languages in its order; Portuguese is released, but not in the paper.
TARGETS = ["de", "es", "fr", "hi", "it", "ja", "pt"]

GENDERED = ["de", "es", "fr", "hi", "it"]

COCOA_LAYOUTS = {"table2": TARGETS, "table3": TARGETS, "table12": GENDERED, "m-acc": TARGETS}

# One language's numbers of each leaf, and the module that counts them.
COCOA_VALUES = {
    layout: [f"build/papers/cocoa_mt/{target}/{layout}.csv" for target in targets]
    for layout, targets in COCOA_LAYOUTS.items()
}
COCOA_COMMANDS = {layout: f"papers.cocoa_mt.{layout.replace('-', '_')}" for layout in COCOA_LAYOUTS}

PIPELINES = config["control"]["pipelines"]


wildcard_constraints:
    target="|".join(TARGETS),
    layout="|".join(COCOA_LAYOUTS),


rule cocoa_values:
    """One language's numbers: segments (Table 2), gender (Table 12), M-Acc of references (Table 6, caption)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/papers/cocoa_mt/{target}/{layout}.csv",
    log:
        "logs/cocoa_mt/cocoa_values.{layout}.{target}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_values.{layout}.{target}.tsv"
    wildcard_constraints:
        layout="table2|table12|m-acc",
    conda:
        "../../envs/main.yaml"
    params:
        command=lambda wildcards: COCOA_COMMANDS[wildcards.layout],
        code=lambda wildcards: code_of(COCOA_COMMANDS[wildcards.layout]),
    shell:
        "python -m workflow_scripts.{params.command} {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_phrases:
    """Marked phrases and their tokens (Table 3), with spaCy."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
        tool=TOOLS["spacy"],
    output:
        values="build/papers/cocoa_mt/{target}/table3.csv",
    log:
        "logs/cocoa_mt/cocoa_phrases.{target}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_phrases.{target}.tsv"
    conda:
        "../../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=2000,
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        pipeline=lambda wildcards: (
            f"--pipeline {shlex.quote(PIPELINES[wildcards.target])}" if wildcards.target in PIPELINES else ""
        ),
        threads=lookup("threads", within=config),
        code=code_of("papers.cocoa_mt.table3"),
    shell:
        "{params.venv}/bin/python -m workflow_scripts.papers.cocoa_mt.table3 {output.values}"
        " --corpus {input.corpus} --language {wildcards.target} {params.pipeline}"
        " --threads {params.threads} 2> {log}"


rule cocoa_table:
    """A leaf of CoCoA-MT in the paper's layout."""
    input:
        values=lambda wildcards: COCOA_VALUES[wildcards.layout],
    output:
        table=leaf("results/cocoa-mt/{layout}.csv"),
    log:
        "logs/cocoa_mt/cocoa_table.{layout}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_table.{layout}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        code=code_of("papers.cocoa_mt.table"),
    shell:
        "python -m workflow_scripts.papers.cocoa_mt.table {output.table} --layout {wildcards.layout}"
        " --values {input.values} 2> {log}"


rule cocoa_compare:
    """A leaf of CoCoA-MT, cell by cell against the printed table."""
    input:
        values=lambda wildcards: COCOA_VALUES[wildcards.layout],
        printed=lambda wildcards: resource(f"resources/printed/cocoa-mt/{wildcards.layout}.csv"),
    output:
        compare=leaf("results/cocoa-mt/{layout}.compare.csv"),
    log:
        "logs/cocoa_mt/cocoa_compare.{layout}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_compare.{layout}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        code=code_of("papers.cocoa_mt.compare"),
    shell:
        "python -m workflow_scripts.papers.cocoa_mt.compare {output.compare} --layout {wildcards.layout}"
        " --values {input.values} --printed {input.printed} 2> {log}"
