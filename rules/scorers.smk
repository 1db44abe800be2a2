# scorers: pretrained models, and a language model that is asked, which score outputs for further metrics of
# evaluation.metrics.
from itertools import product

from workflow_scripts.wiring import scorers


wildcard_constraints:
    scorer=one_of(scorers.ALL),


rule scorer:
    """The checkpoint of a scorer, of the hub or of a folder."""
    input:
        systems.scorers.given,
    output:
        model=directory(scorers.CHECKPOINT),
    wildcard_constraints:
        scorer=one_of(scorers.CHECKPOINTS),
    localrule: True
    resources:
        weights="checkpoint",
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
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        weights="input",
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
    priority: LONG
    params:
        training=options(
            config["evaluation"]["scorers"]["zero_shot"],
            "learning_rate",
            "epochs",
            "batch_size",
            "max_length",
        ),


# Logits of the classifier, scores of the regressor.
use rule score_formality as score_further with:
    input:
        regressor=scorers.MODEL,
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory(scorers.SCORES),
    wildcard_constraints:
        scorer=one_of(scorers.PREPARED),
    params:
        scores=lambda wildcards: systems.sentence_scores(wildcards.scorer, wildcards.lang),
        scoring=lambda wildcards: systems.scorers.sizes(wildcards.scorer, "batch_size", "max_length"),


# PT16's held-out sentences, which the regressor has not seen.
use rule score_further as score_sentences_further with:
    input:
        regressor=scorers.MODEL,
        outputs=lambda wildcards: rated_sentences(wildcards.lang, "test"),
    output:
        scores=scorers.RATED_SCORES,
    wildcard_constraints:
        scorer=one_of(scorers.PREPARED),
        lang=RATED,
    params:
        scores=lambda wildcards, output: output.scores,


rule score_similarity:
    """The cosine of each output and of the sentence that it rewrites."""
    input:
        encoder=expand(scorers.CHECKPOINT, scorer="similarity"),
        informal="build/corpora/xformal/{lang}/informal.txt",
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory(expand(scorers.SCORES, scorer="similarity", allow_missing=True)),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="score similarity",
        counts="lines of scorer",
    params:
        **COMPUTING,
        scores=lambda wildcards: systems.sentence_scores("similarity", wildcards.lang),
        scoring=systems.scorers.sizes("similarity", "batch_size", "max_length"),
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
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        step="score pseudo-perplexity",
        counts="tokens of scorer",
    params:
        **COMPUTING,
        scores=lambda wildcards: systems.sentence_scores("pseudo_perplexity", wildcards.lang),
        scoring=systems.scorers.sizes("pseudo_perplexity", "batch_size", "max_length"),
    shell:
        "python -m workflow_scripts.encoders.pseudo_perplexity {input.model:q} --sources {input.outputs:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/scorers 2> {log:q}"


# What a judge rates: outputs of systems; PT16's held-out English sentences, each of which is its own source.
JUDGED_TEXTS = {
    "judge": {
        "informal": "build/corpora/xformal/{lang}/informal.txt",
        "texts": lambda wildcards: systems.outputs_in(wildcards.lang),
        "scores": directory(scorers.SCORES),
        "facts": scorers.FACTS,
        "targets": lambda wildcards, output: systems.sentence_scores(wildcards.scorer, wildcards.lang),
        "stages": scorers.JUDGED,
        "languages": ALL_LANGUAGES,
    },
    "judge_sentences": {
        "informal": rated_sentences("en", "test"),
        "texts": rated_sentences("en", "test"),
        "scores": scorers.RATED_SCORES,
        "facts": scorers.RATED_FACTS,
        "targets": lambda wildcards, output: output.scores,
        "stages": scorers.JUDGES_OF_FORMALITY,
        "languages": ["en"],
    },
}

for (judging, judged), asked in product(JUDGED_TEXTS.items(), MODEL_KINDS):

    rule:
        """A language model that is prompted to rate each text."""
        name:
            f"{judging}_{asked}"
        input:
            unpack(systems.scorers.judge_input),
            informal=judged["informal"],
            texts=judged["texts"],
        output:
            scores=judged["scores"],
            facts=judged["facts"],
        wildcard_constraints:
            scorer=systems.scorers.judged_by(asked, judged["stages"]),
            lang=one_of(judged["languages"]),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"judge ({asked})",
            counts="asked of judge",
        params:
            **ASKING,
            python=python_of,
            asked=systems.scorers.judge_options,
            targets=judged["targets"],
        shell:
            "{params.python:q} -m workflow_scripts.evaluation.judge {output.facts:q} --informal {input.informal:q}"
            " --sources {input.texts:q} --targets {params.targets:q} --template {input.template:q}"
            " {params.asked:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
