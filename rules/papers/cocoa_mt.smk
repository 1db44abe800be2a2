# The leaves of CoCoA-MT (Nadejde et al., 2022) that its released data give.
# The paper's languages in its order; Portuguese is released, but not in the paper.
TARGETS = ["de", "es", "fr", "hi", "it", "ja", "pt"]

GENDERED = ["de", "es", "fr", "hi", "it"]

COCOA_LAYOUTS = {"table2": TARGETS, "table3": TARGETS, "table12": GENDERED, "m-acc": TARGETS}

PIPELINES = config["control"]["pipelines"]


wildcard_constraints:
    target="|".join(TARGETS),
    layout="|".join(COCOA_LAYOUTS),


localrules:
    spacy_venv,


rule spacy_venv:
    """spaCy and its Japanese dictionary in an environment of their own: large, and for one table."""
    input:
        lock=resource("envs/spacy.txt"),
    output:
        done=f".venvs/spacy-{lock_hash('spacy')}/.done",
    log:
        "logs/cocoa_mt/spacy_venv.log",
    conda:
        "../../envs/main.yaml"
    params:
        venv=lambda wildcards, output: os.path.dirname(output.done),
    shell:
        "python -m workflow_scripts.core.tools {params.venv} {output.done} --lock {input.lock} 2> {log}"


rule cocoa_sizes:
    """Segments, and how alike formal and informal references are (Table 2)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/papers/cocoa_mt/{target}/table2.csv",
    log:
        "logs/cocoa_mt/cocoa_sizes.{target}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_sizes.{target}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        code=code_of("papers.cocoa_mt.table2"),
    shell:
        "python -m workflow_scripts.papers.cocoa_mt.table2 {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_phrases:
    """Marked phrases and their tokens (Table 3), with spaCy."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
        tool=rules.spacy_venv.output.done,
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


rule cocoa_gender:
    """Gendered references (Table 12)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/papers/cocoa_mt/{target}/table12.csv",
    log:
        "logs/cocoa_mt/cocoa_gender.{target}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_gender.{target}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        code=code_of("papers.cocoa_mt.table12"),
    shell:
        "python -m workflow_scripts.papers.cocoa_mt.table12 {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_references:
    """M-Acc of the references themselves (Table 6, caption)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/papers/cocoa_mt/{target}/m-acc.csv",
    log:
        "logs/cocoa_mt/cocoa_references.{target}.log",
    benchmark:
        "build/benchmarks/cocoa_mt/cocoa_references.{target}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        code=code_of("papers.cocoa_mt.m_acc"),
    shell:
        "python -m workflow_scripts.papers.cocoa_mt.m_acc {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_table:
    """A leaf of CoCoA-MT in the paper's layout."""
    input:
        values=lambda wildcards: [
            f"build/papers/cocoa_mt/{target}/{wildcards.layout}.csv"
            for target in COCOA_LAYOUTS[wildcards.layout]
        ],
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
        values=lambda wildcards: [
            f"build/papers/cocoa_mt/{target}/{wildcards.layout}.csv"
            for target in COCOA_LAYOUTS[wildcards.layout]
        ],
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
