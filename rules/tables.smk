# tables: the leaves, each beside the printed one.
SCORES = expand("build/evaluation/{lang}/scores.csv", lang=LANGUAGES)
LABELS = shlex.join(system["label"] for system in SYSTEMS.values())


rule table7:
    """Table 7: automatic evaluation of formality style transfer, in the paper's layout."""
    input:
        scores=SCORES,
    output:
        table="results/table7.csv",
    log:
        "logs/tables/table7.log",
    benchmark:
        "build/benchmarks/tables/table7.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        systems=" ".join(SYSTEMS),
        labels=LABELS,
        languages=" ".join(LANGUAGES),
        code=code_of("tables.table7"),
    message:
        "Table 7"
    shell:
        "python -m workflow_scripts.tables.table7 {output.table} --scores {input.scores}"
        " --systems {params.systems} --labels {params.labels} --languages {params.languages} 2> {log}"


rule table7_compare:
    """Table 7, cell by cell against the printed one."""
    input:
        scores=SCORES,
        printed=resource("resources/printed/table7.csv"),
    output:
        compare="results/table7.compare.csv",
    log:
        "logs/tables/table7_compare.log",
    benchmark:
        "build/benchmarks/tables/table7_compare.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        systems=" ".join(SYSTEMS),
        labels=LABELS,
        scale=lookup("scale", within=config),
        code=code_of("tables.compare"),
    message:
        "Table 7 against the printed one"
    shell:
        "python -m workflow_scripts.tables.compare {output.compare} --scores {input.scores}"
        " --printed {input.printed} --systems {params.systems} --labels {params.labels}"
        " --scale {params.scale} 2> {log}"


rule table7_page:
    """Table 7, ours and the printed one side by side, for a browser."""
    input:
        table="results/table7.csv",
        compare="results/table7.compare.csv",
        printed=resource("resources/printed/table7.csv"),
        template=resource("workflow_scripts/tables/page.html"),
        spearman="build/formality/spearman.csv",
        sanity="build/translation/sanity.csv",
    output:
        page="results/table7.html",
    log:
        "logs/tables/table7_page.log",
    benchmark:
        "build/benchmarks/tables/table7_page.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        scale=lookup("scale", within=config),
        code=code_of("tables.page"),
    message:
        "Table 7 as a page"
    shell:
        "python -m workflow_scripts.tables.page {output.page} --table {input.table}"
        " --compare {input.compare} --printed {input.printed}"
        " --spearman {input.spearman} --sanity {input.sanity} --scale {params.scale} 2> {log}"


# What each row of Table 6 counts: (the paper's label, corpus, language, file). UNMT and DLSM share theirs.
TRAINED_ON = list(
    dict.fromkeys(
        (label, corpus, lang, path.format(lang=lang, system=name))
        for name, system in SYSTEMS.items()
        for label, corpus, paths in training_files(system)
        for lang in LANGUAGES
        if name in systems_in(lang)
        for path in paths
    )
)


rule table6:
    """Table 6: training sizes, counted in the files that were used, beside the printed ones."""
    input:
        files=sorted({path for *_, path in TRAINED_ON}),
        printed=resource("resources/printed/table6.csv"),
    output:
        table="results/table6.csv",
        compare="results/table6.compare.csv",
    log:
        "logs/tables/table6.log",
    benchmark:
        "build/benchmarks/tables/table6.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=30,
    params:
        labels=shlex.join(label for label, *_ in TRAINED_ON),
        corpora=" ".join(corpus for _, corpus, *_ in TRAINED_ON),
        languages=" ".join(lang for _, _, lang, _ in TRAINED_ON),
        files=" ".join(path for *_, path in TRAINED_ON),
        scale=lookup("scale", within=config),
        code=code_of("tables.table6"),
    message:
        "Table 6"
    shell:
        "python -m workflow_scripts.tables.table6 {output.table} {output.compare} --labels {params.labels}"
        " --corpora {params.corpora} --languages {params.languages} --files {params.files}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"
