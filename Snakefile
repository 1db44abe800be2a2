# The entry point: configuration, rules in the order in which data flow, and the targets.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


include: "rules/common.smk"
include: "rules/systems.smk"
include: "rules/tools.smk"
include: "rules/corpora.smk"
include: "rules/filtering.smk"
include: "rules/translation.smk"
include: "rules/formality.smk"
include: "rules/fluency.smk"
include: "rules/transfer.smk"
include: "rules/unsupervised.smk"
include: "rules/evaluation.smk"
include: "rules/rewrites.smk"
include: "rules/human.smk"
include: "rules/politeness.smk"
include: "rules/papers/xformal.smk"
include: "rules/papers/pt16.smk"
include: "rules/papers/tydip.smk"
include: "rules/papers/cocoa_mt.smk"
include: "rules/papers/leaves.smk"
include: "rules/report.smk"


localrules:
    all,
    xformal,
    tydip,
    cocoa_mt,
    curation,
    tools,


rule xformal:
    """The leaves of XFORMAL (Briakou et al., 2021), the raters' sheets, and the ratings of PT16."""
    input:
        files_of("xformal", "pt16"),
        HUMAN_SHEETS,


rule tydip:
    """The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give."""
    input:
        files_of("tydip"),


rule cocoa_mt:
    """The leaves of CoCoA-MT (Nadejde et al., 2022) that its released data give."""
    input:
        files_of("cocoa-mt"),


rule curation:
    """XFORMAL, Section 3 and Table 2: from Yahoo Answers to informal candidates for rewriting."""
    input:
        expand("build/filtering/yahoo/{lang}/candidates.txt", lang=LANGUAGES),


rule tools:
    """The tools that live in environments of their own; tests call them too."""
    input:
        TOOLS["bicleaner"],
        rules.lmplz.output,


rule all:
    """Every leaf; results/README.md lists them."""
    default_target: True
    input:
        rules.xformal.input,
        rules.tydip.input,
        rules.cocoa_mt.input,
        "results/sources.csv",
        "results/index.html",
