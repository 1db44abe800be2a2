# corpora: of CoCoA-MT, of impolite users and of TyDiP, from official files to one canonical layout.
from workflow_scripts.text.levels import OF_COCOA, WITH_SEGMENTS, language_of
from workflow_scripts.wiring.corpora import SUBMITTED


rule read_cocoa_mt:
    """CoCoA-MT's sources and references in one language, in the canonical layout."""
    input:
        [corpora.folder("cocoa-mt")],
    output:
        folder=directory("build/corpora/cocoa-mt/{target}"),
    localrule: True
    params:
        folder=lambda wildcards: corpora.folder("cocoa-mt"),
    shell:
        "python -m workflow_scripts.corpora.cocoa_release {params.folder:q} {output.folder:q}"
        " --language {wildcards.target:q} 2> {log:q}"


use rule read_cocoa_mt as read_demo_cocoa_mt with:
    input:
        "build/corpora/demo/CoCoA-MT",
    output:
        folder=directory("build/corpora/cocoa-mt-demo/{target}"),
    localrule: True
    params:
        folder=lambda wildcards, input: input[0],


if config["corpora"]["generic"] == "demo":

    rule read_generic:
        """A part of the bitext that a translator learns from before it is controlled, as two parallel files."""
        input:
            lambda wildcards: corpora.path(
                corpora.entries("generic", "demo")[f"{wildcards.part}-{wildcards.target}"]
            ),
        output:
            en="build/corpora/generic/{target}/{part}.en.txt",
            target="build/corpora/generic/{target}/{part}.target.txt",
        wildcard_constraints:
            part="train|wmt|ted",
        localrule: True
        resources:
            lines="generic",
        shell:
            "python -m workflow_scripts.corpora.moses {input:q} {output.en:q} {output.target:q} 2> {log:q}"

elif config["corpora"]["generic"] == "web":

    rule read_generic:
        """A Moses archive of OPUS, ParaCrawl's or CCMatrix', as two parallel files: the paper's generic pairs."""
        input:
            lambda wildcards: corpora.path(corpora.entries("generic")[f"train-{wildcards.target}"]),
        output:
            en="build/corpora/generic/{target}/train.en.txt.gz",
            target="build/corpora/generic/{target}/train.target.txt.gz",
        wildcard_constraints:
            target=one_of(lang for lang in TARGETS if lang != "ja"),
        resources:
            runtime=growing(1440, DAY),
            lines="generic",
        shell:
            "python -m workflow_scripts.corpora.moses {input:q} {output.en:q} {output.target:q} 2> {log:q}"

    rule read_jparacrawl:
        """JParaCrawl, the Japanese generic pairs."""
        input:
            corpora.path(corpora.entries("generic", "web")["train-ja"]),
        output:
            en="build/corpora/generic/ja/train.en.txt.gz",
            target="build/corpora/generic/ja/train.target.txt.gz",
        resources:
            runtime=growing(240, DAY),
            lines="generic",
        shell:
            "python -m workflow_scripts.corpora.jparacrawl {input:q} {output.en:q} {output.target:q} 2> {log:q}"

    rule read_test_set:
        """A test set of WMT or IWSLT, or one that takes its place as the dev set."""
        input:
            archives=lambda wildcards: corpora.test_set_archives(f"{wildcards.part}-{wildcards.target}"),
        output:
            en="build/corpora/generic/{target}/{part}.en.txt",
            target="build/corpora/generic/{target}/{part}.target.txt",
        wildcard_constraints:
            part="dev|wmt|ted",
        localrule: True
        resources:
            lines="generic",
        params:
            members=lambda wildcards: [
                corpora.test_sets[f"{wildcards.part}-{wildcards.target}"][side]
                for side in ("source", "target")
            ],
        shell:
            "python -m workflow_scripts.corpora.test_sets {output.en:q} {output.target:q}"
            " --archives {input.archives:q} --members {params.members:q} 2> {log:q}"

else:

    rule read_generic:
        """The small open corpora of a language; NTREX, which is news, is the test set."""
        input:
            lambda wildcards: [
                corpora.folder(name) for name in corpora.open_generic(wildcards.target, wildcards.part)
            ],
        output:
            en="build/corpora/generic/{target}/{part}.en.txt",
            target="build/corpora/generic/{target}/{part}.target.txt",
        wildcard_constraints:
            part="train|wmt",
        localrule: True
        resources:
            lines="generic",
        params:
            names=lambda wildcards: [
                f"{name}={code}"
                for name, code in corpora.open_generic(wildcards.target, wildcards.part).items()
            ],
            folders=lambda wildcards: [
                corpora.folder(name) for name in corpora.open_generic(wildcards.target, wildcards.part)
            ],
        shell:
            "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.target:q}"
            " --language {wildcards.target:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


rule read_shared_task_train:
    """The training segments of a shared task, in the canonical layout."""
    input:
        [corpora.folder("iwslt2023")],
        **control.tested_sentences,
    output:
        out=directory("build/corpora/iwslt2023/{lang}"),
    wildcard_constraints:
        lang=one_of(name for name in WITH_SEGMENTS if name not in OF_COCOA),
    localrule: True
    params:
        options=lambda wildcards: corpora.shared_task(wildcards, "train"),
        tested=lambda wildcards, input: words({"tested": input.get("tested")}),
    shell:
        "python -m workflow_scripts.corpora.shared_task_train {output.out:q} {params.options:q}"
        " {params.tested:q} 2> {log:q}"


# The segments of CoCoA-MT, whatever `corpora.cocoa_mt` is.
use rule read_shared_task_train as read_shared_cocoa_train with:
    input:
        [corpora.folder("cocoa-mt")],
        **control.tested_sentences,
    wildcard_constraints:
        lang=one_of(OF_COCOA),
    localrule: True
    params:
        options=lambda wildcards: words(
            {"folder": corpora.folder("cocoa-mt"), "language": language_of(wildcards.lang)}
        ),


rule read_iwslt2022:
    """A submission to the shared task on formality control, line by line with the test set."""
    input:
        [corpora.folder("iwslt2022")],
        corpus=corpora.submitted_order,
    output:
        translations="build/corpora/iwslt2022/{target}/{team}-{number}.{level}.txt",
    wildcard_constraints:
        target=one_of(TEST_SETS),
        team=one_of(SUBMITTED),
        number=r"\d",
        level="formal|informal",
    localrule: True
    params:
        submission=corpora.submission,
        source=corpora.submitted_source,
        corpus=lambda wildcards: words({"corpus": next(iter(corpora.submitted_order(wildcards)), None)}),
    shell:
        "python -m workflow_scripts.corpora.iwslt2022 {output.translations:q} --submission {params.submission:q}"
        " --source {params.source:q} {params.corpus:q} 2> {log:q}"


if config["corpora"]["multiwoz"] == "2.1":

    rule read_multiwoz21:
        """A fold of MultiWOZ 2.1, one dialogue a line."""
        input:
            corpora.multiwoz_files(),
        output:
            dialogues="build/corpora/multiwoz/{fold}.jsonl",
        wildcard_constraints:
            fold=one_of(corpora.multiwoz_folds),
        params:
            archive=lambda wildcards: f"{corpora.folder('multiwoz')}/data/multiwoz/{corpora.multiwoz_folds[wildcards.fold]}",
        shell:
            "python -m workflow_scripts.corpora.multiwoz21 {params.archive:q} {output.dialogues:q} 2> {log:q}"

else:

    rule read_multiwoz22:
        """A fold of MultiWOZ 2.2, with the goals and bookings of 2.1, one dialogue a line."""
        input:
            corpora.multiwoz_files(),
        output:
            dialogues="build/corpora/multiwoz/{fold}.jsonl",
        wildcard_constraints:
            fold=one_of(corpora.multiwoz_folds),
        params:
            folder=corpora.multiwoz_goals[0],
            older=corpora.multiwoz_goals[1],
        shell:
            "python -m workflow_scripts.corpora.multiwoz22 {params.folder:q} {output.dialogues:q}"
            " --fold {wildcards.fold:q} --older {params.older:q} 2> {log:q}"


rule read_impolite:
    """Impolite rewrites, laid over the dialogues of MultiWOZ, and their ratings."""
    input:
        corpora.impolite()[1],
        dialogues=expand("build/corpora/multiwoz/{fold}.jsonl", fold=corpora.multiwoz_folds),
    output:
        original="build/corpora/impolite/original.jsonl",
        impolite="build/corpora/impolite/impolite.jsonl",
        rewrites="build/corpora/impolite/rewrites.csv",
    params:
        corpus=untracked(corpora.impolite()[0]),
    shell:
        "python -m workflow_scripts.corpora.impolite {params.corpus:q} build/corpora/impolite"
        " --dialogues {input.dialogues:q} 2> {log:q}"


# The names of TyDiP's languages in Tatoeba and NTREX.
TYDIP_CODES = dict(zip(TYDIP, ("hin", "kor", "spa", "tam", "fra", "vie", "rus", "afr", "hun"), strict=True))


rule read_lexicon_bitext:
    """Bitext of a language of TyDiP, from which a lexicon of politeness strategies is induced."""
    input:
        [corpora.folder(name) for name in ("tatoeba", "ntrex")],
    output:
        en="build/corpora/lexicons/bitext/{tydip}.en.txt",
        other="build/corpora/lexicons/bitext/{tydip}.txt",
    wildcard_constraints:
        tydip=one_of(TYDIP),
    localrule: True
    params:
        names=lambda wildcards: [f"{name}={TYDIP_CODES[wildcards.tydip]}" for name in ("tatoeba", "ntrex")],
        folders=[corpora.folder(name) for name in ("tatoeba", "ntrex")],
    shell:
        "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.other:q}"
        " --language {wildcards.tydip:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


rule read_tydip_requests:
    """The requests of a language that TyDiP has crawled and not annotated, one a line."""
    input:
        [corpora.folder("tydip-requests")],
    output:
        requests="build/corpora/tydip-requests/{tydip}.txt",
    wildcard_constraints:
        tydip=one_of(TYDIP),
    localrule: True
    resources:
        lines="corpus/part",
    params:
        folder=lambda wildcards: corpora.folder("tydip-requests"),
    shell:
        "python -m workflow_scripts.corpora.tydip_requests {params.folder:q} {output.requests:q}"
        " --language {wildcards.tydip:q} 2> {log:q}"


rule talk_pages:
    """TyDiP's Section 2: the requests on the user talk pages of a Wikipedia."""
    input:
        dump=lambda wildcards: request_raters.dump_of(wildcards.crawled),
    output:
        requests="build/corpora/talk/requests/{crawled}.txt",
    wildcard_constraints:
        crawled=one_of(request_raters.crawled),
    resources:
        runtime=growing(DAY, DAY),
    shell:
        "python -m workflow_scripts.corpora.talk_pages {output.requests:q} --dump {input.dump:q}"
        " --checkpoints build/checkpoints/talk_pages 2> {log:q}"


if request_raters.crawled:

    rule identify_requests:
        """The language of requests, by langdetect (Table 1)."""
        input:
            tool=TOOLS["langdetect"],
            requests=expand("build/corpora/talk/requests/{lang}.txt", lang=request_raters.crawled),
        output:
            expand(
                "build/corpora/talk/identified/{lang}.{kind}",
                lang=request_raters.crawled,
                kind=["txt", "counts.tsv"],
            ),
        resources:
            runtime=growing(DAY, DAY),
        params:
            venv=lambda wildcards, input: os.path.dirname(input.tool),
            languages=request_raters.crawled,
            seed=config["seed"],
        shell:
            "{params.venv:q}/bin/python -m workflow_scripts.corpora.identify build/corpora/talk/identified"
            " --requests {input.requests:q} --languages {params.languages:q} --seed {params.seed:q} 2> {log:q}"
