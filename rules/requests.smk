# Helpers of TyDiP: its classifiers, raters, dumps, and the sentences that both styles have. No rule stands here.
# The paper's languages in its order; English has the data of Danescu-Niculescu-Mizil et al. (2013).
TYDIP = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]
TYDIP_NAMES = dict(
    zip(
        TYDIP,
        ["Hindi", "Korean", "Spanish", "Tamil", "French", "Vietnamese", "Russian", "Afrikaans", "Hungarian"],
        strict=True,
    )
)
# What Table 3's classifiers are trained and tested on: the released requests, or those of the demo world.
TYDIP_CLASSIFIED = official("tydip")
POLITENESS = config["politeness"]
TYDIP_DEMO = TYDIP_CLASSIFIED.startswith("build/corpora/demo/")
# Language models that are asked, which are rows too.
ASKED = {name: one for name, one in sorted(POLITENESS["prompted"].items()) if one["inputs"]}
# Classifiers that were run elsewhere, and whose scores are rows too.
OWN_SCORES = {name: one for name, one in sorted(POLITENESS["outputs"].items()) if one["inputs"]}
# The classifiers that are rows, by name; in the order of their names, so that another order of the settings reruns nothing.
CLASSIFIERS = {name: one for name, one in sorted(POLITENESS["classifiers"].items()) if one["inputs"]}
# Classifiers whose weights are released, which are rows too.
RELEASED_CLASSIFIERS = {name: one for name, one in sorted(POLITENESS["released"].items()) if one["inputs"]}
# All of them.
ROWS_OF_REQUESTS = {**CLASSIFIERS, **RELEASED_CLASSIFIERS, **ASKED, **OWN_SCORES}
JUDGED = ["en", *TYDIP]
# The languages whose lexicons are induced from crawled requests: those that the backend translates into English.
LEXICONS_TRANSLATED = (
    translatable(TYDIP, ALL_LANGUAGES, config["translation"])
    if POLITENESS["lexicons"]["bitext"] == "requests"
    else []
)

# Dumps of user talk pages: the demo world's, or those in a folder.
DUMPS_FOLDER = POLITENESS["dumps"] or ("build/corpora/demo/talk" if TYDIP_DEMO else None)


def dump_of(lang):
    """The dump of a language; nothing without one."""
    if DUMPS_FOLDER == "build/corpora/demo/talk":
        return f"{DUMPS_FOLDER}/{lang}wiki-pages-meta-current.xml.bz2"
    found = sorted(Path(DUMPS_FOLDER).glob(f"{lang}wiki-*pages-meta-current*.xml*")) if DUMPS_FOLDER else []
    return str(found[0]) if len(found) == 1 else None


CRAWLED = [lang for lang in TYDIP if dump_of(lang)]
# Sheets for raters of these requests.
DUMP_SHEETS = [f"results/politeness/dumps/{lang}.csv" for lang in CRAWLED]
RATERS = POLITENESS["raters"]


# The files that raters have sent, by language: of TyDiP's requests, and of those of dumps.
RATINGS_SENT = {
    setting: (rater_files(f"politeness.raters.{setting}", RATERS[setting], TYDIP) if RATERS[setting] else {})
    for setting in ("ratings", "dump_ratings")
}

for rated_setting, rated_languages in (("ratings", TYDIP), ("dump_ratings", CRAWLED)):
    if RATERS[rated_setting] and os.path.isdir(RATERS[rated_setting]):
        if not RATINGS_SENT[rated_setting].keys() & set(rated_languages):
            wanted = ", ".join(f"{lang}.csv" for lang in rated_languages)
            stop(
                f"configuration: politeness.raters.{rated_setting}: no file of ratings in the folder"
                f" {RATERS[rated_setting]}; "
                + (
                    f"one is called {wanted} or the same with a name, fr-NAME.csv"
                    if wanted
                    else "there are no dumps"
                )
            )
# Requests of dumps that were rated: their ratings, and what they make, a corpus in TyDiP's layout, with English.
DUMPS_RATED = [lang for lang in CRAWLED if lang in RATINGS_SENT["dump_ratings"]]
DUMPS_SCORED = ["en", *DUMPS_RATED]
DUMP_RATINGS = expand("build/politeness/dumps/{lang}.csv", lang=DUMPS_RATED)
DUMP_CORPUS = "results/politeness/rated"
DUMP_NUMBERED = expand("build/politeness/rated/{lang}.ratings.csv", lang=DUMPS_RATED)

# Whose ratings the leaves show: people's, of TyDiP's requests or else of those of dumps; or at demo scale simulated ones.
RATERS_KIND = (
    "people" if RATERS["ratings"] else "dumps" if DUMPS_RATED else "simulated" if TYDIP_DEMO else "people"
)
STANFORD_SIMULATED = official("stanford").startswith("build/corpora/demo/")
# The files of ratings of TyDiP's requests by language, in their folder, what is checked of them, and what commands are told of
# those that are shown. Simulated ones are not made yet.
RATERS_FOLDER, RATING_FILES = RATERS["ratings"], RATINGS_SENT["ratings"]
if RATERS_KIND == "simulated":
    RATERS_FOLDER = "build/politeness/simulated"
    RATING_FILES = {lang: [f"{RATERS_FOLDER}/{lang}.csv"] for lang in TYDIP}
REQUESTS_RATED = [lang for lang in TYDIP if lang in RATING_FILES]
RATINGS_CHECKED = [f"build/politeness/raters/{lang}.csv" for lang in REQUESTS_RATED]
REQUEST_SHEETS = [f"results/politeness/{lang}.csv" for lang in TYDIP]
RATINGS_SHOWN, RATERS_SHOWN = RATINGS_CHECKED, REQUESTS_RATED
if RATERS_KIND == "dumps":
    RATINGS_SHOWN, RATERS_SHOWN = DUMP_NUMBERED, DUMPS_RATED
RATERS_CORPUS = DUMP_CORPUS if RATERS_KIND == "dumps" else official_input("tydip")
RATERS_OPTIONS = words({"ratings": RATINGS_SHOWN, "languages": RATERS_SHOWN}) if RATERS_SHOWN else []


def classifier(name):
    """The settings of a classifier; a rule's wildcards name it."""
    return CLASSIFIERS.get(name) or RELEASED_CLASSIFIERS[name]


def released_files(wildcards):
    """What a released classifier is downloaded as, if no folder has it."""
    if RELEASED_CLASSIFIERS[wildcards.classifier]["path"]:
        return []
    return [official_path(row) for row in REGISTRY if row.corpus == "tydip-classifier"]


def released_folder(wildcards):
    """Where a released classifier is."""
    files = released_files(wildcards)
    return RELEASED_CLASSIFIERS[wildcards.classifier]["path"] or os.path.dirname(files[0])


def encoder_behind(name):
    """What a row was trained from: the hub's name of its encoder or of released weights, or the kind of another one.

    Nobody here knows it of scores that are files, which are of the kind `outputs`.
    """
    if name in OWN_SCORES:
        return "outputs"
    if name in ASKED:
        return ASKED[name]["model"]["kind"]
    if name in RELEASED_CLASSIFIERS:
        if RELEASED_CLASSIFIERS[name]["path"]:
            return "folder"
        address = next(row.url for row in REGISTRY if row.corpus == "tydip-classifier")
        return "/".join(Path(address).parts[2:4])
    encoder = CLASSIFIERS[name]["encoder"]
    return encoder["checkpoint"] if encoder["kind"] == "hub" else encoder["kind"]


def training_options(wildcards):
    """How a rule's classifier is trained."""
    keys = ("released", "learning_rate", "epochs", "batch_size", "max_length")
    return words({key: classifier(wildcards.classifier)[key] for key in keys})


def scoring_options(wildcards):
    """How a rule's classifier scores."""
    longest = classifier(wildcards.classifier)["max_length"]
    return words({"batch_size": POLITENESS["scoring_batch_size"], "max_length": longest})


def classifier_seeds(name):
    """The seeds of its trainings: one where there is no chance."""
    trained = name in CLASSIFIERS and classifier(name)["encoder"]["kind"] not in ("ngrams", "sentences")
    return POLITENESS["seeds"][: None if trained else 1]


def judged(name):
    """What a classifier reads: (input, language, file). English requests are their own translations.

    Where its scores are files nothing is translated here.
    """
    requests = "build/politeness/requests/{}.test.sentences.txt"
    translated = {lang: f"build/translation/requests/{lang}.txt" for lang in REQUESTS_TRANSLATED}
    files = {
        "target": {lang: requests.format(lang) for lang in JUDGED},
        "en": {lang: {"en": requests.format("en"), **translated}.get(lang) for lang in JUDGED},
    }
    if name in OWN_SCORES:
        one = OWN_SCORES[name]
        known = [lang for lang in JUDGED if lang in (one["languages"] or JUDGED)]
        return [(given, lang, files["target"][lang]) for given in one["inputs"] for lang in known]
    return [
        (given, lang, path)
        for given in (ASKED.get(name) or classifier(name))["inputs"]
        for lang, path in files[given].items()
        if path
    ]


def sentence_tool(wildcards):
    """The environment of the sentence encoder, for the classifiers that have it."""
    one = CLASSIFIERS.get(wildcards.classifier)
    return {"tool": TOOLS["sentences"]} if one and one["encoder"]["kind"] == "sentences" else {}


def interpreter(wildcards, input):
    """The Python that trains and scores."""
    return f"{os.path.dirname(input.tool)}/bin/python" if "tool" in input.keys() else "python"


def asked_input(wildcards):
    """What a language model is asked with: the prompt, and its own files."""
    one, setting = ASKED[wildcards.classifier], f"politeness.prompted.{wildcards.classifier}"
    found = {"template": own_file(f"{setting}.prompt", one["prompt"], "resources/prompts/polite.txt")}
    return found | model_input(one["model"])


def asked_options(wildcards):
    """The requests that a language model is asked about, and what it is."""
    one, rows = ASKED[wildcards.classifier], judged(wildcards.classifier)
    return words(
        {
            "sentences": [path for *_, path in rows],
            "gold": [f"build/politeness/requests/{lang}.test.scores.txt" for _, lang, _ in rows],
            "inputs": [given for given, *_ in rows],
            "languages": [lang for _, lang, _ in rows],
            "model": one["model"],
            "sample": one["sample"],
        }
    )


def own_scores(wildcards):
    """The files of scores of a classifier of one's own, one for each input and language."""
    path = OWN_SCORES[wildcards.classifier]["path"]
    names = {"en": "English", **TYDIP_NAMES}
    files = {
        path.format(input=given, lang=lang): names[lang] for given, lang, _ in judged(wildcards.classifier)
    }
    return own_files(f"politeness.outputs.{wildcards.classifier}.path", files)


def own_scores_options(wildcards):
    """What these files are of, and above which score a request is polite."""
    rows = judged(wildcards.classifier)
    return words(
        {
            "inputs": [given for given, *_ in rows],
            "languages": [lang for _, lang, _ in rows],
            "threshold": OWN_SCORES[wildcards.classifier]["threshold"],
        }
    )


def gold_of(name, path, lang):
    """The politeness of the requests that a classifier has scored; of a model that is asked it may be a sample."""
    return f"{path}/gold.{lang}.txt" if name in ASKED else f"build/politeness/requests/{lang}.test.scores.txt"


def signed(name):
    """The folder in which it is said which model was asked with which prompt, or whose weights or scores these are."""
    part = "scores" if name in ASKED | OWN_SCORES else "model" if name in RELEASED_CLASSIFIERS else None
    return part and f"build/politeness/{name}/seed{POLITENESS['seeds'][0]}/{part}"


def measured(name):
    """The score files of a classifier: (folder of scores, seed, input, language)."""
    return [
        (f"build/politeness/{name}/seed{seed}/scores", seed, given, lang)
        for seed in classifier_seeds(name)
        for given, lang, _ in judged(name)
    ]


def seed_told(name, seed):
    """What is said of a seed: nobody here has trained released weights, or what was run elsewhere, with one."""
    return "none" if name in RELEASED_CLASSIFIERS | OWN_SCORES else seed


def rated_options(wildcards):
    """What is measured of a classifier on requests of dumps that people rated."""
    rows = [(seed, lang) for seed in classifier_seeds(wildcards.classifier) for lang in DUMPS_SCORED]
    return words(
        {
            "scores": [
                f"build/politeness/{wildcards.classifier}/seed{seed}/rated/{lang}.txt" for seed, lang in rows
            ],
            "gold": [f"build/politeness/rated/{lang}.test.scores.txt" for _, lang in rows],
            "seeds": [seed_told(wildcards.classifier, seed) for seed, _ in rows],
            "inputs": ["target"] * len(rows),
            "languages": [lang for _, lang in rows],
        }
    )


# The classifier that is compared with raters and with formality; it reads requests as they are.
POLITE_COMPARED = POLITENESS["compared"]
if "target" not in (CLASSIFIERS | RELEASED_CLASSIFIERS).get(POLITE_COMPARED, {}).get("inputs", []):
    POLITE_COMPARED = None
# As which a classifier of formality is trained.
FORMALITY_CLASSIFIER = RELEASED_CLASSIFIERS.get(POLITE_COMPARED, {}).get("base", POLITE_COMPARED)
# Formal and informal sentences that it scores, by name: a dev set in English, and a test set of each language in the
# order of TyDiP's tables. English has no pairs where GYAFC's place is taken; rated sentences are its test set there.
STYLED = ["en", *sorted(LANGUAGES, key=lambda lang: (lang not in ("fr", "it", "pt"), lang))]
STYLES_PAIRED = config["corpora"]["gyafc"] != "cocoa-mt"
PAIRED, SIDES = "build/corpora/gyafc/{}.txt", "build/politeness/sides/{}.txt"
FORMALITY_TRAINING = (PAIRED if STYLES_PAIRED else SIDES).format("train.{style}")


def style_texts():
    """The files by name."""
    found = {f"dev.{style}": SIDES.format(f"train.{style}") for style in ("informal", "formal")}
    found |= {f"en.{style}": SIDES.format(f"test.{style}") for style in ("informal", "formal")}
    if STYLES_PAIRED:
        dev = ["dev.informal", *(f"dev.formal.ref{i}" for i in DEV_REFERENCES)]
        found = {name: PAIRED.format(name) for name in dev}
        found |= {name.replace("test", "en"): PAIRED.format(name) for name in GYAFC_TEST}
    for lang in STYLED[1:]:
        for name in ("informal", *(f"formal.ref{i}" for i in REFERENCES)):
            found[f"{lang}.{name}"] = f"build/corpora/xformal/{lang}/{name}.txt"
    return found


STYLE_TEXTS = style_texts()

# Bitext of the lexicons: the demo world's, or real pairs.
LEXICONS_DEMO = POLITENESS["lexicons"]["bitext"] == "demo"


def lexicon_bitext(lang):
    """The English and the other side of a language's bitext; crawled requests only where they can be translated."""
    if lang in LEXICONS_TRANSLATED:
        return f"build/translation/lexicons/{lang}.txt", f"build/politeness/lexicons/requests/{lang}.txt"
    folder = f"build/corpora/{'demo/' if LEXICONS_DEMO else ''}lexicons/bitext"
    return f"{folder}/{lang}.en.txt", f"{folder}/{lang}.txt"
