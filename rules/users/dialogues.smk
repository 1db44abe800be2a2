# users: dialogues with users' words from a transfer, to test systems and to train them.
from workflow_scripts.wiring.users import USERS_FOLDER


rule drawn_words:
    """The users' words of drawn dialogues, for a system to rewrite if people have rewritten none."""
    input:
        folds=[f"build/corpora/multiwoz/{fold}.jsonl" for fold in ("train", "test")],
    output:
        dialogues=f"{USERS_FOLDER}/corpus/drawn.jsonl",
        words=f"{USERS_FOLDER}/pairs/drawn.polite.txt",
    localrule: True
    params:
        sizes=[config["style"]["corpus"][fold] for fold in ("train", "test")],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.users.drawn_words {output.dialogues:q} {output.words:q}"
        " --folds {input.folds:q} --sizes {params.sizes:q} --seed {params.seed:q} 2> {log:q}"


rule made_corpus:
    """These dialogues with the system's words, in place of a corpus that people have written."""
    input:
        dialogues=rules.drawn_words.output.dialogues,
        words=f"{USERS_FOLDER}/{config['style']['corpus']['by']}/drawn.txt",
    output:
        corpus=f"{USERS_FOLDER}/corpus/impolite.jsonl",
    localrule: True
    shell:
        "python -m workflow_scripts.users.made_corpus {output.corpus:q} --dialogues {input.dialogues:q}"
        " --words {input.words:q} 2> {log:q}"


rule overlay_users:
    """Training dialogues with users' words from a transfer: more data for a system."""
    input:
        dialogues=rules.users_pairs.output.rest,
        words=f"{USERS_FOLDER}/{config['style']['rewriter']}/rest.txt",
    output:
        dialogues="build/users/augmentation.jsonl",
    localrule: True
    shell:
        "python -m workflow_scripts.users.overlay_users {output.dialogues:q}"
        " --dialogues {input.dialogues:q} --words {input.words:q} 2> {log:q}"
