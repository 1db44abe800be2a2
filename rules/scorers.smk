# scorers: pretrained models, and a language model that is asked, that score the outputs of systems, for further metrics of evaluation.metrics.
from workflow_scripts.wiring import scorers
from workflow_scripts.wiring.language_models import MODEL_KINDS
from workflow_scripts.wiring.places import python_of


wildcard_constraints:
    scorer=one_of(scorers.ALL),


rule scorer:
    """The checkpoint of a scorer, of the hub or of a folder."""
    input:
        systems.scorers.given,
    output:
        model=directory(scorers.CHECKPOINT),
    log:
        "logs/scorers/scorer.{scorer}.log",
    wildcard_constraints:
        scorer=one_of(scorers.CHECKPOINTS),
    localrule: True
    resources:
        step="fetch scorer",
    params:
        source=lambda wildcards: systems.scorers.source(wildcards.scorer),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.model:q} {params.source:q} 2> {log:q}"


rule formality_classifier:
    """A released classifier of formality, its second output the formal one."""
    input:
        checkpoint=expand(scorers.CHECKPOINT, scorer="formal"),
    output:
        model=directory(expand(scorers.MODEL, scorer="formal")),
    log:
        "logs/scorers/formality_classifier.log",
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
    params:
        source=as_options(
            {"folder": scorers.CHECKPOINT.format(scorer="formal"), "name": systems.scorers.name("formal")}
        ),
        place=["first", "second"].index(config["evaluation"]["scorers"]["formal"]["formal"]),
        threads=config["threads"],
    shell:
        "python -m workflow_scripts.encoders.released {output.model:q} {params.source:q}"
        " --positive formal --negative informal --place {params.place:q} --threads {params.threads:q} 2> {log:q}"


# One regressor for all languages, of the ratings in their own.
use rule train_regressor as train_zero_shot with:
    input:
        encoder=expand(scorers.CHECKPOINT, scorer="zero_shot"),
        sentences=rated_sentences("en", "train"),
        scores="build/corpora/pt16/train.scores.txt",
    output:
        regressor=directory(expand(scorers.MODEL, scorer="zero_shot")),
    log:
        "logs/scorers/train_zero_shot.log",
    params:
        training=options(
            config["evaluation"]["scorers"]["zero_shot"],
            "learning_rate",
            "epochs",
            "batch_size",
            "max_length",
        ),
        torch=TORCH,
        device=DEVICE,
        seed=lookup("seed", within=config),


# Logits of the classifier, scores of the regressor.
use rule score_formality as score_further with:
    input:
        regressor=scorers.MODEL,
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory(scorers.SCORES),
    log:
        "logs/scorers/score_further.{scorer}.{lang}.log",
    wildcard_constraints:
        scorer=one_of(scorers.PREPARED),
    params:
        scores=lambda wildcards: systems.sentence_scores(wildcards.scorer, wildcards.lang),
        scoring=lambda wildcards: systems.scorers.sizes(wildcards.scorer, "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,


# The same of rated sentences that no model has learnt from.
use rule score_further as score_held_out_further with:
    input:
        regressor=scorers.MODEL,
        outputs=lambda wildcards: rated_sentences(wildcards.lang, "test"),
    output:
        scores=scorers.HELD_OUT,
    log:
        "logs/scorers/score_held_out_further.{scorer}.{lang}.log",
    wildcard_constraints:
        scorer=one_of(scorers.PREPARED),
        lang=RATED,
    params:
        scores=lambda wildcards: systems.scorers.held_out(wildcards.scorer, wildcards.lang)[0],
        scoring=lambda wildcards: systems.scorers.sizes(wildcards.scorer, "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,


rule score_similarity:
    """The cosine of each output and of the sentence that it rewrites."""
    input:
        encoder=expand(scorers.CHECKPOINT, scorer="similarity"),
        informal="build/corpora/xformal/{lang}/informal.txt",
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory(expand(scorers.SCORES, scorer="similarity", allow_missing=True)),
    log:
        "logs/scorers/score_similarity.{lang}.log",
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        gpu=GPU,
        step="score similarity",
    params:
        scores=lambda wildcards: systems.sentence_scores("similarity", wildcards.lang),
        scoring=systems.scorers.sizes("similarity", "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,
    shell:
        "python -m workflow_scripts.encoders.similarity {input.encoder:q} --informal {input.informal:q}"
        " --sources {input.outputs:q} --targets {params.scores:q} {params.scoring:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"


rule score_pseudo_perplexity:
    """Each token of each output, predicted from all others."""
    input:
        model=expand(scorers.CHECKPOINT, scorer="pseudo_perplexity"),
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory(expand(scorers.SCORES, scorer="pseudo_perplexity", allow_missing=True)),
    log:
        "logs/scorers/score_pseudo_perplexity.{lang}.log",
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
        step="score pseudo-perplexity",
    params:
        scores=lambda wildcards: systems.sentence_scores("pseudo_perplexity", wildcards.lang),
        scoring=systems.scorers.sizes("pseudo_perplexity", "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,
    shell:
        "python -m workflow_scripts.encoders.pseudo_perplexity {input.model:q} --sources {input.outputs:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/scorers 2> {log:q}"


# What a judge rates: the outputs of all systems, or rated English sentences, which nobody has rewritten.
JUDGED_TEXTS = {
    "": {
        "informal": "build/corpora/xformal/{lang}/informal.txt",
        "outputs": lambda wildcards: systems.outputs_in(wildcards.lang),
        "targets": lambda wildcards: systems.sentence_scores(wildcards.scorer, wildcards.lang),
        "scores": directory(scorers.SCORES),
        "facts": scorers.FACTS,
        "languages": one_of(ALL_LANGUAGES),
    },
    "held_out_": {
        "informal": lambda wildcards: rated_sentences(wildcards.lang, "test"),
        "outputs": lambda wildcards: rated_sentences(wildcards.lang, "test"),
        "targets": lambda wildcards: systems.scorers.held_out(wildcards.scorer, wildcards.lang)[0],
        "scores": scorers.HELD_OUT,
        "facts": scorers.HELD_OUT_FACTS,
        "languages": "en",
    },
}

for asked in MODEL_KINDS:
    for part, judged in JUDGED_TEXTS.items():

        rule:
            """A language model that is prompted to rate each text of a row of JUDGED_TEXTS."""
            name:
                f"judge_{part}{asked}"
            input:
                unpack(systems.scorers.judge_input),
                informal=judged["informal"],
                outputs=judged["outputs"],
            output:
                scores=judged["scores"],
                facts=judged["facts"],
            log:
                f"logs/scorers/judge_{part}{asked}.{{scorer}}.{{lang}}.log",
            wildcard_constraints:
                scorer=systems.scorers.judged_by(asked),
                lang=judged["languages"],
            priority: LONG
            localrule: asked == "endpoint"
            threads: config["threads"]
            resources:
                **asking_resources(asked),
                step=f"judge ({asked})",
            params:
                **ASKING,
                python=python_of,
                asked=systems.scorers.judge_options,
                scores=judged["targets"],
            shell:
                "{params.python:q} -m workflow_scripts.evaluation.judge {output.facts:q}"
                " --informal {input.informal:q} --sources {input.outputs:q} --targets {params.scores:q}"
                " --template {input.template:q} {params.asked:q} {params.fetched:q} {params.settings:q}"
                " --cache {params.cache:q}/prompts.sqlite {params.torch:q} {params.device:q}"
                " --seed {params.seed:q} 2> {log:q}"
