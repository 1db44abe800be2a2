# politeness: strategies of politeness in requests.
# The paper's languages in its order; English has the data of Danescu-Niculescu-Mizil et al. (2013).
TYDIP = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


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
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=["en", *TYDIP],
        code=code_of("politeness.strategies"),
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {params.folder:q}"
        " --languages {params.languages:q} 2> {log:q}"
