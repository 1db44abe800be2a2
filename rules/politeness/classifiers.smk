# politeness: strategies of politeness in requests, and classifiers of requests.
from workflow_scripts.wiring.politeness import JUDGED


rule tydip_strategies:
    """The strategies that each request contains, by every matching rule."""
    input:
        files=[corpora.folder("tydip")],
    output:
        table="build/politeness/strategies.csv",
    params:
        folder=lambda wildcards: corpora.folder("tydip"),
        languages=["en", *TYDIP],
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {params.folder:q}"
        " --languages {params.languages:q} 2> {log:q}"


wildcard_constraints:
    classifier=one_of(politeness.rows),


rule tydip_requests:
    """The outer quartiles of the requests, one a line, labels to train on and scores to test against."""
    input:
        corpus=corpora.awaited("tydip"),
    output:
        expand("build/politeness/requests/en.train.{kind}.txt", kind=["sentences", "labels"]),
        expand("build/politeness/requests/{lang}.test.{kind}.txt", lang=JUDGED, kind=["sentences", "scores"]),
    localrule: True
    resources:
        lines="tydip",
    params:
        folder=lambda wildcards, output: os.path.dirname(output[0]),
        languages=JUDGED,
    shell:
        "python -m workflow_scripts.politeness.requests {params.folder:q} --corpus {input.corpus:q}"
        " --languages {params.languages:q} 2> {log:q}"


rule politeness_encoder:
    """The encoder from which a classifier is trained."""
    input:
        texts=politeness.encoder_texts,
    output:
        encoder=directory("build/politeness/{classifier}/encoder"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        options=politeness.encoder_options,
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule train_classifier:
    """TyDiP's Section 3: a classifier of English requests."""
    input:
        unpack(politeness.sentence_tool),
        encoder="build/politeness/{classifier}/encoder",
        sentences="build/politeness/requests/en.train.sentences.txt",
        scores="build/politeness/requests/en.train.labels.txt",
    output:
        model=directory("build/politeness/{classifier}/seed{seed}/model"),
    wildcard_constraints:
        classifier=one_of(politeness.trained),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        step="train classifier",
        counts="epochs of classifier",
        weights="input",
    params:
        **COMPUTING,
        python=python_of,
        training=politeness.training_options,
    shell:
        "{params.python:q} -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.training:q} {params.torch:q} {params.device:q} --seed {wildcards.seed:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule released_classifier:
    """A classifier of requests as its authors have released it."""
    input:
        files=politeness.released_files,
    output:
        model=directory("build/politeness/{classifier}/seed{seed}/model"),
    wildcard_constraints:
        classifier=one_of(politeness.released),
    threads: config["threads"]
    resources:
        mem_mb=growing(12000),
        weights="input",
    params:
        source=politeness.released_source,
        threads=options(config, "threads"),
    shell:
        "python -m workflow_scripts.encoders.released {output.model:q} {params.source:q} --positive polite"
        " --negative impolite {params.threads:q} 2> {log:q}"


for asked in MODEL_KINDS:

    rule:
        """A language model that is prompted for the politeness of requests, in their language and in English."""
        name:
            f"asked_{asked}"
        input:
            unpack(politeness.asked_input),
            sentences=politeness.sentences,
            gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
        output:
            scores=directory("build/politeness/{classifier}/seed{seed}/scores"),
        wildcard_constraints:
            classifier=asked_of(politeness.asked, asked),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"asked ({asked})",
            counts="asked of classifiers",
        params:
            **ASKING,
            python=python_of,
            asked=politeness.asked_options,
        shell:
            "{params.python:q} -m workflow_scripts.politeness.prompted {output.scores:q}"
            " --template {input.template:q} {params.asked:q} {params.fetched:q} {params.settings:q}"
            " --cache {params.cache:q}/prompts.sqlite {params.torch:q} {params.device:q} --seed {params.seed:q}"
            " 2> {log:q}"


rule score_requests:
    """The logits of a classifier for the test requests, as they are and in English."""
    input:
        unpack(politeness.sentence_tool),
        model=rules.train_classifier.output.model,
        sentences=politeness.sentences,
    output:
        scores=directory("build/politeness/{classifier}/seed{seed}/scores"),
    wildcard_constraints:
        classifier=one_of([*politeness.trained, *politeness.released]),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="score classifier",
        counts="scored by classifier",
    params:
        **COMPUTING,
        python=python_of,
        scores=politeness.score_files,
        scoring=politeness.scoring_options,
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule own_scores:
    """Scores of a classifier of one's own, after checking that there is one of each test request."""
    input:
        files=politeness.own_scores,
        sentences=politeness.sentences,
    output:
        scores=directory("build/politeness/{classifier}/seed{seed}/scores"),
    wildcard_constraints:
        classifier=one_of(politeness.own),
    localrule: True
    resources:
        step="copy",
    params:
        options=politeness.own_scores_options,
    shell:
        "python -m workflow_scripts.politeness.own_scores {output.scores:q} --files {input.files:q}"
        " --sentences {input.sentences:q} {params.options:q} 2> {log:q}"


rule measure_classifier:
    """Accuracy, at a threshold and at the median, and area under the ROC curve."""
    input:
        scores=lambda wildcards: politeness.score_folders(wildcards.classifier),
        gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
        signed=lambda wildcards: politeness.signed(wildcards.classifier) or [],
    output:
        table="build/politeness/{classifier}/measures.csv",
    localrule: True
    params:
        options=politeness.measured_options,
    shell:
        "python -m workflow_scripts.politeness.measures {output.table:q} {params.options:q} 2> {log:q}"
