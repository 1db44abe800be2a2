# The second part of the stage dialogue: users' words made impolite, how well, and dialogues with them.


wildcard_constraints:
    rewriter="|".join(map(re.escape, REWRITERS)) or "(?!)",


localrules:
    style_pairs,
    style_checkpoint,
    judge_encoder,
    overlay_users,


rule style_pairs:
    """Which users' words the transfer learns from, is tested on, and rewrites."""
    input:
        rewrites="build/corpora/impolite/rewrites.csv",
        train="build/corpora/multiwoz/train.jsonl",
        folds=[f"build/corpora/multiwoz/{fold}.jsonl" for fold in DIALOGUE["folds"] if fold in MULTIWOZ_FOLDS],
    output:
        expand(f"{STYLE_FOLDER}/pairs/learnt.{{what}}.txt", what=["polite", "impolite", "words", "styles"]),
        expand(f"{STYLE_FOLDER}/pairs/tested.{{what}}.txt", what=["polite", "impolite"]),
        rest=f"{STYLE_FOLDER}/pairs/rest.jsonl",
        words=f"{STYLE_FOLDER}/pairs/rest.polite.txt",
    log:
        "logs/dialogue/style_pairs.log",
    benchmark:
        "build/benchmarks/dialogue/style_pairs.tsv"
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("dialogue.style_pairs"),
    shell:
        "python -m workflow_scripts.dialogue.style_pairs build/dialogue/style/pairs --rewrites {input.rewrites:q}"
        " --train {input.train:q} --folds {input.folds:q} 2> {log:q}"


rule style_checkpoint:
    """The language model that a transfer is trained from, or that PPL is of."""
    output:
        checkpoint=directory(f"{STYLE_FOLDER}/checkpoints/{{model}}"),
    log:
        "logs/dialogue/style_checkpoint.{model}.log",
    benchmark:
        "build/benchmarks/dialogue/style_checkpoint.{model}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        source=lambda wildcards: words(
            {
                key: STYLE_CHECKPOINTS[wildcards.model][key]
                for key in ("kind", "checkpoint", "revision", "path")
            }
        ),
        code=code_of("encoders.encoder"),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.checkpoint:q} {params.source:q} 2> {log:q}"


rule train_style:
    """A language model that learns to rewrite users' words as people did."""
    input:
        polite=STYLE_LEARNT[0],
        impolite=STYLE_LEARNT[1],
        initial=lambda wildcards: style_checkpoint(wildcards.rewriter),
    output:
        model=directory(f"{STYLE_FOLDER}/{{rewriter}}/model"),
    log:
        "logs/dialogue/train_style.{rewriter}.log",
    benchmark:
        "build/benchmarks/dialogue/train_style.{rewriter}.tsv"
    priority: LONG
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(720, DAY),
        gpu=GPU,
    params:
        system=lambda wildcards: words(
            {
                **{key: REWRITERS[wildcards.rewriter][key] for key in ("kind", "prompt")},
                "start": REWRITERS[wildcards.rewriter]["model"],
                "course": REWRITERS[wildcards.rewriter]["training"],
                "initial": (style_checkpoint(wildcards.rewriter) or [None])[0],
            }
        ),
        seed=lookup("seed", within=config),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.fine_tune"),
    shell:
        "python -m workflow_scripts.dialogue.fine_tune {output.model:q} --sources {input.polite:q}"
        " --targets {input.impolite:q} {params.system:q} --seed {params.seed:q} {params.torch:q}"
        " {params.device:q} --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule rewrite_users:
    """Users' words of the tested dialogues, and of training dialogues that nobody has rewritten."""
    input:
        model=rules.train_style.output.model,
        tested=REWRITTEN_TEXTS["original"],
        rest=rules.style_pairs.output.words,
    output:
        tested=f"{STYLE_FOLDER}/{{rewriter}}/tested.txt",
        rest=f"{STYLE_FOLDER}/{{rewriter}}/rest.txt",
    log:
        "logs/dialogue/rewrite_users.{rewriter}.log",
    benchmark:
        "build/benchmarks/dialogue/rewrite_users.{rewriter}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        system=lambda wildcards: words(
            {key: REWRITERS[wildcards.rewriter][key] for key in ("prompt", "max_length", "batch_size")}
        ),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.rewrite_users"),
    shell:
        "python -m workflow_scripts.dialogue.rewrite_users --model {input.model:q}"
        " --sources {input.tested:q} {input.rest:q} --targets {output.tested:q} {output.rest:q}"
        " {params.system:q} {params.torch:q} {params.device:q} 2> {log:q}"


rule overlay_users:
    """Training dialogues whose users say what a transfer has them say: more data for a system."""
    input:
        dialogues=rules.style_pairs.output.rest,
        words=f"{STYLE_FOLDER}/{STYLE['rewriter']}/rest.txt",
    output:
        dialogues="build/dialogue/augmentation/transfer.jsonl",
    log:
        "logs/dialogue/overlay_users.log",
    benchmark:
        "build/benchmarks/dialogue/overlay_users.tsv"
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("dialogue.overlay_users"),
    shell:
        "python -m workflow_scripts.dialogue.overlay_users {output.dialogues:q}"
        " --dialogues {input.dialogues:q} --words {input.words:q} 2> {log:q}"


rule judge_encoder:
    """What the classifier of impolite utterances is trained from."""
    input:
        texts=encoder_texts(JUDGE["encoder"], [STYLE_WORDS]),
    output:
        encoder=directory(f"{STYLE_FOLDER}/judge/encoder"),
    log:
        "logs/dialogue/judge_encoder.log",
    benchmark:
        "build/benchmarks/dialogue/judge_encoder.tsv"
    conda:
        "../envs/main.yaml"
    params:
        options=lambda wildcards: encoder_options(JUDGE["encoder"], JUDGE["max_length"], [STYLE_WORDS]),
        code=code_of("encoders.encoder"),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule train_judge:
    """ACC's classifier of polite and impolite utterances, of dialogues that are not tested."""
    input:
        encoder=rules.judge_encoder.output.encoder,
        sentences=STYLE_WORDS,
        scores=f"{STYLE_FOLDER}/pairs/learnt.styles.txt",
    output:
        model=directory(f"{STYLE_FOLDER}/judge/model"),
    log:
        "logs/dialogue/train_judge.log",
    benchmark:
        "build/benchmarks/dialogue/train_judge.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        course=options(JUDGE, "learning_rate", "epochs", "batch_size", "max_length"),
        seed=lookup("seed", within=config),
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.train"),
    shell:
        "python -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.course:q} --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule judge_style:
    """How impolite each utterance is to the classifier: those of people, and of each transfer."""
    input:
        model=rules.train_judge.output.model,
        texts=list(REWRITTEN_TEXTS.values()),
    output:
        expand(f"{STYLE_FOLDER}/judged/{{of}}.txt", of=REWRITTEN_TEXTS),
    log:
        "logs/dialogue/judge_style.log",
    benchmark:
        "build/benchmarks/dialogue/judge_style.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(4000),
        runtime=growing(60, DAY),
        gpu=GPU,
    params:
        sizes=options(JUDGE, "batch_size", "max_length"),
        torch=TORCH,
        device=DEVICE,
        code=code_of("encoders.score"),
    shell:
        "python -m workflow_scripts.encoders.score {input.model:q} --sources {input.texts:q}"
        " --targets {output:q} {params.sizes:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule train_fluency:
    """PPL's language model where it is from scratch: of users' words of dialogues that are not tested."""
    input:
        texts=STYLE_LEARNT,
    output:
        model=directory(f"{STYLE_FOLDER}/fluency"),
    log:
        "logs/dialogue/train_fluency.log",
    benchmark:
        "build/benchmarks/dialogue/train_fluency.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(240, DAY),
        gpu=GPU,
    params:
        start=as_options({"start": STYLE["fluency"]["model"], "course": STYLE["fluency"]["training"]}),
        seed=lookup("seed", within=config),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.fine_tune"),
    shell:
        "python -m workflow_scripts.dialogue.fine_tune {output.model:q} --kind causal --targets {input.texts:q}"
        " {params.start:q} --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/dialogue 2> {log:q}"


rule perplexity_of_style:
    """The perplexity of each side, of all utterances joined and of each alone."""
    input:
        model=fluency_model(),
        texts=list(REWRITTEN_TEXTS.values()),
    output:
        table=f"{STYLE_FOLDER}/perplexity.csv",
    log:
        "logs/dialogue/perplexity.log",
    benchmark:
        "build/benchmarks/dialogue/perplexity.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(120, DAY),
        gpu=GPU,
    params:
        names=list(REWRITTEN_TEXTS),
        sizes=options(STYLE["fluency"], "window", "stride", "batch_size"),
        torch=TORCH,
        device=DEVICE,
        code=code_of("dialogue.perplexity"),
    shell:
        "python -m workflow_scripts.dialogue.perplexity {output.table:q} --model {input.model:q}"
        " --texts {input.texts:q} --names {params.names:q} {params.sizes:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"
