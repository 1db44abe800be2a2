# unsupervised: UNMT and DLSM (Section 5.1; He et al., 2020), trained on text of two styles without pairs.
from workflow_scripts.wiring.systems import UNSUPERVISED_SYSTEM, prior_options

UNSUPERVISED = config["unsupervised"]
WORDS = "build/unsupervised/{lang}/{corpus}"


wildcard_constraints:
    corpus="opensubtitles|yahoo-fr",


rule learn_words:
    """The words of both styles, and a truecaser."""
    input:
        texts=expand(
            "build/filtering/{corpus}/{lang}/{style}.unsupervised.{lang}.txt.gz",
            style=STYLES,
            allow_missing=True,
        ),
    output:
        words=directory(f"{WORDS}/words"),
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
    params:
        size=options(UNSUPERVISED, "max_words"),
    shell:
        "python -m workflow_scripts.unsupervised.learn_words {output.words:q} --texts {input.texts:q}"
        " --languages {wildcards.lang:q} {wildcards.lang:q} {params.size:q} 2> {log:q}"


rule encode_words:
    """Training and dev text of both styles as words of the vocabulary."""
    input:
        words=f"{WORDS}/words",
        texts=expand(
            "build/filtering/{corpus}/{lang}/{style}.{part}.{lang}.txt.gz",
            part=["unsupervised", "dev"],
            style=STYLES,
            allow_missing=True,
        ),
    output:
        expand(
            f"{WORDS}/{{part}}.{{style}}.txt",
            part=["unsupervised", "dev"],
            style=STYLES,
            allow_missing=True,
        ),
    resources:
        mem_mb=growing(2000),
        runtime=growing(120, DAY),
    params:
        length=options(UNSUPERVISED, "max_length"),
    shell:
        "python -m workflow_scripts.unsupervised.encode {input.words:q} --texts {input.texts:q}"
        " --targets {output:q} --language {wildcards.lang:q} {params.length:q} 2> {log:q}"


rule train_prior:
    """DLSM: the language model of a style, frozen afterwards."""
    input:
        words=f"{WORDS}/words",
        train=f"{WORDS}/unsupervised.{{style}}.txt",
        dev=f"{WORDS}/dev.{{style}}.txt",
    output:
        model=f"{WORDS}/prior.{{style}}.safetensors",
        log=f"{WORDS}/prior.{{style}}.training.tsv",
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="train_prior",
        counts="updates of prior",
        weights="prior",
    params:
        **COMPUTING,
        settings=as_options({"settings": UNSUPERVISED["prior"]}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.unsupervised.train_prior {input.words:q}/vocabulary.txt {input.train:q}"
        " {input.dev:q} {output.model:q} {output.log:q} {params.settings:q} {params.torch:q} {params.device:q} --seed {params.seed:q}"
        " --checkpoints build/checkpoints/unsupervised 2> {log:q}"


rule train_unsupervised:
    """UNMT or DLSM: one command for both, one model per seed."""
    input:
        words=systems.of_corpus("words"),
        texts=lambda wildcards: [
            systems.of_corpus(f"{part}.{style}.txt")(wildcards)
            for part in ("unsupervised", "dev")
            for style in STYLES
        ],
        priors=systems.priors,
    output:
        model=f"{UNSUPERVISED_SYSTEM}/seed{{seed}}.safetensors",
        log=f"{UNSUPERVISED_SYSTEM}/seed{{seed}}.training.tsv",
    wildcard_constraints:
        system=systems.trained_by("unsupervised"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=16000, runtime=1440),
        step="train_unsupervised",
        counts="updates of unsupervised",
        weights="unsupervised",
    params:
        **COMPUTING,
        settings=as_options({"settings": UNSUPERVISED["model"]}),
        noise=systems.noise,
        priors=prior_options,
    shell:
        "python -m workflow_scripts.unsupervised.train {input.words:q}/vocabulary.txt {input.texts:q}"
        " {output.model:q} {output.log:q} {params.settings:q} {params.noise:q} {params.priors:q} {params.torch:q} {params.device:q}"
        " --seed {wildcards.seed:q} --checkpoints build/checkpoints/unsupervised 2> {log:q}"


rule decode_unsupervised:
    """The outputs of one rerun."""
    input:
        words=systems.of_corpus("words"),
        model=systems.rerun,
        source=lambda wildcards: systems.runs(wildcards.lang, systems.named[wildcards.system].input),
    output:
        target=f"{UNSUPERVISED_SYSTEM}/run{{run}}.txt",
    wildcard_constraints:
        system=systems.trained_by("unsupervised"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000),
        step="decode_unsupervised",
        counts="decoded by unsupervised",
    params:
        **COMPUTING,
        batch_size=config["unsupervised"]["decoding_batch_size"],
        length=options(UNSUPERVISED, "max_length"),
    shell:
        "python -m workflow_scripts.unsupervised.decode {input.words:q} {input.source:q} {output.target:q}"
        " --model {input.model:q} --language {wildcards.lang:q} --style formal"
        " --batch-size {params.batch_size:q} {params.length:q} {params.torch:q} {params.device:q} 2> {log:q}"
