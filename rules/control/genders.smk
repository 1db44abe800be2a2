# control: the gender that translations give to people whose gender an English pronoun tells, by WinoMT.
from workflow_scripts.wiring.control import GENERIC_MODEL, VENDORS, WINOMT_OUTPUT, WINOMT_SCORES


rule winomt_sentences:
    """The sentences that translators are given."""
    input:
        control.winomt_files,
    output:
        source="build/control/winomt/source.en.txt",
    localrule: True
    resources:
        lines="winomt",
    params:
        entries=lambda wildcards: control.winomt,
    shell:
        "python -m workflow_scripts.control.winomt_sentences {output.source:q} --entries {params.entries:q}"
        " 2> {log:q}"


use rule decode_tuned as winomt_tuned with:
    input:
        text=f"{GENERIC_MODEL}/tagged",
        models=f"{TUNED_MODEL}.safetensors",
        sources=rules.winomt_sentences.output.source,
    output:
        targets=[WINOMT_OUTPUT],
    params:
        levels=["none"],


use rule winomt_tuned as winomt_generic with:
    input:
        text=f"{GENERIC_MODEL}/text",
        models=f"{GENERIC_MODEL}/model.safetensors",
        sources=rules.winomt_sentences.output.source,
    wildcard_constraints:
        system=control.of_kind("generic"),
        lang=one_of(TARGETS),


rule winomt:
    """WinoMT's accuracy of genders in a vendor's Spanish translations, with fast_align."""
    input:
        [corpora.folder("winomt")],
        tool=TOOLS["align"],
    output:
        scores="build/control/winomt/{vendor}.csv",
    wildcard_constraints:
        vendor=one_of(VENDORS),
    resources:
        step="winomt",
    params:
        venv=lambda wildcards, input: os.path.dirname(input.tool),
        entries=lambda wildcards: f"{corpora.folder('winomt')}/data/aggregates/en.txt",
        translations=lambda wildcards: f"{corpora.folder('winomt')}/translations/{wildcards.vendor}/en-es.txt",
        layout=as_options({"language": "es", "layout": "winomt"}),
    shell:
        "{params.venv:q}/bin/python -m workflow_scripts.control.winomt {output.scores:q}"
        " --entries {params.entries:q} --translations {params.translations:q} {params.layout:q} 2> {log:q}"


use rule winomt as winomt_of_system with:
    input:
        control.winomt_files,
        tool=TOOLS["align"],
        translations=WINOMT_OUTPUT,
    output:
        scores=WINOMT_SCORES,
    wildcard_constraints:
        system=one_of(control.systems),
        lang=one_of(TARGETS),
    params:
        entries=lambda wildcards: control.winomt,
        translations=lambda wildcards, input: input.translations,
        layout=lambda wildcards: words({"language": wildcards.lang, "layout": "lines"}),
