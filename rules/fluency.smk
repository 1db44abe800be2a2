# fluency: 5-gram Kneser-Ney language models of formal text (Section 5.3) and their scores.
from workflow_scripts.wiring.resources import megabytes

KENLM = os.path.dirname(TOOLS["kenlm"])
# Not the programs: Snakemake deletes the outputs of a job, and another run may use them.
LMPLZ = f"{KENLM}/kenlm/.done"
LM = "build/fluency/{lang}/formal.binary"
TRUECASER = "build/fluency/{lang}/truecase.txt"


if not (checks.made_by_others(workflow, TOOLS["kenlm"]) and checks.made_by_others(workflow, LMPLZ)):

    rule lmplz:
        """lmplz and build_binary from the source distribution of kenlm."""
        input:
            tool=TOOLS["kenlm"],
        output:
            done=LMPLZ,
        # Its two compilers count as one thread: a job of two would wait for two cores that are idle at the same time, up to
        # the end of the run.
        priority: FIRST
        localrule: True
        params:
            venv=lambda wildcards, input: os.path.dirname(input.tool),
        shell:
            "python -m workflow_scripts.fluency.lmplz {params.venv:q} {params.venv:q}/kenlm {output.done:q} 2> {log:q}"


rule train_lm:
    """Section 5.3: a 5-gram model with modified Kneser-Ney smoothing, of formal subtitles."""
    input:
        programs=LMPLZ,
        sentences="build/filtering/opensubtitles/{lang}/formal.lm.{lang}.txt.gz",
    output:
        model=LM,
        truecaser=TRUECASER,
    resources:
        mem_mb=growing(megabytes(config["fluency"]["memory"])),
        runtime=growing(120, DAY),
    params:
        bin=lambda wildcards, input: os.path.dirname(input.programs),
        order=config["fluency"]["order"],
        memory=untracked(config["fluency"]["memory"]),
    shell:
        "python -m workflow_scripts.fluency.train {params.bin:q} {output.model:q} {input.sentences:q}"
        " --language {wildcards.lang:q} --order {params.order:q} --memory {params.memory:q}"
        " --truecaser {output.truecaser:q} --temporary {resources.tmpdir:q} 2> {log:q}"


rule score_fluency:
    """Negative log-likelihood per token of the outputs of all systems, one file of scores per run."""
    input:
        model=LM,
        truecaser=TRUECASER,
        outputs=lambda wildcards: systems.outputs_in(wildcards.lang),
    output:
        scores=directory("build/fluency/{lang}/systems"),
    resources:
        mem_mb=growing(4000),
        step="score fluency",
    params:
        scores=lambda wildcards: systems.sentence_scores("fluency", wildcards.lang),
    shell:
        "python -m workflow_scripts.fluency.score {input.model:q} --sources {input.outputs:q}"
        " --targets {params.scores:q} --language {wildcards.lang:q} --truecaser {input.truecaser:q} 2> {log:q}"


# Figure 4: fluency of the outputs of single models.
use rule score_fluency as score_seeds_fluency with:
    input:
        model=LM,
        truecaser=TRUECASER,
        outputs=lambda wildcards: systems.seeds_outputs(wildcards.lang),
    output:
        scores=directory("build/fluency/{lang}/seeds"),
    params:
        scores=lambda wildcards: systems.seeds_scores("fluency", wildcards.lang),
