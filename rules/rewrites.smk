# rewrites: what changes when people make a sentence formal (Section 4: Tables 4 and 5, Figures 1 and 2).
# The informal sentences of each language, and their sets of rewrites; English has GYAFC's test set.
REWRITTEN = {
    lang: [
        f"build/corpora/xformal/{lang}/informal.txt",
        *(f"build/corpora/xformal/{lang}/formal.ref{i}.txt" for i in corpora.references),
    ]
    for lang in LANGUAGES
}

if config["corpora"]["gyafc"] != "cocoa-mt":
    REWRITTEN["en"] = [
        "build/corpora/gyafc/test.informal.txt",
        *(f"build/corpora/gyafc/test.formal.ref{i}.txt" for i in range(4)),
    ]

REWRITTEN_LABELS = [
    ALL_LANGUAGES[lang]["label"] if lang in ALL_LANGUAGES else lang.upper() for lang in REWRITTEN
]

# The annotated languages, and what came back: from people, at demo scale from a simulation, else from nobody.
SHEETS = {}

if config["analysis"]["annotations"]:
    SHEETS = {
        lang: f"{config['analysis']['annotations']}/{lang}.csv"
        for lang in REWRITTEN
        if os.path.exists(f"{config['analysis']['annotations']}/{lang}.csv")
    }
    if not SHEETS and os.path.isdir(config["analysis"]["annotations"]):
        stop(
            f"configuration: analysis.annotations: no file {'.csv, '.join(REWRITTEN)}.csv"
            f" in the folder {config['analysis']['annotations']}"
        )

elif config["scale"] == "demo":
    SHEETS = {lang: f"build/rewrites/{lang}/annotations.simulated.csv" for lang in REWRITTEN}


rule measure_rewrites:
    """Types of edits, LeD and character Levenshtein distance of every rewrite (Appendix I)."""
    input:
        unpack(lambda wildcards: corpora.punkt(wildcards.lang)),
        informal=lambda wildcards: REWRITTEN[wildcards.lang][0],
        references=lambda wildcards: REWRITTEN[wildcards.lang][1:],
        abbreviations=lambda wildcards: resource(f"resources/abbreviations/{wildcards.lang}.tsv"),
    output:
        pairs="build/rewrites/{lang}/pairs.csv",
    log:
        "logs/rewrites/measure.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    params:
        # NLTK's archive names its languages by words, and English is none of ours.
        punkt=lambda wildcards, input: (
            f"{input.punkt}/punkt_tab/english"
            if wildcards.lang not in ALL_LANGUAGES and config["corpora"]["punkt"] != "trained"
            else corpora.punkt_model(wildcards.lang, input.punkt)
        ),
    shell:
        "python -m workflow_scripts.rewrites.measure {output.pairs:q} --informal {input.informal:q}"
        " --references {input.references:q} --language {wildcards.lang:q}"
        " --abbreviations {input.abbreviations:q} --punkt {params.punkt:q} 2> {log:q}"


rule self_bleu_of_rewrites:
    """How alike the sets of rewrites are (Section 4)."""
    input:
        references=lambda wildcards: REWRITTEN[wildcards.lang][1:],
    output:
        table="build/rewrites/{lang}/self_bleu.csv",
    log:
        "logs/rewrites/self_bleu.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    shell:
        "python -m workflow_scripts.rewrites.self_bleu {output.table:q} --references {input.references:q} 2> {log:q}"


rule annotation_task:
    """Appendix H: a sheet for a native speaker, with a sample of the rewrites."""
    input:
        informal=lambda wildcards: REWRITTEN[wildcards.lang][0],
        references=lambda wildcards: REWRITTEN[wildcards.lang][1:],
    output:
        sheet="build/rewrites/{lang}/annotation_task.csv",
    log:
        "logs/rewrites/annotation_task.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    localrule: True
    params:
        annotated=lookup("analysis/annotated", within=config),
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.rewrites.annotation_task {output.sheet:q} --informal {input.informal:q}"
        " --references {input.references:q} --language {wildcards.lang:q} --annotated {params.annotated:q}"
        " --seed {params.seed:q} 2> {log:q}"


rule annotation_task_for_spreadsheets:
    """A copy of a sheet in which no spreadsheet takes a cell for a formula."""
    input:
        table="build/rewrites/{lang}/annotation_task.csv",
    output:
        table="build/rewrites/{lang}/annotation_task.spreadsheet.csv",
    log:
        "logs/rewrites/spreadsheet.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    localrule: True
    shell:
        "python -m workflow_scripts.core.spreadsheets {output.table:q} --table {input.table:q} 2> {log:q}"


rule simulate_annotations:
    """A simulated annotator, where the demo has no native speaker."""
    input:
        task="build/rewrites/{lang}/annotation_task.csv",
        pairs="build/rewrites/{lang}/pairs.csv",
    output:
        sheet="build/rewrites/{lang}/annotations.simulated.csv",
    log:
        "logs/rewrites/simulate.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    params:
        rules=options({"rules": config["analysis"]["edits"]}, "rules"),
        seed=lookup("seed", within=config),
    shell:
        "python -m workflow_scripts.rewrites.simulate {output.sheet:q} --task {input.task:q}"
        " --pairs {input.pairs:q} --language {wildcards.lang:q} --seed {params.seed:q}"
        " {params.rules:q} 2> {log:q}"


rule judged_rewrites:
    """What annotators say, checked and counted (Appendices H and J)."""
    input:
        sheet=lambda wildcards: SHEETS[wildcards.lang],
        task="build/rewrites/{lang}/annotation_task.csv",
    output:
        table="build/rewrites/{lang}/judged.csv",
    log:
        "logs/rewrites/judged.{lang}.log",
    wildcard_constraints:
        lang=one_of(SHEETS),
    localrule: True
    params:
        source="manual" if config["analysis"]["annotations"] else "simulated",
    shell:
        "python -m workflow_scripts.rewrites.judged {output.table:q} --sheet {input.sheet:q}"
        " --task {input.task:q} --language {wildcards.lang:q} --source {params.source:q} 2> {log:q}"


# Figure 2: formality of the informal sentences and of their rewrites.
use rule score_formality as score_rewrites with:
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: REWRITTEN[wildcards.lang],
    output:
        scores=directory("build/rewrites/{lang}/formality"),
    log:
        "logs/rewrites/score.{lang}.log",
    wildcard_constraints:
        lang=one_of(REWRITTEN),
    params:
        scores=lambda wildcards: [
            f"build/rewrites/{wildcards.lang}/formality/{os.path.basename(path).removeprefix('test.')}"
            for path in REWRITTEN[wildcards.lang]
        ],
        scoring=SCORING,
        torch=TORCH,
        device=DEVICE,


rule annotation_tasks:
    """The sheets for native speakers of all languages; with what comes back, `analysis.annotations`."""
    input:
        expand("build/rewrites/{lang}/annotation_task.csv", lang=REWRITTEN),
    localrule: True
