# control: formality-controlled translators, and their evaluation on CoCoA-MT's test set.
from workflow_scripts.text.levels import OF_COCOA, language_of
from workflow_scripts.wiring.run import checkpoint_files
from workflow_scripts.wiring.control import CLASSIFIED, CLASSIFIER, SHARED_TASKS, TEST_FILES


rule controlled_test:
    """The test sentences, their domains, and their references in both levels."""
    input:
        corpus=f"{control.corpus}/{{lang}}",
    output:
        files=TEST_FILES,
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    resources:
        lines="cocoa-mt",
    shell:
        "python -m workflow_scripts.control.test_set build/control/test/{wildcards.lang:q} --corpus {input.corpus:q} 2> {log:q}"


# The test set of a shared task that is CoCoA-MT's, whatever `corpora.cocoa_mt` is.
use rule controlled_test as shared_cocoa_test with:
    input:
        corpus=lambda wildcards: f"build/corpora/cocoa-mt/{language_of(wildcards.lang)}",
    wildcard_constraints:
        lang=one_of(OF_COCOA),
    localrule: True
    resources:
        lines="shared-task",


rule shared_task_test:
    """The test sentences of a shared task, and their references in both levels."""
    input:
        lambda wildcards: [corpora.folder(f"iwslt{wildcards.lang.partition('-')[2]}")],
    output:
        files=TEST_FILES,
    wildcard_constraints:
        lang=one_of(name for name in SHARED_TASKS if name not in OF_COCOA),
    localrule: True
    resources:
        lines="shared-task",
    params:
        options=corpora.shared_task,
    shell:
        "python -m workflow_scripts.corpora.shared_task build/control/test/{wildcards.lang:q}"
        " {params.options:q} 2> {log:q}"


for controlled_kind, controlled_from in control.given.items():

    rule:
        """Translations of the test set at one level, in its order."""
        name:
            f"controlled_{controlled_kind}"
        input:
            files=controlled_from,
            domains="build/control/test/{lang}/domains.txt",
        output:
            translations=CONTROL_OUTPUTS,
        wildcard_constraints:
            system=control.of_kind(controlled_kind),
            lang=one_of(TEST_SETS),
            level=one_of(LEVELS),
        localrule: True
        shell:
            "python -m workflow_scripts.control.outputs {output.translations:q} --files {input.files:q}"
            " --domains {input.domains:q} 2> {log:q}"


rule list_controlled_systems:
    """The labels of the systems, in the order of the rows."""
    output:
        manifest="build/control/systems.csv",
    localrule: True
    params:
        # A function, since a label may contain braces, which Snakemake takes for wildcards in a text.
        rows=lambda wildcards: json.dumps(
            [["system", "label"], *([name, control.systems[name].label] for name in control.rows)]
        ),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule list_controlled:
    """A row for each file of translations of a language."""
    output:
        manifest="build/control/scores/{lang}.manifest.csv",
    wildcard_constraints:
        lang=one_of(TEST_SETS),
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(
            [["system", "level", "run", "output"], *control.runs(wildcards.lang)]
        ),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


# The classifier of formality that `control.classifier` names.
use rule formality_classifier as shared_task_classifier with:
    input:
        checkpoint_files(config["control"]["classifier"]["path"]),
    output:
        model=directory(CLASSIFIER),
    params:
        source=as_options({"folder": config["control"]["classifier"]["path"], "name": "folder"}),
        place=["first", "second"].index(config["control"]["classifier"]["formal"]),


# Logits of the classifier for translations of a shared task's test set at both levels.
use rule score_formality as classify_controlled with:
    input:
        regressor=CLASSIFIER,
        outputs=lambda wildcards: [path for *_, path in control.runs(wildcards.lang)],
    output:
        scores=directory(CLASSIFIED),
    wildcard_constraints:
        lang=one_of(SHARED_TASKS),
    params:
        scores=control.classified,
        scoring=options(config["control"]["classifier"], "max_length", "batch_size"),


rule score_controlled:
    """M-Acc and BLEU of all systems of a language, with intervals and tests against the baseline."""
    input:
        test_set=TEST_FILES,
        runs="build/control/scores/{lang}.manifest.csv",
        outputs=lambda wildcards: [path for *_, path in control.runs(wildcards.lang)],
        generic=control.generic_references,
        made_by=control.asked_in,
        classified=control.classified_input,
    output:
        scores="build/control/scores/{lang}.csv",
    wildcard_constraints:
        lang=one_of(TEST_SETS),
    resources:
        step="score_controlled",
        counts="resamples",
    params:
        generic=control.generic_option,
        baseline=lambda wildcards: words(
            {
                "baseline": (
                    name
                    if (name := config["control"]["baseline"]) in control.systems_in(wildcards.lang)
                    else None
                )
            }
        ),
        made_by=lambda wildcards: words({"made_by": control.asked_in(wildcards) or None}),
        classified=control.classified_options,
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.control.score {output.scores:q} --language {wildcards.lang:q}"
        " --test-set build/control/test/{wildcards.lang:q} --runs {input.runs:q} {params.generic:q}"
        " {params.baseline:q} {params.made_by:q} {params.classified:q} {params.tests:q} --seed {params.seed:q} 2> {log:q}"


# Figures 1 and 2: a system with other numbers of copies.
use rule list_controlled as list_upsampled with:
    output:
        manifest="build/control/upsampling/{lang}/{figure}.manifest.csv",
    wildcard_constraints:
        lang=one_of(TARGETS),
        figure=r"figure\d",
    localrule: True
    params:
        rows=lambda wildcards: json.dumps(
            [["system", "level", "run", "output"], *control.upsampled_runs(wildcards.figure)]
        ),


use rule score_controlled as score_upsampled with:
    input:
        test_set=TEST_FILES,
        runs="build/control/upsampling/{lang}/{figure}.manifest.csv",
        outputs=lambda wildcards: [path for *_, path in control.upsampled_runs(wildcards.figure)],
        generic=control.generic_references,
    output:
        scores="build/control/upsampling/{lang}/{figure}.csv",
    wildcard_constraints:
        lang=one_of(TARGETS),
        figure=r"figure\d",
    params:
        baseline=[],
        made_by=[],
        classified=[],
