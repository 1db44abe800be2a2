# The leaves of XFORMAL (Briakou et al., 2021), each beside the printed one.
from workflow_scripts.wiring.encoders import name_of
from workflow_scripts.wiring.manifests import Manifests

SCORES = expand(SCORES_OF, lang=LANGUAGES)

# The translation backend, and the regressors' encoder by its hub name or kind: some leaves are comparable only with
# the paper's.
MADE_WITH = {
    "backend": backend.name,
    "encoder": name_of(SETTINGS.formality.encoder),
}

YAHOO = corpora.yahoo_languages

# Here, since rules of further systems name their training files.
manifests = Manifests(systems)

# The raters' sheets.
FURTHER["xformal"] = output_raters.sheets()

# Each leaf: the files that it is made of and other options, both by the names of its command's options.
WIRING.update(
    {
        "table2": (
            {
                "answers": expand("build/corpora/yahoo/{lang}/counts.tsv", lang=YAHOO),
                "curated": expand("build/filtering/yahoo/{lang}/curated.counts.tsv", lang=YAHOO),
                "candidates": expand("build/filtering/yahoo/{lang}/candidates.counts.tsv", lang=YAHOO),
            },
            {
                "languages": LANGUAGES,
                "counted": YAHOO,
                "kind": config["corpora"]["yahoo_answers"],
                **MADE_WITH,
            },
        ),
        "table3": (
            {"screened": expand("build/human/{lang}/workers.csv", lang=output_raters.screened)},
            {
                "languages": LANGUAGES,
                "screened_languages": output_raters.screened,
                "simulated": output_raters.simulated,
            },
        ),
        "table4": (
            {
                "pairs": expand("build/rewrites/{lang}/pairs.csv", lang=rewrites.languages),
                "judged": expand("build/rewrites/{lang}/judged.csv", lang=rewrites.sheets),
            },
            {"languages": rewrites.languages, "rules": config["analysis"]["edits"]},
        ),
        "table5": (
            {
                "pairs": expand("build/rewrites/{lang}/pairs.csv", lang=rewrites.languages),
                "self_bleu": expand("build/rewrites/{lang}/self_bleu.csv", lang=rewrites.languages),
            },
            {"languages": rewrites.languages},
        ),
        "table6": (
            {
                "files": "build/papers/xformal/table6.manifest.csv",
                "samples": "build/papers/xformal/table6-samples.manifest.csv",
            },
            MADE_WITH,
            sorted({*manifests.files("table6", "table6-samples")}),
        ),
        "table8": (
            {"texts": "build/papers/xformal/table8.manifest.csv"},
            {"size": config["analysis"]["examples"], "seed": config["seed"]},
            manifests.files("table8"),
        ),
        "table9": (
            {
                "ratings": "build/corpora/pt16/test.scores.txt",
                "original": HELD_OUT.format(lang="en"),
                "translated": expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
            },
            {"languages": LANGUAGES},
        ),
        "table10": (
            {"ratings": expand("build/human/{lang}/ratings.csv", lang=output_raters.languages)},
            {
                # The columns that were rated; without ratings, the printed columns of all.
                "languages": output_raters.languages or LANGUAGES,
                "simulations": config["human"]["simulations"],
                "seed": config["seed"],
                "simulated": output_raters.simulated,
            },
        ),
        # Whichever language is read, all questions are counted.
        "table11": (
            {"counts": f"build/corpora/yahoo/{lang}/counts.tsv" for lang in YAHOO[:1]},
            {},
        ),
        "table12": (
            {
                "filtered": expand("build/filtering/opensubtitles/{lang}/counts.tsv", lang=LANGUAGES),
                "pools": expand("build/filtering/opensubtitles/{lang}/pools.tsv", lang=LANGUAGES),
            },
            {"languages": LANGUAGES, **MADE_WITH},
        ),
        "table13": (
            {"questions": list(map(qualification, output_raters.tested))},
            {"languages": output_raters.tested},
        ),
        "appendix-b": ({"sanity": "build/translation/sanity.csv"}, {"backend": backend.name}),
        "appendix-j": (
            {"judged": expand("build/rewrites/{lang}/judged.csv", lang=rewrites.sheets)},
            {"languages": rewrites.languages},
        ),
        "formality-ratings": (
            {
                "folds": "build/formality/folds.csv",
                "held_out": "build/formality/spearman.csv",
                "regressor": "build/formality/unpaired.regressor.csv",
                "classifier": "build/formality/unpaired.classifier.csv",
            },
            {"encoder": SETTINGS.formality.encoder.kind},
        ),
        "metric-agreement": (
            {"agreements": [*output_raters.agreements(), TEXT_AGREEMENT.format(corpus="pt16")]},
            {},
        ),
        "m-acc": (
            {
                "texts": "build/papers/xformal/m-acc.manifest.csv",
                "corpora": expand("build/corpora/cocoa-mt/{lang}", lang=manifests.annotated),
            },
            {"languages": manifests.annotated},
            manifests.files("m-acc"),
        ),
        "figure1": (
            {"pairs": expand("build/rewrites/{lang}/pairs.csv", lang=rewrites.languages)},
            {"languages": rewrites.languages, "labels": rewrites.labels, "width": 10},
        ),
        "figure2": (
            {"scores": expand("build/rewrites/{lang}/formality", lang=rewrites.languages)},
            {"languages": rewrites.languages, "labels": rewrites.labels, **MADE_WITH},
        ),
        "figure3": (
            {"texts": "build/papers/xformal/figure3.manifest.csv"},
            {},
            manifests.files("figure3"),
        ),
        "figure4": (
            {
                "reruns": expand("build/evaluation/{lang}/reruns.csv", lang=LANGUAGES),
                "systems": "build/papers/xformal/figure4.manifest.csv",
            },
            {
                "languages": LANGUAGES,
                "lines": [
                    name for name in manifests.plotted if systems.named[name].kind in ("copy", "rules")
                ],
                "baseline": EVALUATION["baseline"],
                **MADE_WITH,
            },
        ),
    }
)


# The same for the manifests of leaves.
use rule list_outputs as list_files with:
    output:
        manifest="build/papers/xformal/{listed}.manifest.csv",
    wildcard_constraints:
        listed=one_of(manifests.rows),
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(manifests.rows[wildcards.listed]),


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
        scale=lookup("scale", within=config),
        made_with=as_options(MADE_WITH),
        human=lambda wildcards: output_raters.options,
    shell:
        "python -m workflow_scripts.papers.xformal.table7_compare {output.compare:q} --scores {input.scores:q}"
        " --printed {input.printed:q} --systems {input.systems:q}"
        " --scale {params.scale:q} {params.made_with:q} {params.human:q} 2> {log:q}"
