# politeness: lexicons of strategies, induced from bitext.
# Bitext, and lexicons beside which those stand that are induced from it: the demo world's, or real ones.
LEXICONS_DEMO = POLITENESS["lexicons"]["bitext"] == "demo"
LEXICONS_GIVEN = "build/corpora/demo/lexicons" if LEXICONS_DEMO else source_folder("tydip")
LEXICONS_BITEXT = [
    f"build/corpora/{'demo/' if LEXICONS_DEMO else ''}lexicons/bitext/{lang}{{}}.txt" for lang in TYDIP
]
LEXICONS_ALIGNED = expand("build/politeness/lexicons/aligned/{lang}.tsv", lang=TYDIP)
LEXICONS_INDUCED = expand("build/politeness/lexicons/induced/strategies/{lang}.csv", lang=TYDIP)


localrules:
    induce_lexicons,
    lexicon_strategies,


rule align_lexicons:
    """TyDiP's Section 4: which words of English and of another language are translations of each other."""
    input:
        [LEXICONS_GIVEN]
        if LEXICONS_DEMO
        else [path.format(side) for path in LEXICONS_BITEXT for side in ("", ".en")],
        tool=TOOLS["align"],
    output:
        aligned=LEXICONS_ALIGNED,
        aligner="build/politeness/lexicons/aligned/aligner.txt",
    log:
        "logs/politeness/align_lexicons.log",
    benchmark:
        "build/benchmarks/politeness/align_lexicons.tsv"
    conda:
        "../envs/main.yaml"
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        english=[path.format(".en") for path in LEXICONS_BITEXT],
        others=[path.format("") for path in LEXICONS_BITEXT],
        languages=TYDIP,
        code=code_of("politeness.align"),
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
    log:
        "logs/politeness/induce_lexicons.log",
    benchmark:
        "build/benchmarks/politeness/induce_lexicons.tsv"
    conda:
        "../envs/main.yaml"
    params:
        languages=TYDIP,
        sequences=options(POLITENESS["lexicons"], "sequences"),
        code=code_of("politeness.induce"),
    shell:
        "python -m workflow_scripts.politeness.induce build/politeness/lexicons/induced --aligned {input.aligned:q}"
        " --corpus {input.corpus:q} --languages {params.languages:q} {params.sequences:q} 2> {log:q}"


rule lexicon_strategies:
    """Which strategies stand in which requests, with induced lexicons and with those beside them (Figures 4, 8)."""
    input:
        lexicons=lambda wildcards: {"induced": LEXICONS_INDUCED, "given": LEXICONS_GIVEN}[wildcards.lexicons],
        corpus=official_input("tydip"),
    output:
        table="build/politeness/lexicons/{lexicons}.strategies.csv",
    log:
        "logs/politeness/lexicon_strategies.{lexicons}.log",
    benchmark:
        "build/benchmarks/politeness/lexicon_strategies.{lexicons}.tsv"
    wildcard_constraints:
        lexicons="induced|given",
    conda:
        "../envs/main.yaml"
    params:
        folder=lambda wildcards: {"induced": "build/politeness/lexicons/induced", "given": LEXICONS_GIVEN}[
            wildcards.lexicons
        ],
        languages=["en", *TYDIP],
        code=code_of("politeness.strategies"),
    shell:
        "python -m workflow_scripts.politeness.strategies {output.table:q} --corpus {input.corpus:q}"
        " --languages {params.languages:q} --lexicons {params.folder:q} --first-rule 2> {log:q}"
