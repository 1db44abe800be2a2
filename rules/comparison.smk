# comparison: outputs side by side (Table 8, Figures 3 and 4), and what translation does to formality (Table 9).
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
# Systems whose outputs are those of an ensemble: in Figure 4 each of their models decodes alone.
ENSEMBLES = [name for name, system in SYSTEMS.items() if system["kind"] in (*SUPERVISED, "other_input")]
SEEDS = {
    lang: [
        (system, f"seed{seed}")
        for system in systems_in(lang)
        if system in ENSEMBLES
        for seed in seeds_of(SYSTEMS[system].get("of", system))
    ]
    for lang in LANGUAGES
}
# Its other points: (system, run) of all that are scored for Table 7 and are not mixed of several models.
RUNS = {
    lang: [
        (system, os.path.basename(path).removesuffix(".txt"))
        for system in systems_in(lang)
        if system not in ENSEMBLES and SYSTEMS[system]["kind"] != "gold"
        for path in runs(lang, system)
    ]
    for lang in LANGUAGES
}
PLOTTED = [name for name, system in SYSTEMS.items() if system["kind"] != "gold"]


rule table8:
    """Table 8: what every system makes of a few sentences, changed words marked."""
    input:
        texts=[path for *_, path in FIRST_RUNS],
    output:
        table=leaf("results/table8.csv"),
    log:
        "logs/comparison/table8.log",
    benchmark:
        "build/benchmarks/comparison/table8.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        languages=" ".join(lang for lang, *_ in FIRST_RUNS),
        labels=shlex.join(label for _, label, _ in FIRST_RUNS),
        size=lookup("analysis/examples", within=config),
        seed=lookup("seed", within=config),
        code=code_of("comparison.examples"),
    message:
        "Table 8"
    shell:
        "python -m workflow_scripts.comparison.examples {output.table} --languages {params.languages}"
        " --labels {params.labels} --texts {input.texts} --size {params.size} --seed {params.seed} 2> {log}"


rule figure3:
    """Figure 3: the lexical difference between pairs of systems."""
    input:
        texts=[path for *_, path in COMPARED],
    output:
        figure=leaf("results/figure3.svg"),
        table=leaf("results/figure3.csv"),
    log:
        "logs/comparison/figure3.log",
    benchmark:
        "build/benchmarks/comparison/figure3.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        languages=" ".join(lang for lang, *_ in COMPARED),
        labels=shlex.join(label for _, label, _ in COMPARED),
        code=code_of("comparison.figure3"),
    message:
        "Figure 3"
    shell:
        "python -m workflow_scripts.comparison.figure3 {output.figure} {output.table}"
        " --languages {params.languages} --labels {params.labels} --texts {input.texts} 2> {log}"


use rule decode_supervised as decode_seed with:
    input:
        text=lambda wildcards: text_of(wildcards.lang, decoder(wildcards)),
        models=lambda wildcards: f"build/transfer/{{lang}}/{decoder(wildcards)}/seed{{seed}}.safetensors",
        source=lambda wildcards: runs(wildcards.lang, SYSTEMS[wildcards.system]["input"]),
    output:
        target="build/comparison/{lang}/{system}/seed{seed}.txt",
    log:
        "logs/comparison/decode.{lang}.{system}.{seed}.log",
    benchmark:
        "build/benchmarks/comparison/decode.{lang}.{system}.{seed}.tsv"
    message:
        "Decoding {wildcards.system} ({wildcards.lang}, seed {wildcards.seed} alone)"


use rule score_formality as score_seeds_formality with:
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: [
            f"build/comparison/{wildcards.lang}/{system}/{run}.txt" for system, run in SEEDS[wildcards.lang]
        ],
    output:
        scores=directory("build/comparison/formality/{lang}"),
    log:
        "logs/comparison/formality.{lang}.log",
    benchmark:
        "build/benchmarks/comparison/formality.{lang}.tsv"
    params:
        scores=lambda wildcards: [
            f"build/comparison/formality/{wildcards.lang}/{system}/{run}.txt"
            for system, run in SEEDS[wildcards.lang]
        ],
        scoring=SCORING,
        torch=TORCH,
        code=code_of("formality.score"),
    message:
        "Scoring the formality of single seeds ({wildcards.lang})"


use rule score_fluency as score_seeds_fluency with:
    input:
        model=LM,
        truecaser=TRUECASER,
        outputs=lambda wildcards: [
            f"build/comparison/{wildcards.lang}/{system}/{run}.txt" for system, run in SEEDS[wildcards.lang]
        ],
    output:
        scores=directory("build/comparison/fluency/{lang}"),
    log:
        "logs/comparison/fluency.{lang}.log",
    benchmark:
        "build/benchmarks/comparison/fluency.{lang}.tsv"
    params:
        scores=lambda wildcards: [
            f"build/comparison/fluency/{wildcards.lang}/{system}/{run}.txt"
            for system, run in SEEDS[wildcards.lang]
        ],
        code=code_of("fluency.score"),
    message:
        "Scoring the fluency of single seeds ({wildcards.lang})"


rule reruns:
    """Appendix M: three metrics of every single run."""
    input:
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=REFERENCES),
        outputs=lambda wildcards: [
            f"build/{folder}/{wildcards.lang}/{system}/{run}.txt"
            for folder, found in (("transfer", RUNS), ("comparison", SEEDS))
            for system, run in found[wildcards.lang]
        ],
        scores=expand("build/{metric}/{{lang}}/systems", metric=["formality", "fluency"]),
        seeds=lambda wildcards: expand(
            f"build/comparison/{{metric}}/{wildcards.lang}",
            metric=["formality", "fluency"] if SEEDS[wildcards.lang] else [],
        ),
    output:
        table="build/comparison/{lang}/reruns.csv",
    log:
        "logs/comparison/reruns.{lang}.log",
    benchmark:
        "build/benchmarks/comparison/reruns.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        systems=lambda wildcards: [system for found in (RUNS, SEEDS) for system, _ in found[wildcards.lang]],
        runs=lambda wildcards: [run for found in (RUNS, SEEDS) for _, run in found[wildcards.lang]],
        formality=lambda wildcards: [
            f"build/{folder}/{system}/{run}.txt"
            for folder, found in (
                (f"formality/{wildcards.lang}/systems", RUNS),
                (f"comparison/formality/{wildcards.lang}", SEEDS),
            )
            for system, run in found[wildcards.lang]
        ],
        fluency=lambda wildcards: [
            f"build/{folder}/{system}/{run}.txt"
            for folder, found in (
                (f"fluency/{wildcards.lang}/systems", RUNS),
                (f"comparison/fluency/{wildcards.lang}", SEEDS),
            )
            for system, run in found[wildcards.lang]
        ],
        code=code_of("comparison.reruns"),
    message:
        "Metrics of every run ({wildcards.lang})"
    shell:
        "python -m workflow_scripts.comparison.reruns {output.table} --references {input.references}"
        " --systems {params.systems} --runs {params.runs} --outputs {input.outputs}"
        " --formality {params.formality} --fluency {params.fluency} 2> {log}"


rule figure4:
    """Figure 4: BLEU against formality and perplexity over reruns."""
    input:
        reruns=expand("build/comparison/{lang}/reruns.csv", lang=LANGUAGES),
    output:
        figure=leaf("results/figure4.svg"),
        table=leaf("results/figure4.csv"),
    log:
        "logs/comparison/figure4.log",
    benchmark:
        "build/benchmarks/comparison/figure4.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        languages=" ".join(LANGUAGES),
        systems=" ".join(PLOTTED),
        labels=shlex.join(SYSTEMS[name]["label"] for name in PLOTTED),
        lines=" ".join(name for name in PLOTTED if SYSTEMS[name]["kind"] in ("copy", "rules")),
        code=code_of("comparison.figure4"),
    message:
        "Figure 4"
    shell:
        "python -m workflow_scripts.comparison.figure4 {output.figure} {output.table}"
        " --languages {params.languages} --reruns {input.reruns} --systems {params.systems}"
        " --labels {params.labels} --lines {params.lines} 2> {log}"


use rule translate_to_pivot as translate_ratings_back with:
    input:
        unpack(backend_input),
        sentences="build/translation/pt16/{lang}/test.txt",
    output:
        "build/translation/pt16/{lang}/test.back.txt",
    log:
        "logs/comparison/ratings_back.{lang}.log",
    benchmark:
        "build/benchmarks/comparison/ratings_back.{lang}.tsv"
    message:
        "Translating formality ratings back ({wildcards.lang}-en)"


use rule score_formality as score_pivots with:
    input:
        regressor=REGRESSOR.format(lang="en"),
        outputs=expand("build/translation/pt16/{lang}/test.back.txt", lang=LANGUAGES),
    output:
        scores=expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
    log:
        "logs/comparison/score_pivots.log",
    benchmark:
        "build/benchmarks/comparison/score_pivots.tsv"
    params:
        scores=expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
        scoring=SCORING,
        torch=TORCH,
        code=code_of("formality.score"),
    message:
        "Scoring the formality of round trips"


rule table9:
    """Table 9: formality before and after translation into another language and back."""
    input:
        ratings="build/corpora/pt16/test.scores.txt",
        original="build/formality/en/held_out.txt",
        translated=expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
        printed=resource("resources/printed/table9.csv"),
    output:
        table=leaf("results/table9.csv"),
        compare=leaf("results/table9.compare.csv"),
    log:
        "logs/comparison/table9.log",
    benchmark:
        "build/benchmarks/comparison/table9.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        languages=" ".join(LANGUAGES),
        scale=lookup("scale", within=config),
        code=code_of("formality.pivots"),
    message:
        "Table 9"
    shell:
        "python -m workflow_scripts.formality.pivots {output.table} {output.compare}"
        " --languages {params.languages} --ratings {input.ratings} --original {input.original}"
        " --translated {input.translated} --printed {input.printed} --scale {params.scale} 2> {log}"
