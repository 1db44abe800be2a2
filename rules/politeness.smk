# politeness: TyDiP's leaves from its released data (Srinivasan and Choi, 2022), and the ratings of PT16.
# The paper's languages in its order; English has the data of Danescu-Niculescu-Mizil et al. (2013).
TYDIP = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]
# Leaves that are made from the data alone, with their languages; people edited the lexicons of four.
TYDIP_LEAVES = {
    "table3": ["en", *TYDIP],
    "table8": TYDIP,
    "table10": TYDIP,
    "table11": ["hi", "ko", "es", "ta"],
    "binary": ["en", *TYDIP],
}
GENRES = ["answers", "blog", "email", "news"]
PT16_RELEASED = entries("pt16", "2016")


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
        "logs/politeness/{leaf}.log",
    benchmark:
        "build/benchmarks/politeness/{leaf}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=lambda wildcards: " ".join(TYDIP_LEAVES[wildcards.leaf]),
        code=lambda wildcards: code_of(f"politeness.{wildcards.leaf}"),
    message:
        "TyDiP, {wildcards.leaf}"
    shell:
        "python -m workflow_scripts.politeness.{wildcards.leaf} {output.table} {output.compare}"
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
        "logs/politeness/table1.log",
    benchmark:
        "build/benchmarks/politeness/table1.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=" ".join(TYDIP),
        code=code_of("politeness.table1"),
    message:
        "TyDiP, table1"
    shell:
        "python -m workflow_scripts.politeness.table1 {output.table} {output.compare}"
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
        "logs/politeness/figure1.log",
    benchmark:
        "build/benchmarks/politeness/figure1.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=" ".join(TYDIP),
        width=0.5,
        code=code_of("politeness.figure1"),
    message:
        "TyDiP, figure1"
    shell:
        "python -m workflow_scripts.politeness.figure1 {output.figure} {output.table} {output.compare}"
        " --corpus {params.folder} --printed {input.printed} --names {input.names}"
        " --languages {params.languages} --width {params.width} 2> {log}"


rule tydip_strategies:
    """Which strategies stand in which requests, by every matching rule."""
    input:
        files=source_files("tydip"),
    output:
        table="build/politeness/strategies.csv",
    log:
        "logs/politeness/strategies.log",
    benchmark:
        "build/benchmarks/politeness/strategies.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=" ".join(["en", *TYDIP]),
        code=code_of("politeness.strategies"),
    message:
        "Looking politeness strategies up in requests"
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table} --corpus {params.folder}"
        " --languages {params.languages} 2> {log}"


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
        "logs/politeness/{figure}.log",
    benchmark:
        "build/benchmarks/politeness/{figure}.tsv"
    wildcard_constraints:
        figure="figure4|figure8",
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=lambda wildcards: code_of(f"politeness.{wildcards.figure}"),
    message:
        "TyDiP, {wildcards.figure}"
    shell:
        "python -m workflow_scripts.politeness.{wildcards.figure} {output.figure} {output.table}"
        " {output.compare} --found {input.found} --printed {input.printed} 2> {log}"


rule tydip_sensitivity:
    """How far Figures 4 and 8 depend on the rule that says which requests contain a strategy."""
    input:
        found="build/politeness/strategies.csv",
        printed=resource("resources/printed/tydip/figure4.csv"),
    output:
        table=leaf("results/tydip/sensitivity.csv"),
    log:
        "logs/politeness/sensitivity.log",
    benchmark:
        "build/benchmarks/politeness/sensitivity.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        least=10,
        code=code_of("politeness.sensitivity"),
    message:
        "TyDiP, matching rules compared"
    shell:
        "python -m workflow_scripts.politeness.sensitivity {output.table} --found {input.found}"
        " --printed {input.printed} --least {params.least} 2> {log}"


rule pt16_ratings:
    """How formal the English sentences of PT16 were rated, genre by genre."""
    input:
        files=[official_path(PT16_RELEASED[genre]) for genre in GENRES],
        printed=resource("resources/printed/pt16.csv"),
    output:
        figure=leaf("results/pt16.svg"),
        table=leaf("results/pt16.csv"),
        compare=leaf("results/pt16.compare.csv"),
    log:
        "logs/politeness/pt16.log",
    benchmark:
        "build/benchmarks/politeness/pt16.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        genres=" ".join(GENRES),
        code=code_of("politeness.pt16"),
    message:
        "Ratings of PT16"
    shell:
        "python -m workflow_scripts.politeness.pt16 {output.figure} {output.table} {output.compare}"
        " --files {input.files} --genres {params.genres} --printed {input.printed} 2> {log}"
