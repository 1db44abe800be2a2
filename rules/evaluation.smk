# evaluation: values, intervals and tests of all systems of a language (Section 5.3, Table 7).
from workflow_scripts.statistics.metrics import SCORERS
from workflow_scripts.wiring.rated_texts import TEXT_AGREEMENT

EVALUATION = config["evaluation"]
SCORES_OF = "build/evaluation/{lang}/scores.csv"


rule list_outputs:
    """A row for each file of outputs: of Table 7's systems (`scores`), or of single models and runs (`reruns`)."""
    output:
        manifest="build/evaluation/{lang}/{listed}.manifest.csv",
    wildcard_constraints:
        listed="scores|reruns",
    localrule: True
    resources:
        step="list files",
    params:
        rows=lambda wildcards: json.dumps(
            [systems.columns(wildcards.listed), *systems.evaluated(wildcards.listed, wildcards.lang)]
        ),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule evaluate:
    """The metrics of every system, bootstrap intervals, and paired tests against RULE-BASED."""
    input:
        informal="build/corpora/xformal/{lang}/informal.txt",
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=corpora.references),
        runs="build/evaluation/{lang}/scores.manifest.csv",
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
        formality="build/formality/{lang}/systems",
        fluency="build/fluency/{lang}/systems",
        made_by=lambda wildcards: systems.made_by(wildcards.lang),
        scorers=lambda wildcards: systems.scorers.scores(wildcards.lang),
        models=lambda wildcards: systems.scorers.models(wildcards.lang),
        regressor=REGRESSOR,
        lm=LM,
    output:
        scores=SCORES_OF,
    resources:
        mem_mb=growing(4000),
        step="evaluate",
        counts="resamples",
    params:
        gold=lambda wildcards: [
            name for name in systems.scored_in(wildcards.lang) if systems.named[name].kind == "gold"
        ],
        order=config["fluency"]["order"],
        made_by=lambda wildcards: words({"made_by": systems.made_by(wildcards.lang) or None}),
        scorers=lambda wildcards: systems.scorers.options(wildcards.lang),
        tests=options(EVALUATION, "baseline", "metrics", "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.evaluation.evaluate {output.scores:q} --language {wildcards.lang:q}"
        " --informal {input.informal:q} --references {input.references:q} --runs {input.runs:q}"
        " --gold {params.gold:q} --regressor {input.regressor:q} --lm {input.lm:q} --order {params.order:q}"
        " {params.tests:q} {params.made_by:q} {params.scorers:q} --seed {params.seed:q} 2> {log:q}"


rule agreement:
    """The rank correlation of each metric with the raters' judgments of outputs and of systems."""
    input:
        informal="build/corpora/xformal/{lang}/informal.txt",
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=corpora.references),
        runs="build/evaluation/{lang}/scores.manifest.csv",
        outputs=output_raters.rated_outputs,
        formality="build/formality/{lang}/systems",
        fluency="build/fluency/{lang}/systems",
        ratings="build/human/{lang}/outputs.csv",
        scorers=lambda wildcards: systems.scorers.scores(wildcards.lang),
        models=lambda wildcards: systems.scorers.models(wildcards.lang),
        regressor=REGRESSOR,
        lm=LM,
    output:
        table="build/evaluation/{lang}/agreement.csv",
    params:
        systems=lambda wildcards: output_raters.rated(wildcards.lang),
        order=config["fluency"]["order"],
        simulated=words({"simulated": output_raters.simulated}),
        scorers=lambda wildcards: systems.scorers.options(wildcards.lang),
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.evaluation.agreement {output.table:q} --language {wildcards.lang:q}"
        " --informal {input.informal:q} --references {input.references:q} --runs {input.runs:q}"
        " --ratings {input.ratings:q} --systems {params.systems:q} --regressor {input.regressor:q}"
        " --lm {input.lm:q} --order {params.order:q} {params.tests:q} --seed {params.seed:q}"
        " {params.simulated:q} {params.scorers:q} 2> {log:q}"


rule released_agreement:
    """The same of the metrics and ratings in the authors' meta-evaluation files."""
    input:
        files=lambda wildcards: output_raters.released[wildcards.lang],
    output:
        table="build/evaluation/{lang}/released.csv",
    wildcard_constraints:
        lang=one_of(output_raters.released),
    params:
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.evaluation.released_agreement {output.table:q} {input.files:q}"
        " --language {wildcards.lang:q} {params.tests:q} --seed {params.seed:q} 2> {log:q}"


rule text_agreement:
    """The rank correlation of metrics with ratings of texts that no system wrote."""
    input:
        rated_texts.files,
    output:
        table=TEXT_AGREEMENT,
    wildcard_constraints:
        corpus=one_of(rated_texts.scored),
    params:
        scored=rated_texts.options,
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.evaluation.text_agreement {output.table:q} {params.scored:q}"
        " {params.tests:q} --seed {params.seed:q} 2> {log:q}"


rule reruns:
    """Appendix M: three metrics of every single run."""
    input:
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=corpora.references),
        runs="build/evaluation/{lang}/reruns.manifest.csv",
        outputs=lambda wildcards: [row[2] for row in systems.evaluated("reruns", wildcards.lang)],
        scores=expand("build/{metric}/{{lang}}/systems", metric=SCORERS),
        seeds=lambda wildcards: expand(
            f"build/{{metric}}/{wildcards.lang}/seeds",
            metric=SCORERS if systems.seeds_in(wildcards.lang) else [],
        ),
    output:
        table="build/evaluation/{lang}/reruns.csv",
    shell:
        "python -m workflow_scripts.evaluation.reruns {output.table:q} --references {input.references:q}"
        " --runs {input.runs:q} 2> {log:q}"


rule changes:
    """The scores of another experiment and of this one, and paired tests of their differences."""
    input:
        own=expand(SCORES_OF, lang=LANGUAGES),
        other=lambda wildcards: systems.other_scores(SCORES_OF),
    output:
        table="results/changes.csv",
    params:
        other=lambda wildcards: str(EVALUATION["against"]),
        languages=LANGUAGES,
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.evaluation.changes {output.table:q} {params.other:q} ."
        " --languages {params.languages:q} {params.tests:q} --seed {params.seed:q} 2> {log:q}"
