"""Command: train a Transformer with an SSRU decoder, or fine-tune one."""

from dataclasses import replace
from pathlib import Path

from workflow_scripts.config.translators import SsruTransformer
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare

COLUMNS = ("update", "epoch", "learning_rate", "train_perplexity", "dev_perplexity")


def train_transformer(
    vocabulary: Path,
    source: Path,
    target: Path,
    model: Path,
    log: Path,
    *,
    checkpoints: Path,
    seed: int,
    settings: SsruTransformer,
    precision: Precision,
    device: Device,
    threads: int,
    dev_source: Path | None = None,
    dev_target: Path | None = None,
    initial: Path | None = None,
    initial_vocabulary: Path | None = None,
) -> None:
    """Train a Transformer with an SSRU decoder (CoCoA-MT, Section 5), as Sockeye 3 does.

    With dev pairs, training ends when the dev perplexity stops improving, and the model is the mean of the
    best checkpoints. Without dev pairs, it ends after `settings.epochs` with the last parameters: this is how
    the paper's generic models are fine-tuned on labelled pairs. Perplexities are exp of the label-smoothed
    loss.

    A killed training run resumes from its last checkpoint when restarted with the same inputs and options,
    and produces the same bytes as an uninterrupted run.

    :param vocabulary: vocabulary.txt of the text model that wrote the piece files
    :param source: piece file; </s> is appended to each line
    :param target: piece file
    :param model: the model to write
    :param log: the table to write: one line per checkpoint
    :param settings: schedule, and sizes unless there is an initial model
    :param dev_source: piece file for the dev perplexity
    :param dev_target: piece file for the dev perplexity
    :param initial: model to start from; its vocabulary must equal this vocabulary or be its beginning
    :param initial_vocabulary: vocabulary.txt of that model, if it differs: shared symbols keep their rows
    """
    options = dict(locals())
    if not (dev_source and dev_target) and (dev_source or dev_target or not settings.epochs):
        raise InputError(
            "no dev pairs, and no number of epochs"
            if not settings.epochs
            else "only one side of the dev pairs",
            fix="give dev_source and dev_target, or neither and settings.epochs",
        )
    resolved = prepare(device, precision, threads)
    # A run that was killed on a GPU cannot resume on a CPU.
    options |= options.pop("settings").model_dump() | resolved.facts()
    from workflow_scripts.seq2seq.data import Pairs, Vocabulary
    from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
    from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining, first_model
    from workflow_scripts.training.state import TrainingState

    symbols = Vocabulary.read(vocabulary)
    pairs = Pairs.read(symbols, source, target)
    dev = Pairs.read(symbols, dev_source, dev_target) if dev_source and dev_target else None
    if initial:
        sizes = replace(Transformer.read(initial)[0].sizes, vocabulary=len(symbols))
    else:
        names = ("units", "heads", "feed_forward", "encoder_layers", "decoder_layers")
        sizes = TransformerSizes(len(symbols), **{name: getattr(settings, name) for name in names})
    known = Vocabulary.read(initial_vocabulary) if initial_vocabulary else None
    start = first_model(sizes, symbols, seed, initial, known)
    inputs = [vocabulary, source, target, dev_source, dev_target, initial, initial_vocabulary]
    key = key_of("seq2seq.train_transformer", options, inputs, "torch", "numpy", targets=[model, log])
    state = TrainingState(checkpoints, key)
    fixed = {"evaluate_every": settings.checkpoint_every, "batch_by": "tokens", "reload": True}
    # The paper does not clip gradients.
    schedule = Schedule.of({**options, **fixed, "gradient_clip": 0.0})
    training = TranslatorTraining(start, pairs, dev, schedule, *resolved)
    best = training.run(state)
    mean, deviation = training.pairs.ratio()
    facts = {
        "vocabulary": digest(vocabulary),
        "length_ratio": mean,
        "length_ratio_deviation": deviation,
        **resolved.facts(),
        "seed": seed,
        "updates": sorted(training.kept) or [training.best_update],
    }
    best.write(model, facts)
    training.write_log(log, COLUMNS)
    state.remove()


if __name__ == "__main__":
    run(train_transformer)
