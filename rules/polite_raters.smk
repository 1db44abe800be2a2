# politeness: raters of requests, their sheets, and how far they agree.


localrules:
    request_hits,
    request_page,
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


if CRAWLED:

    rule dump_hits:
        """The same for requests of dumps, as many as are to be rated."""
        input:
            corpus=official_input("tydip"),
            requests=expand("build/corpora/talk/identified/{lang}.txt", lang=CRAWLED),
        output:
            sheets=DUMP_SHEETS,
        log:
            "logs/politeness/dump_hits.log",
        benchmark:
            "build/benchmarks/politeness/dump_hits.tsv"
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            languages=CRAWLED,
            sample=as_options({"sample": RATERS["requests"]}),
            sizes=options(RATERS, "english", "target"),
            seed=lookup("seed", within=config),
            code=code_of("politeness.hits"),
        shell:
            "python -m workflow_scripts.politeness.hits results/politeness/dumps --corpus {input.corpus:q}"
            " --languages {params.languages:q} --requests {input.requests:q} {params.sample:q} {params.sizes:q}"
            " --page 5 --seed {params.seed:q} 2> {log:q}"


# A sheet of requests, of TyDiP or of dumps, as a page that opens in a browser.
use rule human_sheet as request_page with:
    input:
        sheet="results/politeness/{requests}.csv",
        template=resource("workflow_scripts/human/sheet.html"),
        base=resource("workflow_scripts/human/base.html"),
        english=resource("resources/raters/en.yaml"),
        native=lambda wildcards: NATIVE_TEXTS.get(os.path.basename(wildcards.requests), []),
    output:
        page="results/politeness/{requests}.html",
    log:
        "logs/politeness/page.{requests}.log",
    benchmark:
        "build/benchmarks/politeness/page.{requests}.tsv"
    wildcard_constraints:
        requests=f"(dumps/)?({'|'.join(TYDIP)})",
    params:
        lang=lambda wildcards: os.path.basename(wildcards.requests),
        name=lambda wildcards: TYDIP_NAMES[os.path.basename(wildcards.requests)],
        kind="requests",
        scale=lookup("scale", within=config),
        native=NATIVE_OPTION,
        page=PAGE_OPTIONS,
        code=code_of("human.sheet"),


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
            files=[path for lang in REQUESTS_RATED for path in RATING_FILES[lang]],
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


if DUMPS_RATED:

    rule dump_ratings:
        """The files of raters of requests of dumps, checked against their sheets."""
        input:
            sheets=[f"results/politeness/dumps/{lang}.csv" for lang in DUMPS_RATED],
            files=[path for lang in DUMPS_RATED for path in RATINGS_SENT["dump_ratings"][lang]],
        output:
            ratings=DUMP_RATINGS,
        log:
            "logs/politeness/dump_ratings.log",
        benchmark:
            "build/benchmarks/politeness/dump_ratings.tsv"
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=as_options({"folder": RATERS["dump_ratings"]}),
            code=code_of("politeness.ratings"),
        shell:
            "python -m workflow_scripts.politeness.ratings build/politeness/dumps --sheets {input.sheets:q}"
            " {params.folder:q} 2> {log:q}"

    rule dump_scores:
        """The scores of requests of dumps by their raters: a corpus in TyDiP's layout."""
        input:
            corpus=official_input("tydip"),
            sheets=[f"results/politeness/dumps/{lang}.csv" for lang in DUMPS_RATED],
            ratings=DUMP_RATINGS,
        output:
            corpus=directory(DUMP_CORPUS),
            numbered=DUMP_NUMBERED,
        log:
            "logs/politeness/dump_scores.log",
        benchmark:
            "build/benchmarks/politeness/dump_scores.tsv"
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            code=code_of("politeness.scores"),
        shell:
            "python -m workflow_scripts.politeness.scores {output.corpus:q} --corpus {input.corpus:q}"
            " --sheets {input.sheets:q} --ratings {input.ratings:q} --numbered {output.numbered:q} 2> {log:q}"

    use rule tydip_requests as rated_requests with:
        input:
            corpus=DUMP_CORPUS,
        output:
            expand(
                "build/politeness/rated/{name}.{kind}.txt",
                name=["en.train", *(f"{lang}.test" for lang in DUMPS_SCORED)],
                kind=["sentences", "scores"],
            ),
        log:
            "logs/politeness/rated_requests.log",
        benchmark:
            "build/benchmarks/politeness/rated_requests.tsv"
        localrule: True
        params:
            folder=lambda wildcards, output: os.path.dirname(output[0]),
            languages=DUMPS_SCORED,
            code=code_of("politeness.requests"),

    # How well a classifier does on them.
    use rule score_requests as score_rated_requests with:
        input:
            unpack(sentence_tool),
            model=rules.train_classifier.output.model,
            sentences=expand("build/politeness/rated/{lang}.test.sentences.txt", lang=DUMPS_SCORED),
        output:
            scores=directory("build/politeness/{classifier}/seed{seed}/rated"),
        log:
            "logs/politeness/score_rated.{classifier}.{seed}.log",
        benchmark:
            "build/benchmarks/politeness/score_rated.{classifier}.{seed}.tsv"
        params:
            python=interpreter,
            scores=lambda wildcards: [
                f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/rated/{lang}.txt"
                for lang in DUMPS_SCORED
            ],
            scoring=scoring_options,
            torch=TORCH,
            device=DEVICE,
            code=code_of("encoders.score"),

    use rule measure_classifier as measure_rated_requests with:
        input:
            scores=lambda wildcards: [
                f"build/politeness/{wildcards.classifier}/seed{seed}/rated"
                for seed in classifier_seeds(wildcards.classifier)
            ],
            gold=expand("build/politeness/rated/{lang}.test.scores.txt", lang=DUMPS_SCORED),
        output:
            table="build/politeness/{classifier}/rated.csv",
        log:
            "logs/politeness/measures_rated.{classifier}.log",
        benchmark:
            "build/benchmarks/politeness/measures_rated.{classifier}.tsv"
        wildcard_constraints:
            classifier="|".join(map(re.escape, [*CLASSIFIERS, *RELEASED_CLASSIFIERS])) or "(?!)",
        localrule: True
        params:
            options=rated_options,
            code=code_of("politeness.measures"),


rule raters_agreement:
    """How far raters agree within a HIT (Tables 2; Figures 2, 6, 7), and those of the original English requests."""
    input:
        ratings=RATINGS_SHOWN,
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
        ratings=RATINGS_SHOWN,
        stanford=official_input("stanford"),
        corpus=RATERS_CORPUS,
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
        ratings=RATINGS_SHOWN,
        stanford=official_input("stanford"),
        corpus=RATERS_CORPUS,
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
