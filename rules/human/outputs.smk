# human: task sheets for raters, and what comes back (Section 5.4: Tables 3, 7, 10 and 13).
from workflow_scripts.wiring.run import rater_files

HUMAN = config["human"]

# Only of the demo world's sentences is it known what they say.
HUMAN_SIMULATED = (
    HUMAN["ratings"] is None and config["scale"] == "demo" and config["corpora"]["xformal"] == "demo"
)

HUMAN_FOLDER = HUMAN["ratings"] or "build/human/{lang}/simulated"

# The rows that are no systems under test: the human rewrites and the informal sentences.
HUMAN_TEXTS = {
    role: next((name for name in systems.rows if systems.named[name].kind == role), None)
    for role in ("gold", "copy")
}

HUMAN_RATED = {
    lang: [
        name
        for name in systems.rows_in(lang)
        if name in HUMAN["systems"] and name not in HUMAN_TEXTS.values()
    ]
    for lang in LANGUAGES
}

# Where no row is to be rated there is nothing to ask raters.
HUMAN_ASKED = [lang for lang in LANGUAGES if HUMAN_RATED[lang]]

# Without ratings there are sheets, and the leaves hold the printed numbers only.
HUMAN_LANGUAGES = HUMAN_ASKED if HUMAN["ratings"] or HUMAN_SIMULATED else []

HUMAN_SCORES = expand("build/human/{lang}/scores.csv", lang=HUMAN_LANGUAGES)

HUMAN_MARK = words({"simulated": HUMAN_SIMULATED})

# What Table 7 needs for its human half.
HUMAN_OPTIONS = words({"human": HUMAN_SCORES, "simulated": HUMAN_SIMULATED}) if HUMAN_SCORES else []

# Languages with a qualification test; what the workers' part of the folder holds for them.
HUMAN_TESTED = [lang for lang in LANGUAGES if os.path.exists(resource(f"resources/qualification/{lang}.csv"))]

HUMAN_WORKERS, HUMAN_REVIEWS = (
    (
        rater_files("human.ratings", f"{HUMAN['ratings']}/{part}", list(ALL_LANGUAGES), single=True)
        if HUMAN["ratings"]
        else {}
    )
    for part in ("workers", "reviews")
)
HUMAN_SCREENED = HUMAN_TESTED if HUMAN_SIMULATED else [lang for lang in HUMAN_TESTED if lang in HUMAN_WORKERS]

# What raters and workers get.
HUMAN_SHEETS = expand(
    "results/human/{sheet}.{ending}",
    sheet=[*HUMAN_ASKED, *(f"{lang}.qualification" for lang in HUMAN_TESTED)],
    ending=["csv", "spreadsheet.csv", "html"],
)

# A worker passes at 80 of 100; an answer that is off by more than 1 is wrong (appendix L).
HUMAN_SCORING = words({"tolerance": 1, "pass_score": 80})

# What the pages for raters say around the sentences, and how long they say that it takes.
PAGE_OPTIONS = options(HUMAN, "interface", "seconds")


# The texts of these pages, by the languages in which they are wanted and written.
NATIVE_TEXTS = {
    path.stem: [resource(path)]
    for path in sorted((CHECKOUT / "resources/raters").glob("*.yaml"))
    if HUMAN["interface"] == "native" and path.stem != "en"
}

NATIVE_OPTION = lambda wildcards, input: words({"native": input.native or None})


rule human_tasks:
    """The sheet of a language as a CSV, for crowd platforms, and the key that tells whose the texts are."""
    input:
        informal="build/corpora/xformal/{lang}/informal.txt",
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=corpora.references),
        outputs=lambda wildcards: [
            systems.runs(wildcards.lang, name)[0] for name in HUMAN_RATED[wildcards.lang]
        ],
    output:
        sheet="results/human/{lang}.csv",
        key="build/human/{lang}/key.csv",
    log:
        "logs/human/tasks.{lang}.log",
    localrule: True
    params:
        systems=lambda wildcards: HUMAN_RATED[wildcards.lang],
        texts=as_options(HUMAN_TEXTS),
        sentences=lookup("human/sentences", within=config),
        batch_sentences=10,
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.human.tasks {output.sheet:q} {output.key:q} --language {wildcards.lang:q}"
        " --informal {input.informal:q} --references {input.references:q} --systems {params.systems:q}"
        " --outputs {input.outputs:q} {params.texts:q} --sentences {params.sentences:q}"
        " --batch-sentences {params.batch_sentences:q} --seed {params.seed:q} 2> {log:q}"


rule human_sheet:
    """A sheet as a page that opens in a browser: of the evaluation, or of the qualification test."""
    input:
        sheet="results/human/{sheet}.csv",
        template=resource("workflow_scripts/human/sheet.html"),
        base=resource("workflow_scripts/human/base.html"),
        english=resource("resources/raters/en.yaml"),
        native=lambda wildcards: NATIVE_TEXTS.get(wildcards.sheet.split(".")[0], []),
    output:
        page="results/human/{sheet}.html",
    log:
        "logs/human/sheet.{sheet}.log",
    wildcard_constraints:
        sheet=r"[a-z]+(\.qualification)?",
    localrule: True
    params:
        lang=lambda wildcards: wildcards.sheet.split(".")[0],
        name=lambda wildcards: ALL_LANGUAGES[wildcards.sheet.split(".")[0]]["name"],
        kind=lambda wildcards: (wildcards.sheet.split(".") + ["evaluation"])[1],
        scale=lookup("scale", within=config),
        native=NATIVE_OPTION,
        page=PAGE_OPTIONS,
    shell:
        "python -m workflow_scripts.human.sheet {output.page:q} --items {input.sheet:q}"
        " --template {input.template:q} --english {input.english:q} {params.native:q} {params.page:q}"
        " --language {params.lang:q} --language-name {params.name:q} --kind {params.kind:q}"
        " --scale {params.scale:q} 2> {log:q}"


# A copy of a sheet for people who open it in a spreadsheet.
use rule annotation_task_for_spreadsheets as human_sheet_for_spreadsheets with:
    input:
        table="results/human/{sheet}.csv",
    output:
        table="results/human/{sheet}.spreadsheet.csv",
    log:
        "logs/human/spreadsheet.{sheet}.log",
    wildcard_constraints:
        sheet=r"[a-z]+(\.qualification)?",
    localrule: True


rule human_simulate:
    """Simulated raters, at demo scale and without ratings of people: they start from what the demo world knows."""
    input:
        sheet="results/human/{lang}.csv",
        key="build/human/{lang}/key.csv",
        known="build/corpora/demo/known/{lang}.jsonl",
    output:
        ratings="build/human/{lang}/simulated/{lang}.csv",
    log:
        "logs/human/simulate.{lang}.log",
    params:
        raters=lookup("human/raters", within=config),
        noise=as_options({"noise": 0.8, "bias": 0.3, "spread": 0.4}),
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.human.simulate {output.ratings:q} --sheet {input.sheet:q} --key {input.key:q}"
        " --known {input.known:q} --raters {params.raters:q} {params.noise:q} --seed {params.seed:q} 2> {log:q}"


rule human_ratings:
    """The files of raters, checked against the sheet; simulated ones go the same way."""
    input:
        sheet="results/human/{lang}.csv",
        files=(
            "build/human/{lang}/simulated/{lang}.csv"
            if HUMAN_SIMULATED
            else sorted(map(str, Path(HUMAN_FOLDER).glob("*.csv")))
        ),
    output:
        ratings="build/human/{lang}/ratings.csv",
        coverage="build/human/{lang}/coverage.csv",
    log:
        "logs/human/ratings.{lang}.log",
    localrule: True
    params:
        folder=lambda wildcards: HUMAN_FOLDER.format(lang=wildcards.lang),
        languages=list(ALL_LANGUAGES),
        raters=lookup("human/raters", within=config),
    shell:
        "python -m workflow_scripts.human.ratings {output.ratings:q} {output.coverage:q} --sheet {input.sheet:q}"
        " --folder {params.folder:q} --language {wildcards.lang:q} --languages {params.languages:q}"
        " --raters {params.raters:q} 2> {log:q}"


rule human_aggregate:
    """Mean ratings of every system, intervals, and paired tests against RULE-BASED."""
    input:
        ratings="build/human/{lang}/ratings.csv",
        key="build/human/{lang}/key.csv",
    output:
        scores="build/human/{lang}/scores.csv",
    log:
        "logs/human/aggregate.{lang}.log",
    params:
        systems=lambda wildcards: [*filter(None, HUMAN_TEXTS.values()), *HUMAN_RATED[wildcards.lang]],
        tests=options(EVALUATION, "baseline", "resamples", "confidence"),
        simulated=HUMAN_MARK,
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.human.aggregate {output.scores:q} --ratings {input.ratings:q}"
        " --key {input.key:q} --language {wildcards.lang:q} --systems {params.systems:q} {params.tests:q}"
        " --seed {params.seed:q} {params.simulated:q} 2> {log:q}"


rule human_qualification:
    """The qualification test as a sheet, without the gold scores."""
    input:
        questions=lambda wildcards: resource(f"resources/qualification/{wildcards.lang}.csv"),
    output:
        sheet="results/human/{lang}.qualification.csv",
    log:
        "logs/human/qualification.{lang}.log",
    localrule: True
    shell:
        "python -m workflow_scripts.human.qualification {output.sheet:q} --questions {input.questions:q} 2> {log:q}"


rule human_simulate_workers:
    """Simulated workers, their answers and reviews, at demo scale and without files of workers."""
    input:
        questions=lambda wildcards: resource(f"resources/qualification/{wildcards.lang}.csv"),
        countries=resource("resources/qualification/countries.csv"),
    output:
        workers="build/human/{lang}/simulated/workers/{lang}.csv",
        answers="build/human/{lang}/simulated/qualification/{lang}.csv",
        reviews="build/human/{lang}/simulated/reviews/{lang}.csv",
    log:
        "logs/human/simulate_workers.{lang}.log",
    params:
        workers=as_options({"count": 60, "abroad": 0.2, "careful": 0.5, "noise": 0.7, "accepted": 0.4}),
        scoring=HUMAN_SCORING,
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.human.simulate_workers {output.workers:q} {output.answers:q} {output.reviews:q}"
        " --questions {input.questions:q} --countries {input.countries:q} --language {wildcards.lang:q}"
        " {params.workers:q} {params.scoring:q} --seed {params.seed:q} 2> {log:q}"


# Answers to the qualification test, checked like ratings.
use rule human_ratings as human_answers with:
    input:
        sheet="results/human/{lang}.qualification.csv",
        files=(
            "build/human/{lang}/simulated/qualification/{lang}.csv"
            if HUMAN_SIMULATED
            else sorted(map(str, Path(f"{HUMAN_FOLDER}/qualification").glob("*.csv")))
        ),
    output:
        ratings="build/human/{lang}/answers.csv",
        coverage="build/human/{lang}/answers.coverage.csv",
    log:
        "logs/human/answers.{lang}.log",
    localrule: True
    params:
        folder=lambda wildcards: f"{HUMAN_FOLDER}/qualification".format(lang=wildcards.lang),
        languages=list(ALL_LANGUAGES),
        raters=1,


rule human_screen:
    """Which workers pass the location restriction, the test, and the review of their rewrites."""
    input:
        workers=lambda wildcards: f"{HUMAN_FOLDER}/workers/{{lang}}.csv".format(lang=wildcards.lang),
        answers="build/human/{lang}/answers.csv",
        reviews=lambda wildcards: [
            path
            for path in [f"{HUMAN_FOLDER}/reviews/{{lang}}.csv".format(lang=wildcards.lang)]
            if HUMAN_SIMULATED or wildcards.lang in HUMAN_REVIEWS
        ],
        questions=lambda wildcards: resource(f"resources/qualification/{wildcards.lang}.csv"),
        countries=resource("resources/qualification/countries.csv"),
    output:
        screened="build/human/{lang}/workers.csv",
    log:
        "logs/human/screen.{lang}.log",
    localrule: True
    params:
        reviews=lambda wildcards, input: words({"reviews": str(input.reviews) if input.reviews else None}),
        scoring=HUMAN_SCORING,
    shell:
        "python -m workflow_scripts.human.screen {output.screened:q} --workers {input.workers:q}"
        " --answers {input.answers:q} --questions {input.questions:q} --countries {input.countries:q}"
        " --language {wildcards.lang:q} {params.scoring:q} {params.reviews:q} 2> {log:q}"
