# The leaf of PT16, the formality ratings of Pavlick and Tetreault (2016).
GENRES = ["answers", "blog", "email", "news"]

PT16_RELEASED = entries("pt16", "2016")


rule pt16_ratings:
    """How formal the English sentences of PT16 were rated, genre by genre."""
    input:
        files=[official_path(PT16_RELEASED[genre]) for genre in GENRES],
        printed=resource("resources/printed/pt16/pt16.csv"),
    output:
        figure=leaf("results/pt16.svg"),
        table=leaf("results/pt16.csv"),
        compare=leaf("results/pt16.compare.csv"),
    log:
        "logs/pt16/pt16.log",
    benchmark:
        "build/benchmarks/pt16/pt16.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        genres=" ".join(GENRES),
        code=code_of("papers.pt16.pt16"),
    shell:
        "python -m workflow_scripts.papers.pt16.pt16 {output.figure} {output.table} {output.compare}"
        " --files {input.files} --genres {params.genres} --printed {input.printed} 2> {log}"
