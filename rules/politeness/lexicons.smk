# politeness: lexicons of strategies, induced from bitext.
from workflow_scripts.wiring.politeness import LEXICONS_ALIGNED, LEXICONS_INDUCED

# Lexicons with which the induced ones are compared: the demo world's, or real ones.
LEXICONS_GIVEN = politeness.lexicons_given
LEXICONS_ENGLISH, LEXICONS_OTHERS = zip(*map(politeness.lexicon_bitext, TYDIP), strict=True)


rule draw_requests:
    """TyDiP's Section 4: requests that are not annotated, to be translated into English."""
    input:
        corpus=corpora.folder("tydip"),
        requests="build/corpora/tydip-requests/{tydip}.txt",
    output:
        requests="build/politeness/lexicons/requests/{tydip}.txt",
    wildcard_constraints:
        tydip=one_of(TYDIP),
    localrule: True
    resources:
        lines="requests",
    params:
        size=config["politeness"]["lexicons"]["requests"],
        seed=config["seed"],
    shell:
        "python -m workflow_scripts.politeness.drawn {output.requests:q} --requests {input.requests:q}"
        " --corpus {input.corpus:q} --language {wildcards.tydip:q} --size {params.size:q} --seed {params.seed:q}"
        " 2> {log:q}"


rule align_lexicons:
    """TyDiP's Section 4: the words of English and of another language that are translations of each other."""
    input:
        [LEXICONS_GIVEN] if politeness.lexicons_demo else [*LEXICONS_ENGLISH, *LEXICONS_OTHERS],
        tool=TOOLS["align"],
    output:
        aligned=LEXICONS_ALIGNED,
        aligner="build/politeness/lexicons/aligned/aligner.txt",
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        english=list(LEXICONS_ENGLISH),
        others=list(LEXICONS_OTHERS),
        languages=TYDIP,
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.politeness.align build/politeness/lexicons/aligned"
        " --english {params.english:q} --others {params.others:q} --languages {params.languages:q} 2> {log:q}"


rule induce_lexicons:
    """Lexicons of politeness strategies (Table 11), in the layout of the released ones."""
    input:
        aligned=LEXICONS_ALIGNED,
        corpus=LEXICONS_GIVEN,
    output:
        lexicons=LEXICONS_INDUCED,
    localrule: True
    params:
        languages=TYDIP,
        sequences=options(config["politeness"]["lexicons"], "sequences"),
    shell:
        "python -m workflow_scripts.politeness.induce build/politeness/lexicons/induced --aligned {input.aligned:q}"
        " --corpus {input.corpus:q} --languages {params.languages:q} {params.sequences:q} 2> {log:q}"


rule lexicon_strategies:
    """The strategies in each request, by induced lexicons and by the others (Figures 4, 8)."""
    input:
        lexicons=lambda wildcards: {"induced": LEXICONS_INDUCED, "given": LEXICONS_GIVEN}[wildcards.lexicons],
        corpus=corpora.awaited("tydip"),
    output:
        table="build/politeness/lexicons/{lexicons}.strategies.csv",
    wildcard_constraints:
        lexicons="induced|given",
    localrule: True
    params:
        folder=lambda wildcards: {"induced": "build/politeness/lexicons/induced", "given": LEXICONS_GIVEN}[
            wildcards.lexicons
        ],
        languages=["en", *TYDIP],
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {input.corpus:q}"
        " --languages {params.languages:q} --lexicons {params.folder:q} --first-rule 2> {log:q}"
