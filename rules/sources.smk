# corpora: where official files come from (demo world, downloads, licensed folders), and where they go.
from functools import cache

from workflow_scripts.corpora.sources.behind import sources_behind

# Where each source is found; of two entries of one file the first gives the name.
PLACES = {
    (f"build/corpora/licensed/{row.id}.txt" if row.access == "on request" else official_path(row)): row.id
    for row in reversed(REGISTRY)
}
# The files of the report's leaves, and the sources behind each.
LEAF_FILES = {
    f"results/{leaf.name}.csv": leaf.name
    for leaf in LEAVES.values()
    if leaf.paper in config["report"]["papers"]
}
USED = cache(lambda: sources_behind(LEAF_FILES, internals.rules_of(workflow), PLACES))


# What needs the network, and what takes a moment.
localrules:
    check_licensed,
    download,
    download_files,
    demo_world,
    used_sources,
    sources,


# The demo world is made in parts, so that a size reruns only what is made of its corpus; the sizes of dev and test
# sets change what training may not say, and so all of it.
rule demo_world:
    """Hand-written situations, and what each corpus of the demo may say of them."""
    input:
        situations=sorted(
            resource(f"resources/demo/situations/{path.name}")
            for path in Path(resource("resources/demo/situations")).glob("*.yaml")
        ),
    output:
        world="build/corpora/demo/world.json",
    log:
        "logs/corpora/demo/world.log",
    benchmark:
        "build/benchmarks/corpora/demo/world.tsv"
    conda:
        "../envs/main.yaml"
    params:
        sizes=options(config["demo"], "situations_per_topic", "gyafc_dev", "gyafc_test", "xformal"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.make_world"),
    shell:
        "python -m workflow_scripts.corpora.demo.make_world {output.world:q} --situations {input.situations:q}"
        " --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


# The corpora of the demo world: (files, settings of their size, OPUS's code where there is one per language).
DEMO = {
    "gyafc": (directory("build/corpora/demo/GYAFC_Corpus"), ["gyafc_train", "gyafc_dev", "gyafc_test"], ""),
    "xformal": (directory("build/corpora/demo/XFORMAL"), ["xformal"], ""),
    "known": ("build/corpora/demo/known/{code}.jsonl", ["xformal"], "{code}"),
    "ratings": ("build/corpora/demo/pt16/answers", ["ratings"], ""),
    "subtitles": (
        "build/corpora/demo/opus/OpenSubtitles/v2018/moses/en-{code}.txt.zip",
        ["subtitles"],
        "{code}",
    ),
    "bitext": ("build/corpora/demo/opus/Demo/v1/moses/en-{code}.txt.zip", ["bitext"], "{code}"),
    "yahoo": (
        [f"build/corpora/demo/yahoo/FullOct2007.xml.part{part}.gz" for part in (1, 2)],
        ["questions"],
        "",
    ),
    "yahoo_fr": ("build/corpora/demo/yahoo-fr/FrenchAnswers.xml.gz", ["questions_fr"], ""),
}


rule demo_requests:
    """Hand-written requests in ten languages with simulated scores, in the layout of TyDiP."""
    input:
        texts=resource("resources/demo/requests.yaml"),
    output:
        corpus=directory("build/corpora/demo/TyDiP"),
    log:
        "logs/corpora/demo/requests.log",
    benchmark:
        "build/benchmarks/corpora/demo/requests.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        train=lookup("demo/requests_train", within=config),
        test=lookup("demo/requests_test", within=config),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.requests"),
    shell:
        "python -m workflow_scripts.corpora.demo.requests {output.corpus:q} --texts {input.texts:q}"
        " --seed {params.seed:q} --train {params.train:q} --test {params.test:q} 2> {log:q}"


CONTROLLED_TEXTS = {
    "texts": resource("resources/demo/controlled.yaml"),
    "content": resource("resources/demo/situations/content.yaml"),
}
AT_WORK = {
    "occupations": resource("resources/demo/occupations.yaml"),
    "content": CONTROLLED_TEXTS["content"],
}


rule demo_controlled:
    """Contrastive pairs in the demo's languages, in the layout of CoCoA-MT."""
    input:
        **CONTROLLED_TEXTS,
    output:
        corpus=directory("build/corpora/demo/CoCoA-MT"),
    log:
        "logs/corpora/demo/controlled.log",
    benchmark:
        "build/benchmarks/corpora/demo/controlled.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        sizes=options(config["demo"], "controlled_train", "controlled_test"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.controlled"),
    shell:
        "python -m workflow_scripts.corpora.demo.controlled {output.corpus:q} --texts {input.texts:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


rule demo_generic:
    """What a translator learns from before it is controlled, and its test sets, in archives of OPUS."""
    input:
        **CONTROLLED_TEXTS,
        occupations=AT_WORK["occupations"],
    output:
        archive="build/corpora/demo/opus/Generic/{part}/moses/en-{code}.txt.zip",
    log:
        "logs/corpora/demo/generic.{part}.{code}.log",
    benchmark:
        "build/benchmarks/corpora/demo/generic.{part}.{code}.tsv"
    wildcard_constraints:
        part="train|wmt|ted",
        code=r"\w+",
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        sizes=options(config["demo"], "generic_train", "generic_test"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.generic"),
    shell:
        "python -m workflow_scripts.corpora.demo.generic {output.archive:q} --texts {input.texts:q}"
        " --occupations {input.occupations:q} --content {input.content:q} --seed {params.seed:q}"
        " --part {wildcards.part:q} --code {wildcards.code:q} {params.sizes:q} 2> {log:q}"


rule demo_winomt:
    """The demo's sentences in which a pronoun says the gender of somebody at work, in the layout of WinoMT."""
    input:
        **AT_WORK,
    output:
        entries="build/corpora/demo/winomt.txt",
    log:
        "logs/corpora/demo/winomt.log",
    benchmark:
        "build/benchmarks/corpora/demo/winomt.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        size=options(config["demo"], "winomt"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.winomt"),
    shell:
        "python -m workflow_scripts.corpora.demo.winomt {output.entries:q} --texts {input.occupations:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.size:q} 2> {log:q}"


rule demo_lexicons:
    """Hand-written lexicons of politeness strategies, and bitext of the demo's requests."""
    input:
        texts=resource("resources/demo/requests.yaml"),
        words=resource("resources/demo/lexicons.yaml"),
    output:
        lexicons=directory("build/corpora/demo/lexicons"),
    log:
        "logs/corpora/demo/lexicons.log",
    benchmark:
        "build/benchmarks/corpora/demo/lexicons.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("corpora.demo.lexicons"),
    shell:
        "python -m workflow_scripts.corpora.demo.lexicons {output.lexicons:q} --texts {input.texts:q}"
        " --words {input.words:q} 2> {log:q}"


rule demo_held_out:
    """English sentences of other domains with marked references, for raters of translations under control."""
    input:
        texts=resource("resources/demo/held_out.yaml"),
        content=CONTROLLED_TEXTS["content"],
    output:
        expand(HELD_OUT_SOURCE, sheet=LEVELS),
        expand(
            HELD_OUT_REFERENCES,
            sheet=LEVELS,
            lang=[lang for lang, own in ALL_LANGUAGES.items() if own["demo"] == "yes"],
            level=LEVELS,
        ),
    log:
        "logs/corpora/demo/held_out.log",
    benchmark:
        "build/benchmarks/corpora/demo/held_out.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        size=options(config["demo"], "held_out"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.held_out"),
    shell:
        "python -m workflow_scripts.corpora.demo.held_out build/corpora/demo/held-out --texts {input.texts:q}"
        " --content {input.content:q} --seed {params.seed:q} {params.size:q} 2> {log:q}"


rule demo_stanford:
    """The demo's English requests with simulated single ratings, in the layout of the Stanford Politeness Corpus."""
    input:
        corpus=rules.demo_requests.output.corpus,
    output:
        table="build/corpora/demo/stanford-politeness/wikipedia.annotated.csv",
    log:
        "logs/corpora/demo/stanford.log",
    benchmark:
        "build/benchmarks/corpora/demo/stanford.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        workers=as_options({"workers": 20, "requests": 13}),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.stanford"),
    shell:
        "python -m workflow_scripts.corpora.demo.stanford {output.table:q} --corpus {input.corpus:q}"
        " {params.workers:q} --seed {params.seed:q} 2> {log:q}"


rule demo_talk:
    """User talk pages of the demo's requests, in the layout of Wikipedia's dumps."""
    input:
        texts=resource("resources/demo/requests.yaml"),
    output:
        expand("build/corpora/demo/talk/{lang}wiki-pages-meta-current.xml.bz2", lang=TYDIP),
    log:
        "logs/corpora/demo/talk.log",
    benchmark:
        "build/benchmarks/corpora/demo/talk.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        pages=as_options({"pages": 40}),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.talk"),
    shell:
        "python -m workflow_scripts.corpora.demo.talk build/corpora/demo/talk --texts {input.texts:q}"
        " {params.pages:q} --seed {params.seed:q} 2> {log:q}"


rule demo_dialogues:
    """Task-oriented dialogues in MultiWOZ 2.2's layout, and impolite rewrites of their users' turns."""
    output:
        corpus=directory("build/corpora/demo/MultiWOZ"),
        impolite="build/corpora/demo/impolite.jsonl",
    log:
        "logs/corpora/demo/dialogues.log",
    benchmark:
        "build/benchmarks/corpora/demo/dialogues.tsv"
    conda:
        "../envs/main.yaml"
    params:
        sizes=options(config["demo"], "dialogues_train", "dialogues_dev", "dialogues_test"),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo.dialogues"),
    shell:
        "python -m workflow_scripts.corpora.demo.dialogues {output.corpus:q} {output.impolite:q}"
        " --seed {params.seed:q} {params.sizes:q} 2> {log:q}"


for demo, (files, sizes, code) in DEMO.items():

    rule:
        """A corpus of the demo world, in its official layout."""
        name:
            f"demo_{demo}"
        input:
            world=rules.demo_world.output.world,
        output:
            files,
        log:
            f"logs/corpora/demo/{demo}{code}.log",
        benchmark:
            f"build/benchmarks/corpora/demo/{demo}{code}.tsv"
        wildcard_constraints:
            code=r"\w+",
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            command=f"corpora.demo.{demo}",
            language=["--code", code] if code else [],
            sizes=options(config["demo"], *sizes),
            code=code_of(f"corpora.demo.{demo}"),
        shell:
            "python -m workflow_scripts.{params.command:q} {output:q} --world {input.world:q} {params.language:q}"
            " {params.sizes:q} 2> {log:q}"


rule download:
    """One file of the registry: pinned URL, checked sum, resumed after a break, or taken from the mirror."""
    input:
        unpinned_download,
    output:
        "build/corpora/downloads/{path}",
    log:
        "logs/corpora/download/{path}.log",
    benchmark:
        "build/benchmarks/corpora/download/{path}.tsv"
    wildcard_constraints:
        path="|".join(re.escape(path) for path in sorted(REGISTERED)) or "(?!)",
    conda:
        "../envs/main.yaml"
    resources:
        runtime=growing(1440, DAY),
    params:
        url=lambda wildcards: REGISTERED[wildcards.path].url,
        sha256=lambda wildcards: REGISTERED[wildcards.path].sha256,
        record=untracked(
            lambda wildcards: words({"record": not unpinned(wildcards.path, REGISTRY, UNPINNED)})
        ),
        mirror=untracked(lambda wildcards: mirror_option(REGISTERED[wildcards.path])),
        code=code_of("corpora.sources.download"),
    shell:
        "python -m workflow_scripts.corpora.sources.download {output:q} --url={params.url:q}"
        " --sha256={params.sha256:q} --partial build/downloads {params.record:q} {params.mirror:q}"
        " --retries 5 2> {log:q}"


rule download_files:
    """A corpus of many files: several at a time, each checked against the registry's list."""
    input:
        sums=lambda wildcards: resource(f"resources/{FOLDERS[wildcards.path].files}"),
    output:
        folder=directory("build/corpora/downloads/{path}"),
    log:
        "logs/corpora/download_files/{path}.log",
    benchmark:
        "build/benchmarks/corpora/download_files/{path}.tsv"
    wildcard_constraints:
        path="|".join(re.escape(path) for path in sorted(FOLDERS)) or "(?!)",
    conda:
        "../envs/main.yaml"
    resources:
        runtime=growing(240, DAY),
    params:
        url=lambda wildcards: FOLDERS[wildcards.path].url,
        mirror=untracked(lambda wildcards: mirror_option(FOLDERS[wildcards.path])),
        code=code_of("corpora.sources.download_files"),
    shell:
        "python -m workflow_scripts.corpora.sources.download_files {output.folder:q} --sums {input.sums:q}"
        " --url={params.url:q} --partial build/downloads {params.mirror:q} --retries 5 --parallel 8 2> {log:q}"


rule check_licensed:
    """A licensed corpus, put in place by the user: is everything there?"""
    input:
        licensed_folder,
        registry=resource("resources/sources.csv"),
    output:
        stamp="build/corpora/licensed/{id}.txt",
    log:
        "logs/corpora/licensed.{id}.log",
    conda:
        "../envs/main.yaml"
    params:
        folder=untracked(LICENSED),
        code=code_of("corpora.sources.licensed"),
    shell:
        "python -m workflow_scripts.corpora.sources.licensed {params.folder:q} {output.stamp:q}"
        " --entry {wildcards.id:q} --registry {input.registry:q} 2> {log:q}"


rule used_sources:
    """Which sources went into which leaf, under which licence."""
    input:
        lambda wildcards: [
            place for place, name in PLACES.items() if any(name in names for names in USED().values())
        ],
        leaves=resource("resources/leaves.csv"),
        papers=resource("resources/papers.csv"),
        registry=resource("resources/sources.csv"),
    output:
        table="results/sources.csv",
    log:
        "logs/corpora/used_sources.log",
    benchmark:
        "build/benchmarks/corpora/used_sources.tsv"
    conda:
        "../envs/main.yaml"
    params:
        used=lambda wildcards: [f"{LEAF_FILES[path]}={','.join(names)}" for path, names in USED().items()],
        licensed=untracked(LICENSED),
        code=code_of("corpora.sources.used_sources"),
    shell:
        "python -m workflow_scripts.corpora.sources.used_sources {output.table:q} --leaves {input.leaves:q}"
        " --registry {input.registry:q} --used {params.used:q} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} 2> {log:q}"


rule sources:
    """Prints every corpus of the registry: is it present, missing or damaged on this machine?"""
    input:
        registry=resource("resources/sources.csv"),
    log:
        "logs/corpora/sources.log",
    conda:
        "../envs/main.yaml"
    params:
        licensed=untracked(LICENSED),
        mirror=words(MIRROR),
    shell:
        "python -m workflow_scripts.corpora.sources.states {input.registry:q} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} {params.mirror:q}"
        " 2> >(tee {log:q} >&2)"
