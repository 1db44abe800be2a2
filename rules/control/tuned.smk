# control: a generic translator, the translators tuned from it, and their outputs.
from workflow_scripts.wiring.control import GENERIC_MODEL, HELD_OUT_SOURCE, dev_option, generic_initial


rule sample_generic:
    """Pairs that the generic model learns from, and others for its dev perplexity."""
    input:
        texts=control.generic_pairs,
    output:
        texts=expand(
            f"{GENERIC_MODEL}/{{part}}.{{side}}.txt",
            part=["dev", "train"],
            side=["en", "target"],
            allow_missing=True,
        ),
    wildcard_constraints:
        lang=one_of(TARGETS),
    resources:
        mem_mb=growing(5000),
        runtime=growing(240, DAY),
        lines="sample",
    params:
        sizes=[config["control"]["generic"]["dev_sentences"], config["control"]["generic"]["train_sentences"]],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.filtering.sample --pool {input.texts:q} --names dev train"
        " --sizes {params.sizes:q} --out {output.texts:q} --seed {params.seed:q} --draws strict 2> {log:q}"


rule generic_text:
    """Truecasers and joint BPE of the generic model."""
    input:
        en=f"{GENERIC_MODEL}/train.en.txt",
        target=f"{GENERIC_MODEL}/train.target.txt",
    output:
        text=directory(f"{GENERIC_MODEL}/text"),
    wildcard_constraints:
        lang=one_of(control.trained),
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
        step="learn text",
    params:
        size=options(config["control"]["generic"], "vocabulary_size"),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.text.learn {output.text:q} --texts {input.en:q} {input.target:q}"
        " --languages en {wildcards.lang:q} --tags {params.size:q} --seed {params.seed:q} 2> {log:q}"


rule generic_pieces:
    """Piece files of the generic model."""
    input:
        text=f"{GENERIC_MODEL}/text",
        en=control.generic_part("en"),
        target=control.generic_part("target"),
    output:
        source=f"{GENERIC_MODEL}/{{part}}.pieces.source.txt",
        target=f"{GENERIC_MODEL}/{{part}}.pieces.target.txt",
    wildcard_constraints:
        lang=one_of(TARGETS),
        part="train|dev",
    resources:
        mem_mb=growing(4000),
        runtime=growing(240, DAY),
        step="pieces",
    params:
        length=options(config["control"]["generic"], "max_length"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.en:q} --source-languages en --targets {input.target:q}"
        " --target-languages {wildcards.lang:q} {params.length:q} 2> {log:q}"


rule train_generic:
    """The generic model of a language: a Transformer with an SSRU decoder (Section 5)."""
    input:
        text=f"{GENERIC_MODEL}/text",
        pieces=expand(
            f"{GENERIC_MODEL}/train.pieces.{{side}}.txt", side=["source", "target"], allow_missing=True
        ),
        dev=expand(f"{GENERIC_MODEL}/dev.pieces.{{side}}.txt", side=["source", "target"], allow_missing=True),
    output:
        model=f"{GENERIC_MODEL}/model.safetensors",
        log=f"{GENERIC_MODEL}/training.tsv",
    wildcard_constraints:
        lang=one_of(control.trained),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="train transformer",
        counts="updates of transformer",
        weights="transformer",
    params:
        **COMPUTING,
        further=dev_option,
        settings=as_options({"settings": config["control"]["generic"]["model"]}),
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.seq2seq.train_transformer {input.text:q}/vocabulary.txt {input.pieces:q}"
        " {output.model:q} {output.log:q} {params.further:q} {params.settings:q} {params.torch:q}"
        " {params.device:q} --seed {params.seed:q} --checkpoints build/checkpoints/control 2> {log:q}"


rule read_sockeye:
    """A generic model that Sockeye has trained, in place of one that is trained here."""
    input:
        files=requirements.sockeye_files,
        sums="build/corpora/sockeye/{lang}.sha256",
    output:
        text=directory(f"{GENERIC_MODEL}/text"),
        model=f"{GENERIC_MODEL}/model.safetensors",
    wildcard_constraints:
        lang=one_of(control.sockeye),
    resources:
        mem_mb=growing(8000),
        step="read_sockeye",
        weights="transformer",
    params:
        folder=lambda wildcards: control.sockeye[wildcards.lang],
    shell:
        "python -m workflow_scripts.seq2seq.read_sockeye {params.folder:q} {output.text:q} {output.model:q}"
        " --language {wildcards.lang:q} 2> {log:q}"


rule tag_text:
    """The text model of the generic model with the tags of both levels."""
    input:
        text=f"{GENERIC_MODEL}/text",
    output:
        text=directory(f"{GENERIC_MODEL}/tagged"),
    wildcard_constraints:
        lang=one_of(TARGETS),
    localrule: True
    shell:
        "python -m workflow_scripts.text.grow_tags {input.text:q} {output.text:q} --tags '<2formal>' '<2informal>' 2> {log:q}"


rule label_generic:
    """The levels of generic pairs by lists of words (Section 6.2)."""
    input:
        pairs=control.labelled_pairs,
        lists=resource("resources/levels/{lang}.tsv"),
    output:
        labels=f"{GENERIC_MODEL}/labels.txt",
    wildcard_constraints:
        lang=one_of(TARGETS),
    resources:
        runtime=growing(240, DAY),
    shell:
        "python -m workflow_scripts.control.rule_labels {input.pairs:q} {output.labels:q}"
        " --lists {input.lists:q} 2> {log:q}"


rule tuning_pairs:
    """The training data of a tuned run: tagged pairs, each several times, and as many generic pairs (Section 4)."""
    input:
        text=f"{GENERIC_MODEL}/tagged",
        generic=expand(
            f"{GENERIC_MODEL}/train.pieces.{{side}}.txt", side=["source", "target"], allow_missing=True
        ),
        corpus=f"{control.corpus}/{{lang}}",
        labelled=control.labelled_by_rules,
    output:
        source=f"{TUNED_MODEL}.source.txt",
        target=f"{TUNED_MODEL}.target.txt",
    wildcard_constraints:
        system=one_of(control.tuned),
        lang=one_of(TARGETS),
    resources:
        mem_mb=growing(4000),
        lines="tuned",
    params:
        data=control.labelled_data,
        segments=control.segments,
        labelled=lambda wildcards: words({"labelled": control.labelled_by_rules(wildcards) or None}),
        length=options(config["control"]["generic"], "max_length"),
        seed=lambda wildcards: control.tuned[wildcards.system].seeds[int(wildcards.run)],
    shell:
        "python -m workflow_scripts.control.tuning_pairs {input.text:q} {output.source:q} {output.target:q}"
        " --generic {input.generic:q} --language {wildcards.lang:q} {params.data:q} {params.segments:q}"
        " {params.labelled:q} {params.length:q} --seed {params.seed:q} 2> {log:q}"


# One epoch at a fixed rate, without a dev set; other settings are those of the generic model.
use rule train_generic as train_tuned with:
    input:
        text=f"{GENERIC_MODEL}/tagged",
        pieces=expand(f"{TUNED_MODEL}.{{side}}.txt", side=["source", "target"], allow_missing=True),
        initial=f"{GENERIC_MODEL}/model.safetensors",
    output:
        model=f"{TUNED_MODEL}.safetensors",
        log=f"{TUNED_MODEL}.training.tsv",
    wildcard_constraints:
        system=one_of(control.tuned),
        lang=one_of(TARGETS),
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="tune transformer",
        counts="pairs of transformer",
        weights="transformer",
    params:
        further=generic_initial,
        settings=as_options(
            {
                "settings": {
                    **config["control"]["generic"]["model"],
                    **config["control"]["tuning"],
                    "warmup_updates": 0,
                    "epochs": 1,
                    "max_updates": 1_000_000_000,
                }
            }
        ),
        seed=lambda wildcards: control.tuned[wildcards.system].seeds[int(wildcards.run)],


rule decode_tuned:
    """A tuned model's translations at both levels, of generic text without a level, and for Table 10."""
    input:
        text=f"{GENERIC_MODEL}/tagged",
        models=f"{TUNED_MODEL}.safetensors",
        sources=[
            *["build/control/test/{lang}/source.txt"] * len(LEVELS),
            *(f"build/corpora/generic/{{lang}}/{name}.en.txt" for name in control.generic_sets),
            *expand(HELD_OUT_SOURCE, sheet=control.held_out),
        ],
    output:
        targets=expand(CONTROL_OUTPUTS, level=control.translated, allow_missing=True),
    wildcard_constraints:
        system=one_of(control.tuned),
        lang=one_of(TARGETS),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=120),
        step="decode transformer",
        counts="decoded by transformer",
    params:
        **COMPUTING,
        levels=[*LEVELS, *["none"] * len(control.generic_sets), *control.held_out],
        search=options(config["control"]["decoding"], "beam_size", "length_penalty", "batch_size"),
    shell:
        "python -m workflow_scripts.control.decode {input.text:q} --models {input.models:q}"
        " --sources {input.sources:q} --targets {output.targets:q} --levels {params.levels:q}"
        " --language {wildcards.lang:q} {params.search:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/control 2> {log:q}"


use rule decode_tuned as decode_generic with:
    input:
        text=f"{GENERIC_MODEL}/text",
        models=f"{GENERIC_MODEL}/model.safetensors",
        sources=rules.decode_tuned.input.sources,
    wildcard_constraints:
        system=control.of_kind("generic"),
        lang=one_of(TARGETS),
    params:
        levels=["none"] * len(control.translated),


# TED where not all languages have it.
use rule decode_tuned as decode_tuned_ted with:
    input:
        text=f"{GENERIC_MODEL}/tagged",
        models=f"{TUNED_MODEL}.safetensors",
        sources=["build/corpora/generic/{lang}/ted.en.txt"],
    output:
        targets=expand(CONTROL_OUTPUTS, level="ted", allow_missing=True),
    wildcard_constraints:
        system=one_of(control.tuned),
        lang=one_of(control.with_ted),
    params:
        levels=["none"],


use rule decode_tuned_ted as decode_generic_ted with:
    input:
        text=f"{GENERIC_MODEL}/text",
        models=f"{GENERIC_MODEL}/model.safetensors",
        sources=["build/corpora/generic/{lang}/ted.en.txt"],
    wildcard_constraints:
        system=control.of_kind("generic"),
        lang=one_of(control.with_ted),
