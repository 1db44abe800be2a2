# translation: one interface, four backends (nmt, hf, aws, apertium), every sentence cached (Section 5.2, appendix B).
from workflow_scripts.wiring.translation import HF_MODEL


rule learn_nmt_text:
    """Truecasers and joint BPE of a translation model."""
    input:
        en="build/filtering/bitext/{lang}/train.en.txt",
        target="build/filtering/bitext/{lang}/train.{lang}.txt",
    output:
        text=directory("build/translation/nmt/{lang}/text"),
    priority: FIRST
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
        step="learn text",
    params:
        tag=lambda wildcards: f"<2{wildcards.lang}>",
        size=options(config["translation"]["nmt"], "vocabulary_size"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.text.learn {output.text:q} --texts {input.en:q} {input.target:q}"
        " --languages en {wildcards.lang:q} --tags '<2en>' {params.tag:q} {params.size:q}"
        " --seed {params.seed:q} 2> {log:q}"


rule nmt_bitext:
    """Piece files for both directions of a translation model, distinguished by a tag."""
    input:
        text="build/translation/nmt/{lang}/text",
        en="build/filtering/bitext/{lang}/{part}.en.txt",
        target="build/filtering/bitext/{lang}/{part}.{lang}.txt",
    output:
        source="build/translation/nmt/{lang}/{part}.source.txt",
        target="build/translation/nmt/{lang}/{part}.target.txt",
    priority: FIRST
    resources:
        mem_mb=growing(4000),
        runtime=growing(240, DAY),
        step="pieces",
        lines="sum",
    params:
        tag=lambda wildcards: f"<2{wildcards.lang}>",
        length=options(config["translation"]["nmt"], "max_length"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.en:q} {input.target:q} --source-languages en {wildcards.lang:q}"
        " --targets {input.target:q} {input.en:q} --target-languages {wildcards.lang:q} en"
        " --tags {params.tag:q} '<2en>' {params.length:q} 2> {log:q}"


rule fetch_model:
    """A checkpoint of the `hf` backend, from the hub: nodes of a cluster often have no network."""
    output:
        folder=directory(HF_MODEL),
    wildcard_constraints:
        model=one_of(backend.of_hub),
    localrule: True
    resources:
        weights="checkpoint",
    params:
        checkpoint=lambda wildcards: words(
            dict(zip(("checkpoint", "revision", "setting"), backend.of_hub[wildcards.model]))
        ),
    shell:
        "python -m workflow_scripts.core.fetch {output.folder:q} {params.checkpoint:q} 2> {log:q}"


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
    priority: FIRST
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="train_nmt",
        counts="updates of nmt",
        weights="nmt",
    params:
        **COMPUTING,
        settings=as_options({"settings": config["translation"]["nmt"]["model"]}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.seq2seq.train {input.text:q}/vocabulary.txt {input.pieces:q}"
        " {output.model:q} {output.log:q} {params.settings:q} {params.torch:q} {params.device:q} --seed {params.seed:q}"
        " --checkpoints build/checkpoints/translation 2> {log:q}"


# Translated files: (sentences, translations, from, into, minutes).
TRANSLATED = {
    # TRANSLATE TRAIN: the training and dev pairs.
    "gyafc": (
        lambda wildcards: expand(f"{backend.pairs(wildcards.lang)[0]}/{{name}}.txt", name=corpora.gyafc),
        expand("build/translation/gyafc/{{lang}}/{name}.txt", name=corpora.gyafc),
        lambda wildcards: backend.pairs(wildcards.lang)[1],
        "{lang}",
        1440,
    ),
    # Section 5.3: rated sentences; the rating goes with them.
    "ratings": (
        expand("build/corpora/pt16/{part}.sentences.txt", part=["train", "test"]),
        expand("build/translation/pt16/{{lang}}/{part}.txt", part=["train", "test"]),
        "en",
        "{lang}",
        240,
    ),
    # Table 9: held-out rated sentences on their way back.
    "ratings_back": (
        "build/translation/pt16/{lang}/test.txt",
        "build/translation/pt16/{lang}/test.back.txt",
        "{lang}",
        "en",
        60,
    ),
    # ROUND-TRIP MT: into English, and back.
    "to_pivot": (
        "build/corpora/xformal/{lang}/informal.txt",
        "build/translation/xformal/{lang}/pivot.en.txt",
        "{lang}",
        "en",
        60,
    ),
    "from_pivot": (
        "build/translation/xformal/{lang}/pivot.en.txt",
        "build/translation/xformal/{lang}/round_trip.txt",
        "en",
        "{lang}",
        60,
    ),
    # TyDiP's Table 3: requests for classifiers of English.
    "requests": (
        "build/politeness/requests/{lang}.test.sentences.txt",
        "build/translation/requests/{lang}.txt",
        "{lang}",
        "en",
        60,
    ),
    # TyDiP's Section 4: requests in whose words lexicons are induced.
    "lexicons": (
        "build/politeness/lexicons/requests/{lang}.txt",
        "build/translation/lexicons/{lang}.txt",
        "{lang}",
        "en",
        240,
    ),
    # CoCoA-MT's test set, by a translator without control of formality.
    "controlled": (
        "build/control/test/{lang}/source.txt",
        "build/translation/controlled/{lang}.txt",
        "en",
        "{lang}",
        60,
    ),
    # Appendix B: subtitles with which the backend is tested.
    "sanity": (
        "build/translation/sanity/{lang}/source.txt",
        "build/translation/sanity/{lang}/hypothesis.txt",
        "en",
        "{lang}",
        60,
    ),
}

# For languages other than those of the tables.
TRANSLATED_INTO = {
    "requests": politeness.translated,
    "lexicons": politeness.lexicons_translated,
    "controlled": config["control"]["languages"],
}

for translated, (sentences, translations, origin, into, minutes) in TRANSLATED.items():

    # Requests to a paid service are sent from the machine with the network and the credentials.
    rule:
        """A row of TRANSLATED, by the configured backend."""
        name:
            f"translate_{translated}"
        input:
            unpack(backend.at(backend.input, origin, into)),
            sentences=sentences,
        output:
            translations,
        wildcard_constraints:
            lang=one_of(TRANSLATED_INTO.get(translated, ALL_LANGUAGES)),
        # Most systems and all regressors learn from these.
        priority: FIRST if translated in ("gyafc", "ratings") else 0
        localrule: "aws" in backend.kinds
        threads: config["threads"]
        resources:
            mem_mb=growing(8000),
            runtime=growing(minutes, DAY),
            gpu=backend.gpus(GPU),
            step="translate",
            counts="translated",
        params:
            backend=backend.at(backend.options, origin, into),
            source=origin,
            target=into,
            cache=CACHE,
            run=untracked(backend.how),
        shell:
            "python -m workflow_scripts.translation.translate {params.backend:q} {params.run:q}"
            " --source-language {params.source:q} --target-language {params.target:q}"
            " --sources {input.sentences:q} --targets {output:q}"
            " --cache {params.cache:q}/{params.source:q}-{params.target:q}.sqlite 2> {log:q}"


rule sample_sanity:
    """Appendix B: subtitles with which the backend is tested, of the raw corpus: filters would flatter it."""
    input:
        en="build/corpora/opensubtitles/{lang}/en.txt.gz",
        target="build/corpora/opensubtitles/{lang}/{lang}.txt.gz",
    output:
        en="build/translation/sanity/{lang}/source.txt",
        target="build/translation/sanity/{lang}/reference.txt",
    resources:
        mem_mb=growing(2000),
        lines="sample",
    params:
        size=config["translation"]["sanity_sentences"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.filtering.sample --pool {input:q} --names sanity --sizes {params.size:q}"
        " --out {output:q} --seed {params.seed:q} 2> {log:q}"


rule sanity:
    """Appendix B: BLEU of the configured backend on subtitles, per language."""
    input:
        hypotheses=expand("build/translation/sanity/{lang}/hypothesis.txt", lang=LANGUAGES),
        references=expand("build/translation/sanity/{lang}/reference.txt", lang=LANGUAGES),
    output:
        table="build/translation/sanity.csv",
    localrule: True
    params:
        languages=LANGUAGES,
        directions=[f"en-{lang}" for lang in LANGUAGES],
    shell:
        "python -m workflow_scripts.translation.sanity {output.table:q} --languages {params.languages:q}"
        " --directions {params.directions:q} --hypotheses {input.hypotheses:q} --references {input.references:q} 2> {log:q}"
