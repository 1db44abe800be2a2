# politeness: raters of requests, their sheets, and their agreement.
from workflow_scripts.wiring.politeness import TYDIP_NAMES
from workflow_scripts.wiring.request_raters import DUMP_CORPUS, REQUEST_SHEETS


rule request_hits:
    """The sheet of each language: requests that raters judge together."""
    input:
        corpus=corpora.awaited("tydip"),
    output:
        sheets=REQUEST_SHEETS,
    localrule: True
    params:
        languages=TYDIP,
        sizes=options(config["politeness"]["raters"], "english", "target"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.hits results/politeness --corpus {input.corpus:q}"
        " --languages {params.languages:q} {params.sizes:q} --page 5 --seed {params.seed:q} 2> {log:q}"


if request_raters.crawled:

    rule dump_hits:
        """The same for requests of dumps, as many as are to be rated."""
        input:
            corpus=corpora.awaited("tydip"),
            requests=expand("build/corpora/talk/identified/{lang}.txt", lang=request_raters.crawled),
        output:
            sheets=expand("results/politeness/dumps/{lang}.csv", lang=request_raters.crawled),
        localrule: True
        params:
            languages=request_raters.crawled,
            sample=as_options({"sample": config["politeness"]["raters"]["requests"]}),
            sizes=options(config["politeness"]["raters"], "english", "target"),
            seed=config["seed"],
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
        native=lambda wildcards: output_raters.native(os.path.basename(wildcards.requests)),
    output:
        page="results/politeness/{requests}.html",
    wildcard_constraints:
        requests=f"(dumps/)?({'|'.join(TYDIP)})",
    localrule: True
    params:
        lang=lambda wildcards: os.path.basename(wildcards.requests),
        name=lambda wildcards: TYDIP_NAMES[os.path.basename(wildcards.requests)],
        kind="requests",


rule simulate_raters:
    """Simulated raters of the demo's requests: they start from the scores that the demo world has."""
    input:
        sheets=REQUEST_SHEETS,
        corpus=corpora.awaited("tydip"),
    output:
        ratings=expand("build/politeness/simulated/{lang}.csv", lang=TYDIP),
    localrule: True
    params:
        raters=as_options({"raters": 8, "judgments": 3, "stretch": 1.8, "bias": 0.5, "noise": 1.0}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.simulate build/politeness/simulated --sheets {input.sheets:q}"
        " --corpus {input.corpus:q} {params.raters:q} --seed {params.seed:q} 2> {log:q}"


if request_raters.languages:

    rule request_ratings:
        """The files of the raters, checked against the sheet; simulated ones go the same way."""
        input:
            sheets=[f"results/politeness/{lang}.csv" for lang in request_raters.languages],
            files=[path for lang in request_raters.languages for path in request_raters.files[lang]],
        output:
            ratings=request_raters.checked,
        localrule: True
        params:
            folder=as_options({"folder": request_raters.folder}),
        shell:
            "python -m workflow_scripts.politeness.ratings build/politeness/raters --sheets {input.sheets:q}"
            " {params.folder:q} 2> {log:q}"


if request_raters.dumps_rated:

    rule dump_ratings:
        """The files of raters of requests of dumps, checked against their sheets."""
        input:
            sheets=[f"results/politeness/dumps/{lang}.csv" for lang in request_raters.dumps_rated],
            files=[path for lang in request_raters.dumps_rated for path in request_raters.dump_files[lang]],
        output:
            ratings=request_raters.dump_ratings,
        localrule: True
        params:
            folder=as_options({"folder": config["politeness"]["raters"]["dump_ratings"]}),
        shell:
            "python -m workflow_scripts.politeness.ratings build/politeness/dumps --sheets {input.sheets:q}"
            " {params.folder:q} 2> {log:q}"

    rule dump_scores:
        """The scores of requests of dumps by their raters: a corpus in TyDiP's layout."""
        input:
            corpus=corpora.awaited("tydip"),
            sheets=[f"results/politeness/dumps/{lang}.csv" for lang in request_raters.dumps_rated],
            ratings=request_raters.dump_ratings,
        output:
            corpus=directory(DUMP_CORPUS),
            numbered=request_raters.dump_numbered,
        localrule: True
        shell:
            "python -m workflow_scripts.politeness.scores {output.corpus:q} --corpus {input.corpus:q}"
            " --sheets {input.sheets:q} --ratings {input.ratings:q} --numbered {output.numbered:q} 2> {log:q}"

    use rule tydip_requests as rated_requests with:
        input:
            corpus=DUMP_CORPUS,
        output:
            expand(
                "build/politeness/rated/{name}.{kind}.txt",
                name=["en.train", *(f"{lang}.test" for lang in request_raters.dumps_scored)],
                kind=["sentences", "scores"],
            ),
        localrule: True
        params:
            languages=request_raters.dumps_scored,

    # The accuracy of a classifier on them.
    use rule score_requests as score_rated_requests with:
        input:
            unpack(politeness.sentence_tool),
            model=rules.train_classifier.output.model,
            sentences=expand(
                "build/politeness/rated/{lang}.test.sentences.txt", lang=request_raters.dumps_scored
            ),
        output:
            scores=directory("build/politeness/{classifier}/seed{seed}/rated"),
        params:
            scores=lambda wildcards: [
                f"build/politeness/{wildcards.classifier}/seed{wildcards.seed}/rated/{lang}.txt"
                for lang in request_raters.dumps_scored
            ],

    use rule measure_classifier as measure_rated_requests with:
        input:
            scores=lambda wildcards: [
                f"build/politeness/{wildcards.classifier}/seed{seed}/rated"
                for seed in politeness.seeds(wildcards.classifier)
            ],
            gold=expand("build/politeness/rated/{lang}.test.scores.txt", lang=request_raters.dumps_scored),
        output:
            table="build/politeness/{classifier}/rated.csv",
        wildcard_constraints:
            classifier=one_of([*politeness.trained, *politeness.released]),
        localrule: True
        params:
            options=request_raters.rated_options,


rule raters_agreement:
    """The agreement of raters within a HIT (Table 2; Figures 2, 6, 7), and of the original English raters."""
    input:
        ratings=request_raters.shown,
        stanford=corpora.awaited("stanford"),
    output:
        table="build/politeness/raters/agreement.csv",
    localrule: True
    params:
        raters=request_raters.options,
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.agreement {output.table:q} --stanford {input.stanford:q}"
        " {params.raters:q} --seed {params.seed:q} 2> {log:q}"


rule raters_original:
    """The agreement of raters with the original raters of the English requests (Table 9)."""
    input:
        ratings=request_raters.shown,
        stanford=corpora.awaited("stanford"),
        corpus=request_raters.corpus,
    output:
        table="build/politeness/raters/original.csv",
    localrule: True
    params:
        raters=request_raters.options,
    shell:
        "python -m workflow_scripts.politeness.original {output.table:q} --corpus {input.corpus:q}"
        " --stanford {input.stanford:q} {params.raters:q} 2> {log:q}"


rule raters_accuracy:
    """The share of a rater's labels that equal the label by the other raters (Figure 3)."""
    input:
        ratings=request_raters.shown,
        stanford=corpora.awaited("stanford"),
        corpus=request_raters.corpus,
    output:
        table="build/politeness/raters/accuracy.csv",
    localrule: True
    params:
        raters=request_raters.options,
        simulations=config["politeness"]["raters"]["simulations"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.raters_accuracy {output.table:q} --corpus {input.corpus:q}"
        " --stanford {input.stanford:q} {params.raters:q} --simulations {params.simulations:q}"
        " --seed {params.seed:q} 2> {log:q}"
