# The leaves of XFORMAL (Briakou et al., 2021), each beside the printed one.
from workflow_scripts.wiring.encoders import name_of

SCORES = expand(SCORES_OF, lang=LANGUAGES)

# Who has translated, and the regressors' encoder, for leaves that are comparable with the paper's alone: the hub's name,
# or the kind of another one.
MADE_WITH = {
    "backend": backend.name,
    "encoder": name_of(SETTINGS.formality.encoder),
}

# What each row of Table 6 counts: (the paper's label, corpus, language, file). UNMT and DLSM share theirs.
TRAINED_ON = list(dict.fromkeys(systems.trained_on()))

# Footnote 11: the pools of L26, where something is trained on samples of them; and how many sentences were left out
# before, since systems are tested on them.
TRAINED_ON += [
    (f"L26, {style.upper()}", "yahoo", lang, f"build/filtering/yahoo-fr/{lang}/{name}")
    for lang in dict.fromkeys(row[2] for row in TRAINED_ON if "/yahoo-fr/" in row[3])
    for style in reversed(STYLES)
    for name in (f"{style}.{lang}.txt.gz", "curated.counts.tsv")
]

# Which of these are a sample of the pool that the language model's text is of: (label, corpus, language, sample, table of
# what samples share).
FORMAL_SAMPLES = list(
    dict.fromkeys(
        (
            label,
            corpus,
            lang,
            os.path.basename(path).split(".")[1],
            f"{os.path.dirname(path)}/formal.samples.tsv",
        )
        for label, corpus, lang, path in TRAINED_ON
        if path.startswith("build/filtering/opensubtitles/") and os.path.basename(path).startswith("formal.")
    )
)

# Languages of which Yahoo Answers are read; the demo world's stand in no table of another scale.
YAHOO = (
    [lang for lang in LANGUAGES if ALL_LANGUAGES[lang]["yahoo_language"]]
    if config["corpora"]["yahoo"] != "demo" or config["scale"] == "demo"
    else []
)

# The informal sentences, the first rewrite, and what systems make of them: (language, label, file).
COMPARED = [
    row
    for lang in LANGUAGES
    for row in [
        (lang, "INFORMAL", f"build/corpora/xformal/{lang}/informal.txt"),
        (lang, "XFORMAL REWRITE", f"build/corpora/xformal/{lang}/formal.ref0.txt"),
        *(
            (lang, systems.named[system].label, path)
            for system in systems.rows_in(lang)
            if systems.named[system].kind not in ("gold", "copy")
            for path in systems.runs(lang, system)
        ),
    ]
]

# What M-Acc is of: all systems, where the references are annotated.
ANNOTATED = config["corpora"]["xformal"] == "cocoa-mt"
LABELLED = [
    (lang, systems.named[system].label, path)
    for lang in LANGUAGES
    for system in systems.rows_in(lang)
    for path in systems.runs(lang, system)
    if ANNOTATED
]

FIRST_RUNS = list({row[:2]: row for row in reversed(COMPARED)}.values())[::-1]

# The raters' sheets.
FURTHER["xformal"] = output_raters.sheets()

PLOTTED = [name for name in systems.rows if systems.named[name].kind != "gold"]


# The manifests of leaves, the columns first.
LISTED = {
    "table7": [("system", "label"), *((name, systems.named[name].label) for name in systems.rows)],
    "figure4": [("system", "label"), *((name, systems.named[name].label) for name in PLOTTED)],
    "table6": [("label", "corpus", "language", "file"), *TRAINED_ON],
    "table6-samples": [("label", "corpus", "language", "sample", "counts"), *FORMAL_SAMPLES],
    "table8": [("language", "label", "text"), *FIRST_RUNS],
    "figure3": [("language", "label", "text"), *COMPARED],
    "m-acc": [("language", "label", "text"), *LABELLED],
}

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
                "pairs": expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN),
                "judged": expand("build/rewrites/{lang}/judged.csv", lang=SHEETS),
            },
            {"languages": list(REWRITTEN), "rules": config["analysis"]["edits"]},
        ),
        "table5": (
            {
                "pairs": expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN),
                "self_bleu": expand("build/rewrites/{lang}/self_bleu.csv", lang=REWRITTEN),
            },
            {"languages": list(REWRITTEN)},
        ),
        "table6": (
            {
                "files": "build/papers/xformal/table6.manifest.csv",
                "samples": "build/papers/xformal/table6-samples.manifest.csv",
            },
            MADE_WITH,
            sorted({path for *_, path in (*TRAINED_ON, *FORMAL_SAMPLES)}),
        ),
        "table8": (
            {"texts": "build/papers/xformal/table8.manifest.csv"},
            {"size": config["analysis"]["examples"], "seed": config["seed"]},
            [path for *_, path in FIRST_RUNS],
        ),
        "table9": (
            {
                "ratings": "build/corpora/pt16/test.scores.txt",
                "original": "build/formality/en/held_out.txt",
                "translated": expand("build/formality/en/pivots/{lang}.txt", lang=LANGUAGES),
            },
            {"languages": LANGUAGES},
        ),
        "table10": (
            {"ratings": expand("build/human/{lang}/ratings.csv", lang=output_raters.languages)},
            {
                # Where raters were asked; without ratings the printed columns of all.
                "languages": output_raters.languages or LANGUAGES,
                "simulations": HUMAN["simulations"],
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
            {"judged": expand("build/rewrites/{lang}/judged.csv", lang=SHEETS)},
            {"languages": list(REWRITTEN)},
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
        "m-acc": (
            {
                "texts": "build/papers/xformal/m-acc.manifest.csv",
                "corpora": [f"build/corpora/cocoa-mt/{lang}" for lang in LANGUAGES if ANNOTATED],
            },
            {"languages": LANGUAGES if ANNOTATED else []},
            [path for *_, path in LABELLED],
        ),
        "figure1": (
            {"pairs": expand("build/rewrites/{lang}/pairs.csv", lang=REWRITTEN)},
            {"languages": list(REWRITTEN), "labels": REWRITTEN_LABELS, "width": 10},
        ),
        "figure2": (
            {"scores": expand("build/rewrites/{lang}/formality", lang=REWRITTEN)},
            {"languages": list(REWRITTEN), "labels": REWRITTEN_LABELS, **MADE_WITH},
        ),
        "figure3": (
            {"texts": "build/papers/xformal/figure3.manifest.csv"},
            {},
            [path for *_, path in COMPARED],
        ),
        "figure4": (
            {
                "reruns": expand("build/evaluation/{lang}/reruns.csv", lang=LANGUAGES),
                "systems": "build/papers/xformal/figure4.manifest.csv",
            },
            {
                "languages": LANGUAGES,
                "lines": [name for name in PLOTTED if systems.named[name].kind in ("copy", "rules")],
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
    log:
        "logs/xformal/list_files.{listed}.log",
    wildcard_constraints:
        listed=one_of(LISTED),
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(LISTED[wildcards.listed]),


rule table7:
    """Table 7: automatic and human evaluation of formality style transfer, in the paper's layout."""
    input:
        scores=SCORES,
        systems="build/papers/xformal/table7.manifest.csv",
        human=lambda wildcards: output_raters.scores,
    output:
        table=leaf("results/table7.csv"),
    log:
        "logs/xformal/table7.log",
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
    log:
        "logs/xformal/table7_compare.log",
    localrule: True
    params:
        scale=lookup("scale", within=config),
        made_with=as_options(MADE_WITH),
        human=lambda wildcards: output_raters.options,
    shell:
        "python -m workflow_scripts.papers.xformal.table7_compare {output.compare:q} --scores {input.scores:q}"
        " --printed {input.printed:q} --systems {input.systems:q}"
        " --scale {params.scale:q} {params.made_with:q} {params.human:q} 2> {log:q}"
