# corpora: from official files (demo world, downloads, licensed folders) to one canonical layout.
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
USED = cache(lambda: sources_behind(LEAF_FILES, workflow.rules, PLACES))


localrules:
    check_licensed,
    download,
    download_files,
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
        "python -m workflow_scripts.corpora.demo.make_world {output.world} --situations {input.situations}"
        " --seed {params.seed} {params.sizes} 2> {log}"


# The corpora of the demo world: (files, settings of their size, OPUS's code where there is one per language).
DEMO = {
    "gyafc": (directory("build/corpora/demo/GYAFC_Corpus"), ["gyafc_train", "gyafc_dev", "gyafc_test"], ""),
    "xformal": (directory("build/corpora/demo/XFORMAL"), ["xformal"], ""),
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
        conda:
            "../envs/main.yaml"
        params:
            command=f"corpora.demo.{demo}",
            language=f"--code {code}" if code else "",
            sizes=options(config["demo"], *sizes),
            code=code_of(f"corpora.demo.{demo}"),
        shell:
            "python -m workflow_scripts.{params.command} {output} --world {input.world} {params.language}"
            " {params.sizes} 2> {log}"


rule download:
    """One file of the registry: pinned URL, checked sum, resumed after a break, or taken from the mirror."""
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
        runtime=1440,
    params:
        url=lambda wildcards: REGISTERED[wildcards.path].url,
        sha256=lambda wildcards: REGISTERED[wildcards.path].sha256,
        mirror=untracked(lambda wildcards: mirror_option(REGISTERED[wildcards.path])),
        code=code_of("corpora.sources.download"),
    shell:
        "python -m workflow_scripts.corpora.sources.download {output} --url '{params.url}'"
        " --sha256 '{params.sha256}' --partial build/downloads {params.mirror} --retries 5 2> {log}"


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
        runtime=240,
    params:
        url=lambda wildcards: FOLDERS[wildcards.path].url,
        mirror=untracked(lambda wildcards: mirror_option(FOLDERS[wildcards.path])),
        code=code_of("corpora.sources.download_files"),
    shell:
        "python -m workflow_scripts.corpora.sources.download_files {output.folder} --sums {input.sums}"
        " --url '{params.url}' --partial build/downloads {params.mirror} --retries 5 --parallel 8 2> {log}"


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
        "python -m workflow_scripts.corpora.sources.licensed {params.folder} {output.stamp}"
        " --entry {wildcards.id} --registry {input.registry} 2> {log}"


if config["corpora"]["gyafc"] == "cocoa-mt":

    rule read_cocoa_train:
        """Pairs of CoCoA-MT in the layout of GYAFC, without segments that a tested language knows."""
        input:
            source_files("cocoa-mt"),
        output:
            expand("build/corpora/gyafc/{name}.txt", name=GYAFC),
        log:
            "logs/corpora/read_cocoa_train.log",
        benchmark:
            "build/benchmarks/corpora/read_cocoa_train.tsv"
        conda:
            "../envs/main.yaml"
        params:
            folder=source_folder("cocoa-mt"),
            language=lookup("corpora/gyafc_language", within=config),
            tested=" ".join(READ_LANGUAGES),
            held_out=lookup("corpora/gyafc_held_out", within=config),
            seed=lookup("seed", within=config),
            code=code_of("corpora.cocoa_train"),
        shell:
            "python -m workflow_scripts.corpora.cocoa_train {params.folder} build/corpora/gyafc"
            " --language {params.language} --tested {params.tested} --held-out {params.held_out}"
            " --seed {params.seed} 2> {log}"

else:

    rule read_gyafc:
        """GYAFC, both domains, in the canonical layout."""
        input:
            official_input("gyafc"),
        output:
            expand("build/corpora/gyafc/{name}.txt", name=[*GYAFC, *GYAFC_TEST]),
        log:
            "logs/corpora/read_gyafc.log",
        benchmark:
            "build/benchmarks/corpora/read_gyafc.tsv"
        conda:
            "../envs/main.yaml"
        params:
            folder=untracked(lambda wildcards: official("gyafc")),
            code=code_of("corpora.gyafc"),
        shell:
            "python -m workflow_scripts.corpora.gyafc {params.folder} build/corpora/gyafc 2> {log}"


if config["corpora"]["xformal"] == "cocoa-mt":

    rule read_cocoa_eval:
        """CoCoA-MT's test set: informal sentences, one formal reference each."""
        input:
            source_files("cocoa-mt"),
        output:
            expand("build/corpora/xformal/{{lang}}/{name}.txt", name=["informal", "formal.ref0"]),
        log:
            "logs/corpora/read_cocoa_eval.{lang}.log",
        benchmark:
            "build/benchmarks/corpora/read_cocoa_eval.{lang}.tsv"
        conda:
            "../envs/main.yaml"
        params:
            folder=source_folder("cocoa-mt"),
            code=code_of("corpora.cocoa_eval"),
        shell:
            "python -m workflow_scripts.corpora.cocoa_eval {params.folder}"
            " build/corpora/xformal/{wildcards.lang} --language {wildcards.lang} 2> {log}"

else:

    rule read_xformal:
        """XFORMAL's informal sentences and their four rewrites."""
        input:
            official_input("xformal"),
        output:
            expand(
                "build/corpora/xformal/{{lang}}/{name}.txt",
                name=["informal", *(f"formal.ref{i}" for i in REFERENCES)],
            ),
        log:
            "logs/corpora/read_xformal.{lang}.log",
        benchmark:
            "build/benchmarks/corpora/read_xformal.{lang}.tsv"
        conda:
            "../envs/main.yaml"
        params:
            folder=untracked(lambda wildcards: official("xformal")),
            names=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["xformal_names"],
            code=code_of("corpora.xformal"),
        shell:
            "python -m workflow_scripts.corpora.xformal {params.folder} build/corpora/xformal/{wildcards.lang}"
            " --language {wildcards.lang} --names {params.names} 2> {log}"


rule read_pt16:
    """Rated English answers, a seeded part of them held out."""
    input:
        official_input("pt16", "answers"),
    output:
        expand(
            "build/corpora/pt16/{part}.{kind}.txt",
            part=["train", "test"],
            kind=["sentences", "scores"],
        ),
    log:
        "logs/corpora/read_pt16.log",
    benchmark:
        "build/benchmarks/corpora/read_pt16.tsv"
    conda:
        "../envs/main.yaml"
    params:
        file=untracked(lambda wildcards: official("pt16", "answers")),
        held_out=lookup("formality/held_out", within=config),
        seed=lookup("seed", within=config),
        code=code_of("corpora.pt16"),
    shell:
        "python -m workflow_scripts.corpora.pt16 {params.file} build/corpora/pt16"
        " --held-out {params.held_out} --seed {params.seed} 2> {log}"


rule read_bitext:
    """A Moses archive of OPUS as two parallel files."""
    input:
        lambda wildcards: official_input(wildcards.corpus, wildcards.lang),
    output:
        en="build/corpora/{corpus}/{lang}/en.txt.gz",
        target="build/corpora/{corpus}/{lang}/{lang}.txt.gz",
    log:
        "logs/corpora/read_{corpus}.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_{corpus}.{lang}.tsv"
    wildcard_constraints:
        corpus=bitext_of_kind(False),
    conda:
        "../envs/main.yaml"
    resources:
        runtime=240,
    params:
        archive=untracked(lambda wildcards: official(wildcards.corpus, wildcards.lang)),
        code=code_of("corpora.moses"),
    shell:
        "python -m workflow_scripts.corpora.moses {params.archive} {output.en} {output.target} 2> {log}"


rule read_open_bitext:
    """Small corpora that are open to all, one after the other, as one bitext."""
    input:
        lambda wildcards: [path for name in open_corpora(wildcards.lang) for path in source_files(name)],
    output:
        en="build/corpora/{corpus}/{lang}/en.txt.gz",
        target="build/corpora/{corpus}/{lang}/{lang}.txt.gz",
    log:
        "logs/corpora/read_open_{corpus}.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_open_{corpus}.{lang}.tsv"
    wildcard_constraints:
        corpus=bitext_of_kind(True),
    conda:
        "../envs/main.yaml"
    params:
        names=lambda wildcards: " ".join(
            f"{name}={code}" for name, code in open_corpora(wildcards.lang).items()
        ),
        folders=lambda wildcards: " ".join(source_folder(name) for name in open_corpora(wildcards.lang)),
        code=code_of("corpora.open_bitext"),
    shell:
        "python -m workflow_scripts.corpora.open_bitext {output.en} {output.target}"
        " --language {wildcards.lang} --corpora {params.names} --folders {params.folders} 2> {log}"


rule unpack_pack:
    """A Bicleaner model pack."""
    input:
        lambda wildcards: official_path(entries("bicleaner", PACK)[wildcards.lang]),
    output:
        directory("build/corpora/bicleaner/{lang}"),
    log:
        "logs/corpora/unpack_pack.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/unpack_pack.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("corpora.sources.unpack"),
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input} {output} 2> {log}"


rule unpack_punkt:
    """NLTK's sentence splitters, all languages."""
    input:
        official_input("punkt") if config["corpora"]["punkt"] != "trained" else [],
    output:
        directory("build/corpora/punkt/official"),
    log:
        "logs/corpora/unpack_punkt.log",
    benchmark:
        "build/benchmarks/corpora/unpack_punkt.tsv"
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("corpora.sources.unpack"),
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input} {output} 2> {log}"


rule train_punkt:
    """A sentence splitter learnt from the language's own text, where NLTK's is not available."""
    input:
        text="build/filtering/bitext/{lang}/train.{lang}.txt",
    output:
        splitter=directory("build/corpora/punkt/trained/{lang}"),
    log:
        "logs/corpora/train_punkt.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/train_punkt.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        mem_mb=2000,
    params:
        code=code_of("text.punkt"),
    shell:
        "python -m workflow_scripts.text.punkt {output.splitter} --texts {input.text} 2> {log}"


if config["corpora"]["punkt"] == "trained":

    # English's, from the other side of the first language's bitext.
    use rule train_punkt as train_english_punkt with:
        input:
            text=f"build/filtering/bitext/{READ_LANGUAGES[0]}/train.en.txt",
        output:
            splitter=directory("build/corpora/punkt/trained/en"),
        log:
            "logs/corpora/train_punkt.en.log",
        benchmark:
            "build/benchmarks/corpora/train_punkt.en.tsv"


rule read_yahoo:
    """Section 3, step 1: the sentences of all answers on family and relationships."""
    input:
        unpack(lambda wildcards: punkt(wildcards.lang)),
        parts=[official_input("yahoo", part) for part in entries("yahoo")],
    output:
        sentences="build/corpora/yahoo/{lang}/answers.txt.gz",
        counts="build/corpora/yahoo/{lang}/counts.tsv",
    log:
        "logs/corpora/read_yahoo.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_yahoo.{lang}.tsv"
    conda:
        "../envs/main.yaml"
    resources:
        runtime=240,
    params:
        parts=untracked(lambda wildcards: [official("yahoo", part) for part in entries("yahoo")]),
        language=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_language"],
        category=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_category"],
        punkt=lambda wildcards, input: punkt_folder(wildcards.lang, input.punkt),
        code=code_of("corpora.yahoo"),
    shell:
        "python -m workflow_scripts.corpora.yahoo {params.parts} --out {output.sentences}"
        " --counts {output.counts} --language {params.language} --category {params.category:q}"
        " --punkt {params.punkt} 2> {log}"


# Section 5.2: French Yahoo Answers (L26), all questions.
use rule read_yahoo as read_yahoo_fr with:
    input:
        unpack(lambda wildcards: punkt(wildcards.lang)),
        parts=[official_input("yahoo-fr", part) for part in entries("yahoo-fr")],
    output:
        sentences="build/corpora/yahoo-fr/{lang}/answers.txt.gz",
        counts="build/corpora/yahoo-fr/{lang}/counts.tsv",
    log:
        "logs/corpora/read_yahoo_fr.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_yahoo_fr.{lang}.tsv"
    params:
        parts=untracked(lambda wildcards: [official("yahoo-fr", part) for part in entries("yahoo-fr")]),
        language=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_language"],
        # Section 5.2, footnotes 10 and 11: all 1.7M questions, not those of one category.
        category="none",
        punkt=lambda wildcards, input: punkt_folder(wildcards.lang, input.punkt),
        code=code_of("corpora.yahoo"),


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
        used=lambda wildcards: " ".join(
            f"{LEAF_FILES[path]}={','.join(names)}" for path, names in USED().items()
        ),
        licensed=untracked(LICENSED),
        code=code_of("corpora.sources.used_sources"),
    shell:
        "python -m workflow_scripts.corpora.sources.used_sources {output.table} --leaves {input.leaves}"
        " --registry {input.registry} --used {params.used} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} 2> {log}"


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
        mirror=MIRROR,
    shell:
        "python -m workflow_scripts.corpora.sources.states {input.registry} --downloads build/corpora/downloads"
        " --generated build/corpora/demo --licensed {params.licensed:q} {params.mirror}"
        " 2> >(tee {log} >&2)"


rule read_cocoa_mt:
    """CoCoA-MT's sources and references in one language, in the canonical layout."""
    input:
        source_files("cocoa-mt"),
    output:
        folder=directory("build/corpora/cocoa-mt/{target}"),
    log:
        "logs/corpora/read_cocoa_mt.{target}.log",
    benchmark:
        "build/benchmarks/corpora/read_cocoa_mt.{target}.tsv"
    conda:
        "../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("cocoa-mt"),
        code=code_of("corpora.cocoa_release"),
    shell:
        "python -m workflow_scripts.corpora.cocoa_release {params.folder} {output.folder}"
        " --language {wildcards.target} 2> {log}"
