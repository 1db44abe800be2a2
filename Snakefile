# The entry point: configuration, rules in the order of the data flow, and the targets.
from snakemake.utils import min_version

# The oldest release that a test runs (core/snakemake_internals.py): 9.0 finds no change of a setting or of code.
min_version("9.6.0")


include: "rules/start.smk"


# The checkout's, whatever the working directory is: an overlay is all that an experiment gives.
configfile: f"{CHECKOUT}/config.yaml"


include: "rules/common.smk"
include: "rules/checks.smk"
include: "rules/tools.smk"
include: "rules/corpora/demo.smk"
include: "rules/corpora/sources.smk"
include: "rules/corpora/xformal.smk"
include: "rules/corpora/further.smk"
include: "rules/filtering.smk"
include: "rules/translation.smk"
include: "rules/formality.smk"
include: "rules/fluency.smk"
include: "rules/transfer/systems.smk"
include: "rules/transfer/training_pairs.smk"
include: "rules/transfer/supervised.smk"
include: "rules/transfer/finetuned.smk"
include: "rules/unsupervised.smk"
include: "rules/scorers.smk"
include: "rules/evaluation.smk"
include: "rules/rewrites.smk"
include: "rules/human/outputs.smk"
include: "rules/human/translations_and_dialogues.smk"
include: "rules/politeness/classifiers.smk"
include: "rules/politeness/raters.smk"
include: "rules/politeness/styles.smk"
include: "rules/politeness/lexicons.smk"
include: "rules/control/scores.smk"
include: "rules/control/asked.smk"
include: "rules/control/finetuned.smk"
include: "rules/control/tuned.smk"
include: "rules/control/genders.smk"
include: "rules/dialogue.smk"
include: "rules/responders.smk"
include: "rules/users/transfer.smk"
include: "rules/users/scores.smk"
include: "rules/users/dialogues.smk"
include: "rules/report.smk"


# A row of resources/papers.csv is a target, snakemake tydip, and may have further rules in rules/papers/.
for paper in PAPERS.values():
    if (CHECKOUT / f"rules/papers/{paper.folder}.smk").is_file():

        include: f"rules/papers/{paper.folder}.smk"


include: "rules/papers/leaves.smk"


for paper in PAPERS.values():
    # The rule of a leaf that is called like its paper is the target.
    if paper.name not in LEAVES:

        rule:
            """The leaves of a paper, and its further files."""
            name:
                paper.folder
            input:
                files_of(paper.name),
                FURTHER[paper.name],
            localrule: True


localrules:
    all,
    curation,
    tools,


rule curation:
    """XFORMAL, Section 3 and Table 2: from Yahoo Answers to informal candidates for rewriting."""
    input:
        expand("build/filtering/yahoo/{lang}/candidates.txt", lang=LANGUAGES),


rule tools:
    """The tools of Table 7 that live in environments of their own; tests call them too."""
    input:
        BICLEANER,
        LMPLZ,


rule all:
    """Every leaf; results/README.md lists them."""
    default_target: True
    input:
        files_of(*PAPERS),
        *FURTHER.values(),
        "results/sources.csv",
        "results/index.html",


try:
    rule_defaults.give_defaults(workflow, CHECKOUT, CHECKOUT / "envs/main.yaml", code_of)
    rule_defaults.set_aside_amounts(workflow)
    rule_defaults.forget_functions(workflow)
    internals.keep_parameters(workflow)
    if config["device"] != "cpu":
        rule_defaults.give_resources_of_gpus(workflow)
except InputError as problem:
    stop(problem)

if UNKNOWN := checks.unknown_targets(workflow):
    stop("\nerror: ".join(UNKNOWN))
