# Helpers of translators that are told how formal to be: kinds, files, options (config/control.py). No rule stands here.
CONTROLLED = CONTROL["systems"]
# The names of the rows, in their order.
CONTROLLED_ROWS = [name for name in CONTROLLED if CONTROL["rows"] is None or name in CONTROL["rows"]]
LEVELS = ["formal", "informal"]
# The test set of a language, line by line.
TEST_FILES = [
    f"build/control/test/{{lang}}/{kind}.txt"
    for kind in ["source", "domains", *LEVELS, *(f"{level}.annotated" for level in LEVELS)]
]
# The folder of the configured CoCoA-MT, in the canonical layout.
COCOA_MT = (
    "build/corpora/cocoa-mt-demo" if config["corpora"]["cocoa_mt"] == "demo" else "build/corpora/cocoa-mt"
)
# Which generic pairs there are, and of `web` in which languages.
GENERIC_FROM = config["corpora"]["generic"]
WEB = [lang for lang in TARGETS if f"train-{lang}" in entries("generic", "web")]
# The generic test sets (Table 6: WMT, TED) that all languages have, and those that have TED all the same.
GENERIC_SETS = ["wmt", "ted"] if GENERIC_FROM == "demo" else ["wmt"]
TED_IN = [lang for lang in WEB if f"ted-{lang}" in TEST_SETS] if GENERIC_FROM == "web" else []
# Which kinds of systems translate them, untagged.
GENERIC_KINDS = ["generic", "tuned"]
# The languages that have generic pairs: further ones in small open corpora only.
GENERIC_IN = WEB if GENERIC_FROM == "web" else [*ALL_LANGUAGES]
if GENERIC_FROM == "open":
    GENERIC_IN += GENERIC_LANGUAGES
# Sentences of other domains, by the level at which they are to be translated (Table 10): of the demo world only.
HELD_OUT = LEVELS if config["corpora"]["cocoa_mt"] == "demo" else []
# What the models of these kinds translate.
TRANSLATED_SETS = [*LEVELS, *GENERIC_SETS, *(f"held-out.{level}" for level in HELD_OUT)]
HELD_OUT_SOURCE = "build/corpora/demo/held-out/{sheet}.en.txt"
HELD_OUT_REFERENCES = "build/corpora/demo/held-out/{sheet}.{lang}.{level}.annotated.txt"


def sets_of(lang):
    """The generic test sets of a language."""
    return [*GENERIC_SETS, *(["ted"] if lang in TED_IN else [])]


def generic_sources(lang):
    """The sources of a language's generic pairs (`train`), of its dev set, and of each generic test set."""
    if lang not in GENERIC_IN:
        return {}
    held_out = {"dev": "pairs held out of the training pairs"}
    if GENERIC_FROM != "open":
        rows = entries("generic")
        parts = ["train", *(["dev"] if f"dev-{lang}" in rows else []), *sets_of(lang)]
        return held_out | {part: rows[f"{part}-{lang}"].id for part in parts}
    names = {part: open_generic(lang, part) for part in ("train", *GENERIC_SETS)}
    return held_out | {part: "+".join(found) for part, found in names.items() if found}


# The domains of the training pairs.
TRAINED = ["telephony", "topical_chat"]
# Kinds of systems that have one translation for both levels.
UNTAGGED = ["backend", "generic"]
# Systems whose level says nothing of M-Acc's labels (Table 5): not asked for any, and the references beside others.
UNASKED = [name for name in CONTROLLED_ROWS if CONTROLLED[name]["kind"] in UNTAGGED]
if any(CONTROLLED[name]["kind"] not in (*UNTAGGED, "references") for name in CONTROLLED_ROWS):
    UNASKED += [name for name in CONTROLLED_ROWS if CONTROLLED[name]["kind"] == "references"]
CONTROL_OUTPUTS = "build/control/outputs/{system}/{lang}/{level}/run{run}.txt"

# Whose translations WinoMT's repository has, and what the table calls them.
VENDORS = {"google": "Google", "bing": "Bing", "aws": "Amazon", "systran": "Systran"}

# Sentences whose English says the gender of somebody at work, and what trained systems make of them (Table 13).
RELEASED_WINOMT = f"{source_folder('winomt')}/data/aggregates/en.txt"
WINOMT_FILES, WINOMT_ENTRIES = (
    (["build/corpora/demo/winomt.txt"], "build/corpora/demo/winomt.txt")
    if config["corpora"]["cocoa_mt"] == "demo"
    else (source_files("winomt"), RELEASED_WINOMT)
)
WINOMT_OUTPUT = "build/control/winomt/{system}/{lang}/run{run}.txt"
WINOMT_SCORES = "build/control/winomt/{system}/{lang}/run{run}.csv"
# The rows of the trained systems, and the keys of `control.genders` that name these.
GENDER_ROWS = {"base": "base", "msc-trg": "masculine", "fem-trg": "feminine"}


def controlled_in(lang, names=CONTROLLED_ROWS):
    """The rows, or other systems, of a language; what starts from a generic model needs pairs to train that."""
    without = [] if lang in GENERIC_IN else GENERIC_KINDS
    found = {name: CONTROLLED[name] for name in names}
    return [
        name
        for name, one in found.items()
        if (one["kind"] not in without if one["languages"] is None else lang in one["languages"])
    ]


def controlled_of(kind):
    """A pattern for the systems of a kind."""
    return "|".join(name for name, one in CONTROLLED.items() if one["kind"] == kind) or "(?!)"


def levels_of(name, lang):
    """The levels at which a system has translations: both, and those of the generic test sets."""
    kind = CONTROLLED[name.partition(".")[0]]["kind"]
    return [*LEVELS, *(sets_of(lang) if kind in GENERIC_KINDS else [])]


def controlled_outputs(lang, counts):
    """The files of some systems by their numbers of runs: (system, level, run, file)."""
    return [
        (name, level, f"run{run}", CONTROL_OUTPUTS.format(system=name, lang=lang, level=level, run=run))
        for name, count in counts.items()
        for level in levels_of(name, lang)
        for run in range(count)
    ]


def controlled_runs(lang):
    """The same of all systems of a language."""
    counts = {name: SETTINGS.control.systems[name].runs for name in controlled_in(lang)}
    return controlled_outputs(lang, counts)


def at_levels(names):
    """Of the outputs that manifests list those of some systems at both levels, and the test sets."""
    outputs = [
        path
        for lang in CONTROL_LANGUAGES
        for name, level, _, path in controlled_runs(lang)
        if name in names and level in LEVELS
    ]
    return outputs + expand(TEST_FILES, lang=CONTROL_LANGUAGES)


def gender_rows():
    """The trained rows of Table 13, one per run: (row, system, scores of its translations)."""
    lang = CONTROL["genders"]["language"]
    named = {row: CONTROL["genders"][key] for row, key in GENDER_ROWS.items()}
    return [
        (row, name, WINOMT_SCORES.format(system=name, lang=lang, run=run))
        for row, name in named.items()
        if name in controlled_in(lang)
        for run in range(SETTINGS.control.systems[name].runs)
    ]


def generic_sets(wildcards):
    """The generic test sets of a language: none where no row translates them, as those of figures do."""
    kinds = {CONTROLLED[name]["kind"] for name in controlled_in(wildcards.lang)}
    translated = "figure" in wildcards.keys() or kinds.intersection(GENERIC_KINDS)
    return sets_of(wildcards.lang) if translated else []


def generic_references(wildcards):
    """The references of the generic test sets."""
    return [f"build/corpora/generic/{wildcards.lang}/{name}.target.txt" for name in generic_sets(wildcards)]


def generic_option(wildcards):
    """The same by the names of the sets."""
    named = zip(generic_sets(wildcards), generic_references(wildcards), strict=True)
    return words({"generic": [f"{name}={path}" for name, path in named] or None})


def controlled_files(wildcards):
    """The translations of a system of one's own, a file or one per domain."""
    name, path = wildcards.system, CONTROLLED[wildcards.system]["path"]
    domains = ["telephony", "topical_chat", "call_center"] if "{domain}" in path else [""]

    def files(lang, level, run):
        """Of a language, a level and a run, each with the language's name."""
        paths = [path.format(lang=lang, level=level, domain=domain, run=run) for domain in domains]
        return dict.fromkeys(paths, TARGET_NAMES[lang])

    named = {
        file: of
        for lang in CONTROL["languages"]
        if name in controlled_in(lang)
        for level in LEVELS
        for run in range(SETTINGS.control.systems[name].runs)
        for file, of in files(lang, level, run).items()
    }
    needed = files(wildcards.lang, wildcards.level, wildcards.run)
    return own_files(f"control.systems.{name}.path", needed, named)


# Where the translations of a kind come from; each is brought into the order of the test set.
CONTROLLED_FROM = {
    "references": "build/control/test/{lang}/{level}.txt",
    "outputs": controlled_files,
    "iwslt2022": lambda wildcards: (
        "build/corpora/iwslt2022/{lang}/{team}-{number}.{level}.txt".format(
            lang=wildcards.lang, level=wildcards.level, **CONTROLLED[wildcards.system]
        )
    ),
    "backend": "build/translation/controlled/{lang}.txt",
}


# Language models that are asked for translations.
ASKED_TRANSLATORS = {name: one for name, one in CONTROLLED.items() if one["kind"] == "prompted"}


def asked_translators_in(wildcards):
    """What says which language models translated into a language."""
    facts = CONTROL_OUTPUTS.replace(".txt", ".prompted.csv")
    return [
        facts.format(system=name, lang=wildcards.lang, level=level, run=0)
        for name in controlled_in(wildcards.lang)
        if name in ASKED_TRANSLATORS
        for level in LEVELS
    ]


def asked_translator_input(wildcards):
    """What a language model is asked with: the template of the level, where examples are drawn from, its own files."""
    system = CONTROLLED[wildcards.system]
    own, name = system["prompts"] and f"{system['prompts']}/{wildcards.level}.txt", wildcards.system
    default = f"resources/prompts/translate/{wildcards.level}.txt"
    found = {"template": own_file(f"control.systems.{name}.prompts", own, default)}
    if system["examples"]:
        found["pairs"] = f"{COCOA_MT}/{wildcards.lang}"
    return found | model_input(system["model"])


def asked_translator_options(wildcards):
    """The language model, how it calls the language, its examples, and what the template calls their sides."""
    system = CONTROLLED[wildcards.system]
    folder = f"{COCOA_MT}/{wildcards.lang}"
    pairs = {
        "sides": ["english", "translation"],
        "informal": [f"{folder}/train.{domain}.en.txt" for domain in TRAINED],
        "formal": [f"{folder}/train.{domain}.{wildcards.level}.txt" for domain in TRAINED],
    }
    told = {
        "model": system["model"],
        "examples": system["examples"],
        "language": TARGET_NAMES[wildcards.lang],
    }
    return words(told | (pairs if system["examples"] else {"sides": pairs["sides"]}))


# The model of each language that knows of no formality, and those that are tuned from it.
GENERIC, TUNING = CONTROL["generic"], CONTROL["tuning"]
GENERIC_MODEL = "build/control/generic/{lang}"
# Its pairs, of which some are drawn, and those that rules label: of the demo all, of the web those that are drawn.
GENERIC_PAIRS = [
    f"build/corpora/generic/{{lang}}/train.{side}.txt{'.gz' * (GENERIC_FROM == 'web')}"
    for side in ("en", "target")
]
LABELLED_PAIRS = (
    [f"{GENERIC_MODEL}/train.{side}.txt" for side in ("en", "target")]
    if GENERIC_FROM == "web"
    else GENERIC_PAIRS
)
TUNED_MODEL = "build/control/tuned/{system}/{lang}/run{run}"
# The tuned systems, and those of Figures 1 and 2, whose names no system of a user can have.
TUNED = {name: one for name, one in CONTROLLED.items() if one["kind"] == "tuned"} | {
    f"{figure['system']}.x{copies}": {
        **CONTROLLED[figure["system"]],
        "copies": copies,
        "seeds": figure["seeds"],
    }
    for figure in CONTROL["upsampling"].values()
    for copies in figure["copies"]
}
TUNED_NAMES = "|".join(map(re.escape, TUNED)) or "(?!)"


def labelled_data(wildcards):
    """What is labelled for a system, how much of it in a language, and how often it is seen."""
    own = TUNED[wildcards.system]
    size = own["sizes"].get(wildcards.lang, own["size"])
    return words({"data": own["data"], "size": size, "copies": own["copies"]})


def segments_of(wildcards):
    """The files of the contrastive training pairs, for a system that learns from them."""
    own = TUNED[wildcards.system]
    if own["data"] == "rules":
        return []
    gender = ".feminine" if own["gender"] == "feminine" else ""
    kinds = {"sources": "en", **{level: f"{level}{gender}" for level in LEVELS}}
    return words(
        {
            name: [f"{COCOA_MT}/{wildcards.lang}/train.{domain}.{kind}.txt" for domain in TRAINED]
            for name, kind in kinds.items()
        }
    )


def labelled_of(wildcards):
    """Generic pairs and their levels by rules, for a system that learns from them."""
    if TUNED[wildcards.system]["data"] not in ("rules", "both"):
        return []
    found = [*LABELLED_PAIRS, f"{GENERIC_MODEL}/labels.txt"]
    return [path.format(lang=wildcards.lang) for path in found]


def generic_part(side):
    """A side of the training pairs or of the dev pairs, which the web's have apart."""

    def path(wildcards):
        own = GENERIC_FROM == "web" and f"{wildcards.part}-{wildcards.lang}" in TEST_SETS
        folder = "build/corpora/generic/{lang}" if own else GENERIC_MODEL
        return f"{folder}/{{part}}.{side}.txt".format(lang=wildcards.lang, part=wildcards.part)

    return path


def dev_option(wildcards):
    """The dev pairs of a generic model."""
    folder = GENERIC_MODEL.format(lang=wildcards.lang)
    return words({f"dev_{side}": f"{folder}/dev.pieces.{side}.txt" for side in ("source", "target")})


def initial_option_of_tuned(wildcards):
    """The model that a tuned one starts from."""
    return words({"initial": f"{GENERIC_MODEL.format(lang=wildcards.lang)}/model.safetensors"})


def upsampled(figure):
    """The systems of a figure, by the copies of labelled pairs that each has seen; the generic model none."""
    name, lang = (CONTROL["upsampling"][figure][key] for key in ("system", "language"))
    return {
        **{one: 0 for one in controlled_in(lang, CONTROLLED) if CONTROLLED[one]["kind"] == "generic"},
        **{f"{name}.x{copies}": copies for copies in CONTROL["upsampling"][figure]["copies"]},
        name: CONTROLLED[name]["copies"],
    }


def upsampled_runs(figure):
    """The files of a figure's systems, as `controlled_runs` has those of the rows."""
    counts = {name: len(TUNED[name]["seeds"]) if name in TUNED else 1 for name in upsampled(figure)}
    return controlled_outputs(CONTROL["upsampling"][figure]["language"], counts)


# Raters of translations (Tables 4, 5 and 10): people, or at demo scale simulated ones.
TRANSLATION_RATERS = CONTROL["raters"]
TRANSLATIONS_SIMULATED = TRANSLATION_RATERS["ratings"] is None and config["corpora"]["cocoa_mt"] == "demo"
TARGET_NAMES = dict(
    zip(TARGETS, ["German", "Spanish", "French", "Hindi", "Italian", "Japanese", "Portuguese"], strict=True)
)
TRANSLATION_SHEET = "results/human/translations/{lang}.{sheet}.csv"
TRANSLATION_FILES = "build/human/{lang}/translations/{sheet}"


def labelled_in(lang):
    """The systems of a language whose translations are labelled."""
    return [name for name in TRANSLATION_RATERS["labelled"] if name in controlled_in(lang)]


def compared_in(lang):
    """The two systems of Table 10, if a language has both."""
    names = [TRANSLATION_RATERS["baseline"], TRANSLATION_RATERS["compared"]]
    return names if set(names) <= set(controlled_in(lang)) else []


# The languages that each sheet of translations has.
SHEET_LANGUAGES = {
    "labels": [lang for lang in CONTROL["languages"] if labelled_in(lang)],
    **{sheet: [lang for lang in CONTROL["languages"] if compared_in(lang)] for sheet in HELD_OUT},
}


def translations_folder(sheet):
    """Where the ratings of a sheet lie."""
    if TRANSLATIONS_SIMULATED:
        return f"build/human/{{lang}}/translations/simulated/{sheet}"
    return f"{TRANSLATION_RATERS['ratings']}/{sheet}"


def translations_rated(sheet):
    """The languages of a sheet that have ratings."""
    if TRANSLATIONS_SIMULATED:
        return SHEET_LANGUAGES.get(sheet, [])
    if not TRANSLATION_RATERS["ratings"]:
        return []
    found = rater_files("control.raters.ratings", translations_folder(sheet), TARGETS)
    return [lang for lang in SHEET_LANGUAGES.get(sheet, []) if lang in found]


RATED_SHEETS = ["labels", *LEVELS]
if TRANSLATION_RATERS["ratings"] and os.path.isdir(TRANSLATION_RATERS["ratings"]):
    for rated_sheet in sorted(os.listdir(TRANSLATION_RATERS["ratings"])):
        if rated_sheet not in RATED_SHEETS and not rated_sheet.startswith("."):
            stop(
                f"configuration: control.raters.ratings: {translations_folder(rated_sheet)}: ratings are in the"
                f" folders {', '.join(RATED_SHEETS)}; rename it, or take it out"
            )
    if not any(
        rater_files("control.raters.ratings", translations_folder(sheet), TARGETS) for sheet in RATED_SHEETS
    ):
        stop(
            f"configuration: control.raters.ratings: no file of ratings in {TRANSLATION_RATERS['ratings']}; one is"
            " called labels/fr.csv or labels/fr-NAME.csv"
        )


def translation_sheet(wildcards):
    """What a sheet of translations shows."""
    if wildcards.sheet in LEVELS:
        level = f"held-out.{wildcards.sheet}"
        return {
            "source": HELD_OUT_SOURCE.format(sheet=wildcards.sheet),
            "outputs": [
                CONTROL_OUTPUTS.format(system=name, lang=wildcards.lang, level=level, run=0)
                for name in compared_in(wildcards.lang)
            ],
        }
    names = labelled_in(wildcards.lang)
    return {
        "source": f"build/control/test/{wildcards.lang}/source.txt",
        **{
            option: [
                CONTROL_OUTPUTS.format(system=name, lang=wildcards.lang, level=level, run=0) for name in names
            ]
            for option, level in (("outputs", "formal"), ("others", "informal"))
        },
    }


def translation_options(wildcards):
    """The same and what raters are asked as options."""
    held_out = wildcards.sheet in LEVELS
    return words(
        {
            **translation_sheet(wildcards),
            "systems": compared_in(wildcards.lang) if held_out else labelled_in(wildcards.lang),
            "tasks": [f"is_{wildcards.sheet}", "quality"] if held_out else ["level"],
            "addressed": held_out,
            "sentences": TRANSLATION_RATERS["held_out" if held_out else "sentences"],
            "batch_sentences": 20,
        }
    )


def marked_references(wildcards):
    """The marked references of a sheet's sentences."""
    labels = "build/control/test/{lang}/{level}.annotated.txt"
    path = HELD_OUT_REFERENCES if wildcards.sheet in LEVELS else labels
    return {level: path.format(sheet=wildcards.sheet, lang=wildcards.lang, level=level) for level in LEVELS}


def marked_options(wildcards):
    """The same as options, and all marked references of the language that simulated raters know."""
    known = {
        f"known_{level}": [
            f"{COCOA_MT}/{wildcards.lang}/train.{domain}.{level}.annotated.txt" for domain in TRAINED
        ]
        for level in LEVELS
    }
    return words({**marked_references(wildcards), **known})


def judged_translations(*sheets):
    """What a leaf is given of some sheets' ratings, and which (language, sheet) these are."""
    rated = [
        (lang, sheet)
        for lang in CONTROL["languages"]
        for sheet in sheets
        if lang in translations_rated(sheet)
    ]
    files = {
        "sheets": TRANSLATION_SHEET,
        "item_keys": f"{TRANSLATION_FILES}.key.csv",
        "ratings": f"{TRANSLATION_FILES}.ratings.csv",
    }
    given = {
        name: [path.format(lang=lang, sheet=sheet) for lang, sheet in rated] for name, path in files.items()
    }
    return given if rated else {}, rated


def made_of(*langs):
    """The sources of the generic models and test sets of some languages, as options."""
    return {
        "training_pairs": GENERIC["train_sentences"],
        "made_of": [
            f"{lang}.{part}={source}" for lang in langs for part, source in generic_sources(lang).items()
        ]
        or None,
    }
