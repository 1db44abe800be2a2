# politeness: are formal sentences polite, and polite sentences formal?
from workflow_scripts.wiring.politeness import JUDGED

if not formality_texts.paired:

    rule formality_sides:
        """Rated English sentences as formal and informal ones, where English has no test set of pairs."""
        input:
            sentences="build/corpora/pt16/{part}.sentences.txt",
            scores="build/corpora/pt16/{part}.scores.txt",
        output:
            informal="build/politeness/sides/{part}.informal.txt",
            formal="build/politeness/sides/{part}.formal.txt",
        wildcard_constraints:
            part="train|test",
        localrule: True
        shell:
            "python -m workflow_scripts.politeness.sides {output.informal:q} {output.formal:q}"
            " --sentences {input.sentences:q} --scores {input.scores:q} 2> {log:q}"


rule score_politeness_of_styles:
    """The politeness of formal and informal sentences (Tables 4, 6 and 7)."""
    input:
        unpack(politeness.sentence_tool),
        model=rules.train_classifier.output.model,
        sentences=list(formality_texts.texts.values()),
    output:
        scores=directory("build/politeness/{classifier}/seed{seed}/styles"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="score classifier",
        counts="scored by classifier",
    params:
        **COMPUTING,
        python=python_of,
        scores=lambda wildcards: [
            f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/styles/{name}.txt"
            for name in formality_texts.texts
        ],
        scoring=politeness.scoring_options,
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule compare_styles:
    """Are formal sentences also polite (Tables 4, 7 and 12)?"""
    input:
        scores="build/politeness/{classifier}/seed{seed}/styles",
    output:
        table="build/politeness/{classifier}/seed{seed}/styles.csv",
    localrule: True
    params:
        options=lambda wildcards: words(
            {
                option: [
                    f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/styles/{name}.txt"
                    for name in formality_texts.texts
                    if re.match(pattern, name)
                ]
                for option, pattern in (
                    ("dev", "dev"),
                    ("informal", r"(?!dev).*\.informal"),
                    ("formal", r"(?!dev).*\.formal"),
                )
            }
            | {
                "languages": formality_texts.languages,
                "unpaired": None if formality_texts.paired else ["en"],
            }
        ),
    shell:
        "python -m workflow_scripts.politeness.styles {output.table:q} {params.options:q} 2> {log:q}"


rule formality_labels:
    """The training data of a classifier of formality (Table 5)."""
    input:
        informal=formality_texts.training.format(style="informal"),
        formal=formality_texts.training.format(style="formal"),
    output:
        sentences="build/politeness/formality.sentences.txt",
        labels="build/politeness/formality.labels.txt",
    localrule: True
    resources:
        lines="labelled",
    params:
        size=as_options({"size": config["politeness"]["formality_sentences"]}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.labelled {output.sentences:q} {output.labels:q}"
        " --informal {input.informal:q} --formal {input.formal:q} {params.size:q} --seed {params.seed:q} 2> {log:q}"


rule train_formality_classifier:
    """A classifier of formality, trained like the classifiers of politeness (Table 5)."""
    input:
        unpack(politeness.sentence_tool),
        encoder="build/politeness/{classifier}/encoder",
        sentences=rules.formality_labels.output.sentences,
        scores=rules.formality_labels.output.labels,
    output:
        model=directory("build/politeness/{classifier}/formality/model"),
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
        seed=config["politeness"]["seeds"][0],
    shell:
        "{params.python:q} -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.training:q} {params.torch:q} {params.device:q} --seed {params.seed:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule score_formal_requests:
    """The formality of requests: of the test sets, and of English ones for calibration (Table 5)."""
    input:
        unpack(politeness.sentence_tool),
        model=rules.train_formality_classifier.output.model,
        sentences=[
            "build/politeness/requests/en.train.sentences.txt",
            *expand("build/politeness/requests/{lang}.test.sentences.txt", lang=JUDGED),
        ],
    output:
        scores=directory("build/politeness/{classifier}/formality/scores"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="score classifier",
        counts="scored by classifier",
    params:
        **COMPUTING,
        python=python_of,
        scores=lambda wildcards: [
            f"build/politeness/{wildcards.classifier}/formality/scores/{name}.txt"
            for name in ("train", *JUDGED)
        ],
        scoring=politeness.scoring_options,
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule calibrate_formality:
    """Are formal requests polite (Table 5)?"""
    input:
        scores="build/politeness/{classifier}/formality/scores",
        gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
    output:
        table="build/politeness/{classifier}/formality/calibrated.csv",
    localrule: True
    params:
        languages=JUDGED,
        options=lambda wildcards: words(
            {
                "scores": [
                    f"build/politeness/{wildcards.classifier}/formality/scores/{lang}.txt" for lang in JUDGED
                ],
                "held_out": f"build/politeness/{wildcards.classifier}/formality/scores/train.txt",
            }
        ),
    shell:
        "python -m workflow_scripts.politeness.calibrated {output.table:q} --gold {input.gold:q}"
        " --languages {params.languages:q} {params.options:q} 2> {log:q}"
