# transfer: pretrained encoder-decoders, fine-tuned on translated GYAFC or as they are.
from workflow_scripts.wiring.pretrained import OF_LANGUAGE
from workflow_scripts.wiring.systems import TRANSLATED_GYAFC


rule pretrained_model:
    """The checkpoint that a system starts from or is, of the hub or of a folder, or of a language's folder."""
    input:
        rewriters.given_checkpoint,
    output:
        folder=directory("build/transfer/pretrained/{system}{ending}"),
    wildcard_constraints:
        system=systems.of_kinds("finetuned"),
        # Empty, or the language after a dot.
        ending=OF_LANGUAGE,
    localrule: True
    resources:
        weights="checkpoint",
    params:
        source=rewriters.checkpoint_source,
    shell:
        "python -m workflow_scripts.encoders.encoder {output.folder:q} {params.source:q} 2> {log:q}"


rule fine_tune:
    """A pretrained model, fine-tuned on translated GYAFC in both directions; one model per seed."""
    input:
        pairs=TRANSLATED_GYAFC,
        initial=rewriters.checkpoint,
    output:
        model=directory(f"{SYSTEM}/seed{{seed}}.model"),
    wildcard_constraints:
        system=systems.of_kinds("finetuned"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=16000, runtime=1440),
        step="fine_tune",
        counts="epochs of finetuned",
        weights="input",
    params:
        **COMPUTING,
        settings=rewriters.fine_tuning,
        seed="{seed}",
    shell:
        "python -m workflow_scripts.transfer.fine_tune {output.model:q} {params.settings:q}"
        " --seed {params.seed:q} {params.torch:q} {params.device:q}"
        " --checkpoints build/checkpoints/transfer 2> {log:q}"


rule rewrite:
    """The outputs of a fine-tuned model, or of a checkpoint as it is, for the informal sentences."""
    input:
        model=rewriters.fine_tuned,
        source=lambda wildcards: systems.runs(wildcards.lang, systems.named[wildcards.system].input),
    output:
        target=f"{SYSTEM}/run{{run}}.txt",
        facts=f"{SYSTEM}/run{{run}}.finetuned.csv",
    wildcard_constraints:
        system=systems.of_kinds("finetuned"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=16000, runtime=120),
        step="rewrite",
        counts="decoded by finetuned",
    params:
        **COMPUTING,
        settings=rewriters.rewriting,
    shell:
        "python -m workflow_scripts.transfer.rewrite {input.source:q} {output.facts:q}"
        " --targets {output.target:q}"
        " --system {wildcards.system:q} --model {input.model:q} {params.settings:q}"
        " {params.torch:q} {params.device:q} 2> {log:q}"
