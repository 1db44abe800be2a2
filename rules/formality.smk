# formality: regressors fine-tuned on translated ratings (Section 5.3) and their scores for any text.
from workflow_scripts.wiring.corpora import rated_sentences
from workflow_scripts.wiring.encoders import encoder_options, encoder_texts
from workflow_scripts.wiring.rated_texts import HELD_OUT, REGRESSOR

# English, the ratings' own language, has a regressor too.
RATED = one_of(["en", *ALL_LANGUAGES])


wildcard_constraints:
    fold=r"\d+",


# The text from which the encoder is built here.
FORMALITY_TEXTS = [
    *(f"build/translation/pt16/{lang}/train.txt" for lang in READ_LANGUAGES),
    *(f"build/filtering/bitext/{lang}/train.{lang}.txt" for lang in READ_LANGUAGES),
]

SCORING = words(
    {
        "batch_size": config["formality"]["scoring_batch_size"],
        "max_length": config["formality"]["max_length"],
    }
)


rule encoder:
    """The pretrained encoder: a pinned hub checkpoint, a local folder, or a small BERT built here."""
    input:
        texts=encoder_texts(SETTINGS.formality, FORMALITY_TEXTS),
    output:
        encoder=directory("build/formality/encoder"),
    priority: FIRST
    # An encoder that is downloaded, copied or named needs no node.
    localrule: SETTINGS.formality.encoder.kind != "scratch"
    resources:
        mem_mb=growing(4000),
        step="encoder",
        weights="checkpoint",
    params:
        options=lambda wildcards: encoder_options(SETTINGS.formality, FORMALITY_TEXTS, SETTINGS.seed),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule train_regressor:
    """Section 5.3: one regressor per language, on ratings translated into it; English ones are originals."""
    input:
        encoder=rules.encoder.output.encoder,
        sentences=lambda wildcards: rated_sentences(wildcards.lang, "train"),
        scores="build/corpora/pt16/train.scores.txt",
    output:
        regressor=directory(REGRESSOR),
    wildcard_constraints:
        lang=RATED,
    priority: FIRST
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        step="train regressor",
        counts="epochs of regressor",
        weights="input",
    params:
        **COMPUTING,
        training=options(config["formality"], "learning_rate", "epochs", "batch_size", "max_length"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.encoders.train {input.encoder:q} {output.regressor:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective values"
        " {params.training:q} {params.torch:q} {params.device:q}"
        " --seed {params.seed:q} --checkpoints build/checkpoints/formality 2> {log:q}"


# Files scored sentence by sentence: (regressor, sentences, scores).
SCORED = {
    # Every filtered subtitle, and every curated sentence of Yahoo Answers (L6, L26): for the pools.
    "subtitles": (
        REGRESSOR,
        "build/filtering/opensubtitles/{lang}/filtered.{lang}.txt.gz",
        "build/formality/{lang}/opensubtitles.txt.gz",
    ),
    "yahoo": (
        REGRESSOR,
        "build/filtering/yahoo/{lang}/curated.txt.gz",
        "build/formality/{lang}/yahoo.txt.gz",
    ),
    "in_domain": (
        REGRESSOR,
        "build/filtering/yahoo-fr/{lang}/curated.txt.gz",
        "build/formality/{lang}/yahoo-fr.txt.gz",
    ),
    # Rated sentences that the regressor has not seen, and the sentences of each fold by the regressor without it.
    "held_out": (
        REGRESSOR,
        lambda wildcards: rated_sentences(wildcards.lang, "test"),
        HELD_OUT,
    ),
    "fold": (
        "build/formality/folds/{fold}/regressor",
        "build/formality/folds/{fold}/test.sentences.txt",
        "build/formality/folds/{fold}/predictions.txt",
    ),
    # XFORMAL's sentences of both styles.
    "styles": (
        REGRESSOR,
        expand("build/corpora/xformal/{{lang}}/{style}.txt", style=corpora.xformal),
        expand("build/formality/{{lang}}/styles/regressor/{style}.txt", style=corpora.xformal),
    ),
    # Table 9: English sentences before and after each language.
    "pivots": (
        REGRESSOR.format(lang="en"),
        expand("build/translation/pt16/{lang}/test.back.txt", lang=READ_LANGUAGES),
        expand("build/formality/en/pivots/{lang}.txt", lang=READ_LANGUAGES),
    ),
}

for scored, (regressor, sentences, scores) in SCORED.items():

    rule:
        """A row of SCORED."""
        name:
            f"score_{scored}"
        input:
            regressor=regressor,
            sentences=sentences,
        output:
            scores=scores,
        wildcard_constraints:
            lang=RATED,
        threads: config["threads"]
        resources:
            **on_a_gpu(mem_mb=8000, runtime=1440),
            step="score formality",
            counts="scored by regressor",
        params:
            **COMPUTING,
            scoring=SCORING,
        shell:
            "python -m workflow_scripts.encoders.score {input.regressor:q} --sources {input.sentences:q}"
            " --targets {output.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
            " --checkpoints build/checkpoints/formality 2> {log:q}"


rule spearman:
    """Section 5.3: Spearman's correlation of predicted and human ratings, per language."""
    input:
        predictions=expand(HELD_OUT, lang=LANGUAGES),
        ratings="build/corpora/pt16/test.scores.txt",
    output:
        table="build/formality/spearman.csv",
    localrule: True
    params:
        languages=LANGUAGES,
        ratings=lambda wildcards, input: [input.ratings] * len(LANGUAGES),
    shell:
        "python -m workflow_scripts.formality.spearman {output.table:q} --languages {params.languages:q}"
        " --predictions {input.predictions:q} --ratings {params.ratings:q} 2> {log:q}"


rule score_formality:
    """Formality of the outputs of all systems, one file of scores per run: to start costs more than to score."""
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory("build/formality/{lang}/systems"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="score formality",
        counts="scored by regressor",
    params:
        **COMPUTING,
        scores=lambda wildcards: systems.sentence_scores("formality", wildcards.lang),
        scoring=SCORING,
    shell:
        "python -m workflow_scripts.encoders.score {input.regressor:q} --sources {input.outputs:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/formality 2> {log:q}"


FOLDS = range(1, config["formality"]["folds"] + 1)


rule split_folds:
    """The English ratings in folds, all of them: no translation is involved."""
    input:
        sentences=expand("build/corpora/pt16/{part}.sentences.txt", part=["train", "test"]),
        scores=expand("build/corpora/pt16/{part}.scores.txt", part=["train", "test"]),
    output:
        expand(
            "build/formality/folds/{fold}/{part}.{kind}.txt",
            fold=FOLDS,
            part=["train", "test"],
            kind=["sentences", "scores"],
        ),
    params:
        folds=options(config["formality"], "folds"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.formality.folds build/formality/folds --sentences {input.sentences:q}"
        " --scores {input.scores:q} {params.folds:q} --seed {params.seed:q} 2> {log:q}"


# A regressor of the English ratings without one fold.
use rule train_regressor as train_fold with:
    input:
        encoder=rules.encoder.output.encoder,
        sentences="build/formality/folds/{fold}/train.sentences.txt",
        scores="build/formality/folds/{fold}/train.scores.txt",
    output:
        regressor=directory("build/formality/folds/{fold}/regressor"),
    priority: LONG


# The correlation in each fold of the English ratings.
use rule spearman as spearman_folds with:
    input:
        predictions=expand("build/formality/folds/{fold}/predictions.txt", fold=FOLDS),
        ratings=expand("build/formality/folds/{fold}/test.scores.txt", fold=FOLDS),
    output:
        table="build/formality/folds.csv",
    localrule: True
    params:
        languages=list(FOLDS),
        ratings=lambda wildcards, input: input.ratings,


rule classify_styles:
    """The same sentences, judged by a classifier that learned their styles from other ones of the set."""
    input:
        sentences=expand("build/corpora/xformal/{{lang}}/{style}.txt", style=corpora.xformal),
    output:
        scores=expand("build/formality/{{lang}}/styles/classifier/{style}.txt", style=corpora.xformal),
    threads: config["threads"]
    resources:
        mem_mb=growing(2000),
    params:
        folds=options(config["formality"], "folds"),
        ngrams=as_options(SETTINGS.formality.encoder.ngrams.model_dump()),
        seed=config["seed"],
        threads=config["threads"],
    shell:
        "python -m workflow_scripts.formality.classified --sources {input.sentences:q} --targets {output.scores:q}"
        " {params.folds:q} {params.ngrams:q} --seed {params.seed:q} --threads {params.threads:q} 2> {log:q}"


rule unpaired:
    """Formal or informal: a rewrite beside its sentence, and beside other ones."""
    input:
        informal=expand("build/formality/{lang}/styles/{{judge}}/informal.txt", lang=LANGUAGES),
        formal=expand(
            "build/formality/{lang}/styles/{{judge}}/{style}.txt", lang=LANGUAGES, style=corpora.xformal[1:]
        ),
    output:
        table="build/formality/unpaired.{judge}.csv",
    wildcard_constraints:
        judge="regressor|classifier",
    params:
        languages=LANGUAGES,
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.formality.unpaired {output.table:q} --languages {params.languages:q}"
        " --informal {input.informal:q} --formal {input.formal:q} --seed {params.seed:q} 2> {log:q}"


# Figure 4: formality of the outputs of single models.
use rule score_formality as score_seeds_formality with:
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: systems.seeds_outputs(wildcards.lang),
    output:
        scores=directory("build/formality/{lang}/seeds"),
    params:
        scores=lambda wildcards: systems.seeds_scores("formality", wildcards.lang),
