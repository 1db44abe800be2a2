# corpora: from official files to one canonical layout; rules/sources.smk brings the files.


# Corpora of some thousand sentences.
localrules:
    read_pt16,
    read_cocoa_mt,
    unpack_punkt,


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
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=source_folder("cocoa-mt"),
            language=lookup("corpora/gyafc_language", within=config),
            tested=READ_LANGUAGES,
            held_out=lookup("corpora/gyafc_held_out", within=config),
            seed=lookup("seed", within=config),
            code=code_of("corpora.cocoa_train"),
        shell:
            "python -m workflow_scripts.corpora.cocoa_train {params.folder:q} build/corpora/gyafc"
            " --language {params.language:q} --tested {params.tested:q} --held-out {params.held_out:q}"
            " --seed {params.seed:q} 2> {log:q}"

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
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=untracked(lambda wildcards: official("gyafc")),
            code=code_of("corpora.gyafc"),
        shell:
            "python -m workflow_scripts.corpora.gyafc {params.folder:q} build/corpora/gyafc 2> {log:q}"


rule read_cocoa_pairs:
    """Pairs of CoCoA-MT in a tested language, without segments that any tested language knows."""
    input:
        source_files("cocoa-mt"),
    output:
        expand(
            "build/corpora/cocoa-mt-pairs/{{lang}}/{part}.{style}.txt", part=["train", "dev"], style=STYLES
        ),
    log:
        "logs/corpora/read_cocoa_pairs.{lang}.log",
    benchmark:
        "build/benchmarks/corpora/read_cocoa_pairs.{lang}.tsv"
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        folder=lambda wildcards: source_folder("cocoa-mt"),
        tested=READ_LANGUAGES,
        held_out=lookup("corpora/gyafc_held_out", within=config),
        seed=lookup("seed", within=config),
        code=code_of("corpora.cocoa_train"),
    shell:
        "python -m workflow_scripts.corpora.cocoa_train {params.folder:q} build/corpora/cocoa-mt-pairs/{wildcards.lang:q}"
        " --language {wildcards.lang:q} --tested {params.tested:q} --held-out {params.held_out:q}"
        " --seed {params.seed:q} 2> {log:q}"


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
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=source_folder("cocoa-mt"),
            code=code_of("corpora.cocoa_eval"),
        shell:
            "python -m workflow_scripts.corpora.cocoa_eval {params.folder:q}"
            " build/corpora/xformal/{wildcards.lang:q} --language {wildcards.lang:q} 2> {log:q}"

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
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            folder=untracked(lambda wildcards: official("xformal")),
            names=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["xformal_names"].split(),
            code=code_of("corpora.xformal"),
        shell:
            "python -m workflow_scripts.corpora.xformal {params.folder:q} build/corpora/xformal/{wildcards.lang:q}"
            " --language {wildcards.lang:q} --names {params.names:q} 2> {log:q}"


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
        "python -m workflow_scripts.corpora.pt16 {params.file:q} build/corpora/pt16"
        " --held-out {params.held_out:q} --seed {params.seed:q} 2> {log:q}"


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
        runtime=growing(240, DAY),
    params:
        archive=untracked(lambda wildcards: official(wildcards.corpus, wildcards.lang)),
        code=code_of("corpora.moses"),
    shell:
        "python -m workflow_scripts.corpora.moses {params.archive:q} {output.en:q} {output.target:q} 2> {log:q}"


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
        names=lambda wildcards: [f"{name}={code}" for name, code in open_corpora(wildcards.lang).items()],
        folders=lambda wildcards: [source_folder(name) for name in open_corpora(wildcards.lang)],
        code=code_of("corpora.open_bitext"),
    shell:
        "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.target:q}"
        " --language {wildcards.lang:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


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
        # Bicleaner unpickles what is in it, which runs code.
        sha256=lambda wildcards: entries("bicleaner", PACK)[wildcards.lang].sha256,
        code=code_of("corpora.sources.unpack"),
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input:q} {output:q} --sha256={params.sha256:q} 2> {log:q}"


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
        sha256=lambda wildcards: entries("punkt")[""].sha256,
        code=code_of("corpora.sources.unpack"),
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input:q} {output:q} --sha256={params.sha256:q} 2> {log:q}"


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
        mem_mb=growing(2000),
    params:
        code=code_of("text.punkt"),
    shell:
        "python -m workflow_scripts.text.punkt {output.splitter:q} --texts {input.text:q} 2> {log:q}"


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
        runtime=growing(240, DAY),
    params:
        parts=untracked(lambda wildcards: [official("yahoo", part) for part in entries("yahoo")]),
        language=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_language"],
        category=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_category"],
        punkt=lambda wildcards, input: punkt_folder(wildcards.lang, input.punkt),
        code=code_of("corpora.yahoo"),
    shell:
        "python -m workflow_scripts.corpora.yahoo {params.parts:q} --out {output.sentences:q}"
        " --counts {output.counts:q} --language {params.language:q} --category {params.category:q}"
        " --punkt {params.punkt:q} 2> {log:q}"


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
        "python -m workflow_scripts.corpora.cocoa_release {params.folder:q} {output.folder:q}"
        " --language {wildcards.target:q} 2> {log:q}"


use rule read_cocoa_mt as read_demo_cocoa_mt with:
    input:
        "build/corpora/demo/CoCoA-MT",
    output:
        folder=directory("build/corpora/cocoa-mt-demo/{target}"),
    log:
        "logs/corpora/read_demo_cocoa_mt.{target}.log",
    benchmark:
        "build/benchmarks/corpora/read_demo_cocoa_mt.{target}.tsv"
    params:
        folder=lambda wildcards, input: input[0],
        code=code_of("corpora.cocoa_release"),


if config["corpora"]["cocoa_mt"] == "demo":

    rule read_generic:
        """A part of the bitext that a translator learns from before it is controlled, as two parallel files."""
        input:
            lambda wildcards: official_path(
                entries("generic", "demo")[f"{wildcards.part}-{wildcards.target}"]
            ),
        output:
            en="build/corpora/generic/{target}/{part}.en.txt",
            target="build/corpora/generic/{target}/{part}.target.txt",
        log:
            "logs/corpora/read_generic.{target}.{part}.log",
        benchmark:
            "build/benchmarks/corpora/read_generic.{target}.{part}.tsv"
        wildcard_constraints:
            part="train|wmt|ted",
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            code=code_of("corpora.moses"),
        shell:
            "python -m workflow_scripts.corpora.moses {input:q} {output.en:q} {output.target:q} 2> {log:q}"

else:

    rule read_generic:
        """The small open corpora that a language has; NTREX, which is news, is the test set."""
        input:
            lambda wildcards: [path for name in generic_corpora(wildcards) for path in source_files(name)],
        output:
            en="build/corpora/generic/{target}/{part}.en.txt",
            target="build/corpora/generic/{target}/{part}.target.txt",
        log:
            "logs/corpora/read_generic.{target}.{part}.log",
        benchmark:
            "build/benchmarks/corpora/read_generic.{target}.{part}.tsv"
        wildcard_constraints:
            part="train|wmt",
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            names=lambda wildcards: [f"{name}={code}" for name, code in generic_corpora(wildcards).items()],
            folders=lambda wildcards: [source_folder(name) for name in generic_corpora(wildcards)],
            code=code_of("corpora.open_bitext"),
        shell:
            "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.target:q}"
            " --language {wildcards.target:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


rule read_iwslt2022:
    """A submission to the shared task on formality control, line by line with CoCoA-MT's test set."""
    input:
        source_files("iwslt2022"),
        corpus="build/corpora/cocoa-mt/{target}",
    output:
        translations="build/corpora/iwslt2022/{target}/{team}-{number}.{level}.txt",
    log:
        "logs/corpora/read_iwslt2022.{target}.{team}-{number}.{level}.log",
    benchmark:
        "build/benchmarks/corpora/read_iwslt2022.{target}.{team}-{number}.{level}.tsv"
    wildcard_constraints:
        team="|".join(SUBMITTED),
        number=r"\d",
        level="formal|informal",
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        submission=submission,
        source=submitted_source,
        code=code_of("corpora.iwslt2022"),
    shell:
        "python -m workflow_scripts.corpora.iwslt2022 {output.translations:q} --submission {params.submission:q}"
        " --source {params.source:q} --corpus {input.corpus:q} 2> {log:q}"


if config["corpora"]["multiwoz"] == "2.1":

    rule read_multiwoz21:
        """A fold of MultiWOZ 2.1, one dialogue a line."""
        input:
            multiwoz_files(),
        output:
            dialogues="build/corpora/multiwoz/{fold}.jsonl",
        log:
            "logs/corpora/read_multiwoz21.{fold}.log",
        benchmark:
            "build/benchmarks/corpora/read_multiwoz21.{fold}.tsv"
        wildcard_constraints:
            fold="|".join(MULTIWOZ_FOLDS),
        conda:
            "../envs/main.yaml"
        params:
            archive=lambda wildcards: f"{source_folder('multiwoz')}/data/multiwoz/{MULTIWOZ_FOLDS[wildcards.fold]}",
            code=code_of("corpora.multiwoz21"),
        shell:
            "python -m workflow_scripts.corpora.multiwoz21 {params.archive:q} {output.dialogues:q} 2> {log:q}"

else:

    rule read_multiwoz22:
        """A fold of MultiWOZ 2.2, with the goals and bookings of 2.1, one dialogue a line."""
        input:
            multiwoz_files(),
        output:
            dialogues="build/corpora/multiwoz/{fold}.jsonl",
        log:
            "logs/corpora/read_multiwoz22.{fold}.log",
        benchmark:
            "build/benchmarks/corpora/read_multiwoz22.{fold}.tsv"
        wildcard_constraints:
            fold="|".join(MULTIWOZ_FOLDS),
        conda:
            "../envs/main.yaml"
        params:
            folder=MULTIWOZ22,
            older=MULTIWOZ21,
            code=code_of("corpora.multiwoz22"),
        shell:
            "python -m workflow_scripts.corpora.multiwoz22 {params.folder:q} {output.dialogues:q}"
            " --fold {wildcards.fold:q} --older {params.older:q} 2> {log:q}"


rule read_impolite:
    """Impolite rewrites, laid over the dialogues of MultiWOZ, and their ratings."""
    input:
        *([] if config["corpora"]["impolite"] == "none" else [official_input("impolite")]),
        dialogues=expand("build/corpora/multiwoz/{fold}.jsonl", fold=MULTIWOZ_FOLDS),
    output:
        original="build/corpora/impolite/original.jsonl",
        impolite="build/corpora/impolite/impolite.jsonl",
        rewrites="build/corpora/impolite/rewrites.csv",
    log:
        "logs/corpora/read_impolite.log",
    benchmark:
        "build/benchmarks/corpora/read_impolite.tsv"
    conda:
        "../envs/main.yaml"
    params:
        corpus=untracked(IMPOLITE),
        code=code_of("corpora.impolite"),
    shell:
        "python -m workflow_scripts.corpora.impolite {params.corpus:q} build/corpora/impolite"
        " --dialogues {input.dialogues:q} 2> {log:q}"


# What Tatoeba and NTREX call TyDiP's languages.
TYDIP_CODES = dict(zip(TYDIP, ("hin", "kor", "spa", "tam", "fra", "vie", "rus", "afr", "hun"), strict=True))


rule read_lexicon_bitext:
    """Bitext of a language of TyDiP, from which a lexicon of politeness strategies is induced."""
    input:
        [path for name in ("tatoeba", "ntrex") for path in source_files(name)],
    output:
        en="build/corpora/lexicons/bitext/{tydip}.en.txt",
        other="build/corpora/lexicons/bitext/{tydip}.txt",
    log:
        "logs/corpora/read_lexicon_bitext.{tydip}.log",
    benchmark:
        "build/benchmarks/corpora/read_lexicon_bitext.{tydip}.tsv"
    wildcard_constraints:
        tydip="|".join(TYDIP),
    localrule: True
    conda:
        "../envs/main.yaml"
    params:
        names=lambda wildcards: [f"{name}={TYDIP_CODES[wildcards.tydip]}" for name in ("tatoeba", "ntrex")],
        folders=[source_folder(name) for name in ("tatoeba", "ntrex")],
        code=code_of("corpora.open_bitext"),
    shell:
        "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.other:q}"
        " --language {wildcards.tydip:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


rule talk_pages:
    """TyDiP's Section 2: the requests on the user talk pages of a Wikipedia."""
    input:
        dump=lambda wildcards: dump_of(wildcards.crawled),
    output:
        requests="build/corpora/talk/requests/{crawled}.txt",
    log:
        "logs/corpora/talk_pages.{crawled}.log",
    benchmark:
        "build/benchmarks/corpora/talk_pages.{crawled}.tsv"
    wildcard_constraints:
        crawled="|".join(CRAWLED) or "(?!)",
    conda:
        "../envs/main.yaml"
    resources:
        runtime=growing(DAY, DAY),
    params:
        code=code_of("corpora.talk_pages"),
    shell:
        "python -m workflow_scripts.corpora.talk_pages {output.requests:q} --dump {input.dump:q}"
        " --checkpoints build/checkpoints/talk_pages 2> {log:q}"


if CRAWLED:

    rule identify_requests:
        """In which language requests are, by langdetect (Table 1)."""
        input:
            tool=TOOLS["langdetect"],
            requests=expand("build/corpora/talk/requests/{lang}.txt", lang=CRAWLED),
        output:
            expand("build/corpora/talk/identified/{lang}.{kind}", lang=CRAWLED, kind=["txt", "counts.tsv"]),
        log:
            "logs/corpora/identify_requests.log",
        benchmark:
            "build/benchmarks/corpora/identify_requests.tsv"
        conda:
            "../envs/main.yaml"
        resources:
            runtime=growing(DAY, DAY),
        params:
            venv=lambda wildcards, input: os.path.dirname(input.tool),
            languages=CRAWLED,
            seed=lookup("seed", within=config),
            code=code_of("corpora.identify"),
        shell:
            "{params.venv:q}/bin/python -m workflow_scripts.corpora.identify build/corpora/talk/identified"
            " --requests {input.requests:q} --languages {params.languages:q} --seed {params.seed:q} 2> {log:q}"
