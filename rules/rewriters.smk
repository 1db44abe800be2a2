# Helpers of the transfer of users' words: which systems there are, what they and their judges read. No rule stands here.
STYLE = config["style"]
STYLE_FOLDER = "build/dialogue/style"
# Where nobody has rewritten dialogues there is nothing to learn from, and at most one system that makes them.
PEOPLE_REWROTE = config["corpora"]["impolite"] not in ("none", "transfer")
MADE_BY = STYLE["corpus"]["by"] if config["corpora"]["impolite"] == "transfer" else None
REWRITERS = {name: one for name, one in STYLE["systems"].items() if PEOPLE_REWROTE or name == MADE_BY}
# The names of Table V's rows, in their order.
REWRITER_ROWS = [name for name in REWRITERS if STYLE["rows"] is None or name in STYLE["rows"]]
# What the judges read, by the names of Table V's rows: the systems, and beside them people and no change.
REWRITTEN_TEXTS = {
    "original": f"{STYLE_FOLDER}/pairs/tested.polite.txt",
    "people": f"{STYLE_FOLDER}/pairs/tested.impolite.txt",
    **{name: f"{STYLE_FOLDER}/{name}/tested.txt" for name in REWRITER_ROWS},
}
STYLE_CHECKPOINTS = {
    **{name: one["model"] for name, one in REWRITERS.items() if one["kind"] in ("t5", "bart")},
    "fluency": STYLE["fluency"]["model"],
}
STYLE_LEARNT = [f"{STYLE_FOLDER}/pairs/learnt.{side}.txt" for side in ("polite", "impolite")]
STYLE_WORDS = f"{STYLE_FOLDER}/pairs/learnt.words.txt"
JUDGE = STYLE["judge"]


# TyDiP's classifier beside it, if there is one: its settings and its model.
SECOND_JUDGE = CLASSIFIERS.get(STYLE["second_judge"])
SECOND_MODEL = f"build/politeness/{STYLE['second_judge']}/seed{POLITENESS['seeds'][0]}/model"


def rewriters_of(*kinds):
    """A pattern for the systems of some kinds; with none it matches nothing."""
    return "|".join(re.escape(name) for name, one in REWRITERS.items() if one["kind"] in kinds) or "(?!)"


def own_rewrites(wildcards):
    """The file of rewrites of a system of one's own."""
    setting = f"style.systems.{wildcards.rewriter}.path"
    return own_files(setting, {REWRITERS[wildcards.rewriter]["path"]: ""})


def rewriter_input(wildcards):
    """What a language model is asked with: the template, and its own files."""
    one, setting = REWRITERS[wildcards.rewriter], f"style.systems.{wildcards.rewriter}"
    found = {"template": own_file(f"{setting}.template", one["template"], "resources/prompts/impolite.txt")}
    return found | model_input(one["model"])


def rewriter_options(wildcards):
    """The language model, its examples, if people have written any, and what its template calls them."""
    one = REWRITERS[wildcards.rewriter]
    pairs = {"informal": STYLE_LEARNT[0], "formal": [STYLE_LEARNT[1]]} if PEOPLE_REWROTE else {}
    examples = one["examples"] if PEOPLE_REWROTE else 0
    return words({"model": one["model"], "examples": examples, "sides": ["polite", "impolite"], **pairs})


def style_checkpoint(name):
    """The checkpoint of a model that is not from scratch."""
    return [] if STYLE_CHECKPOINTS[name]["kind"] == "scratch" else [f"{STYLE_FOLDER}/checkpoints/{name}"]


def fluency_model():
    """The language model behind PPL: trained here, or as it is."""
    return (style_checkpoint("fluency") or [f"{STYLE_FOLDER}/fluency"])[0]
