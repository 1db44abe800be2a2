# transfer: the training data of the supervised systems: text models, pairs for training and dev.
from workflow_scripts.wiring.systems import PAIRS, TRANSLATED_GYAFC


rule learn_text:
    """Truecaser and joint BPE, learnt on both sides of the translated training pairs, and on text that is copied."""
    input:
        texts=TRANSLATED_GYAFC + systems.copied,
    output:
        text=directory(f"{PAIRS}/text"),
    resources:
        mem_mb=growing(4000),
        step="learn text",
    params:
        languages=lambda wildcards: [wildcards.lang] * len(TRANSLATED_GYAFC + systems.copied),
        size=options(TRANSFER, "vocabulary_size"),
        seed=config["seed"],
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
    resources:
        mem_mb=growing(4000),
        step="pieces",
        lines="sum",
    params:
        length=options(TRANSFER, "max_length"),
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
            style=[style for style in STYLES for _ in corpora.dev_references],
        ),
        targets=expand(
            "build/translation/gyafc/{{lang}}/dev.{style}.ref{i}.txt",
            style=STYLES[::-1],
            i=corpora.dev_references,
        ),
    output:
        source=f"{PAIRS}/dev.source.txt",
        target=f"{PAIRS}/dev.target.txt",
    resources:
        mem_mb=growing(4000),
        step="pieces",
        lines="half",
    params:
        languages=lambda wildcards: [wildcards.lang] * 2 * len(corpora.dev_references),
        tags=[tag for tag in ("<2formal>", "<2informal>") for _ in corpora.dev_references],
        length=options(TRANSFER, "max_length"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.sources:q} --source-languages {params.languages:q}"
        " --targets {input.targets:q} --target-languages {params.languages:q}"
        " --tags {params.tags:q} {params.length:q} 2> {log:q}"


rule own_pairs:
    """A system with pairs of its own: these in both directions, with the target style as a tag on the source."""
    input:
        text=systems.own_text,
        pairs=lambda wildcards: systems.own_pairs(wildcards, wildcards.part),
    output:
        source=f"{SYSTEM}/{{part}}.source.txt",
        target=f"{SYSTEM}/{{part}}.target.txt",
    wildcard_constraints:
        system=systems.where(systems.pairs_of),
        part="train|dev",
    resources:
        mem_mb=growing(4000),
        step="pieces",
        lines="sum",
    params:
        backwards=lambda wildcards: systems.own_pairs(wildcards, wildcards.part)[::-1],
        languages=lambda wildcards: [wildcards.lang] * len(STYLES),
        length=options(TRANSFER, "max_length"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.pairs:q} --source-languages {params.languages:q}"
        " --targets {params.backwards:q} --target-languages {params.languages:q}"
        " --tags '<2formal>' '<2informal>' {params.length:q} 2> {log:q}"


# Without a model to start from, such a system also has a text model of its own.
use rule learn_text as learn_own_text with:
    input:
        texts=systems.own_pairs,
    output:
        text=directory(f"{SYSTEM}/text"),
    wildcard_constraints:
        system=systems.where(systems.pairs_of),
    params:
        languages=lambda wildcards: [wildcards.lang] * len(STYLES),


rule grow_text:
    """MULTI-TASK TAG-STYLE: the vocabulary of its base, grown by the English side of the bitext."""
    input:
        text=f"{PAIRS}/text",
        texts="build/filtering/opensubtitles/{lang}/formal.multi_task.en.txt.gz",
    output:
        text=directory(f"{SYSTEM}/text"),
    wildcard_constraints:
        system=systems.where(systems.grown),
    resources:
        mem_mb=growing(8000),
    params:
        size=options(TRANSFER, "vocabulary_size"),
        seed=config["seed"],
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
    wildcard_constraints:
        system=systems.where(systems.joint),
    resources:
        mem_mb=16000,
    params:
        languages=lambda wildcards: [wildcards.lang, wildcards.lang, "en", wildcards.lang],


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
    wildcard_constraints:
        system=systems.of_kinds("multi_task"),
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
        step="pieces",
        lines="multi-task",
    params:
        repeat=lambda wildcards: config["systems"][wildcards.system]["repeat"],
        length=options(TRANSFER, "max_length"),
    shell:
        "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
        " --sources {input.informal:q} {input.formal:q} {input.en:q}"
        " --source-languages {wildcards.lang:q} {wildcards.lang:q} en"
        " --targets {input.formal:q} {input.informal:q} {input.target:q}"
        " --target-languages {wildcards.lang:q} {wildcards.lang:q} {wildcards.lang:q}"
        " --tags '<2formal>' '<2informal>' '<2formal>'"
        " --repeat {params.repeat:q} {params.repeat:q} 1 {params.length:q} 2> {log:q}"


rule synthetic:
    """BACKTRANSLATE: the base's outputs for informal text, without copies."""
    input:
        informal="build/filtering/opensubtitles/{lang}/informal.backtranslate.{lang}.txt.gz",
        decoded=f"{SYSTEM}/decoded.txt",
    output:
        informal=f"{SYSTEM}/synthetic.informal.txt",
        formal=f"{SYSTEM}/synthetic.formal.txt",
        counts=f"{SYSTEM}/synthetic.tsv",
    wildcard_constraints:
        system=systems.of_kinds("backtranslate"),
    shell:
        "python -m workflow_scripts.transfer.synthetic {input.informal:q} {input.decoded:q}"
        " {output.informal:q} {output.formal:q} {output.counts:q} 2> {log:q}"


# BACKTRANSLATE: truecaser and BPE of its own, since it is also trained on synthetic pairs.
use rule learn_text as learn_synthetic_text with:
    input:
        texts=TRANSLATED_GYAFC + expand(f"{SYSTEM}/synthetic.{{style}}.txt", style=STYLES, allow_missing=True),
    output:
        text=directory(f"{SYSTEM}/text"),
    wildcard_constraints:
        system=systems.of_kinds("backtranslate"),
    params:
        languages=lambda wildcards: [wildcards.lang] * 4,


rule synthetic_pairs:
    """BACKTRANSLATE: translated GYAFC in both directions, and synthetic pairs in the configured ones."""
    input:
        text=systems.own_text,
        informal=TRANSLATED_GYAFC[0],
        formal=TRANSLATED_GYAFC[1],
        synthetic=expand(f"{SYSTEM}/synthetic.{{style}}.txt", style=STYLES, allow_missing=True),
    output:
        source=f"{SYSTEM}/train.source.txt",
        target=f"{SYSTEM}/train.target.txt",
    wildcard_constraints:
        system=systems.of_kinds("backtranslate"),
    resources:
        mem_mb=growing(4000),
        runtime=growing(120, DAY),
        step="pieces",
        lines="sum",
    params:
        pairs=systems.synthetic,
        length=options(TRANSFER, "max_length"),
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
    wildcard_constraints:
        system=f"{systems.of_kinds('backtranslate')}|{systems.where(systems.joint)}",
