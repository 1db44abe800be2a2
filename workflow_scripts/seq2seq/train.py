"""Command: train a bi-LSTM translation model."""

from pathlib import Path

from workflow_scripts.config.translators import Seq2Seq
from workflow_scripts.core.command import run
from workflow_scripts.core.files import digest
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare

COLUMNS = ("update", "epoch", "learning_rate", "train_perplexity", "dev_perplexity")


def train(
    vocabulary: Path,
    source: Path,
    target: Path,
    dev_source: Path,
    dev_target: Path,
    model: Path,
    log: Path,
    *,
    checkpoints: Path,
    seed: int,
    settings: Seq2Seq,
    precision: Precision,
    device: Device,
    threads: int,
    initial: Path | None = None,
    initial_vocabulary: Path | None = None,
) -> None:
    """Train a bi-LSTM with attention until the dev perplexity stops improving (XFORMAL, appendix D).

    `settings.select` determines which checkpoint becomes the final model.

    A killed training run resumes from its last checkpoint when restarted with the same inputs and options,
    and produces the same bytes as an uninterrupted run.

    :param vocabulary: vocabulary.txt of the text model that wrote the piece files
    :param source: piece file, each line begins with a tag
    :param target: piece file
    :param dev_source: piece file for the dev perplexity
    :param dev_target: piece file for the dev perplexity
    :param model: the model to write, taken from the best checkpoint
    :param log: the table to write: one line per checkpoint, with dev_bleu if that selects the checkpoint
    :param settings: sizes and schedule, `transfer.model` or `translation.nmt.model` of the configuration
    :param initial: model to start from; its vocabulary must equal this vocabulary or be its beginning
    :param initial_vocabulary: vocabulary.txt of that model, if it differs: shared symbols keep their rows
    """
    options = dict(locals())
    resolved = prepare(device, precision, threads)
    # A run that was killed on a GPU cannot resume on a CPU.
    options |= options.pop("settings").model_dump() | resolved.facts()
    from workflow_scripts.seq2seq.data import Pairs, Vocabulary
    from workflow_scripts.seq2seq.model import Sizes
    from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining, first_model
    from workflow_scripts.training.state import TrainingState

    symbols = Vocabulary.read(vocabulary)
    pairs = Pairs.read(symbols, source, target)
    dev = Pairs.read(symbols, dev_source, dev_target)
    sizes = Sizes(len(symbols), settings.embedding, settings.hidden, settings.attention)
    known = Vocabulary.read(initial_vocabulary) if initial_vocabulary else None
    start = first_model(sizes, symbols, seed, initial, known, settings.first_weights)
    inputs = [vocabulary, source, target, dev_source, dev_target, initial, initial_vocabulary]
    key = key_of("seq2seq.train", options, inputs, "torch", "numpy", "sacrebleu", targets=[model, log])
    state = TrainingState(checkpoints, key)
    schedule = Schedule.of({**options, "evaluate_every": settings.checkpoint_every})
    training = TranslatorTraining(start, pairs, dev, schedule, *resolved)
    best = training.run(state)
    mean, deviation = pairs.ratio()
    facts = {
        "vocabulary": digest(vocabulary),
        "length_ratio": mean,
        "length_ratio_deviation": deviation,
        **resolved.facts(),
        "seed": seed,
        "update": training.best_update,
        "dev_perplexity": next(
            row["dev_perplexity"] for row in training.rows if row["update"] == training.best_update
        ),
    }
    best.write(model, facts)
    training.write_log(log, (*COLUMNS, *(["dev_bleu"] if settings.select == "bleu" else [])))
    state.remove()


if __name__ == "__main__":
    run(train)
