# Rules of XFORMAL (Briakou et al., 2021) besides those of its leaves in workflow_scripts/wiring/papers/xformal.py.
from workflow_scripts.wiring.papers.xformal import made_with

SCORES = expand(SCORES_OF, lang=LANGUAGES)


# As `list_outputs`, for the manifests of leaves.
use rule list_outputs as list_files with:
    output:
        manifest="build/papers/xformal/{listed}.manifest.csv",
    wildcard_constraints:
        listed=one_of(subjects.manifests.rows),
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(subjects.manifests.rows[wildcards.listed]),


rule table7:
    """Table 7: automatic and human evaluation of formality style transfer, in the paper's layout."""
    input:
        scores=SCORES,
        systems="build/papers/xformal/table7.manifest.csv",
        human=lambda wildcards: output_raters.scores,
    output:
        table=leaf("results/table7.csv"),
    localrule: True
    params:
        languages=LANGUAGES,
        metrics=EVALUATION["metrics"],
        human=lambda wildcards: output_raters.options,
    shell:
        "python -m workflow_scripts.papers.xformal.table7 {output.table:q} --scores {input.scores:q}"
        " --systems {input.systems:q} --languages {params.languages:q}"
        " --metrics {params.metrics:q} {params.human:q} 2> {log:q}"


rule table7_compare:
    """Table 7, cell by cell against the printed one."""
    input:
        scores=SCORES,
        systems="build/papers/xformal/table7.manifest.csv",
        human=lambda wildcards: output_raters.scores,
        printed=resource("resources/printed/xformal/table7.csv"),
    output:
        compare=leaf("results/table7.compare.csv"),
    localrule: True
    params:
        scale=config["scale"],
        made_with=as_options(made_with(subjects)),
        human=lambda wildcards: output_raters.options,
    shell:
        "python -m workflow_scripts.papers.xformal.table7_compare {output.compare:q} --scores {input.scores:q}"
        " --printed {input.printed:q} --systems {input.systems:q}"
        " --scale {params.scale:q} {params.made_with:q} {params.human:q} 2> {log:q}"
