# corpora: from official files (demo world, downloads, licensed folders) to one canonical layout.


def entries(corpus, version=None):
    """The registry's rows for a version of a corpus (the configured one), by part."""
    version = version or config["corpora"][corpus]
    found = {row.part: row for row in REGISTRY if (row.corpus, row.version) == (corpus, version)}
    if not found:
        known = sorted({row.version for row in REGISTRY if row.corpus == corpus})
        stop(
            f"configuration: corpora.{corpus}: no version '{version}' in the registry;"
            f" known: {', '.join(known)}"
        )
    return found


def official(corpus, part=""):
    """The path of an official file or folder, as the readers get it."""
    row = entries(corpus)[part]
    return official_path(row)


def official_path(row):
    if row.access == "licensed":
        return f"{config['licensed']}/{row.path}"
    if row.access == "demo":
        return f"build/corpora/demo/{row.path}"
    return f"build/corpora/downloads/{row.path}"


def mirror_option(row):
    """Where a download is taken from instead of the network, if a mirror is configured."""
    if not config["mirror"] or not row.mirror_path:
        return ""
    return f"--mirror {shlex.quote(config['mirror'])} --mirror-path {shlex.quote(row.mirror_path)}"


def official_input(corpus, part=""):
    """What a reader waits for: the file itself, or the check of a licensed folder."""
    row = entries(corpus)[part]
    return f"build/corpora/licensed/{row.id}.txt" if row.access == "licensed" else official_path(row)


REGISTERED = {row.path: row for row in REGISTRY if row.access == "url"}
MISSING = {}


def licensed_folder(wildcards):
    """Notes a licensed corpus that some job needs and that is not there, for onstart."""
    row = next(row for row in REGISTRY if row.id == wildcards.id)
    problem = licences.missing(row, Path(config["licensed"]))
    if problem:
        MISSING[row.id] = problem
    return []


onstart:
    if MISSING:
        stop("\nerror: ".join(MISSING[name] for name in sorted(MISSING)))


localrules:
    check_licensed,
    download,


rule demo_world:
    """A small hand-written world, in the official layout of every corpus."""
    input:
        situations=sorted(
            resource(f"resources/demo/situations/{path.name}")
            for path in Path(resource("resources/demo/situations")).glob("*.yaml")
        ),
    output:
        gyafc=directory("build/corpora/demo/GYAFC_Corpus"),
        xformal=directory("build/corpora/demo/XFORMAL"),
        files=[
            f"build/corpora/demo/{row.path}"
            for row in REGISTRY
            if row.access == "demo" and row.corpus not in ("gyafc", "xformal")
        ],
    params:
        sizes=options(config["demo"], *config["demo"]),
        seed=lookup("seed", within=config),
        code=code_of("corpora.demo"),
    log:
        "logs/corpora/demo_world.log",
    benchmark:
        "build/benchmarks/corpora/demo_world.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Making the demo world"
    shell:
        "{python} -m workflow_scripts.corpora.demo build/corpora/demo"
        " --situations {input.situations} --seed {params.seed} {params.sizes} 2> {log}"


rule download:
    """One file of the registry: pinned URL, checked sum, resumed after a break, or taken from the mirror."""
    output:
        "build/corpora/downloads/{path}",
    wildcard_constraints:
        path="|".join(re.escape(path) for path in sorted(REGISTERED)) or "(?!)",
    params:
        url=lambda wildcards: REGISTERED[wildcards.path].url,
        sha256=lambda wildcards: REGISTERED[wildcards.path].sha256,
        mirror=lambda wildcards: mirror_option(REGISTERED[wildcards.path]),
        code=code_of("corpora.download"),
    log:
        "logs/corpora/download/{path}.log",
    benchmark:
        "build/benchmarks/corpora/download/{path}.tsv"
    resources:
        mem_mb=500,
        runtime=1440,
    message:
        "Downloading {params.url}"
    shell:
        "{python} -m workflow_scripts.corpora.download {output} --url '{params.url}'"
        " --sha256 '{params.sha256}' --partial build/downloads {params.mirror} --retries 5 2> {log}"


rule check_licensed:
    """A licensed corpus, put in place by the user: is everything there?"""
    input:
        licensed_folder,
        registry=resource("resources/registry.csv"),
    output:
        stamp="build/corpora/licensed/{id}.txt",
    params:
        folder=lookup("licensed", within=config),
        code=code_of("corpora.licensed"),
    log:
        "logs/corpora/licensed.{id}.log",
    message:
        "Checking the licensed corpus {wildcards.id}"
    shell:
        "{python} -m workflow_scripts.corpora.licensed {params.folder} {output.stamp}"
        " --entry {wildcards.id} --registry {input.registry} 2> {log}"


rule read_gyafc:
    """GYAFC, both domains, in the canonical layout."""
    input:
        official_input("gyafc"),
    output:
        expand("build/corpora/gyafc/{name}.txt", name=GYAFC),
    params:
        folder=official("gyafc"),
        code=code_of("corpora.gyafc"),
    log:
        "logs/corpora/read_gyafc.log",
    benchmark:
        "build/benchmarks/corpora/read_gyafc.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    message:
        "Reading GYAFC"
    shell:
        "{python} -m workflow_scripts.corpora.gyafc {params.folder} build/corpora/gyafc 2> {log}"


rule read_xformal:
    """XFORMAL's informal sentences and their four rewrites."""
    input:
        official_input("xformal"),
    output:
        expand(
            "build/corpora/xformal/{{lang}}/{name}.txt",
            name=["informal", *(f"formal.ref{i}" for i in range(REFERENCES))],
        ),
    params:
        folder=official("xformal"),
        code=code_of("corpora.xformal"),
    log:
        "logs/corpora/read_xformal.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_xformal.{lang}.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    message:
        "Reading XFORMAL ({wildcards.lang})"
    shell:
        "{python} -m workflow_scripts.corpora.xformal {params.folder} build/corpora/xformal/{wildcards.lang}"
        " --language {wildcards.lang} 2> {log}"


rule read_pt16:
    """Rated English answers, a seeded part of them held out."""
    input:
        official_input("pt16", "answers"),
    output:
        expand(
            "build/corpora/pt16/{part}.{kind}.txt", part=["train", "test"], kind=["sentences", "scores"]
        ),
    params:
        file=official("pt16", "answers"),
        held_out=lookup("formality/held_out", within=config),
        seed=lookup("seed", within=config),
        code=code_of("corpora.pt16"),
    log:
        "logs/corpora/read_pt16.log",
    benchmark:
        "build/benchmarks/corpora/read_pt16.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    message:
        "Reading formality ratings"
    shell:
        "{python} -m workflow_scripts.corpora.pt16 {params.file} build/corpora/pt16"
        " --held-out {params.held_out} --seed {params.seed} 2> {log}"


rule read_bitext:
    """A Moses archive of OPUS as two parallel files."""
    input:
        lambda wildcards: official_input(wildcards.corpus, wildcards.lang),
    output:
        en="build/corpora/{corpus}/{lang}/en.txt.gz",
        target="build/corpora/{corpus}/{lang}/{lang}.txt.gz",
    wildcard_constraints:
        corpus="opensubtitles|bitext",
    params:
        archive=lambda wildcards: official(wildcards.corpus, wildcards.lang),
        code=code_of("corpora.moses"),
    log:
        "logs/corpora/read_{corpus}.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_{corpus}.{lang}.tsv"
    resources:
        mem_mb=500,
        runtime=240,
    message:
        "Reading {wildcards.corpus} ({wildcards.lang})"
    shell:
        "{python} -m workflow_scripts.corpora.moses {params.archive} {output.en} {output.target} 2> {log}"


rule unpack_pack:
    """A Bicleaner model pack."""
    input:
        lambda wildcards: official_path(entries("bicleaner", PACK)[wildcards.lang]),
    output:
        directory("build/corpora/bicleaner/{lang}"),
    params:
        code=code_of("corpora.unpack"),
    log:
        "logs/corpora/unpack_pack.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/unpack_pack.{lang}.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    message:
        "Unpacking the Bicleaner pack ({wildcards.lang})"
    shell:
        "{python} -m workflow_scripts.corpora.unpack {input} {output} 2> {log}"


rule unpack_punkt:
    """NLTK's sentence splitters, all languages."""
    input:
        official_input("punkt") if config["corpora"]["punkt"] != "trained" else [],
    output:
        directory("build/corpora/punkt/official"),
    params:
        code=code_of("corpora.unpack"),
    log:
        "logs/corpora/unpack_punkt.log",
    benchmark:
        "build/benchmarks/corpora/unpack_punkt.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    message:
        "Unpacking NLTK's sentence splitters"
    shell:
        "{python} -m workflow_scripts.corpora.unpack {input} {output} 2> {log}"


rule train_punkt:
    """A sentence splitter learnt from the language's own text, where NLTK's is not to be had."""
    input:
        text="build/filtering/bitext/{lang}/train.{lang}.txt",
    output:
        splitter=directory("build/corpora/punkt/trained/{lang}"),
    params:
        code=code_of("text.punkt"),
    log:
        "logs/corpora/train_punkt.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/train_punkt.{lang}.tsv"
    resources:
        mem_mb=2000,
        runtime=30,
    message:
        "Training a sentence splitter ({wildcards.lang})"
    shell:
        "{python} -m workflow_scripts.text.punkt {output.splitter} --texts {input.text} 2> {log}"


def punkt(lang):
    """The folder of a language's sentence splitter."""
    if config["corpora"]["punkt"] == "trained":
        return {"punkt": f"build/corpora/punkt/trained/{lang}"}
    return {"punkt": "build/corpora/punkt/official"}


rule read_yahoo:
    """Section 3, step 1: the sentences of all answers on family and relationships."""
    input:
        unpack(lambda wildcards: punkt(wildcards.lang)),
        parts=[official_input("yahoo", part) for part in entries("yahoo")],
    output:
        sentences="build/corpora/yahoo/{lang}/answers.txt.gz",
        counts="build/corpora/yahoo/{lang}/counts.tsv",
    params:
        parts=[official("yahoo", part) for part in entries("yahoo")],
        language=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_language"],
        category=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_category"],
        splitter=lambda wildcards: (
            ""
            if config["corpora"]["punkt"] == "trained"
            else f"/punkt_tab/{ALL_LANGUAGES[wildcards.lang]['punkt']}"
        ),
        code=code_of("corpora.yahoo"),
    log:
        "logs/corpora/read_yahoo.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_yahoo.{lang}.tsv"
    resources:
        mem_mb=1000,
        runtime=240,
    message:
        "Reading Yahoo Answers ({wildcards.lang})"
    shell:
        "{python} -m workflow_scripts.corpora.yahoo {params.parts} --out {output.sentences}"
        " --counts {output.counts} --language {params.language} --category {params.category:q}"
        " --punkt {input.punkt}{params.splitter} 2> {log}"
