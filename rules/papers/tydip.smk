# The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give.
# Leaves that are made from the data alone, with their languages; people edited the lexicons of four.
TYDIP_LEAVES = {
    "table3": ["en", *TYDIP],
    "table8": TYDIP,
    "table10": TYDIP,
    "table11": ["hi", "ko", "es", "ta"],
    "binary": ["en", *TYDIP],
}


wildcard_constraints:
    leaf="|".join(TYDIP_LEAVES),


rule tydip_leaf:
    """A table of TyDiP, in the paper's layout and beside the printed one."""
    input:
        files=source_files("tydip"),
        printed=lambda wildcards: resource(f"resources/printed/tydip/{wildcards.leaf}.csv"),
    output:
        table=leaf("results/tydip/{leaf}.csv"),
        compare=leaf("results/tydip/{leaf}.compare.csv"),
    log:
        "logs/tydip/{leaf}.log",
    benchmark:
        "build/benchmarks/tydip/{leaf}.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=lambda wildcards: " ".join(TYDIP_LEAVES[wildcards.leaf]),
        code=lambda wildcards: code_of(f"papers.tydip.{wildcards.leaf}"),
    shell:
        "python -m workflow_scripts.papers.tydip.{wildcards.leaf} {output.table} {output.compare}"
        " --corpus {params.folder} --printed {input.printed} --languages {params.languages} 2> {log}"


rule tydip_table1:
    """Table 1 of TyDiP, as far as the released requests tell: their mean length."""
    input:
        files=source_files("tydip"),
        printed=resource("resources/printed/tydip/table1.csv"),
        names=resource("resources/printed/tydip/languages.csv"),
    output:
        table=leaf("results/tydip/table1.csv"),
        compare=leaf("results/tydip/table1.compare.csv"),
    log:
        "logs/tydip/table1.log",
    benchmark:
        "build/benchmarks/tydip/table1.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=" ".join(TYDIP),
        code=code_of("papers.tydip.table1"),
    shell:
        "python -m workflow_scripts.papers.tydip.table1 {output.table} {output.compare}"
        " --corpus {params.folder} --printed {input.printed} --names {input.names}"
        " --languages {params.languages} 2> {log}"


rule tydip_figure1:
    """Figure 1 of TyDiP: the distribution of scores per language."""
    input:
        files=source_files("tydip"),
        printed=resource("resources/printed/tydip/figure1.csv"),
        names=resource("resources/printed/tydip/languages.csv"),
    output:
        figure=leaf("results/tydip/figure1.svg"),
        table=leaf("results/tydip/figure1.csv"),
        compare=leaf("results/tydip/figure1.compare.csv"),
    log:
        "logs/tydip/figure1.log",
    benchmark:
        "build/benchmarks/tydip/figure1.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=" ".join(TYDIP),
        width=0.5,
        code=code_of("papers.tydip.figure1"),
    shell:
        "python -m workflow_scripts.papers.tydip.figure1 {output.figure} {output.table} {output.compare}"
        " --corpus {params.folder} --printed {input.printed} --names {input.names}"
        " --languages {params.languages} --width {params.width} 2> {log}"


rule tydip_heatmap:
    """Figures 4 and 8 of TyDiP: strategies and politeness."""
    input:
        found="build/politeness/strategies.csv",
        printed=lambda wildcards: resource(f"resources/printed/tydip/{wildcards.figure}.csv"),
    output:
        figure=leaf("results/tydip/{figure}.svg"),
        table=leaf("results/tydip/{figure}.csv"),
        compare=leaf("results/tydip/{figure}.compare.csv"),
    log:
        "logs/tydip/{figure}.log",
    benchmark:
        "build/benchmarks/tydip/{figure}.tsv"
    wildcard_constraints:
        figure="figure4|figure8",
    conda:
        "../../envs/main.yaml"
    params:
        code=lambda wildcards: code_of(f"papers.tydip.{wildcards.figure}"),
    shell:
        "python -m workflow_scripts.papers.tydip.{wildcards.figure} {output.figure} {output.table}"
        " {output.compare} --found {input.found} --printed {input.printed} 2> {log}"


rule tydip_sensitivity:
    """How far Figures 4 and 8 depend on the rule that says which requests contain a strategy."""
    input:
        found="build/politeness/strategies.csv",
        printed=resource("resources/printed/tydip/figure4.csv"),
    output:
        table=leaf("results/tydip/sensitivity.csv"),
    log:
        "logs/tydip/sensitivity.log",
    benchmark:
        "build/benchmarks/tydip/sensitivity.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        least=10,
        code=code_of("papers.tydip.sensitivity"),
    shell:
        "python -m workflow_scripts.papers.tydip.sensitivity {output.table} --found {input.found}"
        " --printed {input.printed} --least {params.least} 2> {log}"
