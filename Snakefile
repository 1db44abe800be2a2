# The front hall: configuration, stages in the order in which data flow, and the targets.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


include: "rules/common.smk"
include: "rules/systems.smk"
include: "rules/corpora.smk"
include: "rules/filtering.smk"
include: "rules/translation.smk"
include: "rules/formality.smk"
include: "rules/fluency.smk"
include: "rules/transfer.smk"
include: "rules/unsupervised.smk"
include: "rules/evaluation.smk"
include: "rules/tables.smk"
include: "rules/rewrites.smk"
include: "rules/comparison.smk"
include: "rules/human.smk"
include: "rules/politeness.smk"
include: "rules/control.smk"
include: "rules/report.smk"


localrules:
    all,
    xformal,
    tydip,
    cocoa_mt,
    curation,
    tools,


rule xformal:
    """The leaves of XFORMAL (Briakou et al., 2021)."""
    input:
        multiext("results/table6", ".csv", ".compare.csv"),
        multiext("results/table7", ".csv", ".compare.csv", ".html"),
        multiext("results/pt16", ".csv", ".compare.csv", ".svg"),


rule tydip:
    """The leaves of TyDiP (Srinivasan and Choi, 2022) that its released data give."""
    input:
        expand(
            "results/tydip/{leaf}{ending}",
            leaf=["table1", "table3", "table8", "table10", "table11", "binary"],
            ending=[".csv", ".compare.csv"],
        ),
        expand(
            "results/tydip/{figure}{ending}",
            figure=["figure1", "figure4", "figure8"],
            ending=[".svg", ".csv", ".compare.csv"],
        ),
        "results/tydip/sensitivity.csv",


rule cocoa_mt:
    """The leaves of CoCoA-MT (Nadejde et al., 2022) that its released data give."""
    input:
        expand(
            "results/cocoa-mt/{leaf}{ending}",
            leaf=["table2", "table3", "table12", "m-acc"],
            ending=[".csv", ".compare.csv"],
        ),


rule curation:
    """XFORMAL, Section 3 and Table 2: from Yahoo Answers to informal candidates for rewriting."""
    input:
        expand("build/filtering/yahoo/{lang}/candidates.txt", lang=LANGUAGES),


rule tools:
    """The tools that live in environments of their own; tests call them too."""
    input:
        rules.bicleaner_venv.output,
        rules.lmplz.output,


rule all:
    """Every leaf; results/README.md lists them."""
    default_target: True
    input:
        rules.xformal.input,
        rules.tydip.input,
        rules.cocoa_mt.input,
