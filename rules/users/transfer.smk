# users: users' words made impolite, by trained systems, by rules, and by prompted language models.
from workflow_scripts.wiring.dialogue import source_of
from workflow_scripts.wiring.users import USERS_FOLDER, LEARNT


wildcard_constraints:
    rewriter=one_of(users.systems),


rule users_pairs:
    """The users' words for training, testing and rewriting."""
    input:
        rewrites="build/corpora/impolite/rewrites.csv",
        train="build/corpora/multiwoz/train.jsonl",
        folds=[
            f"build/corpora/multiwoz/{fold}.jsonl"
            for fold in config["dialogue"]["folds"]
            if fold in corpora.multiwoz_folds
        ],
    output:
        expand(f"{USERS_FOLDER}/pairs/learnt.{{what}}.txt", what=["polite", "impolite", "words", "labels"]),
        expand(f"{USERS_FOLDER}/pairs/tested.{{what}}.txt", what=["polite", "impolite"]),
        rest=f"{USERS_FOLDER}/pairs/rest.jsonl",
        words=f"{USERS_FOLDER}/pairs/rest.polite.txt",
    localrule: True
    shell:
        "python -m workflow_scripts.users.pairs build/users/pairs --rewrites {input.rewrites:q}"
        " --train {input.train:q} --folds {input.folds:q} 2> {log:q}"


rule train_dast:
    """DAST, trained on users' words and on rated requests, which are not parallel."""
    input:
        polite=LEARNT[0],
        impolite=LEARNT[1],
        sentences="build/politeness/requests/en.train.sentences.txt",
        labels="build/politeness/requests/en.train.labels.txt",
    output:
        model=f"{USERS_FOLDER}/{{rewriter}}/dast.safetensors",
    wildcard_constraints:
        rewriter=users.of_kinds("dast"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=720),
    params:
        **COMPUTING,
        system=lambda wildcards: users.options(
            wildcards, network="network", course="training", max_length="max_length"
        ),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.users.train_dast {output.model:q} --polite {input.polite:q}"
        " --impolite {input.impolite:q} --sentences {input.sentences:q} --labels {input.labels:q}"
        " {params.system:q} --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/users 2> {log:q}"


rule own_rewrites:
    """Rewrites of a system of one's own, after checking that there is one of each tested utterance."""
    input:
        source=users.texts["original"],
        output=users.own_rewrites,
    output:
        target=f"{USERS_FOLDER}/{{rewriter}}/tested.txt",
    wildcard_constraints:
        rewriter=users.of_kinds("outputs"),
    localrule: True
    resources:
        step="copy",
    shell:
        "python -m workflow_scripts.transfer.outputs {input.source:q} {input.output:q} {output.target:q} 2> {log:q}"


rule rewrite_by_rules:
    """Users' words made impolite by rules."""
    input:
        source=f"{USERS_FOLDER}/pairs/{{part}}.polite.txt",
    output:
        target=f"{USERS_FOLDER}/{{rewriter}}/{{part}}.txt",
    wildcard_constraints:
        part="tested|rest|drawn",
        rewriter=users.of_kinds("rules"),
    localrule: True
    params:
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.users.rude_rules {input.source:q} {output.target:q} --seed {params.seed:q}"
        " 2> {log:q}"


rule users_checkpoint:
    """The language model that a transfer is trained from, or that PPL is of."""
    output:
        folder=directory(f"{USERS_FOLDER}/checkpoints/{{model}}"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        source=lambda wildcards: source_of(users.starts[wildcards.model]),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.folder:q} {params.source:q} 2> {log:q}"


rule train_rewriter:
    """A language model that learns to rewrite users' words as people did."""
    input:
        polite=LEARNT[0],
        impolite=LEARNT[1],
        initial=lambda wildcards: users.checkpoint(wildcards.rewriter),
    output:
        model=directory(f"{USERS_FOLDER}/{{rewriter}}/model"),
    wildcard_constraints:
        rewriter=users.of_kinds("t5", "bart"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=720),
        weights="input",
    params:
        **COMPUTING,
        system=users.training,
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.users.fine_tune {output.model:q} --sources {input.polite:q}"
        " --targets {input.impolite:q} {params.system:q} --seed {params.seed:q} {params.torch:q}"
        " {params.device:q} --checkpoints build/checkpoints/users 2> {log:q}"


rule rewrite_users:
    """Users' words of the tested dialogues, and of training dialogues that nobody has rewritten."""
    input:
        model=rules.train_rewriter.output.model,
        tested=users.texts["original"],
        rest=rules.users_pairs.output.words,
    output:
        tested=f"{USERS_FOLDER}/{{rewriter}}/tested.txt",
        rest=f"{USERS_FOLDER}/{{rewriter}}/rest.txt",
    wildcard_constraints:
        rewriter=users.of_kinds("t5", "bart"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
    params:
        **COMPUTING,
        command="rewrite_users",
        system=lambda wildcards: users.options(wildcards, "prompt", "max_length", "batch_size"),
        code=code_of("users.rewrite_users"),
    shell:
        "python -m workflow_scripts.users.{params.command:q} --model {input.model:q}"
        " --sources {input.tested:q} {input.rest:q} --targets {output.tested:q} {output.rest:q}"
        " {params.system:q} {params.torch:q} {params.device:q} 2> {log:q}"


use rule rewrite_users as rewrite_by_dast with:
    input:
        model=rules.train_dast.output.model,
        tested=users.texts["original"],
        rest=rules.users_pairs.output.words,
    wildcard_constraints:
        rewriter=users.of_kinds("dast"),
    params:
        command="rewrite_by_dast",
        system=lambda wildcards: users.options(wildcards, "max_length", "batch_size"),
        code=code_of("users.rewrite_by_dast"),


for asked in MODEL_KINDS:

    rule:
        """A language model that is prompted to rewrite users' words, with examples written by people."""
        name:
            f"rewritten_{asked}"
        input:
            unpack(users.asked_input),
            LEARNT if users.people_rewrote else [],
            source=f"{USERS_FOLDER}/pairs/{{part}}.polite.txt",
        output:
            target=f"{USERS_FOLDER}/{{rewriter}}/{{part}}.txt",
            facts=f"{USERS_FOLDER}/{{rewriter}}/{{part}}.prompted.csv",
        wildcard_constraints:
            part="tested|rest|drawn",
            rewriter=asked_of(users.systems, asked),
        priority: LONG
        localrule: asked == "endpoint"
        threads: config["threads"]
        resources:
            **asking_resources(asked),
            step=f"rewritten ({asked})",
            counts="asked of users",
        params:
            **ASKING,
            python=python_of,
            asked=users.asked_options,
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.rewriter:q} --template {input.template:q} --language English"
            " {params.asked:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"
