# Helpers of the dialogue systems: which there are, what each is made of and writes. No rule stands here.
DIALOGUE = config["dialogue"]
RESPONDERS = DIALOGUE["systems"]
# The sets of dialogues that systems answer: with polite users, and the same with impolite ones.
DIALOGUE_SETS = ["polite", "impolite"] if config["corpora"]["impolite"] != "none" else ["polite"]
REWRITTEN = {
    "original": "build/corpora/impolite/original.jsonl",
    "rewritten": "build/corpora/impolite/impolite.jsonl",
}


def responses_of(system, users):
    """The file of a system's responses to a set."""
    return RESPONDERS[system]["path"].format(set=users)


def listed_responses():
    """The rows of the manifest of responses; `-` for what is not there."""
    return [
        [
            *(name, "-"),
            *([responses_of(name, users) for users in DIALOGUE_SETS] + ["-"])[:2],
        ]
        for name in RESPONDERS
    ]
