# control: CoCoA-MT as it is released: its tables, and M-Acc (Nadejde et al., 2022).
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
        "logs/control/spacy_venv.log",
    conda:
        "../envs/main.yaml"
    params:
        venv=lambda wildcards, output: os.path.dirname(output.done),
    message:
        "Installing spaCy into {params.venv}"
    shell:
        "python -m workflow_scripts.tools {params.venv} {output.done} --lock {input.lock} 2> {log}"


rule read_cocoa_mt:
    """CoCoA-MT's sources and references in one language, in the canonical layout."""
    input:
        source_files("cocoa-mt"),
    output:
        folder=directory("build/corpora/cocoa-mt/{target}"),
    log:
        "logs/control/read_cocoa_mt.{target}.log",
    benchmark:
        "build/benchmarks/control/read_cocoa_mt.{target}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=lambda wildcards: source_folder("cocoa-mt"),
        code=code_of("control.read"),
    message:
        "Reading CoCoA-MT ({wildcards.target})"
    shell:
        "python -m workflow_scripts.control.read {params.folder} {output.folder}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_sizes:
    """Segments, and how alike formal and informal references are (Table 2)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/control/{target}/table2.csv",
    log:
        "logs/control/cocoa_sizes.{target}.log",
    benchmark:
        "build/benchmarks/control/cocoa_sizes.{target}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code_of("control.sizes"),
    message:
        "Sizes and overlap of CoCoA-MT ({wildcards.target})"
    shell:
        "python -m workflow_scripts.control.sizes {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_phrases:
    """Marked phrases and their tokens (Table 3), with spaCy."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
        tool=rules.spacy_venv.output.done,
    output:
        values="build/control/{target}/table3.csv",
    log:
        "logs/control/cocoa_phrases.{target}.log",
    benchmark:
        "build/benchmarks/control/cocoa_phrases.{target}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        pipeline=lambda wildcards: (
            f"--pipeline {shlex.quote(PIPELINES[wildcards.target])}" if wildcards.target in PIPELINES else ""
        ),
        threads=lookup("threads", within=config),
        code=code_of("control.phrases"),
    message:
        "Marked phrases of CoCoA-MT ({wildcards.target})"
    shell:
        "{params.venv}/bin/python -m workflow_scripts.control.phrases {output.values}"
        " --corpus {input.corpus} --language {wildcards.target} {params.pipeline}"
        " --threads {params.threads} 2> {log}"


rule cocoa_gender:
    """Gendered references (Table 12)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/control/{target}/table12.csv",
    log:
        "logs/control/cocoa_gender.{target}.log",
    benchmark:
        "build/benchmarks/control/cocoa_gender.{target}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code_of("control.gender"),
    message:
        "Gendered references of CoCoA-MT ({wildcards.target})"
    shell:
        "python -m workflow_scripts.control.gender {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_references:
    """M-Acc of the references themselves (Table 6, caption)."""
    input:
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        values="build/control/{target}/m-acc.csv",
    log:
        "logs/control/cocoa_references.{target}.log",
    benchmark:
        "build/benchmarks/control/cocoa_references.{target}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code_of("control.references"),
    message:
        "M-Acc of CoCoA-MT's references ({wildcards.target})"
    shell:
        "python -m workflow_scripts.control.references {output.values} --corpus {input.corpus}"
        " --language {wildcards.target} 2> {log}"


rule cocoa_table:
    """A leaf of CoCoA-MT in the paper's layout."""
    input:
        values=lambda wildcards: [
            f"build/control/{target}/{wildcards.layout}.csv" for target in COCOA_LAYOUTS[wildcards.layout]
        ],
    output:
        table=leaf("results/cocoa-mt/{layout}.csv"),
    log:
        "logs/control/cocoa_table.{layout}.log",
    benchmark:
        "build/benchmarks/control/cocoa_table.{layout}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code_of("control.table"),
    message:
        "CoCoA-MT, {wildcards.layout}"
    shell:
        "python -m workflow_scripts.control.table {output.table} --layout {wildcards.layout}"
        " --values {input.values} 2> {log}"


rule cocoa_compare:
    """A leaf of CoCoA-MT, cell by cell against the printed table."""
    input:
        values=lambda wildcards: [
            f"build/control/{target}/{wildcards.layout}.csv" for target in COCOA_LAYOUTS[wildcards.layout]
        ],
        printed=lambda wildcards: resource(f"resources/printed/cocoa-mt/{wildcards.layout}.csv"),
    output:
        compare=leaf("results/cocoa-mt/{layout}.compare.csv"),
    log:
        "logs/control/cocoa_compare.{layout}.log",
    benchmark:
        "build/benchmarks/control/cocoa_compare.{layout}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=code_of("control.compare"),
    message:
        "CoCoA-MT, {wildcards.layout}, against the printed one"
    shell:
        "python -m workflow_scripts.control.compare {output.compare} --layout {wildcards.layout}"
        " --values {input.values} --printed {input.printed} 2> {log}"
