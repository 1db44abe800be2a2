# rewrites: changes that people make to a sentence to make it formal (Section 4: Tables 4 and 5, Figures 1 and 2).


rule measure_rewrites:
    """Types of edits, LeD and character Levenshtein distance of every rewrite (Appendix I)."""
    input:
        unpack(lambda wildcards: corpora.punkt(wildcards.lang)),
        informal=rewrites.informal,
        references=rewrites.references,
        abbreviations=lambda wildcards: resource(f"resources/abbreviations/{wildcards.lang}.tsv"),
    output:
        pairs="build/rewrites/{lang}/pairs.csv",
    wildcard_constraints:
        lang=one_of(rewrites.languages),
    params:
        punkt=lambda wildcards, input: corpora.punkt_model(wildcards.lang, input.punkt),
    shell:
        "python -m workflow_scripts.rewrites.measure {output.pairs:q} --informal {input.informal:q}"
        " --references {input.references:q} --language {wildcards.lang:q}"
        " --abbreviations {input.abbreviations:q} --punkt {params.punkt:q} 2> {log:q}"


rule self_bleu_of_rewrites:
    """The similarity of the sets of rewrites (Section 4)."""
    input:
        references=rewrites.references,
    output:
        table="build/rewrites/{lang}/self_bleu.csv",
    wildcard_constraints:
        lang=one_of(rewrites.languages),
    shell:
        "python -m workflow_scripts.rewrites.self_bleu {output.table:q} --references {input.references:q} 2> {log:q}"


rule annotation_task:
    """Appendix H: a sheet for a native speaker, with a sample of the rewrites."""
    input:
        informal=rewrites.informal,
        references=rewrites.references,
    output:
        sheet="build/rewrites/{lang}/annotation_task.csv",
    wildcard_constraints:
        lang=one_of(rewrites.languages),
    localrule: True
    params:
        annotated=config["analysis"]["annotated"],
        seed=config["seed"],
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
    wildcard_constraints:
        lang=one_of(rewrites.languages),
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
    wildcard_constraints:
        lang=one_of(rewrites.languages),
    params:
        rules=options({"rules": config["analysis"]["edits"]}, "rules"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.rewrites.simulate {output.sheet:q} --task {input.task:q}"
        " --pairs {input.pairs:q} --language {wildcards.lang:q} --seed {params.seed:q}"
        " {params.rules:q} 2> {log:q}"


rule judged_rewrites:
    """The annotations, checked and counted (Appendices H and J)."""
    input:
        sheet=lambda wildcards: rewrites.sheets[wildcards.lang],
        task="build/rewrites/{lang}/annotation_task.csv",
    output:
        table="build/rewrites/{lang}/judged.csv",
    wildcard_constraints:
        lang=one_of(rewrites.sheets),
    localrule: True
    params:
        source=rewrites.annotator,
    shell:
        "python -m workflow_scripts.rewrites.judged {output.table:q} --sheet {input.sheet:q}"
        " --task {input.task:q} --language {wildcards.lang:q} --source {params.source:q} 2> {log:q}"


# Figure 2: formality of the informal sentences and of their rewrites.
use rule score_formality as score_rewrites with:
    input:
        regressor=REGRESSOR,
        outputs=lambda wildcards: rewrites.texts[wildcards.lang],
    output:
        scores=directory("build/rewrites/{lang}/formality"),
    wildcard_constraints:
        lang=one_of(rewrites.languages),
    params:
        scores=rewrites.scores,


rule annotation_tasks:
    """The sheets for native speakers of all languages; returned sheets are the setting `analysis.annotations`."""
    input:
        expand("build/rewrites/{lang}/annotation_task.csv", lang=rewrites.languages),
    localrule: True
