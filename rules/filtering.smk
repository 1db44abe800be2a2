# filtering: curation (Section 3), Bicleaner and formality pools (Section 5.2), seeded samples.
# The copying model, from which others start; none if it is not configured.
COPYING = SETTINGS.transfer.copying
SAMPLES = config["filtering"]["samples"]
# The samples drawn from each pool, in this order.
DRAWN = {
    "formal": {name: SAMPLES[name] for name in ("lm", "multi_task", "unsupervised", "dev")},
    "informal": {name: SAMPLES[name] for name in ("backtranslate", "unsupervised", "dev")},
    "yahoo-fr": {"unsupervised": SAMPLES["in_domain"], "dev": SAMPLES["dev"]},
}
PACK = config["filtering"]["bicleaner"]["pack"]
# The hard rules alone need nothing that is compiled.
BICLEANER = TOOLS["bicleaner" if PACK else "hardrules"]
SHARDS = range(config["filtering"]["shards"])


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
    resources:
        runtime=growing(240, DAY),
        lines="shares",
    shell:
        "python -m workflow_scripts.filtering.shard {input.en:q} {input.target:q} --shards-out {output:q} 2> {log:q}"


rule bicleaner:
    """Section 5.2: drops noisy pairs with Bicleaner's hard rules and, with a pack, its classifier."""
    input:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.raw.tsv.gz",
        tool=BICLEANER,
        pack="build/corpora/bicleaner/{lang}" if PACK else [],
        identifier=corpora.path(corpora.entries("fasttext", "lid.176")[""]) if PACK else [],
    output:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.clean.tsv.gz",
        counts="build/filtering/opensubtitles/{lang}/{shard}.clean.counts.tsv",
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(480, DAY),
        step="bicleaner",
        counts="lines of bitext",
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        # Without a pack nothing is classified, and a new threshold changes nothing.
        threshold=options(config["filtering"]["bicleaner"], "threshold") if PACK else [],
        pack=lambda wildcards, input: words(
            {"pack": input.pack or None, "identifier": input.identifier or None}
        ),
    shell:
        "python -m workflow_scripts.filtering.bicleaner {input.pairs:q} {output.pairs:q} {output.counts:q}"
        " --tool {params.venv:q} --source-language en --target-language {wildcards.lang:q}"
        " {params.threshold:q} {params.pack:q} --processes {threads:q} 2> {log:q}"


rule curate_bitext:
    """Section 5.2: the filters of Section 3 on the pairs that Bicleaner keeps."""
    input:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.clean.tsv.gz",
    output:
        pairs="build/filtering/opensubtitles/{lang}/{shard}.curated.tsv.gz",
        counts="build/filtering/opensubtitles/{lang}/{shard}.curated.counts.tsv",
    resources:
        mem_mb=growing(2000),
        runtime=growing(240, DAY),
        lines="curated",
    params:
        lengths=corpora.curation_options,
    shell:
        "python -m workflow_scripts.filtering.curate_bitext {input.pairs:q} {output.pairs:q} {output.counts:q}"
        " {params.lengths:q} 2> {log:q}"


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
    resources:
        runtime=growing(120, DAY),
        lines="sum",
    shell:
        "python -m workflow_scripts.filtering.gather {output.en:q} {output.target:q} {output.counts:q}"
        " --shards {input.shards:q} --counts {input.counts:q} 2> {log:q}"


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
    resources:
        runtime=growing(240, DAY),
        step="pools",
        lines="pools",
    params:
        informal=options(config["filtering"], "informal_below"),
    shell:
        "python -m workflow_scripts.filtering.pools {input.scores:q} {output.counts:q} --texts {input.texts:q}"
        " --formal {output.formal:q} --informal {output.informal:q} {params.informal:q} 2> {log:q}"


# The same pools of L26 (Section 5.2, footnote 11), whose sentences have no English side.
use rule pools as pools_in_domain with:
    input:
        scores="build/formality/{lang}/yahoo-fr.txt.gz",
        texts=["build/filtering/yahoo-fr/{lang}/curated.txt.gz"],
    output:
        formal=["build/filtering/yahoo-fr/{lang}/formal.{lang}.txt.gz"],
        informal=["build/filtering/yahoo-fr/{lang}/informal.{lang}.txt.gz"],
        counts="build/filtering/yahoo-fr/{lang}/pools.tsv",


# Samples of a pool of texts: (texts of the pool, sizes by name, samples in the same order, table of shared lines).
SAMPLED = {
    # Training and dev pairs for the `nmt` translation backend.
    "bitext": (
        expand("build/corpora/bitext/{{lang}}/{side}.txt.gz", side=["en", "{lang}"]),
        {
            "dev": config["translation"]["nmt"]["dev_sentences"],
            "train": config["translation"]["nmt"]["train_sentences"],
        },
        expand(
            "build/filtering/bitext/{{lang}}/{name}.{side}.txt",
            name=["dev", "train"],
            side=["en", "{lang}"],
        ),
        "build/filtering/bitext/{lang}/samples.tsv",
    ),
    # Table 6: of the formal pool for language models, multi-task and unsupervised training.
    "formal": (
        expand("build/filtering/opensubtitles/{{lang}}/formal.{side}.txt.gz", side=["en", "{lang}"]),
        DRAWN["formal"],
        expand(
            "build/filtering/opensubtitles/{{lang}}/formal.{name}.{side}.txt.gz",
            name=DRAWN["formal"],
            side=["en", "{lang}"],
        ),
        "build/filtering/opensubtitles/{lang}/formal.samples.tsv",
    ),
    # Table 6: of the informal pool for BACKTRANSLATE and unsupervised training.
    "informal": (
        "build/filtering/opensubtitles/{lang}/informal.{lang}.txt.gz",
        DRAWN["informal"],
        expand(
            "build/filtering/opensubtitles/{{lang}}/informal.{name}.{{lang}}.txt.gz",
            name=DRAWN["informal"],
        ),
        "build/filtering/opensubtitles/{lang}/informal.samples.tsv",
    ),
    # The training text of the copying model.
    "copying": (
        "build/filtering/opensubtitles/{lang}/filtered.{lang}.txt.gz",
        {"dev": COPYING.dev_sentences, "train": COPYING.sentences} if COPYING else {},
        expand(
            "build/filtering/opensubtitles/{{lang}}/copying.{name}.{{lang}}.txt.gz", name=["dev", "train"]
        ),
        "build/filtering/opensubtitles/{lang}/copying.samples.tsv",
    ),
    # Table 6: of both styles of L26 for unsupervised training.
    "in_domain": (
        "build/filtering/yahoo-fr/{lang}/{style}.{lang}.txt.gz",
        DRAWN["yahoo-fr"],
        expand(
            "build/filtering/yahoo-fr/{{lang}}/{{style}}.{name}.{{lang}}.txt.gz",
            name=DRAWN["yahoo-fr"],
        ),
        "build/filtering/yahoo-fr/{lang}/{style}.samples.tsv",
    ),
}

if not COPYING:
    del SAMPLED["copying"]

for sampled, (pool, sizes, drawn, shared_lines) in SAMPLED.items():
    # The training and dev sets of a model are disjoint anyway.
    how = config["filtering"]["draws"] if sampled in ("formal", "informal", "in_domain") else "disjoint"

    rule:
        """A row of SAMPLED."""
        name:
            f"sample_{sampled}"
        input:
            pool=pool,
        output:
            texts=drawn,
            counts=shared_lines,
        # The bitext from which translation models learn.
        priority: FIRST if sampled == "bitext" else 0
        resources:
            mem_mb=growing(2000),
            runtime=growing(120, DAY),
            lines="sample",
        params:
            samples=as_options(
                {"names": list(sizes), "sizes": list(sizes.values()), "draws": how, "apart": ["dev"]}
            ),
            seed=config["seed"],
        shell:
            "python -m workflow_scripts.filtering.sample --pool {input.pool:q} {params.samples:q} --out {output.texts:q}"
            " --counts {output.counts:q} --seed {params.seed:q} 2> {log:q}"


rule curate_sentences:
    """Section 3, step 2: drops questions, URLs, too short or too long sentences, duplicates."""
    input:
        sentences="build/corpora/yahoo/{lang}/answers.txt.gz",
    output:
        sentences="build/filtering/yahoo/{lang}/curated.txt.gz",
        counts="build/filtering/yahoo/{lang}/curated.counts.tsv",
    resources:
        mem_mb=growing(2000),
        step="curate sentences",
        lines="curated",
    params:
        lengths=corpora.curation_options,
        tested=[],
    shell:
        "python -m workflow_scripts.filtering.curate {input.sentences:q} {output.sentences:q} {output.counts:q}"
        " {params.lengths:q} {params.tested:q} 2> {log:q}"


# The same filters on L26: a reading, since Section 5.2 names them for the subtitles alone.
use rule curate_sentences as curate_in_domain with:
    input:
        sentences="build/corpora/yahoo-fr/{lang}/answers.txt.gz",
        # XFORMAL's sentences are from the same platform.
        tested=expand(
            "build/corpora/xformal/{{lang}}/{name}.txt",
            name=corpora.xformal,
        ),
    output:
        sentences="build/filtering/yahoo-fr/{lang}/curated.txt.gz",
        counts="build/filtering/yahoo-fr/{lang}/curated.counts.tsv",
    params:
        tested=lambda wildcards: words(
            {"tested": [f"build/corpora/xformal/{wildcards.lang}/{name}.txt" for name in corpora.xformal]}
        ),


rule candidates:
    """Section 3, step 3: informal sentences for rewriting (Table 2)."""
    input:
        sentences="build/filtering/yahoo/{lang}/curated.txt.gz",
        scores="build/formality/{lang}/yahoo.txt.gz",
    output:
        sentences="build/filtering/yahoo/{lang}/candidates.txt",
        counts="build/filtering/yahoo/{lang}/candidates.counts.tsv",
    params:
        informal=options(config["filtering"], "informal_below"),
        size=config["filtering"]["candidates"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.filtering.candidates {input.sentences:q} {input.scores:q}"
        " {output.sentences:q} {output.counts:q} {params.informal:q} --size {params.size:q}"
        " --seed {params.seed:q} 2> {log:q}"
