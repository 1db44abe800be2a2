# translation: one interface, four backends (nmt, hf, aws, apertium), every sentence cached (Section 5.2, appendix B).


NMT = config["translation"]["nmt"]


TRANSLATE = (
    "python -m workflow_scripts.translation.translate {params.backend}"
    " --source-language {params.source} --target-language {params.target}"
    " --sources {params.sentences} --targets {output}"
    " --cache {params.cache}/{params.source}-{params.target}.sqlite 2> {log}"
)
TRANSLATION_GPU = GPU if BACKEND in ("nmt", "hf") else 0


rule learn_nmt_text:
    """Truecasers and joint BPE of a translation model."""
    input:
        en="build/filtering/bitext/{lang}/train.en.txt",
        target="build/filtering/bitext/{lang}/train.{lang}.txt",
    output:
        text=directory("build/translation/nmt/{lang}/text"),
    log:
        "logs/translation/learn_nmt_text.{lang}.log",
    benchmark:
        "build/benchmarks/translation/learn_nmt_text.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        size=options(NMT, "vocabulary_size"),
        seed=lookup("seed", within=config),
        code=code_of("text.learn"),
    shell:
        "python -m workflow_scripts.text.learn {output.text} --texts {input.en} {input.target}"
        " --languages en {wildcards.lang} --tags '<2en>' '<2{wildcards.lang}>' {params.size}"
        " --seed {params.seed} 2> {log}"


rule nmt_bitext:
    """Piece files for both directions of a translation model, told apart by a tag."""
    input:
        text="build/translation/nmt/{lang}/text",
        en="build/filtering/bitext/{lang}/{part}.en.txt",
        target="build/filtering/bitext/{lang}/{part}.{lang}.txt",
    output:
        source="build/translation/nmt/{lang}/{part}.source.txt",
        target="build/translation/nmt/{lang}/{part}.target.txt",
    log:
        "logs/translation/nmt_bitext.{lang}.{part}.log",
    benchmark:
        "build/benchmarks/translation/nmt_bitext.{lang}.{part}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        length=options(NMT, "max_length"),
        code=code_of("text.bitext"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text} {output.source} {output.target}"
        " --sources {input.en} {input.target} --source-languages en {wildcards.lang}"
        " --targets {input.target} {input.en} --target-languages {wildcards.lang} en"
        " --tags '<2{wildcards.lang}>' '<2en>' {params.length} 2> {log}"


rule train_nmt:
    """The `nmt` backend's model of one language, both directions."""
    input:
        text="build/translation/nmt/{lang}/text",
        pieces=expand(
            "build/translation/nmt/{{lang}}/{part}.{side}.txt",
            part=["train", "dev"],
            side=["source", "target"],
        ),
    output:
        model="build/translation/nmt/{lang}/model.safetensors",
        log="build/translation/nmt/{lang}/training.tsv",
    log:
        "logs/translation/train_nmt.{lang}.log",
    benchmark:
        "build/benchmarks/translation/train_nmt.{lang}.tsv"
    # Long jobs first, so that none of them is left alone at the end.
    priority: 10
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=2880,
        gpu=GPU,
    params:
        model=options(NMT["model"], *NMT["model"]),
        torch=TORCH,
        seed=lookup("seed", within=config),
        code=code_of("seq2seq.train"),
    shell:
        "python -m workflow_scripts.seq2seq.train {input.text}/vocabulary.txt {input.pieces}"
        " {output.model} {output.log} {params.model} {params.torch} --seed {params.seed}"
        " --checkpoints build/checkpoints/translation 2> {log}"


rule translate_gyafc:
    """TRANSLATE TRAIN: the training and dev pairs in another language."""
    input:
        unpack(backend_input),
        sentences=expand("build/corpora/gyafc/{name}.txt", name=GYAFC),
    output:
        expand("build/translation/gyafc/{{lang}}/{name}.txt", name=GYAFC),
    log:
        "logs/translation/gyafc.{lang}.log",
    benchmark:
        "build/benchmarks/translation/gyafc.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=1440,
        gpu=TRANSLATION_GPU,
    params:
        backend=backend_options,
        sentences=lambda wildcards, input: input.sentences,
        source=config["corpora"]["gyafc_language"],
        target="{lang}",
        cache=lookup("cache", within=config),
        code=code_of("translation.translate"),
    shell:
        TRANSLATE


rule translate_ratings:
    """Section 5.3: rated sentences in another language; the rating goes with them."""
    input:
        unpack(backend_input),
        sentences=expand("build/corpora/pt16/{part}.sentences.txt", part=["train", "test"]),
    output:
        expand("build/translation/pt16/{{lang}}/{part}.txt", part=["train", "test"]),
    log:
        "logs/translation/pt16.{lang}.log",
    benchmark:
        "build/benchmarks/translation/pt16.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        runtime=240,
        gpu=TRANSLATION_GPU,
    params:
        backend=backend_options,
        sentences=lambda wildcards, input: input.sentences,
        source="en",
        target="{lang}",
        cache=lookup("cache", within=config),
        code=code_of("translation.translate"),
    shell:
        TRANSLATE


rule translate_to_pivot:
    """ROUND-TRIP MT, first half: into English."""
    input:
        unpack(backend_input),
        sentences="build/corpora/xformal/{lang}/informal.txt",
    output:
        "build/translation/xformal/{lang}/pivot.en.txt",
    log:
        "logs/translation/pivot.{lang}.log",
    benchmark:
        "build/benchmarks/translation/pivot.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        gpu=TRANSLATION_GPU,
    params:
        backend=backend_options,
        sentences=lambda wildcards, input: input.sentences,
        source="{lang}",
        target="en",
        cache=lookup("cache", within=config),
        code=code_of("translation.translate"),
    shell:
        TRANSLATE


rule translate_from_pivot:
    """ROUND-TRIP MT, second half: back from English."""
    input:
        unpack(backend_input),
        sentences="build/translation/xformal/{lang}/pivot.en.txt",
    output:
        "build/translation/xformal/{lang}/round_trip.txt",
    log:
        "logs/translation/round_trip.{lang}.log",
    benchmark:
        "build/benchmarks/translation/round_trip.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        gpu=TRANSLATION_GPU,
    params:
        backend=backend_options,
        sentences=lambda wildcards, input: input.sentences,
        source="en",
        target="{lang}",
        cache=lookup("cache", within=config),
        code=code_of("translation.translate"),
    shell:
        TRANSLATE


rule sample_sanity:
    """Appendix B: subtitles on which the backend is tried."""
    input:
        en="build/filtering/opensubtitles/{lang}/filtered.en.txt.gz",
        target="build/filtering/opensubtitles/{lang}/filtered.{lang}.txt.gz",
    output:
        en="build/translation/sanity/{lang}/source.txt",
        target="build/translation/sanity/{lang}/reference.txt",
    log:
        "logs/translation/sample_sanity.{lang}.log",
    benchmark:
        "build/benchmarks/translation/sample_sanity.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
    params:
        size=lookup("translation/sanity_sentences", within=config),
        seed=lookup("seed", within=config),
        code=code_of("filtering.sample"),
    shell:
        "python -m workflow_scripts.filtering.sample --pool {input} --names sanity --sizes {params.size}"
        " --out {output} --seed {params.seed} 2> {log}"


rule translate_sanity:
    """Appendix B: the backend's translations of these subtitles."""
    input:
        unpack(backend_input),
        sentences="build/translation/sanity/{lang}/source.txt",
    output:
        "build/translation/sanity/{lang}/hypothesis.txt",
    log:
        "logs/translation/sanity.{lang}.log",
    benchmark:
        "build/benchmarks/translation/sanity.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    threads: config["threads"]
    resources:
        mem_mb=8000,
        gpu=TRANSLATION_GPU,
    params:
        backend=backend_options,
        sentences=lambda wildcards, input: input.sentences,
        source="en",
        target="{lang}",
        cache=lookup("cache", within=config),
        code=code_of("translation.translate"),
    shell:
        TRANSLATE


rule sanity:
    """Appendix B: BLEU of the configured backend on subtitles, per language."""
    input:
        hypotheses=expand("build/translation/sanity/{lang}/hypothesis.txt", lang=LANGUAGES),
        references=expand("build/translation/sanity/{lang}/reference.txt", lang=LANGUAGES),
    output:
        table="build/translation/sanity.csv",
    log:
        "logs/translation/sanity.log",
    benchmark:
        "build/benchmarks/translation/sanity.tsv"
    conda:
        "../envs/main.yaml"
    params:
        languages=" ".join(LANGUAGES),
        directions=" ".join(f"en-{lang}" for lang in LANGUAGES),
        code=code_of("translation.sanity"),
    shell:
        "python -m workflow_scripts.translation.sanity {output.table} --languages {params.languages}"
        " --directions {params.directions} --hypotheses {input.hypotheses} --references {input.references} 2> {log}"


# Translating formality ratings back.
use rule translate_to_pivot as translate_ratings_back with:
    input:
        unpack(backend_input),
        sentences="build/translation/pt16/{lang}/test.txt",
    output:
        "build/translation/pt16/{lang}/test.back.txt",
    log:
        "logs/translation/ratings_back.{lang}.log",
    benchmark:
        "build/benchmarks/translation/ratings_back.{lang}.tsv"
