# users: the impoliteness and fluency of rewritten users, by classifiers and by a language model.
from workflow_scripts.wiring.encoders import encoder_options, encoder_texts
from workflow_scripts.wiring.users import USERS_FOLDER, LEARNT, LEARNT_WORDS

# TyDiP's classifier beside it, if there is one.
second_judge = politeness.trained.get(config["style"]["second_judge"])


rule judge_encoder:
    """The training data of the classifier of impolite utterances."""
    input:
        texts=encoder_texts(SETTINGS.style.judge, [LEARNT_WORDS]),
    output:
        encoder=directory(f"{USERS_FOLDER}/judge/encoder"),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        options=lambda wildcards: encoder_options(SETTINGS.style.judge, [LEARNT_WORDS], SETTINGS.seed),
    shell:
        "python -m workflow_scripts.encoders.encoder {output.encoder:q} {params.options:q} 2> {log:q}"


rule train_judge:
    """ACC's classifier of polite and impolite utterances, of dialogues that are not tested."""
    input:
        encoder=rules.judge_encoder.output.encoder,
        sentences=LEARNT_WORDS,
        scores=f"{USERS_FOLDER}/pairs/learnt.labels.txt",
    output:
        model=directory(f"{USERS_FOLDER}/judge/model"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        weights="input",
    params:
        **COMPUTING,
        course=options(config["style"]["judge"], "learning_rate", "epochs", "batch_size", "max_length"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.encoders.train {input.encoder:q} {output.model:q}"
        " --sentences {input.sentences:q} --scores {input.scores:q} --objective classes"
        " {params.course:q} --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/users 2> {log:q}"


rule judge_users:
    """The classifier's score of impoliteness for each utterance: by people, and by each transfer."""
    input:
        model=rules.train_judge.output.model,
        texts=list(users.texts.values()),
    output:
        expand(f"{USERS_FOLDER}/judged/{{of}}.txt", of=users.texts),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=4000, runtime=60),
    params:
        **COMPUTING,
        sizes=options(config["style"]["judge"], "batch_size", "max_length"),
    shell:
        "python -m workflow_scripts.encoders.score {input.model:q} --sources {input.texts:q}"
        " --targets {output:q} {params.sizes:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/users 2> {log:q}"


if second_judge and users.people_rewrote:

    # The politeness of each utterance by a classifier of TyDiP's requests, which was trained on no dialogue.
    use rule judge_users as judge_politeness with:
        input:
            model=politeness.model(config["style"]["second_judge"]),
            texts=list(users.texts.values()),
        output:
            expand(f"{USERS_FOLDER}/politeness/{{of}}.txt", of=users.texts),
        params:
            sizes=options(second_judge.model_dump(), "batch_size", "max_length"),


rule train_fluency:
    """PPL's language model where it is from scratch: of users' words of dialogues that are not tested."""
    input:
        texts=LEARNT,
    output:
        model=directory(f"{USERS_FOLDER}/fluency"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=240),
        weights="input",
    params:
        **COMPUTING,
        start=as_options(
            {"start": config["style"]["fluency"]["model"], "course": config["style"]["fluency"]["training"]}
        ),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.users.fine_tune {output.model:q} --kind causal --targets {input.texts:q}"
        " {params.start:q} --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/users 2> {log:q}"


rule perplexity_of_users:
    """The perplexity of each side, of all utterances joined and of each alone."""
    input:
        model=users.fluency_model(),
        texts=list(users.texts.values()),
    output:
        table=f"{USERS_FOLDER}/perplexity.csv",
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=120),
    params:
        **COMPUTING,
        names=list(users.texts),
        sizes=options(config["style"]["fluency"], "window", "stride", "batch_size"),
    shell:
        "python -m workflow_scripts.users.perplexity {output.table:q} --model {input.model:q}"
        " --texts {input.texts:q} --names {params.names:q} {params.sizes:q} {params.torch:q}"
        " {params.device:q} 2> {log:q}"
