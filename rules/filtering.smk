# filtering: curation (Section 3), Bicleaner and formality pools (Section 5.2), seeded samples.
SHARDS = range(config["filtering"]["shards"])


localrules:
    bicleaner_venv,


rule bicleaner_venv:
    """Bicleaner in an environment of its own: its pins exclude it from the main one."""
    input:
        lock=resource("envs/bicleaner.txt"),
    output:
        done=f".venvs/bicleaner-{lock_hash('bicleaner')}/.done",
    log:
        "logs/filtering/bicleaner_venv.log",
    conda:
        "../envs/main.yaml"
    params:
        venv=lambda wildcards, output: os.path.dirname(output.done),
    shell:
        "python -m workflow_scripts.core.tools {params.venv} {output.done} --lock {input.lock} 2> {log}"


rule sample_bitext:
    """Training and dev pairs for the `nmt` translation backend."""
    input:
        en="build/corpora/bitext/{lang}/en.txt.gz",
        target="build/corpora/bitext/{lang}/{lang}.txt.gz",
    output:
        expand(
            "build/filtering/bitext/{{lang}}/{part}.{side}.txt",
            part=["dev", "train"],
            side=["en", "{lang}"],
        ),
    log:
        "logs/filtering/sample_bitext.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/sample_bitext.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
    params:
        dev=lookup("translation/nmt/dev_sentences", within=config),
        train=lookup("translation/nmt/train_sentences", within=config),
        seed=lookup("seed", within=config),
        code=code_of("filtering.sample"),
    shell:
        "python -m workflow_scripts.filtering.sample --pool {input.en} {input.target}"
        " --names dev train --sizes {params.dev} {params.train} --out {output} --seed {params.seed} 2> {log}"


rule shard:
    """Cuts a bitext into parts; duplicates meet in one part."""
    input:
        en="build/corpora/opensubtitles/{lang}/en.txt.gz",
        target="build/corpora/opensubtitles/{lang}/{lang}.txt.gz",
    output:
        expand(
            "build/filtering/opensubtitles/{{lang}}/{shard}.raw.tsv.gz",
            shard=SHARDS,
        ),
    log:
        "logs/filtering/shard.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/shard.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        runtime=240,
    params:
        code=code_of("filtering.shard"),
    shell:
        "python -m workflow_scripts.filtering.shard {input.en} {input.target} --shards-out {output} 2> {log}"


rule bicleaner:
    """Section 5.2: drops noisy pairs with Bicleaner's hard rules and, with a pack, its classifier."""
    input:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.raw.tsv.gz",
        tool=rules.bicleaner_venv.output.done,
        pack="build/corpora/bicleaner/{lang}" if PACK else [],
    output:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.clean.tsv.gz",
        counts="build/filtering/opensubtitles/{lang}/{shard}.clean.counts.tsv",
    log:
        "logs/filtering/bicleaner.{lang}.{shard}.log",
    benchmark:
        "build/benchmarks/filtering/bicleaner.{lang}.{shard}.tsv"
    conda:
        "../envs/main.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        threshold=lookup("filtering/bicleaner/threshold", within=config),
        pack=pack_option,
        code=code_of("filtering.bicleaner"),
    shell:
        "python -m workflow_scripts.filtering.bicleaner {input.pairs} {output.pairs} {output.counts}"
        " --tool {params.venv} --source-language en --target-language {wildcards.lang}"
        " --threshold {params.threshold} {params.pack} --processes {threads} 2> {log}"


rule curate_bitext:
    """Section 5.2: the filters of Section 3 on the pairs that Bicleaner keeps."""
    input:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.clean.tsv.gz",
    output:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.curated.tsv.gz",
        counts="build/filtering/opensubtitles/{lang}/{shard}.curated.counts.tsv",
    log:
        "logs/filtering/curate_bitext.{lang}.{shard}.log",
    benchmark:
        "build/benchmarks/filtering/curate_bitext.{lang}.{shard}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        lengths=options(config["filtering"], "min_tokens", "max_tokens"),
        code=code_of("filtering.curate_bitext"),
    shell:
        "python -m workflow_scripts.filtering.curate_bitext {input.pairs} {output.pairs} {output.counts}"
        " {params.lengths} 2> {log}"


rule gather:
    """Puts the parts together again and adds up their counts (Table 12)."""
    input:
        shards=expand(
            "build/filtering/opensubtitles/{{lang}}/{shard}.curated.tsv.gz",
            shard=SHARDS,
        ),
        counts=expand(
            "build/filtering/opensubtitles/{{lang}}/{shard}.{step}.counts.tsv",
            shard=SHARDS,
            step=["clean", "curated"],
        ),
    output:
        en="build/filtering/opensubtitles/{lang}/filtered.en.txt.gz",
        target="build/filtering/opensubtitles/{lang}/filtered.{lang}.txt.gz",
        counts="build/filtering/opensubtitles/{lang}/counts.tsv",
    log:
        "logs/filtering/gather.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/gather.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        runtime=120,
    params:
        code=code_of("filtering.gather"),
    shell:
        "python -m workflow_scripts.filtering.gather {output.en} {output.target} {output.counts}"
        " --shards {input.shards} --counts {input.counts} 2> {log}"


rule pools:
    """Section 5.2: two pools of pairs, informal and formal, by the score of the target side."""
    input:
        scores="build/formality/{lang}/opensubtitles.txt.gz",
        texts=expand(
            "build/filtering/opensubtitles/{{lang}}/filtered.{side}.txt.gz",
            side=["en", "{lang}"],
        ),
    output:
        formal=expand(
            "build/filtering/opensubtitles/{{lang}}/formal.{side}.txt.gz",
            side=["en", "{lang}"],
        ),
        informal=expand(
            "build/filtering/opensubtitles/{{lang}}/informal.{side}.txt.gz",
            side=["en", "{lang}"],
        ),
        counts="build/filtering/opensubtitles/{lang}/pools.tsv",
    log:
        "logs/filtering/pools.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/pools.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        runtime=240,
    params:
        threshold=lookup("filtering/informal_below", within=config),
        code=code_of("filtering.pools"),
    shell:
        "python -m workflow_scripts.filtering.pools {input.scores} {output.counts} --texts {input.texts}"
        " --formal {output.formal} --informal {output.informal} --threshold {params.threshold} 2> {log}"


# Splitting L26 by formality.
use rule pools as pools_in_domain with:
    input:
        scores="build/formality/{lang}/yahoo-fr.txt.gz",
        texts=["build/filtering/yahoo-fr/{lang}/curated.txt.gz"],
    output:
        formal=["build/filtering/yahoo-fr/{lang}/formal.{lang}.txt.gz"],
        informal=["build/filtering/yahoo-fr/{lang}/informal.{lang}.txt.gz"],
        counts="build/filtering/yahoo-fr/{lang}/pools.tsv",
    log:
        "logs/filtering/pools_in_domain.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/pools_in_domain.{lang}.tsv"


rule sample_formal:
    """Table 6: disjoint samples of the formal pool: language models, multi-task and unsupervised training."""
    input:
        pool=expand(
            "build/filtering/opensubtitles/{{lang}}/formal.{side}.txt.gz",
            side=["en", "{lang}"],
        ),
    output:
        expand(
            "build/filtering/opensubtitles/{{lang}}/formal.{name}.{side}.txt.gz",
            name=DRAWN["opensubtitles"]["formal"],
            side=["en", "{lang}"],
        ),
    log:
        "logs/filtering/sample_formal.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/sample_formal.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        samples=samples("opensubtitles", "formal"),
        seed=lookup("seed", within=config),
        code=code_of("filtering.sample"),
    shell:
        "python -m workflow_scripts.filtering.sample --pool {input.pool} {params.samples} --out {output}"
        " --seed {params.seed} 2> {log}"


# Sampling informal text.
use rule sample_formal as sample_informal with:
    input:
        pool=["build/filtering/opensubtitles/{lang}/informal.{lang}.txt.gz"],
    output:
        expand(
            "build/filtering/opensubtitles/{{lang}}/informal.{name}.{{lang}}.txt.gz",
            name=DRAWN["opensubtitles"]["informal"],
        ),
    log:
        "logs/filtering/sample_informal.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/sample_informal.{lang}.tsv"
    params:
        samples=samples("opensubtitles", "informal"),
        seed=lookup("seed", within=config),
        code=code_of("filtering.sample"),


# Sampling a system text of L26.
use rule sample_formal as sample_in_domain with:
    input:
        pool=["build/filtering/yahoo-fr/{lang}/{style}.{lang}.txt.gz"],
    output:
        expand(
            "build/filtering/yahoo-fr/{{lang}}/{{style}}.{name}.{{lang}}.txt.gz",
            name=DRAWN["yahoo-fr"]["formal"],
        ),
    log:
        "logs/filtering/sample_in_domain.{lang}.{style}.log",
    benchmark:
        "build/benchmarks/filtering/sample_in_domain.{lang}.{style}.tsv"
    params:
        samples=samples("yahoo-fr", "formal"),
        seed=lookup("seed", within=config),
        code=code_of("filtering.sample"),


rule curate_sentences:
    """Section 3, step 2: drops questions, URLs, too short or too long sentences, duplicates."""
    input:
        sentences="build/corpora/yahoo/{lang}/answers.txt.gz",
    output:
        sentences="build/filtering/yahoo/{lang}/curated.txt.gz",
        counts="build/filtering/yahoo/{lang}/curated.counts.tsv",
    log:
        "logs/filtering/curate_sentences.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/curate_sentences.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
    params:
        lengths=options(config["filtering"], "min_tokens", "max_tokens"),
        code=code_of("filtering.curate"),
    shell:
        "python -m workflow_scripts.filtering.curate {input.sentences} {output.sentences} {output.counts}"
        " {params.lengths} 2> {log}"


# Curating L26.
use rule curate_sentences as curate_in_domain with:
    input:
        sentences="build/corpora/yahoo-fr/{lang}/answers.txt.gz",
    output:
        sentences="build/filtering/yahoo-fr/{lang}/curated.txt.gz",
        counts="build/filtering/yahoo-fr/{lang}/curated.counts.tsv",
    log:
        "logs/filtering/curate_in_domain.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/curate_in_domain.{lang}.tsv"


rule candidates:
    """Section 3, step 3: informal sentences for rewriting (Table 2)."""
    input:
        sentences="build/filtering/yahoo/{lang}/curated.txt.gz",
        scores="build/formality/{lang}/yahoo.txt.gz",
    output:
        sentences="build/filtering/yahoo/{lang}/candidates.txt",
        counts="build/filtering/yahoo/{lang}/candidates.counts.tsv",
    log:
        "logs/filtering/candidates.{lang}.log",
    benchmark:
        "build/benchmarks/filtering/candidates.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        threshold=lookup("filtering/informal_below", within=config),
        size=lookup("filtering/candidates", within=config),
        seed=lookup("seed", within=config),
        code=code_of("filtering.candidates"),
    shell:
        "python -m workflow_scripts.filtering.candidates {input.sentences} {input.scores}"
        " {output.sentences} {output.counts} --threshold {params.threshold} --size {params.size}"
        " --seed {params.seed} 2> {log}"
