# Helpers of the transfer of users' words: which systems there are, what they and their judges read. No rule stands here.
STYLE = config["style"]
STYLE_FOLDER = "build/dialogue/style"
# Without rewritten dialogues there is nothing to learn from.
REWRITERS = STYLE["systems"] if "impolite" in DIALOGUE_SETS else {}
# What the judges read, by the names of Table V's rows: the systems, and beside them people and no change.
REWRITTEN_TEXTS = {
    "original": f"{STYLE_FOLDER}/pairs/tested.polite.txt",
    "people": f"{STYLE_FOLDER}/pairs/tested.impolite.txt",
    **{name: f"{STYLE_FOLDER}/{name}/tested.txt" for name in REWRITERS},
}
STYLE_CHECKPOINTS = {
    **{name: one["model"] for name, one in REWRITERS.items()},
    "fluency": STYLE["fluency"]["model"],
}
STYLE_LEARNT = [f"{STYLE_FOLDER}/pairs/learnt.{side}.txt" for side in ("polite", "impolite")]
STYLE_WORDS = f"{STYLE_FOLDER}/pairs/learnt.words.txt"
JUDGE = STYLE["judge"]


def style_checkpoint(name):
    """The checkpoint of a model that is not from scratch."""
    return [] if STYLE_CHECKPOINTS[name]["kind"] == "scratch" else [f"{STYLE_FOLDER}/checkpoints/{name}"]


def fluency_model():
    """The language model behind PPL: trained here, or as it is."""
    return (style_checkpoint("fluency") or [f"{STYLE_FOLDER}/fluency"])[0]
