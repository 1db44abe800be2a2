# control: translators that are told how formal to be, measured by CoCoA-MT's test set (kinds and rows: config/control.py).
CONTROLLED = CONTROL["systems"]
LEVELS = ["formal", "informal"]
# The folder of the configured CoCoA-MT, in the canonical layout.
COCOA_MT = (
    "build/corpora/cocoa-mt-demo" if config["corpora"]["cocoa_mt"] == "demo" else "build/corpora/cocoa-mt"
)
# The generic test sets (Table 6: WMT, TED), and which kinds of systems translate them, untagged.
GENERIC_SETS = ["wmt", "ted"] if config["corpora"]["cocoa_mt"] == "demo" else []
GENERIC_KINDS = []
# Kinds of systems that have one translation for both levels.
UNTAGGED = ["backend"]
# Systems whose level says nothing of M-Acc's labels (Table 5): not asked for any, and the references beside others.
UNASKED = [name for name, one in CONTROLLED.items() if one["kind"] in UNTAGGED]
if any(one["kind"] not in (*UNTAGGED, "references") for one in CONTROLLED.values()):
    UNASKED += [name for name, one in CONTROLLED.items() if one["kind"] == "references"]
CONTROL_OUTPUTS = "build/control/outputs/{system}/{lang}/{level}/run{run}.txt"

# Whose translations WinoMT's repository has, and what the table calls them.
VENDORS = {"google": "Google", "bing": "Bing", "aws": "Amazon", "systran": "Systran"}


def controlled_in(lang):
    """The systems of a language."""
    return [name for name, one in CONTROLLED.items() if one["languages"] is None or lang in one["languages"]]


def controlled_of(kind):
    """A pattern for the systems of a kind."""
    return "|".join(name for name, one in CONTROLLED.items() if one["kind"] == kind) or "(?!)"


def controlled_runs(lang):
    """The files of all systems of a language: (system, level, run, file)."""
    return [
        (name, level, f"run{run}", CONTROL_OUTPUTS.format(system=name, lang=lang, level=level, run=run))
        for name in controlled_in(lang)
        for level in [*LEVELS, *(GENERIC_SETS if CONTROLLED[name]["kind"] in GENERIC_KINDS else [])]
        for run in range(SETTINGS.control.systems[name].runs)
    ]


def controlled_files(wildcards):
    """The translations of a system of one's own, a file or one per domain."""
    path = CONTROLLED[wildcards.system]["path"]
    domains = ["telephony", "topical_chat", "call_center"] if "{domain}" in path else [""]
    return [
        path.format(lang=wildcards.lang, level=wildcards.level, domain=domain, run=wildcards.run)
        for domain in domains
    ]


# Where the translations of a kind come from; each is brought into the order of the test set.
CONTROLLED_FROM = {
    "references": "build/control/test/{lang}/{level}.txt",
    "outputs": controlled_files,
    "iwslt2022": lambda wildcards: (
        "build/corpora/iwslt2022/{lang}/{team}-{number}.{level}.txt".format(
            lang=wildcards.lang, level=wildcards.level, **CONTROLLED[wildcards.system]
        )
    ),
    "backend": "build/translation/controlled/{lang}.txt",
}


localrules:
    controlled_test,
    list_controlled,
    list_controlled_systems,


rule controlled_test:
    """The test sentences, their domains, and their references in both levels."""
    input:
        corpus=f"{COCOA_MT}/{{lang}}",
    output:
        files=expand(
            "build/control/test/{{lang}}/{kind}.txt",
            kind=["source", "domains", *LEVELS, *(f"{level}.annotated" for level in LEVELS)],
        ),
    log:
        "logs/control/controlled_test.{lang}.log",
    benchmark:
        "build/benchmarks/control/controlled_test.{lang}.tsv"
    wildcard_constraints:
        lang="|".join(TARGETS),
    conda:
        "../envs/main.yaml"
    params:
        code=code_of("control.test_set"),
    shell:
        "python -m workflow_scripts.control.test_set build/control/test/{wildcards.lang:q} --corpus {input.corpus:q} 2> {log:q}"


for controlled_kind, controlled_from in CONTROLLED_FROM.items():

    rule:
        """Translations of the test set at one level, in its order."""
        name:
            f"controlled_{controlled_kind}"
        input:
            files=controlled_from,
            domains="build/control/test/{lang}/domains.txt",
        output:
            translations=CONTROL_OUTPUTS,
        log:
            f"logs/control/controlled_{controlled_kind}.{{system}}.{{lang}}.{{level}}.{{run}}.log",
        benchmark:
            f"build/benchmarks/control/controlled_{controlled_kind}.{{system}}.{{lang}}.{{level}}.{{run}}.tsv"
        wildcard_constraints:
            system=controlled_of(controlled_kind),
            lang="|".join(TARGETS),
            level="|".join(LEVELS),
        localrule: True
        conda:
            "../envs/main.yaml"
        params:
            code=code_of("control.outputs"),
        shell:
            "python -m workflow_scripts.control.outputs {output.translations:q} --files {input.files:q}"
            " --domains {input.domains:q} 2> {log:q}"


rule list_controlled_systems:
    """The labels of the systems, in the order of the rows."""
    output:
        manifest="build/control/systems.csv",
    log:
        "logs/control/list_controlled_systems.log",
    benchmark:
        "build/benchmarks/control/list_controlled_systems.tsv"
    conda:
        "../envs/main.yaml"
    params:
        rows=json.dumps([["system", "label"], *([name, one["label"]] for name, one in CONTROLLED.items())]),
        code=code_of("core.manifest"),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule list_controlled:
    """A row for each file of translations of a language."""
    output:
        manifest="build/control/scores/{lang}.manifest.csv",
    log:
        "logs/control/list_controlled.{lang}.log",
    benchmark:
        "build/benchmarks/control/list_controlled.{lang}.tsv"
    wildcard_constraints:
        lang="|".join(TARGETS),
    conda:
        "../envs/main.yaml"
    params:
        rows=lambda wildcards: json.dumps(
            [["system", "level", "run", "output"], *controlled_runs(wildcards.lang)]
        ),
        code=code_of("core.manifest"),
    shell:
        "python -m workflow_scripts.core.manifest {output.manifest:q} --rows {params.rows:q} 2> {log:q}"


rule score_controlled:
    """M-Acc and BLEU of all systems of a language, with intervals and tests against the baseline."""
    input:
        test_set="build/control/test/{lang}/source.txt",
        runs="build/control/scores/{lang}.manifest.csv",
        outputs=lambda wildcards: [path for *_, path in controlled_runs(wildcards.lang)],
        generic=lambda wildcards: expand(
            "build/corpora/generic/{lang}/{name}.target.txt", lang=wildcards.lang, name=GENERIC_SETS
        ),
    output:
        scores="build/control/scores/{lang}.csv",
    log:
        "logs/control/score_controlled.{lang}.log",
    benchmark:
        "build/benchmarks/control/score_controlled.{lang}.tsv"
    wildcard_constraints:
        lang="|".join(TARGETS),
    conda:
        "../envs/main.yaml"
    params:
        generic=lambda wildcards: words(
            {
                "generic": [
                    f"{name}=build/corpora/generic/{wildcards.lang}/{name}.target.txt"
                    for name in GENERIC_SETS
                ]
                or None
            }
        ),
        baseline=lambda wildcards: words(
            {"baseline": name if (name := CONTROL["baseline"]) in controlled_in(wildcards.lang) else None}
        ),
        tests=options(EVALUATION, "resamples", "confidence"),
        seed=lookup("seed", within=config),
        code=code_of("control.score"),
    shell:
        "python -m workflow_scripts.control.score {output.scores:q} --language {wildcards.lang:q}"
        " --test-set build/control/test/{wildcards.lang:q} --runs {input.runs:q} {params.generic:q}"
        " {params.baseline:q} {params.tests:q} --seed {params.seed:q} 2> {log:q}"


rule winomt:
    """WinoMT's accuracy of genders in a vendor's Spanish translations, with fast_align."""
    input:
        source_files("winomt"),
        tool=TOOLS["align"],
    output:
        scores="build/control/winomt/{vendor}.csv",
    log:
        "logs/control/winomt.{vendor}.log",
    benchmark:
        "build/benchmarks/control/winomt.{vendor}.tsv"
    wildcard_constraints:
        vendor="|".join(VENDORS),
    conda:
        "../envs/main.yaml"
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        folder=lambda wildcards: source_folder("winomt"),
        code=code_of("control.winomt"),
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.control.winomt {output.scores:q}"
        " --entries {params.folder:q}/data/aggregates/en.txt"
        " --translations {params.folder:q}/translations/{wildcards.vendor:q}/en-es.txt 2> {log:q}"
