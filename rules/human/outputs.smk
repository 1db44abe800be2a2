# human: task sheets for raters, and their ratings (Section 5.4: Tables 3, 7, 10 and 13).
from workflow_scripts.wiring.output_raters import qualification
from workflow_scripts.wiring.run import files_to_check

# A worker passes at 80 of 100; an answer that is off by more than 1 is wrong (appendix L).
HUMAN_SCORING = words({"tolerance": 1, "pass_score": 80})


rule human_tasks:
    """The sheet of a language as a CSV, for crowd platforms, and the key that tells whose the texts are."""
    input:
        informal="build/corpora/xformal/{lang}/informal.txt",
        references=expand("build/corpora/xformal/{{lang}}/formal.ref{i}.txt", i=corpora.references),
        outputs=output_raters.rated_outputs,
    output:
        sheet="results/human/{lang}.csv",
        key="build/human/{lang}/key.csv",
    localrule: True
    params:
        systems=lambda wildcards: output_raters.rated(wildcards.lang),
        texts=as_options(output_raters.texts),
        sentences=config["human"]["sentences"],
        batch_sentences=10,
        seed=config["seed"],
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
        native=lambda wildcards: output_raters.native(wildcards.sheet.split(".")[0]),
    output:
        page="results/human/{sheet}.html",
    wildcard_constraints:
        sheet=r"[a-z]+(\.qualification)?",
    localrule: True
    params:
        lang=lambda wildcards: wildcards.sheet.split(".")[0],
        name=lambda wildcards: ALL_LANGUAGES[wildcards.sheet.split(".")[0]]["name"],
        kind=lambda wildcards: (wildcards.sheet.split(".") + ["evaluation"])[1],
        scale=config["scale"],
        native=lambda wildcards, input: words({"native": input.native or None}),
        # The texts of the pages for raters around the sentences, and the time they state.
        page=options(config["human"], "interface", "seconds"),
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
    wildcard_constraints:
        sheet=r"[a-z]+(\.qualification)?",
    localrule: True


rule human_simulate:
    """Simulated raters, at demo scale without ratings by people, based on facts about the demo world's sentences."""
    input:
        sheet="results/human/{lang}.csv",
        key="build/human/{lang}/key.csv",
        known="build/corpora/demo/known/{lang}.jsonl",
    output:
        ratings="build/human/{lang}/simulated/{lang}.csv",
    params:
        raters=config["human"]["raters"],
        noise=as_options({"noise": 0.8, "bias": 0.3, "spread": 0.4}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.simulate {output.ratings:q} --sheet {input.sheet:q} --key {input.key:q}"
        " --known {input.known:q} --raters {params.raters:q} {params.noise:q} --seed {params.seed:q} 2> {log:q}"


rule human_ratings:
    """The files of raters, checked against the sheet; simulated ones go the same way."""
    input:
        sheet="results/human/{lang}.csv",
        files=files_to_check(output_raters.folder, output_raters.simulated),
    output:
        ratings="build/human/{lang}/ratings.csv",
        coverage="build/human/{lang}/coverage.csv",
    localrule: True
    params:
        folder=lambda wildcards: output_raters.folder.format(lang=wildcards.lang),
        languages=list(ALL_LANGUAGES),
        raters=config["human"]["raters"],
    shell:
        "python -m workflow_scripts.human.ratings {output.ratings:q} {output.coverage:q} --sheet {input.sheet:q}"
        " --folder {params.folder:q} --language {wildcards.lang:q} --languages {params.languages:q}"
        " --raters {params.raters:q} 2> {log:q}"


rule human_aggregate:
    """Mean ratings of every system and output, intervals, and paired tests against RULE-BASED."""
    input:
        ratings="build/human/{lang}/ratings.csv",
        key="build/human/{lang}/key.csv",
    output:
        scores="build/human/{lang}/scores.csv",
        outputs="build/human/{lang}/outputs.csv",
    params:
        systems=lambda wildcards: output_raters.rows(wildcards.lang),
        tests=options(EVALUATION, "baseline", "resamples", "confidence"),
        simulated=words({"simulated": output_raters.simulated}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.aggregate {output:q} --ratings {input.ratings:q}"
        " --key {input.key:q} --language {wildcards.lang:q} --systems {params.systems:q} {params.tests:q}"
        " --seed {params.seed:q} {params.simulated:q} 2> {log:q}"


rule human_qualification:
    """The qualification test as a sheet, without the gold scores."""
    input:
        questions=lambda wildcards: qualification(wildcards.lang),
    output:
        sheet="results/human/{lang}.qualification.csv",
    localrule: True
    shell:
        "python -m workflow_scripts.human.qualification {output.sheet:q} --questions {input.questions:q} 2> {log:q}"


rule human_simulate_workers:
    """Simulated workers, their answers and reviews, at demo scale and without files of workers."""
    input:
        questions=lambda wildcards: qualification(wildcards.lang),
        countries=resource("resources/qualification/countries.csv"),
    output:
        workers="build/human/{lang}/simulated/workers/{lang}.csv",
        answers="build/human/{lang}/simulated/qualification/{lang}.csv",
        reviews="build/human/{lang}/simulated/reviews/{lang}.csv",
    params:
        workers=as_options({"count": 60, "abroad": 0.2, "careful": 0.5, "noise": 0.7, "accepted": 0.4}),
        scoring=HUMAN_SCORING,
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.simulate_workers {output.workers:q} {output.answers:q} {output.reviews:q}"
        " --questions {input.questions:q} --countries {input.countries:q} --language {wildcards.lang:q}"
        " {params.workers:q} {params.scoring:q} --seed {params.seed:q} 2> {log:q}"


# Answers to the qualification test, checked like ratings.
use rule human_ratings as human_answers with:
    input:
        sheet="results/human/{lang}.qualification.csv",
        files=files_to_check(f"{output_raters.folder}/qualification", output_raters.simulated),
    output:
        ratings="build/human/{lang}/answers.csv",
        coverage="build/human/{lang}/answers.coverage.csv",
    localrule: True
    params:
        folder=lambda wildcards: f"{output_raters.folder}/qualification".format(lang=wildcards.lang),
        raters=1,


rule human_screen:
    """The workers who pass the location restriction, the test, and the review of their rewrites."""
    input:
        workers=f"{output_raters.folder}/workers/{{lang}}.csv",
        answers="build/human/{lang}/answers.csv",
        reviews=output_raters.reviews,
        questions=lambda wildcards: qualification(wildcards.lang),
        countries=resource("resources/qualification/countries.csv"),
    output:
        screened="build/human/{lang}/workers.csv",
    localrule: True
    params:
        reviews=lambda wildcards, input: words({"reviews": str(input.reviews) if input.reviews else None}),
        scoring=HUMAN_SCORING,
    shell:
        "python -m workflow_scripts.human.screen {output.screened:q} --workers {input.workers:q}"
        " --answers {input.answers:q} --questions {input.questions:q} --countries {input.countries:q}"
        " --language {wildcards.lang:q} {params.scoring:q} {params.reviews:q} 2> {log:q}"
