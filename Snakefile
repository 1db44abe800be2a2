# The front hall: configuration, stages in the order in which data flow, and the targets.
from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


include: "rules/common.smk"
include: "rules/corpora.smk"
include: "rules/filtering.smk"
include: "rules/translation.smk"
include: "rules/formality.smk"
include: "rules/fluency.smk"
include: "rules/transfer.smk"
include: "rules/evaluation.smk"
include: "rules/tables.smk"


localrules:
    all,
    xformal,
    curation,
    tools,


rule xformal:
    """The leaves of XFORMAL (Briakou et al., 2021)."""
    input:
        multiext("results/table7", ".csv", ".compare.csv", ".html"),


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
