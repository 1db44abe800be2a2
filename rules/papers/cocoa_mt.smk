# The rule of CoCoA-MT (Nadejde et al., 2022) besides those of its leaves in workflow_scripts/wiring/papers/cocoa_mt.py.
from workflow_scripts.wiring.papers.cocoa_mt import RELEASED

TABLE3_OPTIONS = {
    "languages": TARGETS,
    "pipelines": ["=".join(named) for named in config["control"]["pipelines"].items()] or None,
    "threads": config["threads"],
}


rule cocoa_mt_table3:
    """Marked phrases and their tokens (Table 3), with spaCy."""
    input:
        corpora=expand(RELEASED, lang=TARGETS),
        printed=resource("resources/printed/cocoa-mt/table3.csv"),
        tool=TOOLS["spacy"],
    output:
        [leaf(path) for path in leaves.paths_of(LEAVES["cocoa-mt/table3"])],
    threads: config["threads"]
    resources:
        mem_mb=growing(2000),
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        options=as_options(TABLE3_OPTIONS),
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.papers.cocoa_mt.table3 {output:q}"
        " --corpora {input.corpora:q} --printed {input.printed:q} {params.options:q} 2> {log:q}"
