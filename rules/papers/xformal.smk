# The leaves of XFORMAL (Briakou et al., 2021), each beside the printed one.
SCORES = expand("build/evaluation/{lang}/scores.csv", lang=LANGUAGES)

LABELS = shlex.join(system["label"] for system in SYSTEMS.values())

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

# Languages of which Yahoo Answers are read; the demo world's stand in no table of another scale.
YAHOO = LANGUAGES if config["corpora"]["yahoo"] != "demo" or config["scale"] == "demo" else []

# The informal sentences, the first rewrite, and what systems make of them: (language, label, file).
COMPARED = [
    row
    for lang in LANGUAGES
    for row in [
        (lang, "INFORMAL", f"build/corpora/xformal/{lang}/informal.txt"),
        (lang, "XFORMAL REWRITE", f"build/corpora/xformal/{lang}/formal.ref0.txt"),
        *(
            (lang, SYSTEMS[system]["label"], path)
            for system in systems_in(lang)
            if SYSTEMS[system]["kind"] not in ("gold", "copy")
            for path in runs(lang, system)
        ),
    ]
]

FIRST_RUNS = list({row[:2]: row for row in reversed(COMPARED)}.values())[::-1]

PLOTTED = [name for name, system in SYSTEMS.items() if system["kind"] != "gold"]


rule table2:
    """Table 2: sentences of Yahoo Answers after each curation step, beside the printed ones."""
    input:
        answers=expand("build/corpora/yahoo/{lang}/counts.tsv", lang=YAHOO),
        curated=expand("build/filtering/yahoo/{lang}/curated.counts.tsv", lang=YAHOO),
        candidates=expand("build/filtering/yahoo/{lang}/candidates.counts.tsv", lang=YAHOO),
        printed=resource("resources/printed/xformal/table2.csv"),
    output:
        table=leaf("results/table2.csv"),
        compare=leaf("results/table2.compare.csv"),
    log:
        "logs/xformal/table2.log",
    benchmark:
        "build/benchmarks/xformal/table2.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        counted=" ".join(YAHOO),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table2"),
    shell:
        "python -m workflow_scripts.papers.xformal.table2 {output.table} {output.compare}"
        " --languages {params.languages} --counted {params.counted} --answers {input.answers}"
        " --curated {input.curated} --candidates {input.candidates} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"


rule table3:
    """Table 3: workers after each step of quality control."""
    input:
        screened=expand("build/human/{lang}/workers.csv", lang=HUMAN_SCREENED),
        printed=resource("resources/printed/xformal/table3.csv"),
    output:
        table=leaf("results/table3.csv"),
        compare=leaf("results/table3.compare.csv"),
    log:
        "logs/xformal/table3.log",
    benchmark:
        "build/benchmarks/xformal/table3.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        screened=lambda wildcards, input: (
            f"--screened {input.screened} --screened-languages {' '.join(HUMAN_SCREENED)}"
            if HUMAN_SCREENED
            else ""
        ),
        simulated=HUMAN_MARK,
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table3"),
    shell:
        "python -m workflow_scripts.papers.xformal.table3 {output.table} {output.compare}"
        " --languages {params.languages} {params.screened} --printed {input.printed}"
        " --scale {params.scale} {params.simulated} 2> {log}"


rule table4:
    """Table 4: types of edits, found automatically and by native speakers."""
    input:
        pairs=expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN),
        judged=expand("build/rewrites/{lang}/judged.csv", lang=SHEETS),
        printed=resource("resources/printed/xformal/table4.csv"),
    output:
        table=leaf("results/table4.csv"),
        compare=leaf("results/table4.compare.csv"),
    log:
        "logs/xformal/table4.log",
    benchmark:
        "build/benchmarks/xformal/table4.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=REWRITTEN_LANGUAGES,
        paraphrase=lookup("analysis/paraphrase", within=config),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table4"),
    shell:
        "python -m workflow_scripts.papers.xformal.table4 {output.table} {output.compare}"
        " --languages {params.languages} --pairs {input.pairs} --paraphrase {params.paraphrase}"
        " --judged {input.judged} --printed {input.printed} --scale {params.scale} 2> {log}"


rule table5:
    """Table 5: lexical difference from the informal sentences, and self-BLEU within rewrites."""
    input:
        pairs=expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN),
        self_bleu=expand("build/rewrites/{lang}/self_bleu.csv", lang=REWRITTEN),
        printed=resource("resources/printed/xformal/table5.csv"),
    output:
        table=leaf("results/table5.csv"),
        compare=leaf("results/table5.compare.csv"),
    log:
        "logs/xformal/table5.log",
    benchmark:
        "build/benchmarks/xformal/table5.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=REWRITTEN_LANGUAGES,
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table5"),
    shell:
        "python -m workflow_scripts.papers.xformal.table5 {output.table} {output.compare}"
        " --languages {params.languages} --pairs {input.pairs} --self-bleu {input.self_bleu}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule table6:
    """Table 6: training sizes, counted in the files that were used, beside the printed ones."""
    input:
        files=sorted({path for *_, path in TRAINED_ON}),
        printed=resource("resources/printed/xformal/table6.csv"),
    output:
        table=leaf("results/table6.csv"),
        compare=leaf("results/table6.compare.csv"),
    log:
        "logs/xformal/table6.log",
    benchmark:
        "build/benchmarks/xformal/table6.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        labels=shlex.join(label for label, *_ in TRAINED_ON),
        corpora=" ".join(corpus for _, corpus, *_ in TRAINED_ON),
        languages=" ".join(lang for _, _, lang, _ in TRAINED_ON),
        files=" ".join(path for *_, path in TRAINED_ON),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table6"),
    shell:
        "python -m workflow_scripts.papers.xformal.table6 {output.table} {output.compare} --labels {params.labels}"
        " --corpora {params.corpora} --languages {params.languages} --files {params.files}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule table7:
    """Table 7: automatic and human evaluation of formality style transfer, in the paper's layout."""
    input:
        scores=SCORES,
        human=lambda wildcards: HUMAN_SCORES,
    output:
        table=leaf("results/table7.csv"),
    log:
        "logs/xformal/table7.log",
    benchmark:
        "build/benchmarks/xformal/table7.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        systems=" ".join(SYSTEMS),
        labels=LABELS,
        languages=" ".join(LANGUAGES),
        human=lambda wildcards: HUMAN_OPTIONS,
        code=code_of("papers.xformal.table7"),
    shell:
        "python -m workflow_scripts.papers.xformal.table7 {output.table} --scores {input.scores}"
        " --systems {params.systems} --labels {params.labels} --languages {params.languages}"
        " {params.human} 2> {log}"


rule table7_compare:
    """Table 7, cell by cell against the printed one."""
    input:
        scores=SCORES,
        human=lambda wildcards: HUMAN_SCORES,
        printed=resource("resources/printed/xformal/table7.csv"),
    output:
        compare=leaf("results/table7.compare.csv"),
    log:
        "logs/xformal/table7_compare.log",
    benchmark:
        "build/benchmarks/xformal/table7_compare.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        systems=" ".join(SYSTEMS),
        labels=LABELS,
        scale=lookup("scale", within=config),
        human=lambda wildcards: HUMAN_OPTIONS,
        code=code_of("papers.xformal.table7_compare"),
    shell:
        "python -m workflow_scripts.papers.xformal.table7_compare {output.compare} --scores {input.scores}"
        " --printed {input.printed} --systems {params.systems} --labels {params.labels}"
        " --scale {params.scale} {params.human} 2> {log}"


rule table8:
    """Table 8: what every system makes of a few sentences, changed words marked."""
    input:
        texts=[path for *_, path in FIRST_RUNS],
    output:
        table=leaf("results/table8.csv"),
    log:
        "logs/xformal/table8.log",
    benchmark:
        "build/benchmarks/xformal/table8.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(lang for lang, *_ in FIRST_RUNS),
        labels=shlex.join(label for _, label, _ in FIRST_RUNS),
        size=lookup("analysis/examples", within=config),
        seed=lookup("seed", within=config),
        code=code_of("papers.xformal.table8"),
    shell:
        "python -m workflow_scripts.papers.xformal.table8 {output.table} --languages {params.languages}"
        " --labels {params.labels} --texts {input.texts} --size {params.size} --seed {params.seed} 2> {log}"


rule table9:
    """Table 9: formality before and after translation into another language and back."""
    input:
        ratings="build/corpora/pt16/test.scores.txt",
        original="build/formality/en/held_out.txt",
        translated=expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
        printed=resource("resources/printed/xformal/table9.csv"),
    output:
        table=leaf("results/table9.csv"),
        compare=leaf("results/table9.compare.csv"),
    log:
        "logs/xformal/table9.log",
    benchmark:
        "build/benchmarks/xformal/table9.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table9"),
    shell:
        "python -m workflow_scripts.papers.xformal.table9 {output.table} {output.compare}"
        " --languages {params.languages} --ratings {input.ratings} --original {input.original}"
        " --translated {input.translated} --printed {input.printed} --scale {params.scale} 2> {log}"


rule table10:
    """Table 10: agreement of raters."""
    input:
        ratings=expand("build/human/{lang}/ratings.csv", lang=HUMAN_LANGUAGES),
        printed=resource("resources/printed/xformal/table10.csv"),
    output:
        table=leaf("results/table10.csv"),
        compare=leaf("results/table10.compare.csv"),
    log:
        "logs/xformal/table10.log",
    benchmark:
        "build/benchmarks/xformal/table10.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        ratings=lambda wildcards, input: f"--ratings {input.ratings}" if input.ratings else "",
        simulations=lookup("human/simulations", within=config),
        simulated=HUMAN_MARK,
        scale=lookup("scale", within=config),
        seed=lookup("seed", within=config),
        code=code_of("papers.xformal.table10"),
    shell:
        "python -m workflow_scripts.papers.xformal.table10 {output.table} {output.compare}"
        " --languages {params.languages} {params.ratings} --printed {input.printed}"
        " --simulations {params.simulations} --seed {params.seed} --scale {params.scale}"
        " {params.simulated} 2> {log}"


rule table11:
    """Table 11: questions per language in Yahoo Answers L6, beside the printed ones."""
    input:
        # Whichever language is read, all questions are counted.
        counts=expand("build/corpora/yahoo/{lang}/counts.tsv", lang=YAHOO[:1]),
        printed=resource("resources/printed/xformal/table11.csv"),
    output:
        table=leaf("results/table11.csv"),
        compare=leaf("results/table11.compare.csv"),
    log:
        "logs/xformal/table11.log",
    benchmark:
        "build/benchmarks/xformal/table11.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        counts=lambda wildcards, input: f"--counts {input.counts}" if input.counts else "",
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table11"),
    shell:
        "python -m workflow_scripts.papers.xformal.table11 {output.table} {output.compare} {params.counts}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule table12:
    """Table 12: OpenSubtitles before and after filtering, beside the printed numbers."""
    input:
        filtered=expand("build/filtering/opensubtitles/{lang}/counts.tsv", lang=LANGUAGES),
        pools=expand("build/filtering/opensubtitles/{lang}/pools.tsv", lang=LANGUAGES),
        printed=resource("resources/printed/xformal/table12.csv"),
    output:
        table=leaf("results/table12.csv"),
        compare=leaf("results/table12.compare.csv"),
    log:
        "logs/xformal/table12.log",
    benchmark:
        "build/benchmarks/xformal/table12.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table12"),
    shell:
        "python -m workflow_scripts.papers.xformal.table12 {output.table} {output.compare}"
        " --languages {params.languages} --filtered {input.filtered} --pools {input.pools}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule table13:
    """Table 13: the qualification test; its sentences are our own."""
    input:
        questions=[resource(f"resources/qualification/{lang}.csv") for lang in HUMAN_TESTED],
        printed=resource("resources/printed/xformal/table13.csv"),
    output:
        table=leaf("results/table13.csv"),
        compare=leaf("results/table13.compare.csv"),
    log:
        "logs/xformal/table13.log",
    benchmark:
        "build/benchmarks/xformal/table13.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(HUMAN_TESTED),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.table13"),
    shell:
        "python -m workflow_scripts.papers.xformal.table13 {output.table} {output.compare}"
        " --languages {params.languages} --questions {input.questions} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"


rule appendix_b:
    """Appendix B: BLEU of the translation backend, beside that of Amazon Translate."""
    input:
        sanity="build/translation/sanity.csv",
        printed=resource("resources/printed/xformal/appendix-b.csv"),
    output:
        table=leaf("results/appendix-b.csv"),
        compare=leaf("results/appendix-b.compare.csv"),
    log:
        "logs/xformal/appendix_b.log",
    benchmark:
        "build/benchmarks/xformal/appendix_b.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        backend=lookup("translation/backend", within=config),
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.appendix_b"),
    shell:
        "python -m workflow_scripts.papers.xformal.appendix_b {output.table} {output.compare}"
        " --sanity {input.sanity} --backend {params.backend} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"


rule appendix_j:
    """Appendix J: how good native speakers find the rewrites."""
    input:
        judged=expand("build/rewrites/{lang}/judged.csv", lang=SHEETS),
        printed=resource("resources/printed/xformal/appendix-j.csv"),
    output:
        table=leaf("results/appendix-j.csv"),
        compare=leaf("results/appendix-j.compare.csv"),
    log:
        "logs/xformal/appendix_j.log",
    benchmark:
        "build/benchmarks/xformal/appendix_j.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=REWRITTEN_LANGUAGES,
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.appendix_j"),
    shell:
        "python -m workflow_scripts.papers.xformal.appendix_j {output.table} {output.compare}"
        " --languages {params.languages} --judged {input.judged} --printed {input.printed}"
        " --scale {params.scale} 2> {log}"


rule formality_ratings:
    """What the regressors reach: on English ratings in folds, on translated ones, on sentences of each style."""
    input:
        folds="build/formality/folds.csv",
        held_out="build/formality/spearman.csv",
        regressor="build/formality/unpaired.regressor.csv",
        classifier="build/formality/unpaired.classifier.csv",
        printed=resource("resources/printed/xformal/formality-ratings.csv"),
    output:
        table=leaf("results/formality-ratings.csv"),
        compare=leaf("results/formality-ratings.compare.csv"),
    log:
        "logs/xformal/ratings.log",
    benchmark:
        "build/benchmarks/xformal/ratings.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        encoder=ENCODER["kind"],
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.formality_ratings"),
    shell:
        "python -m workflow_scripts.papers.xformal.formality_ratings {output.table} {output.compare}"
        " --folds {input.folds} --held-out {input.held_out}"
        " --regressor {input.regressor} --classifier {input.classifier}"
        " --encoder {params.encoder} --printed {input.printed} --scale {params.scale} 2> {log}"


rule figure1:
    """Figure 1: character edit distance between informal sentences and rewrites."""
    input:
        pairs=expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN),
        printed=resource("resources/printed/xformal/figure1.csv"),
    output:
        figure=leaf("results/figure1.svg"),
        table=leaf("results/figure1.csv"),
        compare=leaf("results/figure1.compare.csv"),
    log:
        "logs/xformal/figure1.log",
    benchmark:
        "build/benchmarks/xformal/figure1.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=REWRITTEN_LANGUAGES,
        labels=REWRITTEN_LABELS,
        width=10,
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.figure1"),
    shell:
        "python -m workflow_scripts.papers.xformal.figure1 {output.figure} {output.table} {output.compare}"
        " --pairs {input.pairs} --languages {params.languages} --labels {params.labels}"
        " --width {params.width} --printed {input.printed} --scale {params.scale} 2> {log}"


rule figure2:
    """Figure 2: formality of informal sentences and of rewrites."""
    input:
        scores=expand("build/formality/{lang}/rewrites", lang=REWRITTEN),
        printed=resource("resources/printed/xformal/figure2.csv"),
    output:
        figure=leaf("results/figure2.svg"),
        table=leaf("results/figure2.csv"),
        compare=leaf("results/figure2.compare.csv"),
    log:
        "logs/xformal/figure2.log",
    benchmark:
        "build/benchmarks/xformal/figure2.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=REWRITTEN_LANGUAGES,
        labels=REWRITTEN_LABELS,
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.figure2"),
    shell:
        "python -m workflow_scripts.papers.xformal.figure2 {output.figure} {output.table} {output.compare}"
        " --scores {input.scores} --languages {params.languages} --labels {params.labels}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"


rule figure3:
    """Figure 3: the lexical difference between pairs of systems."""
    input:
        texts=[path for *_, path in COMPARED],
    output:
        figure=leaf("results/figure3.svg"),
        table=leaf("results/figure3.csv"),
    log:
        "logs/xformal/figure3.log",
    benchmark:
        "build/benchmarks/xformal/figure3.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(lang for lang, *_ in COMPARED),
        labels=shlex.join(label for _, label, _ in COMPARED),
        code=code_of("papers.xformal.figure3"),
    shell:
        "python -m workflow_scripts.papers.xformal.figure3 {output.figure} {output.table}"
        " --languages {params.languages} --labels {params.labels} --texts {input.texts} 2> {log}"


rule figure4:
    """Figure 4: BLEU against formality and perplexity over reruns."""
    input:
        reruns=expand("build/evaluation/{lang}/reruns.csv", lang=LANGUAGES),
        printed=resource("resources/printed/xformal/figure4.csv"),
    output:
        figure=leaf("results/figure4.svg"),
        table=leaf("results/figure4.csv"),
        compare=leaf("results/figure4.compare.csv"),
    log:
        "logs/xformal/figure4.log",
    benchmark:
        "build/benchmarks/xformal/figure4.tsv"
    conda:
        "../../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        systems=" ".join(PLOTTED),
        labels=shlex.join(SYSTEMS[name]["label"] for name in PLOTTED),
        lines=" ".join(name for name in PLOTTED if SYSTEMS[name]["kind"] in ("copy", "rules")),
        baseline=EVALUATION["baseline"],
        scale=lookup("scale", within=config),
        code=code_of("papers.xformal.figure4"),
    shell:
        "python -m workflow_scripts.papers.xformal.figure4 {output.figure} {output.table} {output.compare}"
        " --languages {params.languages} --reruns {input.reruns} --systems {params.systems}"
        " --labels {params.labels} --lines {params.lines} --baseline {params.baseline}"
        " --printed {input.printed} --scale {params.scale} 2> {log}"
