# corpora: from official files to one canonical layout; rules/corpora/sources.smk brings the files.
from workflow_scripts.wiring.corpora import GYAFC_TEST

# Corpora of some thousand sentences.
if config["corpora"]["gyafc"] == "cocoa-mt":

    rule read_cocoa_train:
        """Pairs of CoCoA-MT in the layout of GYAFC, without segments that a tested language knows."""
        input:
            [corpora.folder("cocoa-mt")],
        output:
            expand("build/corpora/gyafc/{name}.txt", name=corpora.gyafc),
        localrule: True
        resources:
            lines="gyafc",
        params:
            folder=corpora.folder("cocoa-mt"),
            language=config["corpora"]["gyafc_language"],
            tested=READ_LANGUAGES,
            held_out=config["corpora"]["gyafc_held_out"],
            seed=config["seed"],
        shell:
            "python -m workflow_scripts.corpora.cocoa_train {params.folder:q} build/corpora/gyafc"
            " --language {params.language:q} --tested {params.tested:q} --held-out {params.held_out:q}"
            " --seed {params.seed:q} 2> {log:q}"

else:

    rule read_gyafc:
        """GYAFC, both domains, in the canonical layout."""
        input:
            corpora.awaited("gyafc"),
        output:
            expand("build/corpora/gyafc/{name}.txt", name=[*corpora.gyafc, *GYAFC_TEST]),
        localrule: True
        resources:
            lines="gyafc",
        params:
            folder=untracked(lambda wildcards: corpora.official("gyafc")),
        shell:
            "python -m workflow_scripts.corpora.gyafc {params.folder:q} build/corpora/gyafc 2> {log:q}"


rule read_cocoa_pairs:
    """Pairs of CoCoA-MT in a tested language, without segments that any tested language knows."""
    input:
        [corpora.folder("cocoa-mt")],
    output:
        expand(
            "build/corpora/cocoa-mt-pairs/{{lang}}/{part}.{style}{reference}.txt",
            zip,
            part=["train", "train", "dev", "dev", "dev", "dev"],
            style=STYLES * 3,
            reference=["", "", "", "", ".ref0", ".ref0"],
            allow_missing=True,
        ),
    localrule: True
    resources:
        lines="gyafc",
    params:
        folder=lambda wildcards: corpora.folder("cocoa-mt"),
        tested=READ_LANGUAGES,
        held_out=config["corpora"]["gyafc_held_out"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.cocoa_train {params.folder:q} build/corpora/cocoa-mt-pairs/{wildcards.lang:q}"
        " --language {wildcards.lang:q} --tested {params.tested:q} --held-out {params.held_out:q}"
        " --seed {params.seed:q} 2> {log:q}"


if config["corpora"]["xformal"] == "cocoa-mt":

    rule read_cocoa_eval:
        """CoCoA-MT's test set: informal sentences, one formal reference each."""
        input:
            [corpora.folder("cocoa-mt")],
        output:
            expand("build/corpora/xformal/{{lang}}/{name}.txt", name=["informal", "formal.ref0"]),
        localrule: True
        resources:
            lines="corpus/language",
        params:
            folder=corpora.folder("cocoa-mt"),
        shell:
            "python -m workflow_scripts.corpora.cocoa_eval {params.folder:q}"
            " build/corpora/xformal/{wildcards.lang:q} --language {wildcards.lang:q} 2> {log:q}"

else:

    rule read_xformal:
        """XFORMAL's informal sentences and their four rewrites."""
        input:
            corpora.awaited("xformal"),
        output:
            expand(
                "build/corpora/xformal/{{lang}}/{name}.txt",
                name=["informal", *(f"formal.ref{i}" for i in corpora.references)],
            ),
        localrule: True
        resources:
            lines="corpus/language",
        params:
            folder=untracked(lambda wildcards: corpora.official("xformal")),
            names=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["xformal_names"].split(),
        shell:
            "python -m workflow_scripts.corpora.xformal {params.folder:q} build/corpora/xformal/{wildcards.lang:q}"
            " --language {wildcards.lang:q} --names {params.names:q} 2> {log:q}"


rule read_pt16:
    """Rated English answers, a seeded part of them held out."""
    input:
        corpora.awaited("pt16", "answers"),
    output:
        expand(
            "build/corpora/pt16/{part}.{kind}.txt",
            part=["train", "test"],
            kind=["sentences", "scores"],
        ),
    localrule: True
    resources:
        lines="pt16",
    params:
        file=untracked(lambda wildcards: corpora.official("pt16", "answers")),
        held_out=config["formality"]["held_out"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.corpora.pt16 {params.file:q} build/corpora/pt16"
        " --held-out {params.held_out:q} --seed {params.seed:q} 2> {log:q}"


rule read_bitext:
    """A Moses archive of OPUS as two parallel files."""
    input:
        lambda wildcards: corpora.awaited(wildcards.corpus, wildcards.lang),
    output:
        en="build/corpora/{corpus}/{lang}/en.txt.gz",
        target="build/corpora/{corpus}/{lang}/{lang}.txt.gz",
    wildcard_constraints:
        corpus=corpora.bitext_of_kind(False),
    resources:
        runtime=growing(240, DAY),
        lines="corpus/language",
    params:
        archive=untracked(lambda wildcards: corpora.official(wildcards.corpus, wildcards.lang)),
    shell:
        "python -m workflow_scripts.corpora.moses {params.archive:q} {output.en:q} {output.target:q} 2> {log:q}"


rule read_open_bitext:
    """Small corpora that are open to all, one after the other, as one bitext."""
    input:
        lambda wildcards: [corpora.folder(name) for name in corpora.open_corpora(wildcards.lang)],
    output:
        en="build/corpora/{corpus}/{lang}/en.txt.gz",
        target="build/corpora/{corpus}/{lang}/{lang}.txt.gz",
    wildcard_constraints:
        corpus=corpora.bitext_of_kind(True),
    resources:
        lines="corpus/language",
    params:
        names=lambda wildcards: [
            f"{name}={code}" for name, code in corpora.open_corpora(wildcards.lang).items()
        ],
        folders=lambda wildcards: [corpora.folder(name) for name in corpora.open_corpora(wildcards.lang)],
    shell:
        "python -m workflow_scripts.corpora.open_bitext {output.en:q} {output.target:q}"
        " --language {wildcards.lang:q} --corpora {params.names:q} --folders {params.folders:q} 2> {log:q}"


rule unpack_pack:
    """A Bicleaner model pack."""
    input:
        lambda wildcards: corpora.path(
            corpora.entries("bicleaner", config["filtering"]["bicleaner"]["pack"])[wildcards.lang]
        ),
    output:
        directory("build/corpora/bicleaner/{lang}"),
    params:
        # Bicleaner unpickles its content, which runs code.
        sha256=lambda wildcards: corpora.entries("bicleaner", config["filtering"]["bicleaner"]["pack"])[
            wildcards.lang
        ].sha256,
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input:q} {output:q} --sha256={params.sha256:q} 2> {log:q}"


rule unpack_punkt:
    """NLTK's sentence splitters, all languages."""
    input:
        corpora.awaited("punkt") if config["corpora"]["punkt"] != "trained" else [],
    output:
        directory("build/corpora/punkt/official"),
    localrule: True
    params:
        sha256=lambda wildcards: corpora.entries("punkt")[""].sha256,
    shell:
        "python -m workflow_scripts.corpora.sources.unpack {input:q} {output:q} --sha256={params.sha256:q} 2> {log:q}"


rule train_punkt:
    """A sentence splitter learnt from the language's own text, where NLTK's is not available."""
    input:
        text="build/filtering/bitext/{lang}/train.{lang}.txt",
    output:
        splitter=directory("build/corpora/punkt/trained/{lang}"),
    resources:
        mem_mb=growing(2000),
        step="train punkt",
    shell:
        "python -m workflow_scripts.text.punkt {output.splitter:q} --texts {input.text:q} 2> {log:q}"


if config["corpora"]["punkt"] == "trained":

    # English's, from the other side of the first language's bitext.
    use rule train_punkt as train_english_punkt with:
        input:
            text=f"build/filtering/bitext/{READ_LANGUAGES[0]}/train.en.txt",
        output:
            splitter=directory("build/corpora/punkt/trained/en"),


rule read_yahoo:
    """Section 3, step 1: the sentences of answers on family and relationships."""
    input:
        unpack(lambda wildcards: corpora.punkt(wildcards.lang)),
        parts=[corpora.awaited("yahoo", part) for part in corpora.entries("yahoo")],
    output:
        sentences="build/corpora/yahoo/{lang}/answers.txt.gz",
        counts="build/corpora/yahoo/{lang}/counts.tsv",
    resources:
        runtime=growing(240, DAY),
        step="read yahoo",
        lines="corpus/language",
    params:
        parts=untracked(
            lambda wildcards: [corpora.official("yahoo", part) for part in corpora.entries("yahoo")]
        ),
        language=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_language"],
        category=lambda wildcards: ALL_LANGUAGES[wildcards.lang]["yahoo_category"],
        answers=config["corpora"]["yahoo_answers"],
        punkt=lambda wildcards, input: corpora.punkt_model(wildcards.lang, input.punkt),
    shell:
        "python -m workflow_scripts.corpora.yahoo {params.parts:q} --out {output.sentences:q}"
        " --counts {output.counts:q} --language {params.language:q} --category {params.category:q}"
        " --answers {params.answers:q} --punkt {params.punkt:q} 2> {log:q}"


# Section 5.2: French Yahoo Answers (L26), all questions.
use rule read_yahoo as read_yahoo_fr with:
    input:
        unpack(lambda wildcards: corpora.punkt(wildcards.lang)),
        parts=[corpora.awaited("yahoo-fr", part) for part in corpora.entries("yahoo-fr")],
    output:
        sentences="build/corpora/yahoo-fr/{lang}/answers.txt.gz",
        counts="build/corpora/yahoo-fr/{lang}/counts.tsv",
    params:
        parts=untracked(
            lambda wildcards: [corpora.official("yahoo-fr", part) for part in corpora.entries("yahoo-fr")]
        ),
        # Section 5.2, footnotes 10 and 11: all 1.7M questions, not one category only.
        category="none",
        # By footnote 11 these have 7.5 sentences that the filters keep.
        answers="all",
