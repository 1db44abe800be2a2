# control: pretrained encoder-decoders, fine-tuned to translate at a level or as they are.
from workflow_scripts.wiring.control import FACTS_OF_BOTH, TUNED_IN


use rule pretrained_model as pretrained_translator with:
    input:
        translators.given_checkpoint,
    output:
        folder=directory("build/control/pretrained/{system}{ending}"),
    wildcard_constraints:
        system=control.of_kind("finetuned"),
        ending=OF_LANGUAGE,
    localrule: True
    params:
        source=translators.checkpoint_source,


# Training segments of CoCoA-MT or of a shared task, once for each level.
use rule fine_tune as fine_tune_translator with:
    input:
        corpus=translators.training_corpus,
        initial=translators.checkpoint,
    output:
        model=directory(f"{TUNED_MODEL}.model"),
    wildcard_constraints:
        system=control.of_kind("finetuned"),
        lang=one_of(TUNED_IN),
    params:
        settings=translators.fine_tuning,
        seed=lambda wildcards: translators.finetuned(wildcards).seeds[int(wildcards.run)],


# The test set at one level.
use rule rewrite as translate_finetuned with:
    input:
        model=translators.tuned_translator,
        source="build/control/test/{lang}/source.txt",
    output:
        target=CONTROL_OUTPUTS,
        facts="build/control/outputs/{system}/{lang}/{level}/run{run}.finetuned.csv",
    wildcard_constraints:
        system=control.of_kind("finetuned", alike=False),
        lang=one_of(TEST_SETS),
        level=one_of(LEVELS),
    params:
        settings=translators.translating,


# The test set, translated once for both levels by a model that is told none.
use rule translate_finetuned as translate_without_level with:
    output:
        target=expand(CONTROL_OUTPUTS, level=LEVELS, allow_missing=True),
        facts=FACTS_OF_BOTH,
    wildcard_constraints:
        system=control.of_kind("finetuned", alike=True),
        lang=one_of(TEST_SETS),
