# formality: regressors fine-tuned on translated ratings (Section 5.3) and their scores for any text.


REGRESSOR = "build/formality/{lang}/regressor"
SCORING = (
    f"--batch-size {config['formality']['scoring_batch_size']} {options(config['formality'], 'max_length')}"
)


rule encoder:
    """The pretrained encoder: a pinned hub checkpoint, a local folder, or a small BERT built here."""
    input:
        texts=encoder_texts(),
    output:
        encoder=directory("build/formality/encoder"),
    log:
        "logs/formality/encoder.log",
    benchmark:
        "build/benchmarks/formality/encoder.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        options=encoder_options,
        code=code_of("formality.encoder"),
    message:
        "Providing the encoder of the formality regressors"
    shell:
        "python -m workflow_scripts.formality.encoder {output.encoder} {params.options} 2> {log}"


rule train_regressor:
    """Section 5.3: one regressor per language, on ratings whose sentences are translated into it."""
    input:
        encoder=rules.encoder.output.encoder,
        sentences="build/translation/pt16/{lang}/train.txt",
        scores="build/corpora/pt16/train.scores.txt",
    output:
        regressor=directory(REGRESSOR),
    log:
        "logs/formality/train_regressor.{lang}.log",
    benchmark:
        "build/benchmarks/formality/train_regressor.{lang}.tsv"
    # Long jobs first, so that none of them is left alone at the end.
    priority: 10
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=240,
        gpu=GPU,
    params:
        training=options(config["formality"], "learning_rate", "epochs", "batch_size", "max_length"),
        torch=TORCH,
        seed=lookup("seed", within=config),
        code=code_of("formality.train"),
    message:
        "Training the formality regressor ({wildcards.lang})"
    shell:
        "python -m workflow_scripts.formality.train {input.encoder} {output.regressor}"
        " --sentences {input.sentences} --scores {input.scores} {params.training} {params.torch}"
        " --seed {params.seed} --checkpoints build/checkpoints/formality 2> {log}"


rule score_subtitles:
    """Formality of every filtered subtitle, for the pools."""
    input:
        regressor=REGRESSOR,
        sentences="build/filtering/opensubtitles/{lang}/filtered.{lang}.txt.gz",
    output:
        scores="build/formality/{lang}/opensubtitles.txt.gz",
    log:
        "logs/formality/score_subtitles.{lang}.log",
    benchmark:
        "build/benchmarks/formality/score_subtitles.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=1440,
        gpu=GPU,
    params:
        scoring=SCORING,
        torch=TORCH,
        code=code_of("formality.score"),
    message:
        "Scoring the formality of OpenSubtitles ({wildcards.lang})"
    shell:
        "python -m workflow_scripts.formality.score {input.regressor} --sources {input.sentences}"
        " --targets {output.scores} {params.scoring} {params.torch}"
        " --checkpoints build/checkpoints/formality 2> {log}"


use rule score_subtitles as score_yahoo with:
    input:
        regressor=REGRESSOR,
        sentences="build/filtering/yahoo/{lang}/curated.txt.gz",
    output:
        scores="build/formality/{lang}/yahoo.txt.gz",
    log:
        "logs/formality/score_yahoo.{lang}.log",
    benchmark:
        "build/benchmarks/formality/score_yahoo.{lang}.tsv"
    message:
        "Scoring the formality of Yahoo Answers ({wildcards.lang})"


use rule score_subtitles as score_in_domain with:
    input:
        regressor=REGRESSOR,
        sentences="build/filtering/yahoo-fr/{lang}/curated.txt.gz",
    output:
        scores="build/formality/{lang}/yahoo-fr.txt.gz",
    log:
        "logs/formality/score_in_domain.{lang}.log",
    benchmark:
        "build/benchmarks/formality/score_in_domain.{lang}.tsv"
    message:
        "Scoring the formality of L26 ({wildcards.lang})"


use rule score_subtitles as score_held_out with:
    input:
        regressor=REGRESSOR,
        sentences="build/translation/pt16/{lang}/test.txt",
    output:
        scores="build/formality/{lang}/held_out.txt",
    log:
        "logs/formality/score_held_out.{lang}.log",
    benchmark:
        "build/benchmarks/formality/score_held_out.{lang}.tsv"
    message:
        "Scoring held-out ratings ({wildcards.lang})"


rule spearman:
    """Section 5.3: Spearman's correlation of predicted and human ratings, per language."""
    input:
        predictions=expand("build/formality/{lang}/held_out.txt", lang=LANGUAGES),
        ratings="build/corpora/pt16/test.scores.txt",
    output:
        table="build/formality/spearman.csv",
    log:
        "logs/formality/spearman.log",
    benchmark:
        "build/benchmarks/formality/spearman.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=500,
        runtime=10,
    params:
        languages=" ".join(LANGUAGES),
        ratings=lambda wildcards, input: [input.ratings] * len(LANGUAGES),
        code=code_of("formality.spearman"),
    message:
        "Correlating predicted and human formality"
    shell:
        "python -m workflow_scripts.formality.spearman {output.table} --languages {params.languages}"
        " --predictions {input.predictions} --ratings {params.ratings} 2> {log}"


rule score_formality:
    """Formality of the outputs of all systems, one file of scores per run: to start costs more than to score."""
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: outputs_in(wildcards.lang),
    output:
        scores=directory("build/formality/{lang}/systems"),
    log:
        "logs/formality/score.{lang}.log",
    benchmark:
        "build/benchmarks/formality/score.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=60,
        gpu=GPU,
    params:
        scores=lambda wildcards: scored_in("formality", wildcards.lang),
        scoring=SCORING,
        torch=TORCH,
        code=code_of("formality.score"),
    message:
        "Scoring the formality of all systems ({wildcards.lang})"
    shell:
        "python -m workflow_scripts.formality.score {input.regressor} --sources {input.outputs}"
        " --targets {params.scores} {params.scoring} {params.torch}"
        " --checkpoints build/checkpoints/formality 2> {log}"
