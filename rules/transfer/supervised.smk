# transfer: the supervised systems: trained models and their outputs.
from workflow_scripts.wiring.systems import PAIRS, initial_option


rule train_supervised:
    """One bi-LSTM for both directions (appendix D), one model per seed."""
    input:
        text=lambda wildcards: systems.text_of(wildcards.lang, wildcards.system),
        pieces=systems.pieces,
        initial=systems.initial,
    output:
        model=f"{SYSTEM}/seed{{seed}}.safetensors",
        log=f"{SYSTEM}/seed{{seed}}.training.tsv",
    wildcard_constraints:
        system=systems.trained_by("seq2seq"),
    priority: LONG
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="train_supervised",
        counts="updates of transfer",
        weights="transfer",
    params:
        **COMPUTING,
        initial=initial_option,
        settings=systems.training,
    shell:
        "python -m workflow_scripts.seq2seq.train {input.text:q}/vocabulary.txt {input.pieces:q}"
        " {output.model:q} {output.log:q} {params.initial:q} {params.settings:q} {params.torch:q} {params.device:q}"
        " --seed {wildcards.seed:q} --checkpoints build/checkpoints/transfer 2> {log:q}"


if systems.copying:

    rule copying_pairs:
        """The model that the others start from: every sentence as its own rewrite, under both tags."""
        input:
            text=f"{PAIRS}/text",
            copied="build/filtering/opensubtitles/{lang}/copying.{part}.{lang}.txt.gz",
        output:
            source=f"{PAIRS}/copying.{{part}}.source.txt",
            target=f"{PAIRS}/copying.{{part}}.target.txt",
        resources:
            mem_mb=growing(4000),
            step="pieces",
            lines="twice",
        params:
            length=options(TRANSFER, "max_length"),
        shell:
            "python -m workflow_scripts.text.bitext {input.text:q} {output.source:q} {output.target:q}"
            " --sources {input.copied:q} {input.copied:q}"
            " --source-languages {wildcards.lang:q} {wildcards.lang:q}"
            " --targets {input.copied:q} {input.copied:q}"
            " --target-languages {wildcards.lang:q} {wildcards.lang:q}"
            " --tags '<2formal>' '<2informal>' {params.length:q} 2> {log:q}"

    # One for all systems and seeds of a language.
    use rule train_supervised as train_copying with:
        input:
            text=f"{PAIRS}/text",
            pieces=[
                f"{PAIRS}/copying.{part}.{side}.txt"
                for part in ("train", "dev")
                for side in ("source", "target")
            ],
        output:
            model=f"{PAIRS}/copying.seed{{seed}}.safetensors",
            log=f"{PAIRS}/copying.seed{{seed}}.training.tsv",
        params:
            initial=[],
            settings=systems.training_of_copying,


rule decode_supervised:
    """The ensemble's outputs: the mean of the seeds' probabilities, by default of RULE-BASED output."""
    input:
        text=lambda wildcards: systems.text_of(wildcards.lang, systems.decoder(wildcards.system)),
        models=lambda wildcards: systems.models_of(wildcards.lang, systems.decoder(wildcards.system)),
        source=lambda wildcards: systems.runs(wildcards.lang, systems.named[wildcards.system].input),
    output:
        target=f"{SYSTEM}/run0.txt",
    wildcard_constraints:
        system=systems.decoded_by("seq2seq"),
    threads: config["threads"]
    resources:
        **on_a_gpu(mem_mb=8000, runtime=120),
        step="decode",
        counts="decoded by transfer",
    params:
        **COMPUTING,
        search=options(TRANSFER["decoding"], "beam_size", "length_penalty", "batch_size"),
    shell:
        "python -m workflow_scripts.transfer.decode {input.text:q} {input.source:q} {output.target:q}"
        " --models {input.models:q} --language {wildcards.lang:q} --tag '<2formal>' {params.search:q}"
        " {params.torch:q} {params.device:q} --checkpoints build/checkpoints/transfer 2> {log:q}"


# BACKTRANSLATE: informal subtitles, made formal by the models of its base.
use rule decode_supervised as decode_informal_text with:
    input:
        text=f"{PAIRS}/text",
        models=lambda wildcards: systems.models_of(wildcards.lang, systems.named[wildcards.system].base),
        source="build/filtering/opensubtitles/{lang}/informal.backtranslate.{lang}.txt.gz",
    output:
        target=f"{SYSTEM}/decoded.txt",
    wildcard_constraints:
        system=systems.of_kinds("backtranslate"),
    priority: LONG
    resources:
        **on_a_gpu(mem_mb=8000, runtime=1440),
        step="decode",
        counts="decoded by transfer",


# Figure 4: the outputs of each model of an ensemble alone.
use rule decode_supervised as decode_seed with:
    input:
        text=lambda wildcards: systems.text_of(wildcards.lang, systems.decoder(wildcards.system)),
        models=lambda wildcards: f"build/transfer/{{lang}}/{systems.decoder(wildcards.system)}/seed{{seed}}.safetensors",
        source=lambda wildcards: systems.runs(wildcards.lang, systems.named[wildcards.system].input),
    output:
        target="build/transfer/{lang}/{system}/seed{seed}.txt",
