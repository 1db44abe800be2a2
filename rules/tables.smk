# tables: the leaves, each beside the printed one.
SCORES = expand("build/evaluation/{lang}/scores.csv", lang=LANGUAGES)
LABELS = shlex.join(system["label"] for system in SYSTEMS.values())


rule table7:
    """Table 7: automatic and human evaluation of formality style transfer, in the paper's layout."""
    input:
        scores=SCORES,
        human=lambda wildcards: HUMAN_SCORES,
    output:
        table=leaf("results/table7.csv"),
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
        human=lambda wildcards: HUMAN_OPTIONS,
        code=code_of("tables.table7"),
    message:
        "Table 7"
    shell:
        "python -m workflow_scripts.tables.table7 {output.table} --scores {input.scores}"
        " --systems {params.systems} --labels {params.labels} --languages {params.languages}"
        " {params.human} 2> {log}"


rule table7_compare:
    """Table 7, cell by cell against the printed one."""
    input:
        scores=SCORES,
        human=lambda wildcards: HUMAN_SCORES,
        printed=resource("resources/printed/table7.csv"),
    output:
        compare=leaf("results/table7.compare.csv"),
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
        human=lambda wildcards: HUMAN_OPTIONS,
        code=code_of("tables.compare"),
    message:
        "Table 7 against the printed one"
    shell:
        "python -m workflow_scripts.tables.compare {output.compare} --scores {input.scores}"
        " --printed {input.printed} --systems {params.systems} --labels {params.labels}"
        " --scale {params.scale} {params.human} 2> {log}"


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
        table=leaf("results/table6.csv"),
        compare=leaf("results/table6.compare.csv"),
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


# Languages of which Yahoo Answers are read; the demo world's stand in no table of another scale.
YAHOO = LANGUAGES if config["corpora"]["yahoo"] != "demo" or config["scale"] == "demo" else []


rule table2:
    """Table 2: sentences of Yahoo Answers after each curation step, beside the printed ones."""
    input:
        answers=expand("build/corpora/yahoo/{lang}/counts.tsv", lang=YAHOO),
        curated=expand("build/filtering/yahoo/{lang}/curated.counts.tsv", lang=YAHOO),
        candidates=expand("build/filtering/yahoo/{lang}/candidates.counts.tsv", lang=YAHOO),
        printed=resource("resources/printed/table2.csv"),
    output:
        table=leaf("results/table2.csv"),
        compare=leaf("results/table2.compare.csv"),
    log:
        "logs/tables/table2.log",
    benchmark:
        "build/benchmarks/tables/table2.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        languages=" ".join(LANGUAGES),
        counted=" ".join(YAHOO),
        scale=lookup("scale", within=config),
        code=code_of("tables.table2"),
    message:
        "Table 2"
    shell:
        "python -m workflow_scripts.tables.table2 {output.table} {output.compare}"
        " --languages {params.languages} --counted {params.counted} --answers {input.answers}"
        " --curated {input.curated} --candidates {input.candidates} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"


rule table11:
    """Table 11: questions per language in Yahoo Answers L6, beside the printed ones."""
    input:
        # Whichever language is read, all questions are counted.
        counts=expand("build/corpora/yahoo/{lang}/counts.tsv", lang=YAHOO[:1]),
        printed=resource("resources/printed/table11.csv"),
    output:
        table=leaf("results/table11.csv"),
        compare=leaf("results/table11.compare.csv"),
    log:
        "logs/tables/table11.log",
    benchmark:
        "build/benchmarks/tables/table11.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        counts=lambda wildcards, input: f"--counts {input.counts}" if input.counts else "",
        scale=lookup("scale", within=config),
        code=code_of("tables.table11"),
    message:
        "Table 11"
    shell:
        "python -m workflow_scripts.tables.table11 {output.table} {output.compare} {params.counts}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule table12:
    """Table 12: OpenSubtitles before and after filtering, beside the printed numbers."""
    input:
        filtered=expand("build/filtering/opensubtitles/{lang}/counts.tsv", lang=LANGUAGES),
        pools=expand("build/filtering/opensubtitles/{lang}/pools.tsv", lang=LANGUAGES),
        printed=resource("resources/printed/table12.csv"),
    output:
        table=leaf("results/table12.csv"),
        compare=leaf("results/table12.compare.csv"),
    log:
        "logs/tables/table12.log",
    benchmark:
        "build/benchmarks/tables/table12.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        languages=" ".join(LANGUAGES),
        scale=lookup("scale", within=config),
        code=code_of("tables.table12"),
    message:
        "Table 12"
    shell:
        "python -m workflow_scripts.tables.table12 {output.table} {output.compare}"
        " --languages {params.languages} --filtered {input.filtered} --pools {input.pools}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule appendix_b:
    """Appendix B: BLEU of the translation backend, beside that of Amazon Translate."""
    input:
        sanity="build/translation/sanity.csv",
        printed=resource("resources/printed/appendix-b.csv"),
    output:
        table=leaf("results/appendix-b.csv"),
        compare=leaf("results/appendix-b.compare.csv"),
    log:
        "logs/tables/appendix_b.log",
    benchmark:
        "build/benchmarks/tables/appendix_b.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        backend=lookup("translation/backend", within=config),
        scale=lookup("scale", within=config),
        code=code_of("tables.appendix_b"),
    message:
        "Appendix B"
    shell:
        "python -m workflow_scripts.tables.appendix_b {output.table} {output.compare}"
        " --sanity {input.sanity} --backend {params.backend} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"
