# Helpers of the dialogue systems: which there are, what each is made of and writes. No rule stands here.
DIALOGUE = config["dialogue"]
SIMILARITY = DIALOGUE["similarity"]
DIALOGUE_RATERS = DIALOGUE["raters"]
# The sets of dialogues that systems answer: with polite users, and the same with impolite ones.
DIALOGUE_SETS = ["polite", "impolite"] if config["corpora"]["impolite"] != "none" else ["polite"]
# Without rewritten dialogues no system has more training data.
RESPONDERS = {
    name: one
    for name, one in DIALOGUE["systems"].items()
    if one["kind"] != "augmented" or "impolite" in DIALOGUE_SETS
}
# The names of the rows, in their order.
RESPONDER_ROWS = [name for name in RESPONDERS if DIALOGUE["rows"] is None or name in DIALOGUE["rows"]]
# What raters of dialogues see, if there are rewritten dialogues; simulated raters know the demo's dialogues.
DIALOGUES_RATED = [
    name
    for name in RESPONDER_ROWS
    if "impolite" in DIALOGUE_SETS and RESPONDERS[name].get("of", name) in DIALOGUE_RATERS["systems"]
]
DIALOGUES_SIMULATED = DIALOGUE_RATERS["ratings"] is None and config["corpora"]["impolite"] == "demo"
DIALOGUES_FOLDER = DIALOGUE_RATERS["ratings"] or "build/human/en/dialogues/simulated"
IMPOLITE_PARTS = {
    "original": "build/corpora/impolite/original.jsonl",
    "rewritten": "build/corpora/impolite/impolite.jsonl",
}


def training_seeds(system):
    """The seeds of a system's trainings: by default the run's; with more data, those of the system that it is."""
    return RESPONDERS[RESPONDERS[system].get("of", system)].get("seeds") or [config["seed"]]


def training_seed(wildcards):
    """The seed of a training: of the first one, whose files have no number, or of that with a number."""
    return training_seeds(wildcards.system)[int(wildcards.training.removeprefix(".run") or 0)]


def responses_of(system, users, training=0):
    """The file of a system's responses to a set, by its first training or by another one."""
    number = f".run{training}" if training else ""
    return f"build/dialogue/systems/{system}{number}/{users}.json"


def all_responses():
    """The files of the responses of all rows."""
    return [
        responses_of(name, users, training)
        for name in RESPONDER_ROWS
        for training in range(len(training_seeds(name)))
        for users in DIALOGUE_SETS
    ]


def own_responses(wildcards):
    """The file of responses of a system of one's own to a set."""
    path = RESPONDERS[wildcards.system]["path"]
    named = {path.format(set=users): "" for users in DIALOGUE_SETS}
    needed = {path.format(set=wildcards.users): ""}
    return own_files(f"dialogue.systems.{wildcards.system}.path", needed, named)


def responder(wildcards):
    """The settings of a system that is trained; those of another one with more data are that one's."""
    found = RESPONDERS[wildcards.system]
    return RESPONDERS[found["of"]] if found["kind"] == "augmented" else found


def listed_responses():
    """The rows of the manifest of responses, one for each training; `-` for what is not there."""
    return [
        [
            *(name, RESPONDERS[name].get("of", "-")),
            *([responses_of(name, users, training) for users in DIALOGUE_SETS] + ["-"])[:2],
        ]
        for name in RESPONDER_ROWS
        for training in range(len(training_seeds(name)))
    ]


def further_dialogues(wildcards):
    """What a system with more data is trained on besides MultiWOZ's training dialogues: rewritten ones of them.

    Where a transfer has written the whole impolite corpus, its training dialogues are those.
    """
    transferred = config["corpora"]["impolite"] == "transfer"
    files = {"transfer": "impolite.jsonl" if transferred else "transfer.jsonl", "rewrites": "impolite.jsonl"}
    data = RESPONDERS[wildcards.system].get("data")
    return [f"build/dialogue/augmentation/{files[data]}"] if data else []


def responders_of(*kinds):
    """A pattern for the dialogue systems of some kinds, and those that are them with more training data.

    With no such system it matches nothing.
    """
    names = [
        re.escape(name)
        for name, one in RESPONDERS.items()
        if RESPONDERS[one.get("of", name)]["kind"] in kinds
    ]
    return "|".join(names) or "(?!)"


def checkpoint_of(wildcards):
    """The model that a system is trained from, if it is not from scratch: one for it and for that with more data."""
    if responder(wildcards)["model"]["kind"] == "scratch":
        return []
    system = RESPONDERS[wildcards.system].get("of", wildcards.system)
    return [f"build/dialogue/systems/{system}/checkpoint"]


def responder_options(wildcards, **sections):
    """A system's kind and format, and some of its sections under the names of a command's options."""
    system = responder(wildcards)
    given = {name: system[section] for name, section in sections.items()}
    kind = system["kind"]
    if kind == "released":
        kind = "causal" if system["template"] == "augpt" else "encoder_decoder"
    return words({"kind": kind, "template": system["template"], **given})


def released_archive(wildcards):
    """The archive with a released system's weights, if they are not of the hub."""
    name = RESPONDERS[wildcards.system]["archive"]
    return [official_path(row) for row in REGISTRY if row.id == name]


def released_options(wildcards):
    """Where a released system is from, and its format."""
    system = RESPONDERS[wildcards.system]
    given = {key: system[key] for key in ("template", "checkpoint", "revision")}
    return words({**given, "archive": (released_archive(wildcards) or [None])[0]})


def answered_input(wildcards):
    """What a language model is asked with: the prompts, and its own files."""
    system, setting = RESPONDERS[wildcards.system], f"dialogue.systems.{wildcards.system}"
    found = {
        name: own_file(f"{setting}.{name}", system[name], f"resources/prompts/{name}.txt")
        for name in ("state", "response")
    }
    return found | model_input(system["model"])


def answered_options(wildcards):
    """The language model of a system, its examples and its switches."""
    system = RESPONDERS[wildcards.system]
    return words({key: system[key] for key in ("model", "examples", "history", "oracle_booking")})


def recurrent_options(wildcards, **sections):
    """Which recurrent system it is, and some of its sections under the names of a command's options."""
    system = responder(wildcards)
    given = {name: system[section] for name, section in sections.items()}
    return words({"template": system["template"], **given})
