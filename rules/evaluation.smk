# evaluation: values, intervals and tests of all systems of a language (Section 5.3, Table 7).
EVALUATION = config["evaluation"]
SCORES_OF = "build/evaluation/{lang}/scores.csv"


rule evaluate:
    """The four metrics of every system, bootstrap intervals, and paired tests against RULE-BASED."""
    input:
        informal="build/corpora/xformal/{lang}/informal.txt",
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=REFERENCES),
        outputs=lambda wildcards: outputs_in(wildcards.lang),
        formality="build/formality/{lang}/systems",
        fluency="build/fluency/{lang}/systems",
        regressor=REGRESSOR,
        lm=LM,
    output:
        scores="build/evaluation/{lang}/scores.csv",
    log:
        "logs/evaluation/evaluate.{lang}.log",
    benchmark:
        "build/benchmarks/evaluation/evaluate.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=4000,
    params:
        systems=lambda wildcards: " ".join(scored_systems(wildcards.lang)),
        runs=lambda wildcards: " ".join(
            str(len(runs(wildcards.lang, name))) for name in scored_systems(wildcards.lang)
        ),
        gold=lambda wildcards: " ".join(
            name for name in scored_systems(wildcards.lang) if SYSTEMS[name]["kind"] == "gold"
        ),
        formality=lambda wildcards: scored_in("formality", wildcards.lang),
        fluency=lambda wildcards: scored_in("fluency", wildcards.lang),
        order=lookup("fluency/order", within=config),
        tests=options(EVALUATION, "baseline", "resamples", "confidence"),
        seed=lookup("seed", within=config),
        code=code_of("evaluation.evaluate"),
    shell:
        "python -m workflow_scripts.evaluation.evaluate {output.scores} --language {wildcards.lang}"
        " --informal {input.informal} --references {input.references} --systems {params.systems}"
        " --runs {params.runs} --outputs {input.outputs} --formality {params.formality}"
        " --fluency {params.fluency} --gold {params.gold} --regressor {input.regressor} --lm {input.lm}"
        " --order {params.order} {params.tests} --seed {params.seed} 2> {log}"


rule reruns:
    """Appendix M: three metrics of every single run."""
    input:
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=REFERENCES),
        outputs=lambda wildcards: [path for found in (RUNS, SEEDS) for *_, path in found[wildcards.lang]],
        scores=expand("build/{metric}/{{lang}}/systems", metric=["formality", "fluency"]),
        seeds=lambda wildcards: expand(
            f"build/{{metric}}/{wildcards.lang}/seeds",
            metric=["formality", "fluency"] if SEEDS[wildcards.lang] else [],
        ),
    output:
        table="build/evaluation/{lang}/reruns.csv",
    log:
        "logs/evaluation/reruns.{lang}.log",
    benchmark:
        "build/benchmarks/evaluation/reruns.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        systems=lambda wildcards: [system for found in (RUNS, SEEDS) for system, *_ in found[wildcards.lang]],
        runs=lambda wildcards: [run for found in (RUNS, SEEDS) for _, run, _ in found[wildcards.lang]],
        formality=lambda wildcards: [
            f"build/{folder}/{system}/{run}.txt"
            for folder, found in (
                (f"formality/{wildcards.lang}/systems", RUNS),
                (f"formality/{wildcards.lang}/seeds", SEEDS),
            )
            for system, run, _ in found[wildcards.lang]
        ],
        fluency=lambda wildcards: [
            f"build/{folder}/{system}/{run}.txt"
            for folder, found in (
                (f"fluency/{wildcards.lang}/systems", RUNS),
                (f"fluency/{wildcards.lang}/seeds", SEEDS),
            )
            for system, run, _ in found[wildcards.lang]
        ],
        code=code_of("evaluation.reruns"),
    shell:
        "python -m workflow_scripts.evaluation.reruns {output.table} --references {input.references}"
        " --systems {params.systems} --runs {params.runs} --outputs {input.outputs}"
        " --formality {params.formality} --fluency {params.fluency} 2> {log}"


def scores_of_other(wildcards):
    """The scores of the experiment that this one is compared with, in the languages that both have."""
    folder = EVALUATION["against"]
    if folder is None:
        stop("results/changes.csv compares with another experiment: set evaluation.against to its folder")
    found = [path for path in expand(f"{folder}/{SCORES_OF}", lang=LANGUAGES) if os.path.exists(path)]
    if not found:
        stop(f"evaluation.against: no scores of {', '.join(LANGUAGES)} in {folder}/build; make Table 7 there")
    return found


rule changes:
    """The scores of another experiment and of this one, and paired tests of their differences."""
    input:
        own=expand(SCORES_OF, lang=LANGUAGES),
        other=scores_of_other,
    output:
        table="results/changes.csv",
    log:
        "logs/evaluation/changes.log",
    benchmark:
        "build/benchmarks/evaluation/changes.tsv"
    conda:
        "../envs/main.yaml"
    params:
        other=lambda wildcards: str(EVALUATION["against"]),
        languages=" ".join(LANGUAGES),
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=lookup("seed", within=config),
        code=code_of("evaluation.changes"),
    shell:
        "python -m workflow_scripts.evaluation.changes {output.table} {params.other:q} ."
        " --languages {params.languages} {params.tests} --seed {params.seed} 2> {log}"
