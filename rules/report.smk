# report: the page of all leaves, and each leaf for LaTeX.
# The leaves of the page.
SHOWN = [leaf for leaf in LEAVES.values() if leaf.paper in config["report"]["papers"]]
RULE_FILES = [str(path.relative_to(CHECKOUT)) for path in sorted((CHECKOUT / "rules").rglob("*.smk"))]
# The files that rules depend on besides their own: the wiring, and tables.
RULE_FILES += [
    str(path.relative_to(CHECKOUT)) for path in sorted((CHECKOUT / "workflow_scripts/wiring").rglob("*.py"))
]
RULE_FILES += [
    f"resources/{name}.csv" for name in ("generic", "languages", "leaves", "papers", "sources", "test-sets")
]


wildcard_constraints:
    shown=one_of(LEAVES),


rule latex:
    """A leaf as a booktabs table."""
    input:
        table="results/{shown}.csv",
        leaves=resource("resources/leaves.csv"),
        papers=resource("resources/papers.csv"),
        languages=resource("resources/languages.csv"),
    output:
        table="results/latex/{shown}.tex",
    localrule: True
    params:
        scale=config["scale"],
    shell:
        "python -m workflow_scripts.report.latex {input.table:q} {output.table:q} --leaf {wildcards.shown:q}"
        " --leaves {input.leaves:q} --languages {input.languages:q} --scale {params.scale:q} 2> {log:q}"


rule resolved:
    """The checked configuration of this run, overlays and command line included."""
    output:
        settings="results/settings.json",
    localrule: True
    params:
        # A function, since the paths of systems contain `{lang}`.
        configuration=lambda wildcards: json.dumps(config, sort_keys=True),
    shell:
        "python -m workflow_scripts.report.resolved {output.settings:q}"
        " --configuration {params.configuration:q} 2> {log:q}"


rule list_rules:
    """A row for each rule: its stage or paper, and its purpose."""
    output:
        manifest="build/report/rules.manifest.csv",
    localrule: True
    params:
        # A function, since rules come after this one.
        rows=lambda wildcards: json.dumps(
            [["rule", "stage", "does"], *checks.described(internals.rules_of(workflow))]
        ),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule rulegraph:
    """The rules that make the page, listed by snakemake with the settings of this run."""
    input:
        # These determine which rules take part.
        [resource(path) for path in RULE_FILES],
        settings="results/settings.json",
        snakefile=resource("Snakefile"),
        rules="build/report/rules.manifest.csv",
    output:
        graph="build/report/rules.csv",
    shell:
        "python -m workflow_scripts.report.rulegraph {output.graph:q} --snakefile {input.snakefile:q}"
        " --settings {input.settings:q} --rules {input.rules:q} --goal results/index.html 2> {log:q}"


rule page:
    """Every leaf on one page, the printed numbers beside ours."""
    input:
        files_of(*config["report"]["papers"]),
        [f"results/latex/{leaf.name}.tex" for leaf in SHOWN],
        [
            resource(f"workflow_scripts/report/templates/{name}")
            for name in ("page.html", "parts.html", "style.css")
        ],
        [resource(f"resources/printed/{leaf.printed}") for leaf in SHOWN if leaves.printed(leaf)],
        # The regressors' correlations, whichever papers are shown.
        resource("resources/printed/xformal/formality-ratings.csv"),
        settings="results/settings.json",
        sources="results/sources.csv",
        graph="build/report/rules.csv",
        spearman="build/formality/spearman.csv",
        scores=expand(SCORES_OF, lang=LANGUAGES) if "xformal" in config["report"]["papers"] else [],
        leaves=resource("resources/leaves.csv"),
        papers=resource("resources/papers.csv"),
        languages=resource("resources/languages.csv"),
    output:
        page=report(
            "results/index.html", caption="../workflow_scripts/report/page.rst", category="All leaves"
        ),
    params:
        papers=config["report"]["papers"],
        scores=lambda wildcards, input: words({"scores": list(input.scores) or None}),
        printed=lambda wildcards: resource("resources/printed"),
    shell:
        "python -m workflow_scripts.report.page {output.page:q} --results results --papers {params.papers:q}"
        " --leaves {input.leaves:q} --languages {input.languages:q} --printed {params.printed:q}"
        " --settings {input.settings:q} --sources {input.sources:q} --graph {input.graph:q}"
        " --plan results/plan.csv --benchmarks build/benchmarks --spearman {input.spearman:q} {params.scores:q} 2> {log:q}"
