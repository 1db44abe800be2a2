# The leaves of CoCoA-MT (Nadejde et al., 2022) that its released data give.
from workflow_scripts.text.levels import GENDERED, SHARED_TASKS
from workflow_scripts.wiring.control import GENERIC_KINDS, TARGETS, TEST_FILES, TUNED_MODEL, VENDORS
from workflow_scripts.wiring.translation_raters import TRANSLATION_SHEET

COCOA = {"corpora": [f"build/corpora/cocoa-mt/{target}" for target in TARGETS]}

WIRING.update(
    {
        "cocoa-mt/table2": (COCOA, {"languages": TARGETS}),
        "cocoa-mt/table12": (
            {"corpora": [f"build/corpora/cocoa-mt/{target}" for target in GENDERED]},
            {"languages": list(GENDERED)},
        ),
        # The remark in Table 6's caption about the references.
        "cocoa-mt/m-acc": (COCOA, {"languages": TARGETS}),
    }
)

CONTROL_LANGUAGES = config["control"]["languages"]
# The training data here and in the paper: numbers are comparable only if they are the same.
PAPER_DATA = {"paper_data": resource("resources/printed/cocoa-mt/made-of.csv")}
ACCURACIES = (
    {
        "scores": expand("build/control/scores/{lang}.csv", lang=CONTROL_LANGUAGES),
        "systems": "build/control/systems.csv",
        **PAPER_DATA,
    },
    {
        "languages": CONTROL_LANGUAGES,
        **control.made_of(*CONTROL_LANGUAGES),
        "trained": [name for name in control.rows if control.systems[name].kind in GENERIC_KINDS] or None,
    },
)
TUNED_ON = [
    f"{TUNED_MODEL.format(system=name, lang=lang, run=0)}.source.txt"
    for lang in CONTROL_LANGUAGES
    for name in control.systems_in(lang)
    if control.systems[name].kind == "tuned"
]
WIRING["cocoa-mt/table6"] = WIRING["cocoa-mt/table8"] = (
    {**ACCURACIES[0], **({"pairs": TUNED_ON} if TUNED_ON else {})},
    {
        **ACCURACIES[1],
        "data": [f"{name}={control.tuned[name].data}" for name in control.rows if name in control.tuned]
        or None,
    },
)
# Languages that the paper does not have; the Portuguese is European.
WIRING["cocoa-mt/shared-tasks"] = (
    {
        "scores": expand("build/control/scores/{lang}.csv", lang=SHARED_TASKS),
        "systems": "build/control/systems.csv",
    },
    {"sets": SHARED_TASKS},
)
TRANSLATIONS = {
    "test_sets": expand("build/control/test/{lang}/source.txt", lang=CONTROL_LANGUAGES),
    "outputs": expand("build/control/scores/{lang}.manifest.csv", lang=CONTROL_LANGUAGES),
}

LEVELLED = [name for name in control.rows if name not in control.unasked]
WIRING["cocoa-mt/table5"] = (
    TRANSLATIONS,
    {"languages": CONTROL_LANGUAGES, "leave_out": control.unasked or None},
    control.at_levels(LEVELLED),
)

# Examples: of the configured CoCoA-MT, and of the translations.
CONTRASTIVE = (
    {"corpora": expand(f"{control.corpus}/{{lang}}", lang=CONTROL_LANGUAGES)},
    {"languages": CONTROL_LANGUAGES, "examples": config["analysis"]["examples"]},
)
WIRING["cocoa-mt/table1"] = CONTRASTIVE
WIRING["cocoa-mt/table11"] = CONTRASTIVE
# Table 9, in the languages that have lists of forms.
WITH_LISTS = [lang for lang in CONTROL_LANGUAGES if os.path.exists(resource(f"resources/levels/{lang}.tsv"))]
WIRING["cocoa-mt/table9"] = (
    {
        "corpora": expand(f"{control.corpus}/{{lang}}", lang=WITH_LISTS),
        "lists": [resource(f"resources/levels/{lang}.tsv") for lang in WITH_LISTS],
    },
    {"languages": WITH_LISTS, "examples": config["analysis"]["examples"]},
)
WIRING["cocoa-mt/table7"] = (
    {**TRANSLATIONS, "systems": "build/control/systems.csv"},
    {**CONTRASTIVE[1], "leave_out": control.unasked or None},
    control.at_levels(LEVELLED),
)
WIRING["cocoa-mt/table14"] = (
    {**TRANSLATIONS, "systems": "build/control/systems.csv"},
    CONTRASTIVE[1],
    control.at_levels(control.rows),
)
GENDER_FILES = control.gender_rows()
GENDERS_IN = config["control"]["genders"]["language"]
GENDERS_TUNED_ON = [
    f"{TUNED_MODEL.format(system=name, lang=GENDERS_IN, run=0)}.source.txt"
    for name in dict.fromkeys(name for _, name, _ in GENDER_FILES)
    if control.systems[name].kind == "tuned"
]
WIRING["cocoa-mt/table13"] = (
    {
        "scores": expand("build/control/winomt/{vendor}.csv", vendor=VENDORS),
        **PAPER_DATA,
        **(
            {
                "trained": [path for _, _, path in GENDER_FILES],
                "accuracies": f"build/control/scores/{GENDERS_IN}.csv",
            }
            if GENDER_FILES
            else {}
        ),
        **({"pairs": GENDERS_TUNED_ON} if GENDERS_TUNED_ON else {}),
    },
    {
        "systems": list(VENDORS.values()),
        "rows": [f"{row}={name}" for row, name, _ in GENDER_FILES] or None,
        "language": GENDERS_IN,
        **control.made_of(GENDERS_IN),
    },
)


LABELS, LABELLED = translation_raters.judged("labels")
LABELLED_LANGUAGES = [lang for lang, _ in LABELLED]
LABEL_OPTIONS = {"languages": LABELLED_LANGUAGES or None, "simulated": translation_raters.simulated}
WIRING["cocoa-mt/table4"] = ({**LABELS, "systems": "build/control/systems.csv"}, LABEL_OPTIONS)
LABELLED_SETS = {"test_sets": expand("build/control/test/{lang}/source.txt", lang=LABELLED_LANGUAGES)}
WIRING["cocoa-mt/table5-labels"] = (
    {**LABELS, **(LABELLED_SETS if LABELLED else {})},
    LABEL_OPTIONS,
    expand(TEST_FILES, lang=LABELLED_LANGUAGES),
)
COMPARED, COMPARED_SHEETS = translation_raters.judged("informal", "formal")
WIRING["cocoa-mt/table10"] = (
    COMPARED,
    {
        "rated": [f"{lang}.{sheet}" for lang, sheet in COMPARED_SHEETS] or None,
        "baseline": config["control"]["raters"]["baseline"],
        "controlled": config["control"]["raters"]["compared"],
        "simulated": translation_raters.simulated,
    },
)
# The pages for raters.
FURTHER["cocoa-mt"] = [
    path
    for sheet, langs in translation_raters.languages.items()
    for path in expand(TRANSLATION_SHEET, lang=langs, sheet=sheet)
]


# The languages that lists of words label.
LISTED_LANGUAGES = [
    target for target in TARGETS if os.path.exists(resource(f"resources/levels/{target}.tsv"))
]

WIRING["cocoa-mt/rule-labels"] = (
    {
        "corpora": [f"build/corpora/cocoa-mt/{target}" for target in LISTED_LANGUAGES],
        "lists": [resource(f"resources/levels/{target}.tsv") for target in LISTED_LANGUAGES],
    },
    {"languages": LISTED_LANGUAGES},
)

for upsampled_figure, upsampled_in in config["control"]["upsampling"].items():
    WIRING[f"cocoa-mt/{upsampled_figure}"] = (
        {
            "scores": f"build/control/upsampling/{upsampled_in['language']}/{upsampled_figure}.csv",
            **PAPER_DATA,
            "pairs": [
                f"{TUNED_MODEL.format(system=name, lang=upsampled_in['language'], run=0)}.source.txt"
                for name, copies in control.upsampled(upsampled_figure).items()
                if copies
            ],
        },
        {
            "systems": [f"{name}={copies}" for name, copies in control.upsampled(upsampled_figure).items()],
            "language": upsampled_in["language"],
            "generic": control.sets_of(upsampled_in["language"])[-1],
            **control.made_of(upsampled_in["language"]),
        },
    )

TABLE3_OPTIONS = {
    "languages": TARGETS,
    "pipelines": ["=".join(named) for named in config["control"]["pipelines"].items()] or None,
    "threads": config["threads"],
}


rule cocoa_mt_table3:
    """Marked phrases and their tokens (Table 3), with spaCy."""
    input:
        **COCOA,
        printed=resource("resources/printed/cocoa-mt/table3.csv"),
        tool=TOOLS["spacy"],
    output:
        [leaf(path) for path in leaves.files_of(LEAVES["cocoa-mt/table3"])],
    threads: config["threads"]
    resources:
        mem_mb=growing(2000),
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        options=as_options(TABLE3_OPTIONS),
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.papers.cocoa_mt.table3 {output:q}"
        " --corpora {input.corpora:q} --printed {input.printed:q} {params.options:q} 2> {log:q}"
