# politeness: strategies of politeness in requests, and classifiers of requests.
rule tydip_strategies:
    """Which strategies stand in which requests, by every matching rule."""
    input:
        files=source_files("tydip"),
    output:
        table="build/politeness/strategies.csv",
    log:
        "logs/politeness/strategies.log",
    benchmark:
        "build/benchmarks/politeness/strategies.tsv"
    conda:
        "../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("tydip"),
        languages=["en", *TYDIP],
        code=code_of("politeness.strategies"),
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {params.folder:q}"
        " --languages {params.languages:q} 2> {log:q}"


wildcard_constraints:
    classifier="|".join(map(re.escape, [*CLASSIFIERS, *ASKED])) or "(?!)",


localrules:
    tydip_requests,
    measure_classifier,


rule tydip_requests:
    """The outer quartiles of the requests, one a line, and their scores."""
    input:
        corpus=official_input("tydip"),
    output:
        expand(
            "build/politeness/requests/{name}.{kind}.txt",
            name=["en.train", *(f"{lang}.test" for lang in JUDGED)],
            kind=["sentences", "scores"],
        ),
    log:
        "logs/politeness/requests.log",
    benchmark:
        "build/benchmarks/politeness/requests.tsv"
    conda:
        "../envs/main.yaml"
    params:
        languages=JUDGED,
        code=code_of("politeness.requests"),
    shell:
        "python -m workflow_scripts.politeness.requests build/politeness/requests --corpus {input.corpus:q}"
        " --languages {params.languages:q} 2> {log:q}"


rule politeness_encoder:
    """What a classifier is trained from."""
    input:
        texts=lambda wildcards: encoder_texts(
            classifier(wildcards.classifier)["encoder"], ["build/politeness/requests/en.train.sentences.txt"]
        ),
    output:
        encoder=directory("build/politeness/{classifier}/encoder"),
    log:
        "logs/politeness/encoder.{classifier}.log",
    benchmark:
        "build/benchmarks/politeness/encoder.{classifier}.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        options=lambda wildcards: encoder_options(
            classifier(wildcards.classifier)["encoder"],
            classifier(wildcards.classifier)["max_length"],
            ["build/politeness/requests/en.train.sentences.txt"],
        ),
        code=code_of("encoders.encoder"),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule train_classifier:
    """TyDiP's Section 3: a classifier of English requests."""
    input:
        unpack(sentence_tool),
        encoder="build/politeness/{classifier}/encoder",
        sentences="build/politeness/requests/en.train.sentences.txt",
        scores="build/politeness/requests/en.train.scores.txt",
    output:
        model=directory("build/politeness/{classifier}/seed{seed}/model"),
    log:
        "logs/politeness/train.{classifier}.{seed}.log",
    benchmark:
        "build/benchmarks/politeness/train.{classifier}.{seed}.tsv"
    priority: LONG
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        python=interpreter,
        training=training_options,
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.train"),
    shell:
        "{params.python:q} -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.training:q} {params.torch:q} {params.device:q} --seed {wildcards.seed:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


for asked in ("endpoint", "gguf", "transformers"):

    # What asks a service runs where the network is.
    rule:
        """A language model that is asked whether requests are polite, as they are and in English."""
        name:
            f"asked_{asked}"
        input:
            unpack(asked_input),
            sentences=lambda wildcards: [path for *_, path in judged(wildcards.classifier)],
            gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
        output:
            scores=directory("build/politeness/{classifier}/seed{seed}/scores"),
        log:
            f"logs/politeness/asked_{asked}.{{classifier}}.{{seed}}.log",
        benchmark:
            f"build/benchmarks/politeness/asked_{asked}.{{classifier}}.{{seed}}.tsv"
        wildcard_constraints:
            classifier="|".join(re.escape(name) for name in ASKED if ASKED[name]["model"]["kind"] == asked)
            or "(?!)",
        priority: LONG
        localrule: asked == "endpoint"
        conda:
            "../envs/main.yaml"
        threads: config["threads"]
        resources:
            mem_mb=growing(16000),
            runtime=growing(DAY, DAY),
            gpu=GPU if asked == "transformers" else 0,
        params:
            python=prompted_python,
            asked=asked_options,
            fetched=prompted_checkpoint,
            settings=untracked(words({"settings": config["prompting"]})),
            cache=CACHE,
            torch=TORCH,
            device=DEVICE,
            seed=lookup("seed", within=config),
            code=code_of("politeness.prompted"),
        shell:
            "{params.python:q} -m workflow_scripts.politeness.prompted {output.scores:q}"
            " --template {input.template:q} {params.asked:q} {params.fetched:q} {params.settings:q}"
            " --cache {params.cache:q}/prompts.sqlite {params.torch:q} {params.device:q} --seed {params.seed:q}"
            " 2> {log:q}"


rule score_requests:
    """The logits of a classifier for the test requests, as they are and in English."""
    input:
        unpack(sentence_tool),
        model=rules.train_classifier.output.model,
        sentences=lambda wildcards: [path for *_, path in judged(wildcards.classifier)],
    output:
        scores=directory("build/politeness/{classifier}/seed{seed}/scores"),
    log:
        "logs/politeness/score.{classifier}.{seed}.log",
    benchmark:
        "build/benchmarks/politeness/score.{classifier}.{seed}.tsv"
    wildcard_constraints:
        classifier="|".join(map(re.escape, CLASSIFIERS)) or "(?!)",
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        gpu=GPU,
    params:
        python=interpreter,
        scores=lambda wildcards: [
            f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/scores/{given}.{lang}.txt"
            for given, lang, _ in judged(wildcards.classifier)
        ],
        scoring=scoring_options,
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.score"),
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule measure_classifier:
    """Accuracy, at 0 and at the median, and area under the ROC curve."""
    input:
        scores=lambda wildcards: list(dict.fromkeys(row[0] for row in measured(wildcards.classifier))),
        gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
    output:
        table="build/politeness/{classifier}/measures.csv",
    log:
        "logs/politeness/measures.{classifier}.log",
    benchmark:
        "build/benchmarks/politeness/measures.{classifier}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        options=lambda wildcards: words(
            {
                "scores": [
                    f"{path}/{given}.{lang}.txt" for path, _, given, lang in measured(wildcards.classifier)
                ],
                "gold": [
                    gold_of(wildcards.classifier, path, lang)
                    for path, *_, lang in measured(wildcards.classifier)
                ],
                "seeds": [seed for _, seed, *_ in measured(wildcards.classifier)],
                "inputs": [given for *_, given, _ in measured(wildcards.classifier)],
                "languages": [lang for *_, lang in measured(wildcards.classifier)],
            }
        ),
        code=code_of("politeness.measures"),
    shell:
        "python -m workflow_scripts.politeness.measures {output.table:q} {params.options:q} 2> {log:q}"


localrules:
    request_hits,
    simulate_raters,
    raters_agreement,
    raters_original,
    raters_accuracy,


rule request_hits:
    """The sheet of each language: requests that raters judge together."""
    input:
        corpus=official_input("tydip"),
    output:
        sheets=REQUEST_SHEETS,
    log:
        "logs/politeness/hits.log",
    benchmark:
        "build/benchmarks/politeness/hits.tsv"
    conda:
        "../envs/main.yaml"
    params:
        languages=TYDIP,
        sizes=options(RATERS, "english", "target"),
        seed=lookup("seed", within=config),
        code=code_of("politeness.hits"),
    shell:
        "python -m workflow_scripts.politeness.hits results/politeness --corpus {input.corpus:q}"
        " --languages {params.languages:q} {params.sizes:q} --page 5 --seed {params.seed:q} 2> {log:q}"


rule simulate_raters:
    """Simulated raters of the demo's requests: they start from the scores that the demo world has."""
    input:
        sheets=REQUEST_SHEETS,
        corpus=official_input("tydip"),
    output:
        ratings=expand("build/politeness/simulated/{lang}.csv", lang=TYDIP),
    log:
        "logs/politeness/simulate.log",
    benchmark:
        "build/benchmarks/politeness/simulate.tsv"
    conda:
        "../envs/main.yaml"
    params:
        raters=as_options({"raters": 8, "judgments": 3, "stretch": 1.8, "bias": 0.5, "noise": 1.0}),
        seed=lookup("seed", within=config),
        code=code_of("politeness.simulate"),
    shell:
        "python -m workflow_scripts.politeness.simulate build/politeness/simulated --sheets {input.sheets:q}"
        " --corpus {input.corpus:q} {params.raters:q} --seed {params.seed:q} 2> {log:q}"


if REQUESTS_RATED:

    rule request_ratings:
        """The files of the raters, checked against the sheet; simulated ones go the same way."""
        input:
            sheets=[f"results/politeness/{lang}.csv" for lang in REQUESTS_RATED],
            files=[path for lang in REQUESTS_RATED for path in rating_files(lang)],
        output:
            ratings=RATINGS_CHECKED,
        log:
            "logs/politeness/ratings.log",
        benchmark:
            "build/benchmarks/politeness/ratings.tsv"
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=as_options({"folder": RATERS_FOLDER}),
            code=code_of("politeness.ratings"),
        shell:
            "python -m workflow_scripts.politeness.ratings build/politeness/raters --sheets {input.sheets:q}"
            " {params.folder:q} 2> {log:q}"


rule raters_agreement:
    """How far raters agree within a HIT (Tables 2; Figures 2, 6, 7), and those of the original English requests."""
    input:
        ratings=RATINGS_CHECKED,
        stanford=official_input("stanford"),
    output:
        table="build/politeness/raters/agreement.csv",
    log:
        "logs/politeness/agreement.log",
    benchmark:
        "build/benchmarks/politeness/agreement.tsv"
    conda:
        "../envs/main.yaml"
    params:
        raters=RATERS_OPTIONS,
        seed=lookup("seed", within=config),
        code=code_of("politeness.agreement"),
    shell:
        "python -m workflow_scripts.politeness.agreement {output.table:q} --stanford {input.stanford:q}"
        " {params.raters:q} --seed {params.seed:q} 2> {log:q}"


rule raters_original:
    """How far raters agree with those who rated the English requests first (Table 9)."""
    input:
        ratings=RATINGS_CHECKED,
        stanford=official_input("stanford"),
        corpus=official_input("tydip"),
    output:
        table="build/politeness/raters/original.csv",
    log:
        "logs/politeness/original.log",
    benchmark:
        "build/benchmarks/politeness/original.tsv"
    conda:
        "../envs/main.yaml"
    params:
        raters=RATERS_OPTIONS,
        code=code_of("politeness.original"),
    shell:
        "python -m workflow_scripts.politeness.original {output.table:q} --corpus {input.corpus:q}"
        " --stanford {input.stanford:q} {params.raters:q} 2> {log:q}"


rule raters_accuracy:
    """How often a rater has the label of the others (Figure 3)."""
    input:
        ratings=RATINGS_CHECKED,
        stanford=official_input("stanford"),
        corpus=official_input("tydip"),
    output:
        table="build/politeness/raters/accuracy.csv",
    log:
        "logs/politeness/accuracy.log",
    benchmark:
        "build/benchmarks/politeness/accuracy.tsv"
    conda:
        "../envs/main.yaml"
    params:
        raters=RATERS_OPTIONS,
        simulations=RATERS["simulations"],
        seed=lookup("seed", within=config),
        code=code_of("politeness.raters_accuracy"),
    shell:
        "python -m workflow_scripts.politeness.raters_accuracy {output.table:q} --corpus {input.corpus:q}"
        " --stanford {input.stanford:q} {params.raters:q} --simulations {params.simulations:q}"
        " --seed {params.seed:q} 2> {log:q}"


localrules:
    formality_labels,
    compare_styles,
    calibrate_formality,


if not STYLES_PAIRED:

    rule formality_sides:
        """Rated English sentences as formal and informal ones, where English has no test set of pairs."""
        input:
            sentences="build/corpora/pt16/{part}.sentences.txt",
            scores="build/corpora/pt16/{part}.scores.txt",
        output:
            informal="build/politeness/sides/{part}.informal.txt",
            formal="build/politeness/sides/{part}.formal.txt",
        log:
            "logs/politeness/sides.{part}.log",
        benchmark:
            "build/benchmarks/politeness/sides.{part}.tsv"
        wildcard_constraints:
            part="train|test",
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            code=code_of("politeness.sides"),
        shell:
            "python -m workflow_scripts.politeness.sides {output.informal:q} {output.formal:q}"
            " --sentences {input.sentences:q} --scores {input.scores:q} 2> {log:q}"


rule score_politeness_of_styles:
    """How polite formal and informal sentences are (Tables 4, 6 and 7)."""
    input:
        unpack(sentence_tool),
        model=rules.train_classifier.output.model,
        sentences=list(STYLE_TEXTS.values()),
    output:
        scores=directory("build/politeness/{classifier}/seed{seed}/styles"),
    log:
        "logs/politeness/styles.{classifier}.{seed}.log",
    benchmark:
        "build/benchmarks/politeness/styles.{classifier}.{seed}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        gpu=GPU,
    params:
        python=interpreter,
        scores=lambda wildcards: [
            f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/styles/{name}.txt"
            for name in STYLE_TEXTS
        ],
        scoring=scoring_options,
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.score"),
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule compare_styles:
    """Is what is formal also polite (Tables 4, 7 and 12)?"""
    input:
        scores="build/politeness/{classifier}/seed{seed}/styles",
    output:
        table="build/politeness/{classifier}/seed{seed}/styles.csv",
    log:
        "logs/politeness/compare.{classifier}.{seed}.log",
    benchmark:
        "build/benchmarks/politeness/compare.{classifier}.{seed}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        options=lambda wildcards: words(
            {
                option: [
                    f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/styles/{name}.txt"
                    for name in STYLE_TEXTS
                    if re.match(pattern, name)
                ]
                for option, pattern in (
                    ("dev", "dev"),
                    ("informal", r"(?!dev).*\.informal"),
                    ("formal", r"(?!dev).*\.formal"),
                )
            }
            | {"languages": STYLED, "unpaired": None if STYLES_PAIRED else ["en"]}
        ),
        code=code_of("politeness.styles"),
    shell:
        "python -m workflow_scripts.politeness.styles {output.table:q} {params.options:q} 2> {log:q}"


rule formality_labels:
    """What a classifier of formality is trained on (Table 5)."""
    input:
        informal=FORMALITY_TRAINING.format(style="informal"),
        formal=FORMALITY_TRAINING.format(style="formal"),
    output:
        sentences="build/politeness/formality.sentences.txt",
        scores="build/politeness/formality.scores.txt",
    log:
        "logs/politeness/formality_labels.log",
    benchmark:
        "build/benchmarks/politeness/formality_labels.tsv"
    conda:
        "../envs/main.yaml"
    params:
        size=as_options({"size": POLITENESS["formality_sentences"]}),
        seed=lookup("seed", within=config),
        code=code_of("politeness.labelled"),
    shell:
        "python -m workflow_scripts.politeness.labelled {output.sentences:q} {output.scores:q}"
        " --informal {input.informal:q} --formal {input.formal:q} {params.size:q} --seed {params.seed:q} 2> {log:q}"


rule train_formality_classifier:
    """A classifier of formality, trained as those of politeness are (Table 5)."""
    input:
        unpack(sentence_tool),
        encoder="build/politeness/{classifier}/encoder",
        sentences=rules.formality_labels.output.sentences,
        scores=rules.formality_labels.output.scores,
    output:
        model=directory("build/politeness/{classifier}/formality/model"),
    log:
        "logs/politeness/formality.train.{classifier}.log",
    benchmark:
        "build/benchmarks/politeness/formality.train.{classifier}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        python=interpreter,
        training=training_options,
        seed=POLITENESS["seeds"][0],
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.train"),
    shell:
        "{params.python:q} -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.training:q} {params.torch:q} {params.device:q} --seed {params.seed:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule score_formal_requests:
    """How formal the requests are: those of the test parts, and English ones to calibrate on (Table 5)."""
    input:
        unpack(sentence_tool),
        model=rules.train_formality_classifier.output.model,
        sentences=[
            "build/politeness/requests/en.train.sentences.txt",
            *expand("build/politeness/requests/{lang}.test.sentences.txt", lang=JUDGED),
        ],
    output:
        scores=directory("build/politeness/{classifier}/formality/scores"),
    log:
        "logs/politeness/formality.score.{classifier}.log",
    benchmark:
        "build/benchmarks/politeness/formality.score.{classifier}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        gpu=GPU,
    params:
        python=interpreter,
        scores=lambda wildcards: [
            f"build/politeness/{wildcards.classifier}/formality/scores/{name}.txt"
            for name in ("train", *JUDGED)
        ],
        scoring=scoring_options,
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.score"),
    shell:
        "{params.python:q} -m workflow_scripts.encoders.score {input.model:q} --sources {input.sentences:q}"
        " --targets {params.scores:q} {params.scoring:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/politeness 2> {log:q}"


rule calibrate_formality:
    """Is what is formal polite (Table 5)?"""
    input:
        scores="build/politeness/{classifier}/formality/scores",
        gold=expand("build/politeness/requests/{lang}.test.scores.txt", lang=JUDGED),
    output:
        table="build/politeness/{classifier}/formality/calibrated.csv",
    log:
        "logs/politeness/calibrate.{classifier}.log",
    benchmark:
        "build/benchmarks/politeness/calibrate.{classifier}.tsv"
    conda:
        "../envs/main.yaml"
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
        code=code_of("politeness.calibrated"),
    shell:
        "python -m workflow_scripts.politeness.calibrated {output.table:q} --gold {input.gold:q}"
        " --languages {params.languages:q} {params.options:q} 2> {log:q}"


# Bitext, and lexicons beside which those stand that are induced from it: the demo world's, or real ones.
LEXICONS_DEMO = POLITENESS["lexicons"]["bitext"] == "demo"
LEXICONS_GIVEN = "build/corpora/demo/lexicons" if LEXICONS_DEMO else source_folder("tydip")
LEXICONS_BITEXT = [
    f"build/corpora/{'demo/' if LEXICONS_DEMO else ''}lexicons/bitext/{lang}{{}}.txt" for lang in TYDIP
]
LEXICONS_ALIGNED = expand("build/politeness/lexicons/aligned/{lang}.tsv", lang=TYDIP)
LEXICONS_INDUCED = expand("build/politeness/lexicons/induced/strategies/{lang}.csv", lang=TYDIP)


localrules:
    induce_lexicons,
    lexicon_strategies,


rule align_lexicons:
    """TyDiP's Section 4: which words of English and of another language are translations of each other."""
    input:
        [LEXICONS_GIVEN]
        if LEXICONS_DEMO
        else [path.format(side) for path in LEXICONS_BITEXT for side in ("", ".en")],
        tool=TOOLS["align"],
    output:
        aligned=LEXICONS_ALIGNED,
        aligner="build/politeness/lexicons/aligned/aligner.txt",
    log:
        "logs/politeness/align_lexicons.log",
    benchmark:
        "build/benchmarks/politeness/align_lexicons.tsv"
    conda:
        "../envs/main.yaml"
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        english=[path.format(".en") for path in LEXICONS_BITEXT],
        others=[path.format("") for path in LEXICONS_BITEXT],
        languages=TYDIP,
        code=code_of("politeness.align"),
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.politeness.align build/politeness/lexicons/aligned"
        " --english {params.english:q} --others {params.others:q} --languages {params.languages:q} 2> {log:q}"


rule induce_lexicons:
    """Lexicons of politeness strategies (Table 11), in the layout of the released ones."""
    input:
        aligned=LEXICONS_ALIGNED,
        corpus=LEXICONS_GIVEN,
    output:
        lexicons=LEXICONS_INDUCED,
    log:
        "logs/politeness/induce_lexicons.log",
    benchmark:
        "build/benchmarks/politeness/induce_lexicons.tsv"
    conda:
        "../envs/main.yaml"
    params:
        languages=TYDIP,
        sequences=options(POLITENESS["lexicons"], "sequences"),
        code=code_of("politeness.induce"),
    shell:
        "python -m workflow_scripts.politeness.induce build/politeness/lexicons/induced --aligned {input.aligned:q}"
        " --corpus {input.corpus:q} --languages {params.languages:q} {params.sequences:q} 2> {log:q}"


rule lexicon_strategies:
    """Which strategies stand in which requests, with induced lexicons and with those beside them (Figures 4, 8)."""
    input:
        lexicons=lambda wildcards: {"induced": LEXICONS_INDUCED, "given": LEXICONS_GIVEN}[wildcards.lexicons],
        corpus=official_input("tydip"),
    output:
        table="build/politeness/lexicons/{lexicons}.strategies.csv",
    log:
        "logs/politeness/lexicon_strategies.{lexicons}.log",
    benchmark:
        "build/benchmarks/politeness/lexicon_strategies.{lexicons}.tsv"
    wildcard_constraints:
        lexicons="induced|given",
    conda:
        "../envs/main.yaml"
    params:
        folder=lambda wildcards: {"induced": "build/politeness/lexicons/induced", "given": LEXICONS_GIVEN}[
            wildcards.lexicons
        ],
        languages=["en", *TYDIP],
        code=code_of("politeness.strategies"),
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {input.corpus:q}"
        " --languages {params.languages:q} --lexicons {params.folder:q} --first-rule 2> {log:q}"
