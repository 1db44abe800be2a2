"""Command: train the language-model prior of one style."""

from pathlib import Path

from workflow_scripts.config import sections
from workflow_scripts.core.command import run
from workflow_scripts.core.files import digest
from workflow_scripts.core.job_state import key_of
from workflow_scripts.seq2seq.device import Device, Precision, prepare

COLUMNS = ("update", "epoch", "learning_rate", "train_loss", "dev_loss")


def train_prior(
    vocabulary: Path,
    train: Path,
    dev: Path,
    model: Path,
    log: Path,
    *,
    checkpoints: Path,
    seed: int,
    settings: sections.Prior,
    precision: Precision,
    device: Device,
    threads: int,
) -> None:
    """Train an LSTM language model on the sentences of one style (He et al., 2020).

    A training that was killed goes on from its last evaluation when it is started again with the same inputs
    and options, and ends with the same bytes as one that was not.

    :param vocabulary: vocabulary.txt of the text model that wrote the word files
    :param train: word file of the style
    :param dev: word file of the style, for the dev loss
    :param model: the prior to write: the one with the best dev loss
    :param log: the table to write: one line per evaluation, losses in nats per word
    :param settings: sizes and schedule, `unsupervised.prior` of the configuration
    """
    options = dict(locals())
    where = prepare(device, precision, threads)
    # A training that was killed on a GPU does not go on on a CPU.
    options |= options.pop("settings").model_dump() | where.facts()
    from workflow_scripts.seq2seq.data import Vocabulary
    from workflow_scripts.training.state import TrainingState
    from workflow_scripts.unsupervised.prior import Prior, PriorSizes
    from workflow_scripts.unsupervised.prior_updates import PriorSchedule, PriorTraining, first_weights
    from workflow_scripts.unsupervised.words import read_sentences

    symbols = Vocabulary.read(vocabulary)
    sentences, held_out = read_sentences(symbols, train), read_sentences(symbols, dev)
    inputs = (vocabulary, train, dev)
    key = key_of("unsupervised.train_prior", options, inputs, "torch", "numpy", targets=[model, log])
    state = TrainingState(checkpoints, key)
    start = first_weights(Prior(PriorSizes(len(symbols), settings.embedding, settings.hidden)), seed)
    training = PriorTraining(start, sentences, held_out, PriorSchedule.of(options), *where)
    best = training.run(state)
    facts = {
        "vocabulary": digest(vocabulary),
        **where.facts(),
        "seed": seed,
        "update": training.best_update,
        "dev_loss": training.best_loss,
    }
    best.write(model, facts)
    training.write_log(log, COLUMNS)
    state.remove()


if __name__ == "__main__":
    run(train_prior)
