# human: raters of translations (CoCoA-MT) and of dialogue systems (Hu et al., 2022), their sheets and pages.
from workflow_scripts.wiring.control import TARGET_NAMES
from workflow_scripts.wiring.translation_raters import TRANSLATION_FILES, TRANSLATION_SHEET


wildcard_constraints:
    sheet="labels|informal|formal",


rule translation_sheet:
    """The sheet of a language's translations, and the key that tells whose they are (CoCoA-MT)."""
    input:
        unpack(translation_raters.sheet),
    output:
        sheet=TRANSLATION_SHEET,
        key=f"{TRANSLATION_FILES}.key.csv",
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    params:
        options=translation_raters.sheet_options,
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.translations {output.sheet:q} {output.key:q}"
        " --language {wildcards.lang:q} {params.options:q} --seed {params.seed:q} 2> {log:q}"


# A sheet of translations as a page that opens in a browser.
use rule human_sheet as translation_page with:
    input:
        sheet=TRANSLATION_SHEET,
        template=resource("workflow_scripts/human/sheet.html"),
        base=resource("workflow_scripts/human/base.html"),
        english=resource("resources/raters/en.yaml"),
        native=lambda wildcards: output_raters.native(wildcards.lang),
    output:
        page="results/human/translations/{lang}.{sheet}.html",
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    params:
        lang=lambda wildcards: wildcards.lang,
        name=lambda wildcards: TARGET_NAMES[wildcards.lang],
        kind="evaluation",


rule simulate_translations:
    """Simulated raters of translations, at demo scale and without ratings of people."""
    input:
        unpack(translation_raters.marked),
        corpus=f"{control.corpus}/{{lang}}",
        sheet=TRANSLATION_SHEET,
        key=f"{TRANSLATION_FILES}.key.csv",
    output:
        ratings="build/human/{lang}/translations/simulated/{sheet}/{lang}.csv",
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    params:
        references=translation_raters.marked_options,
        raters=as_options(
            {
                "raters": config["control"]["raters"]["raters"],
                "slips": 0.03,
                "noise": 0.6,
                "bias": 0.3,
                "spread": 0.4,
            }
        ),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.simulate_translations {output.ratings:q} --sheet {input.sheet:q}"
        " --key {input.key:q} {params.references:q} {params.raters:q} --seed {params.seed:q} 2> {log:q}"


# The ratings of translations, checked against the sheet.
use rule human_ratings as translation_ratings with:
    input:
        sheet=TRANSLATION_SHEET,
        files=translation_raters.files,
    output:
        ratings=f"{TRANSLATION_FILES}.ratings.csv",
        coverage=f"{TRANSLATION_FILES}.coverage.csv",
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    params:
        folder=lambda wildcards: translation_raters.folder(wildcards.sheet).format(lang=wildcards.lang),
        languages=TARGETS,
        raters=config["control"]["raters"]["raters"],


rule dialogue_sheet:
    """The sheet of dialogue systems, and the key with their names (Hu et al., 2022, Section V-B)."""
    input:
        transcripts="build/dialogue/transcripts.csv",
    output:
        sheet="results/human/dialogues/en.csv",
        key="build/human/en/dialogues/key.csv",
    localrule: True
    params:
        sizes=as_options(
            {
                "count": config["dialogue"]["raters"]["dialogues"],
                "raters": config["dialogue"]["raters"]["raters"],
            }
        ),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.dialogues {output.sheet:q} {output.key:q}"
        " --transcripts {input.transcripts:q} {params.sizes:q} --seed {params.seed:q} 2> {log:q}"


# The sheet of dialogues as a page that opens in a browser.
use rule human_sheet as dialogue_page with:
    input:
        sheet=rules.dialogue_sheet.output.sheet,
        template=resource("workflow_scripts/human/sheet.html"),
        base=resource("workflow_scripts/human/base.html"),
        english=resource("resources/raters/en.yaml"),
        native=[],
    output:
        page="results/human/dialogues/en.html",
    localrule: True
    params:
        lang="en",
        name="English",
        kind="dialogues",


rule rewriting_page:
    """The page on which annotators rewrite users' words impolitely (Hu et al., 2022, Figure 4)."""
    input:
        dialogues="build/corpora/multiwoz/train.jsonl",
        scenarios=resource("resources/scenarios.csv"),
        template=resource("workflow_scripts/human/rewriting.html"),
        base=resource("workflow_scripts/human/base.html"),
    output:
        page="results/human/rewriting/en.html",
    localrule: True
    params:
        dialogues=config["dialogue"]["raters"]["rewritten"],
        scale=config["scale"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.rewriting {output.page:q} --dialogues {input.dialogues:q}"
        " --scenarios {input.scenarios:q} --template {input.template:q} --count {params.dialogues:q}"
        " --scale {params.scale:q} --seed {params.seed:q} 2> {log:q}"


rule simulate_dialogues:
    """Simulated raters of dialogues, for the demo's and without ratings of people."""
    input:
        sheet=rules.dialogue_sheet.output.sheet,
        key=rules.dialogue_sheet.output.key,
        transcripts="build/dialogue/transcripts.csv",
    output:
        ratings="build/human/en/dialogues/simulated/en.csv",
    localrule: True
    params:
        raters=as_options(
            {
                "raters": config["dialogue"]["raters"]["raters"],
                "slips": 0.05,
                "noise": 0.4,
                "bias": 0.2,
                "spread": 0.3,
            }
        ),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.human.simulate_dialogues {output.ratings:q} --sheet {input.sheet:q}"
        " --key {input.key:q} --transcripts {input.transcripts:q} {params.raters:q} --seed {params.seed:q} 2> {log:q}"


# The ratings of dialogues, checked against the sheet.
use rule human_ratings as dialogue_ratings with:
    input:
        sheet=rules.dialogue_sheet.output.sheet,
        files=files_to_check(dialogue.ratings, dialogue.simulated),
    output:
        ratings="build/human/{lang}/dialogues/ratings.csv",
        coverage="build/human/{lang}/dialogues/coverage.csv",
    wildcard_constraints:
        lang="en",
    localrule: True
    params:
        folder=lambda wildcards: dialogue.ratings,
        languages=["en"],
        raters=config["dialogue"]["raters"]["raters"],
